"""Import of the tournament's part of a document: the reader checks every key and value, and errors name the JSON path."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any

from tournaments.core.document_reader import LARGEST_TABLE_NUMBER, DocumentError, Fields, Reader
from tournaments.core.draw import DRAW_VERSION, RANDOM, change_from_dict, is_seed
from tournaments.core.names import clean_name
from tournaments.core.refusal import Refusal
from tournaments.core.sizes import possible_sizes
from tournaments.core.wishes import wish_from_dict
from tournaments.documents import ATTEMPT_KEYS, MORE_ATTEMPT_KEYS, READABLE_SCHEMAS, SCHEMA, SLUG_LENGTH
from tournaments.models import DrawAttempt, Participant, Payment, PersonChange, Round, SeatChange, Tournament
from tournaments.money_documents import read_fees, read_payment, read_prize_plan
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.rulesets.reading import RulesetError
from tournaments.rulesets.schema import Ruleset
from tournaments.services.ending import check_can_end


@dataclass(frozen=True, slots=True)
class ReadPerson:
    participant: Participant
    payments: tuple[Payment, ...]
    changes: tuple[PersonChange, ...]


@dataclass(frozen=True, slots=True)
class ReadAttempt:
    attempt: DrawAttempt
    changes: tuple[SeatChange, ...]
    reader: Reader


@dataclass(frozen=True, slots=True)
class ReadScribe:
    start_number: int
    by: str
    at: datetime
    agreed: bool


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table as read. seats: seat number -> start number. scribe: as named. reader: for the entries of the sheet."""

    number: int
    seats: dict[int, int]
    reader: Reader
    scribe: ReadScribe | None = None


@dataclass(frozen=True, slots=True)
class ReadRound:
    round: Round
    attempts: tuple[ReadAttempt, ...]
    tables: tuple[ReadTable, ...]
    reader: Reader

    @property
    def seating(self) -> list[list[int]]:
        """The tables by number, each as start numbers in seat order."""
        return [list(table.seats.values()) for table in sorted(self.tables, key=lambda table: table.number)]


def refuse_newer(reader: Reader) -> None:
    """Refuse a document of a newer program, whose keys may be unknown here, before they are read. Raises DocumentError."""
    if not isinstance(reader.value, dict):
        return
    schema = reader.key("schema")
    name, _slash, number = str(schema.value).rpartition("/")
    ours, _slash, known = SCHEMA.rpartition("/")
    if name == ours and re.fullmatch("[0-9]{1,9}", number) and int(number) > int(known):
        raise schema.error("document_schema_newer")


def check_schema(fields: Fields) -> None:
    """Check the document's version. Raises DocumentError for another one."""
    if fields["schema"].value not in READABLE_SCHEMAS:
        raise fields["schema"].error("document_schema_unknown", expected=SCHEMA)


def read_tournament(reader: Reader, *, at: datetime) -> Tournament:
    """Return the tournament, unsaved. at: the time of import; also the default of the time of creation."""
    fields = reader.fields(
        ("slug", "name", "date", "ruleset"),
        (
            *("place", "names", "ceremony", "draw_mode", "wishes", "practice", "ended", "created_at"),
            *("fees", "starts_at", "admits_at", "prize_plan"),
        ),
    )
    ending = _read_ending(fields["ended"]) if fields.has("ended") else {}
    return Tournament(
        slug=_slug(fields["slug"]),
        name=fields["name"].text(most=120),
        played_on=fields["date"].day(),
        place=fields["place"].text(most=120, required=False) if fields.has("place") else "",
        names=fields.choice("names", Tournament.Names.values, "full"),
        ceremony=fields.choice("ceremony", Tournament.Ceremony.values, Tournament.Ceremony.QUIET),
        draw_mode=fields.choice("draw_mode", Tournament.DrawMode.values, Tournament.DrawMode.FEW_REPEATS),
        wishes=[_read_wish(wish) for wish in fields["wishes"].items()] if fields.has("wishes") else [],
        fees=read_fees(fields["fees"]) if fields.has("fees") else [],
        starts_at=fields["starts_at"].moment() if fields.has("starts_at") else None,
        admits_at=fields["admits_at"].moment() if fields.has("admits_at") else None,
        prize_plan=read_prize_plan(fields["prize_plan"]),
        imported_at=at,
        is_practice=fields["practice"].yes_or_no() if fields.has("practice") else False,
        created_at=fields["created_at"].moment() if fields.has("created_at") else at,
        ruleset=_ruleset(fields["ruleset"]).to_dict(),
        **ending,
    )


