"""The record as it is read: people, rounds, tables and draws. Each key and value is checked; an unknown key is an error."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from scoring.verification.contradiction import Contradiction, refused, should_be, shown
from tournaments.core.document_reader import Fields, Reader
from tournaments.core.draw import Step, Tables, change_from_dict, is_seed
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import Wish, wish_from_dict

ROUND_KEYS = ("number", "state", "drawn_at", "released_at", "started_at", "closed_at", "draw", "tables")
TABLE_KEYS = ("number", "seats", "scribe", "mark", "entries")
ATTEMPT_KEYS = (
    *("version", "mode", "seed", "attempt", "commitment", "players", "sizes", "history", "wishes", "changes"),
    "made_at",
)


@dataclass(frozen=True, slots=True)
class RecordedChange:
    """A change by hand. at: when it was made."""

    reader: Reader
    step: Step
    at: datetime


@dataclass(frozen=True, slots=True)
class RecordedAttempt:
    """An attempt of a draw. seed: None if it is not public, because wishes are private. commitment: its number, if there is one."""

    reader: Reader
    number: int
    version: int
    mode: str
    seed: str | None
    players: tuple[int, ...]
    sizes: tuple[int, ...]
    history: tuple[Tables, ...]
    wishes: tuple[Wish, ...]
    changes: tuple[RecordedChange, ...]
    made_at: datetime
    commitment: int | None
    abandoned_at: datetime | None

    @property
    def steps(self) -> list[Step]:
        return [change.step for change in self.changes]


@dataclass(frozen=True, slots=True)
class RecordedTable:
    """A table. players: start numbers, in the order of the seats."""

    reader: Reader
    number: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RecordedRound:
    """A released round. attempts: in their order, the last one is in force; none if no draw is on record."""

    reader: Reader
    number: int
    state: Literal["released", "closed"]
    tables: tuple[RecordedTable, ...]
    attempts: tuple[RecordedAttempt, ...]

    @property
    def seating(self) -> Tables:
        return tuple(table.players for table in sorted(self.tables, key=lambda table: table.number))

    @property
    def players(self) -> frozenset[int]:
        return frozenset(player for table in self.tables for player in table.players)


@dataclass(frozen=True, slots=True)
class RecordedPerson:
    name: str
    is_excluded: bool


def read_people(reader: Reader) -> dict[int, RecordedPerson]:
    """Return the participants by start number."""
    people: dict[int, RecordedPerson] = {}
    for item in reader.items():
        fields = item.fields(("start_number", "name", "withdrawn_at", "excluded_at"))
        number = fields["start_number"].whole(least=1)
        if number in people:
            raise _twice(fields["start_number"])
        fields.moment("withdrawn_at")
        is_excluded = fields.moment("excluded_at") is not None
        people[number] = RecordedPerson(text_of(fields["name"]), is_excluded)
    return people


def text_of(reader: Reader) -> str:
    """Return a text as it stands, since nothing depends on it."""
    if not isinstance(reader.value, str):
        raise reader.error("document_text_expected")
    return reader.value


def read_rounds(reader: Reader, people: Collection[int]) -> list[RecordedRound]:
    """Return the rounds. They are numbered from 1, and all but the last are closed."""
    rounds: list[RecordedRound] = []
    for number, item in enumerate(reader.items(), start=1):
        if rounds and rounds[-1].state != "closed":
            raise should_be(rounds[-1].reader.key("state"), "closed")
        fields = item.fields(ROUND_KEYS)
        if fields["number"].whole(least=1) != number:
            raise should_be(fields["number"], number)
        fields["drawn_at"].moment()
        for name in ("released_at", "started_at", "closed_at"):
            fields.moment(name)
        is_closed = fields["state"].choice(("released", "closed")) == "closed"
        rounds.append(
            RecordedRound(
                reader=item,
                number=number,
                state="closed" if is_closed else "released",
                tables=tuple(_tables(fields["tables"], people)),
                attempts=() if fields["draw"].is_null else tuple(_attempts(fields["draw"])),
            )
        )
    return rounds


def _tables(reader: Reader, people: Collection[int]) -> Iterable[RecordedTable]:
    numbers: set[int] = set()
    seated: set[int] = set()
    for item in reader.items():
        fields = item.fields(TABLE_KEYS)
        number = fields["number"].whole(least=1)
        if number in numbers:
            raise _twice(fields["number"])
        numbers.add(number)
        players = tuple(_seats(fields["seats"], people, seated))
        _check_scribe(fields["scribe"], len(players))
        yield RecordedTable(item, number, players)


def _seats(reader: Reader, people: Collection[int], seated: set[int]) -> Iterable[int]:
    for seat, item in enumerate(reader.items(), start=1):
        fields = item.fields(("seat_number", "start_number"))
        if fields["seat_number"].whole(least=1) != seat:
            raise should_be(fields["seat_number"], seat)
        player = fields["start_number"].whole(least=1)
        if player not in people:
            place = fields["start_number"]
            raise Contradiction(
                place.path, f"It is {player}. It should be the number of one of the participants."
            )
        if player in seated:
            raise _twice(fields["start_number"])
        seated.add(player)
        yield player


def _twice(reader: Reader) -> Contradiction:
    return Contradiction(reader.path, f"It is {shown(reader.value)} a second time. It should be there once.")


def _check_scribe(reader: Reader, seats: int) -> None:
    if not reader.is_null:
        fields = reader.fields(("seat_number", "at"))
        fields["seat_number"].whole(least=1, most=seats)
        fields["at"].moment()


def _attempts(draw: Reader) -> Iterable[RecordedAttempt]:
    """Yield the abandoned attempts and the one in force. They are numbered from 1, and none is left out."""
    in_force = draw.fields((*ATTEMPT_KEYS, "abandoned"), ("private_wishes",))
    abandoned = [
        item.fields((*ATTEMPT_KEYS, "abandoned_at"), ("private_wishes",))
        for item in in_force["abandoned"].items()
    ]
    for number, fields in enumerate((*abandoned, in_force), start=1):
        if fields["attempt"].whole(least=1) != number:
            found = fields["attempt"]
            raise Contradiction(
                found.path,
                f"It is {found.value}. It should be {number}: no attempt may be missing from the record.",
            )
        if fields is not in_force:
            fields["abandoned_at"].moment()
        yield _attempt(fields, number)


def _attempt(fields: Fields, number: int) -> RecordedAttempt:
    return RecordedAttempt(
        reader=fields.reader,
        number=number,
        version=fields["version"].whole(least=1),
        mode=fields["mode"].text(most=20),
        seed=_seed(fields),
        players=_numbers(fields["players"]),
        sizes=_numbers(fields["sizes"]),
        history=tuple(tuple(map(_numbers, tables.items())) for tables in fields["history"].items()),
        wishes=tuple(map(_wish, fields["wishes"].items())),
        changes=tuple(map(_change, fields["changes"].items())),
        made_at=fields["made_at"].moment(),
        commitment=number_or_none(fields["commitment"]),
        abandoned_at=fields.moment("abandoned_at"),
    )


def _seed(fields: Fields) -> str | None:
    """Return the seed. It is public if and only if no wish is private."""
    seed, hidden = fields["seed"], fields["private_wishes"]
    if fields.has("private_wishes"):
        hidden.whole(least=1)
        if not seed.is_null:
            raise should_be(seed, None)
        return None
    if not isinstance(seed.value, str) or not is_seed(seed.value):
        raise seed.error("seed_bad")
    return seed.value


def number_or_none(reader: Reader) -> int | None:
    return None if reader.is_null else reader.whole(least=1)


def _numbers(reader: Reader) -> tuple[int, ...]:
    return tuple(number.whole(least=1) for number in reader.items())


def _wish(reader: Reader) -> Wish:
    _check_public(reader, ("reason", "private"))
    try:
        return wish_from_dict(reader.value)
    except Refusal as refusal:
        raise refused(reader.path, refusal) from None


def _change(reader: Reader) -> RecordedChange:
    _check_public(reader, ("reason", "by"))
    try:
        step = change_from_dict({key: value for key, value in reader.value.items() if key != "at"})
    except Refusal as refusal:
        raise refused(reader.path, refusal) from None
    return RecordedChange(reader, step, reader.key("at").moment())


def _check_public(reader: Reader, private: Sequence[str]) -> None:
    """Check that this is an object without any of the private keys."""
    if not isinstance(reader.value, dict):
        raise reader.error("document_object_expected")
    for key in private:
        if key in reader.value:
            raise reader.key(key).error("document_unknown_key", key=key)