def _read_ending(reader: Reader) -> dict[str, Any]:
    """Return the columns of an early end. Whether the rounds allow it is checked by `check_ending`."""
    fields = reader.fields(("reason", "by", "at"))
    reason = fields["reason"].text(most=500)
    return {"ended_reason": reason, "ended_by": _who(fields["by"]), "ended_at": fields["at"].moment()}


def check_ending(reader: Reader, tournament: Tournament, rounds: Iterable[ReadRound]) -> None:
    """Check that the rounds allow the early end of the tournament, if it has one."""
    if tournament.ended_at is None:
        return
    try:
        check_can_end(tournament.rules, {found.round.number: found.round.state for found in rounds})
    except Refusal as refusal:
        raise DocumentError(f"{reader.path}.ended", refusal) from None


def read_participants(reader: Reader, tournament: Tournament, *, at: datetime) -> list[ReadPerson]:
    """Return the players, unsaved. Each start number must be unique."""
    people: dict[int, ReadPerson] = {}
    for item in reader.items():
        person = _read_person(item, tournament, at)
        number = person.participant.start_number
        if number in people:
            raise item.key("start_number").error("document_number_twice", number=number)
        people[number] = person
    return list(people.values())


def read_rounds(
    reader: Reader, tournament: Tournament, start_numbers: set[int], *, at: datetime
) -> list[ReadRound]:
    """Return the rounds, unsaved, and check their order.

    They must be numbered from 1, and all but the last must be closed. If rounds are drawn ahead, only the rounds
    before a released or closed one must be.
    """
    rules = tournament.rules
    rounds: list[ReadRound] = []
    for item in reader.items():
        history = [earlier.seating for earlier in rounds]
        rounds.append(_read_round(item, tournament, start_numbers, history, at))
    for expected, found in enumerate(rounds, start=1):
        if found.round.number != expected:
            raise found.reader.key("number").error("document_round_out_of_order", expected=expected)
        if expected > rules.most_rounds:
            raise found.reader.key("number").error("all_rounds_drawn", rounds=rules.most_rounds)
    for found, later in pairwise(rounds):
        may_be_open = rules.drawn_ahead and later.round.state == Round.State.DRAWN
        if found.round.state != Round.State.CLOSED and not may_be_open:
            raise found.reader.key("state").error("previous_round_open", round=found.round.number)
    return rounds


def _slug(reader: Reader) -> str:
    slug = reader.text(most=SLUG_LENGTH)
    if not all(c.isascii() and (c.isalnum() or c in "-_") for c in slug):
        raise reader.error("slug_bad")
    return slug


def _ruleset(reader: Reader) -> Ruleset:
    if isinstance(reader.value, str):
        return preset(reader.choice(PRESETS))
    if not isinstance(reader.value, dict):
        raise reader.error("document_object_expected")
    try:
        return Ruleset.from_dict(reader.value)
    except RulesetError as error:
        path = f"{reader.path}.{error.path}" if error.path else reader.path
        raise DocumentError(path, Refusal("ruleset_bad", path=error.path, message=error.message)) from None


def _read_person(reader: Reader, tournament: Tournament, at: datetime) -> ReadPerson:
    fields = reader.fields(
        ("start_number", "name"),
        [
            "club",
            "town",
            "fee",
            "names",
            "presence",
            "withdrawn",
            "withdrawn_at",
            "excluded",
            "excluded_at",
            "registered_at",
            "registered_by",
            "payments",
            "changes",
        ],
    )
    withdrawn = fields["withdrawn"].yes_or_no() if fields.has("withdrawn") else False
    excluded = fields["excluded"].text(most=500) if fields.has("excluded") else ""
    participant = Participant(
        tournament=tournament,
        start_number=fields["start_number"].whole(least=1),
        name=_name(fields["name"]),
        club=fields["club"].text(most=80, required=False) if fields.has("club") else "",
        town=fields["town"].text(most=80, required=False) if fields.has("town") else "",
        fee=fields["fee"].choice([kind.key for kind in tournament.fee_kinds]) if fields.has("fee") else "",
        names=fields.choice("names", Tournament.Names.values, ""),
        presence=_presence(fields["presence"]),
        withdrawn_at=_moment_if(fields["withdrawn_at"], at, holds=withdrawn),
        excluded_at=_moment_if(fields["excluded_at"], at, holds=bool(excluded)),
        excluded_reason=excluded,
        registered_at=_moment_or(fields["registered_at"], at),
        registered_by=_who(fields["registered_by"]),
    )
    payments = fields["payments"].items() if fields.has("payments") else ()
    changes = fields["changes"].items() if fields.has("changes") else ()
    return ReadPerson(
        participant,
        tuple(read_payment(item, participant) for item in payments),
        tuple(_read_person_change(item, participant) for item in changes),
    )


def _read_person_change(reader: Reader, participant: Participant) -> PersonChange:
    fields = reader.fields(("kind", "by", "at"), ("text",))
    return PersonChange(
        participant=participant,
        kind=fields["kind"].choice(PersonChange.ChangeKind.values),
        text=fields["text"].text(most=500, required=False) if fields.has("text") else "",
        by=_who(fields["by"]),
        at=fields["at"].moment(),
    )


_History = list[list[list[int]]]
_MOMENTS = ("drawn_at", "released_at", "started_at", "closed_at")


def _read_round(
    reader: Reader, tournament: Tournament, start_numbers: set[int], history: _History, at: datetime
) -> ReadRound:
    fields = reader.fields(
        ("number", "state", "tables"),
        (*_MOMENTS, "closed_reason", "released_reason", "draw", "commitments"),
    )
    state = fields["state"].choice(Round.State.values)
    found = Round(
        tournament=tournament,
        number=fields["number"].whole(least=1),
        state=state,
        drawn_at=_moment_or(fields["drawn_at"], at),
        released_at=_moment_or(fields["released_at"], at) if state != Round.State.DRAWN else None,
        released_reason=fields.text("released_reason", most=500),
        started_at=fields.moment("started_at") if state != Round.State.DRAWN else None,
        closed_at=_moment_or(fields["closed_at"], at) if state == Round.State.CLOSED else None,
        closed_reason=fields.text("closed_reason", most=500),
    )
    tables = tuple(_read_tables(fields["tables"], tournament.rules, start_numbers, at))
    attempts = tuple(_read_draw(fields["draw"], found, tables, history, at)) if fields.has("draw") else ()
    return ReadRound(found, attempts, tables, reader)


def _read_tables(
    reader: Reader, rules: Ruleset, start_numbers: set[int], at: datetime
) -> Iterable[ReadTable]:
    numbers: set[int] = set()
    seated: set[int] = set()
    for item in reader.items():
        fields = item.fields(("number", "seats"), ("scribe", "entries", "parked", "digest"))
        number = fields["number"].whole(least=1, most=LARGEST_TABLE_NUMBER)
        if number in numbers:
            raise fields["number"].error("document_number_twice", number=number)
        numbers.add(number)
        seats = _read_seats(fields["seats"], rules, start_numbers, seated)
        scribe = _read_scribe(fields["scribe"], rules, seats, at) if fields.has("scribe") else None
        yield ReadTable(number, seats, item, scribe)


def _read_scribe(reader: Reader, rules: Ruleset, seats: dict[int, int], at: datetime) -> ReadScribe:
    fields = reader.fields(("seat_number",), ("by", "at", "agreed"))
    seat = fields["seat_number"].whole(least=1)
    if not rules.names_scribes:
        raise reader.error("scribe_is_seat_1")
    if seat not in seats:
        raise fields["seat_number"].error("not_at_this_table", seat=seat)
    agreed = fields.has("agreed") and fields["agreed"].yes_or_no()
    return ReadScribe(seats[seat], _who(fields["by"]), _moment_or(fields["at"], at), agreed)


def _read_seats(reader: Reader, rules: Ruleset, start_numbers: set[int], seated: set[int]) -> dict[int, int]:
    """Return seat number -> start number of one table, and add the players to `seated`.

    The seats must be 1 to k, for a possible table size k; each player must be registered and have one seat a round.
    """
    seats: dict[int, int] = {}
    for item in reader.items():
        fields = item.fields(("seat_number", "start_number"))
        seat, player = fields["seat_number"].whole(least=1), fields["start_number"].whole(least=1)
        if seat in seats:
            raise fields["seat_number"].error("document_number_twice", number=seat)
        if player not in start_numbers:
            raise fields["start_number"].error("unknown_participant", start_number=player)
        if player in seated:
            raise fields["start_number"].error("player_twice", start_number=player)
        seats[seat] = player
        seated.add(player)
    if sorted(seats) != list(range(1, len(seats) + 1)):
        raise reader.error("document_seats_bad")
    possible = possible_sizes(rules.tables, rules.qualifying)
    if len(seats) not in possible:
        raise reader.error("document_table_size", seats=len(seats), least=possible[0], most=possible[-1])
    return dict(sorted(seats.items()))


def _read_draw(
    reader: Reader, found: Round, tables: tuple[ReadTable, ...], history: _History, at: datetime
) -> Iterable[ReadAttempt]:
    fields = reader.fields(ATTEMPT_KEYS, (*MORE_ATTEMPT_KEYS, "abandoned"))
    sizes = [len(table.seats) for table in sorted(tables, key=lambda table: table.number)]
    numbers = set()
    earlier = fields["abandoned"].items() if fields.has("abandoned") else ()
    for item in (*earlier, reader):
        read = _read_attempt(item, found, sizes, history, at, is_abandoned=item is not reader)
        if read.attempt.attempt in numbers:
            raise item.key("attempt").error("document_number_twice", number=read.attempt.attempt)
        numbers.add(read.attempt.attempt)
        yield read


def _read_attempt(
    reader: Reader,
    found: Round,
    sizes: list[int],
    history: _History,
    at: datetime,
    *,
    is_abandoned: bool,
) -> ReadAttempt:
    """Return an attempt, unsaved. Missing sizes are taken from the tables, missing history from the earlier rounds."""
    fields = reader.fields(
        (*ATTEMPT_KEYS, "abandoned_at") if is_abandoned else ATTEMPT_KEYS,
        (*MORE_ATTEMPT_KEYS, "abandoned", "abandoned_because"),
    )
    mode = fields["mode"].text(most=20)
    if fields.has("history"):
        history = _read_history(fields["history"])
    elif mode == RANDOM:
        history = []
    attempt = DrawAttempt(
        round=found,
        attempt=fields["attempt"].whole(least=1),
        version=fields["version"].whole(least=1) if fields.has("version") else DRAW_VERSION,
        mode=mode,
        seed=read_seed(fields["seed"]),
        players=[player.whole(least=1) for player in fields["players"].items()],
        sizes=[size.whole(least=1) for size in fields["sizes"].items()] if fields.has("sizes") else sizes,
        history=history,
        wishes=[_read_wish(wish) for wish in fields["wishes"].items()] if fields.has("wishes") else [],
        reason=fields["reason"].text(most=500) if fields.has("reason") else "",
        made_at=_moment_or(fields["made_at"], at),
        by=_who(fields["by"]),
        abandoned_at=fields["abandoned_at"].moment() if is_abandoned else None,
    )
    changes = enumerate(fields["changes"].items(), start=1)
    made = tuple(_read_change(item, attempt, sequence, at) for sequence, item in changes)
    return ReadAttempt(attempt, made, reader)


def _read_history(reader: Reader) -> _History:
    return [
        [[player.whole(least=1) for player in table.items()] for table in tables.items()]
        for tables in reader.items()
    ]


def _read_wish(reader: Reader) -> dict[str, object]:
    if not isinstance(reader.value, dict):
        raise reader.error("document_object_expected")
    reason = reader.key("reason")
    text = "" if reason.is_null else reason.text(most=500, required=False)
    try:
        return wish_from_dict(reader.value | {"reason": text}).to_dict()
    except Refusal as refusal:
        raise DocumentError(reader.path, refusal) from None


def _read_change(reader: Reader, attempt: DrawAttempt, sequence: int, at: datetime) -> SeatChange:
    if not isinstance(reader.value, dict):
        raise reader.error("document_object_expected")
    data = {key: value for key, value in reader.value.items() if key not in ("reason", "by", "at")}
    try:
        change = change_from_dict(data)
    except Refusal as refusal:
        raise DocumentError(reader.path, refusal) from None
    reason = reader.key("reason")
    return SeatChange(
        attempt=attempt,
        sequence=sequence,
        data=change.to_dict(),
        reason="" if reason.is_null else reason.text(most=500, required=False),
        at=_moment_or(reader.key("at"), at),
        by=_who(reader.key("by")),
    )


def _name(reader: Reader) -> str:
    try:
        return clean_name(reader.value) if isinstance(reader.value, str) else reader.text(most=80)
    except Refusal as refusal:
        raise DocumentError(reader.path, refusal) from None


def _presence(reader: Reader) -> str:
    return Participant.Presence.PRESENT if reader.is_null else reader.choice(Participant.Presence.values)


def _moment_or(reader: Reader, at: datetime) -> datetime:
    return at if reader.is_null else reader.moment()


def _moment_if(reader: Reader, at: datetime, *, holds: bool) -> datetime | None:
    """Return the time since which a state holds, by default `at`; None if it does not hold, then no time is allowed."""
    if holds:
        return _moment_or(reader, at)
    if not reader.is_null:
        raise reader.error("document_moment_of_nothing")
    return None


def read_seed(reader: Reader) -> str:
    """Return a seed, in lower case."""
    if not isinstance(reader.value, str) or not is_seed(reader.value):
        raise reader.error("seed_bad")
    return reader.value.lower()


def _who(reader: Reader) -> str:
    return "" if reader.is_null else reader.text(most=150, required=False)
