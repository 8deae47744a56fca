"""Meaning of the text in the one field of the registration, which searches, checks in and registers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from tournaments.core.euros import cents_of
from tournaments.core.names import same_name_key
from tournaments.core.person_search import start_number_in
from tournaments.core.refusal import Refusal
from tournaments.core.sign_up_codes import sign_up_number_in
from tournaments.queries.door import Door, DoorRow
from tournaments.queries.sign_ups import SignUpRow, find_sign_ups

MeaningKind = Literal[
    "new", "arrives", "returns", "pays", "signed_up", "several", "no_number", "no_sign_up", "namesakes"
]

# After a start number any figures are an amount; after a name only figures with cents or a currency.
_AFTER_NUMBER = re.compile(r"(\D{0,8}\d{1,9}) ([-+−\d., ]+(?:€|euro?)?)", re.IGNORECASE | re.ASCII)
_AFTER_NAME = re.compile(
    r"(.*\S) ([-+−]?\d+(?:[.,]\d+ ?(?:€|euro?)?|[.,]? ?(?:€|euro?)))", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True, slots=True)
class Line:
    """A typed line: a name or number, and the amount behind it if only a part of the fee is paid."""

    who: str
    amount: str = ""

    @classmethod
    def of(cls, text: str) -> "Line":
        one_line = " ".join(text.split())
        numbered = _AFTER_NUMBER.fullmatch(one_line)
        if numbered and _is_number(numbered[1]):
            return cls(numbered[1], numbered[2])
        named = _AFTER_NAME.fullmatch(one_line)
        return cls(named[1], named[2]) if named else cls(text)

    @property
    def part_cents(self) -> int | None:
        """The part that is paid, None for the whole fee. Refuses fee_bad for an invalid amount."""
        return cents_of(self.amount) if self.amount else None

    @property
    def readable_cents(self) -> int:
        """The part that is paid; 0 while the typed amount is invalid."""
        try:
            return self.part_cents or 0
        except Refusal:
            return 0


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a typed text.

    kind: "arrives" checks in the only row; "returns" undoes its withdrawal; "pays" books a part for it; "signed_up" confirms the only sign-up; "several" lets the
    cashier choose among rows and sign-ups; "no_number": unknown start number; "no_sign_up": number of no waiting sign-up;
    "namesakes": all present already; "new" registers a player. others: start numbers of the players with the typed name.
    """

    kind: MeaningKind
    rows: tuple[DoorRow, ...] = ()
    sign_ups: tuple[SignUpRow, ...] = ()
    others: tuple[int, ...] = ()

    @property
    def is_clear(self) -> bool:
        """Whether Enter acts without asking."""
        return self.kind in ("new", "arrives", "returns", "pays", "signed_up")

    @property
    def can_be_another(self) -> bool:
        """Whether a new player may be meant too."""
        return self.kind in ("arrives", "returns", "signed_up", "several")

    @property
    def fitting(self) -> int:
        """The number of players and sign-ups among whom the cashier chooses."""
        return len(self.rows) + len(self.sign_ups)


NOTHING: Mapping[str, str] = {}


def meaning_of(door: Door, line: Line, typed: Mapping[str, str] = NOTHING) -> Meaning:
    """Return what the line means. typed: club and details.

    Only a full name or a number identifies a player; the beginning of a name may be another's full name. A single word is a
    search if it has matches. Sign-ups with a name like the typed one are offered.
    """
    text = line.who
    number = start_number_in(text)
    if number is not None:
        return _numbered(door.person(number), pays=bool(line.amount))
    sign_up_number = sign_up_number_in(text)
    if sign_up_number is not None:
        row = door.sign_up(sign_up_number)
        return Meaning("signed_up", sign_ups=(row,)) if row else Meaning("no_sign_up")
    namesakes = door.namesakes(text)
    is_name = any(map(str.isalnum, text))
    meaning = _named(door, text, namesakes, typed) if is_name else _new(namesakes)
    return replace(meaning, others=tuple(sorted(row.start_number for row in namesakes)))


def _named(door: Door, text: str, namesakes: tuple[DoorRow, ...], typed: Mapping[str, str]) -> Meaning:
    called = door.sign_ups_called(text)
    if len(called) == 1 and _is_the_only_one(called[0], namesakes) and _may_be_of(called[0], typed):
        return Meaning("signed_up", sign_ups=called)
    is_one = not called and len(namesakes) == 1 and _may_be_of(namesakes[0], typed)
    if is_one and (namesakes[0].is_awaited or namesakes[0].has_withdrawn):
        return Meaning("arrives" if namesakes[0].is_awaited else "returns", namesakes)
    signed_up = find_sign_ups(door.sign_ups, text)
    is_word = len(text.split()) == 1
    matches = {row for row in door.find(text) if is_word or row.is_awaited}
    if signed_up or matches - set(namesakes) or any(row.is_awaited for row in namesakes):
        rows = tuple(row for row in door.rows if row in matches or row in namesakes)
        return Meaning("several", rows, signed_up)
    return _new(namesakes)


def _new(namesakes: tuple[DoorRow, ...]) -> Meaning:
    return Meaning("namesakes" if namesakes else "new", namesakes)


def _is_number(text: str) -> bool:
    return start_number_in(text) is not None or sign_up_number_in(text) is not None


def _numbered(row: DoorRow | None, *, pays: bool) -> Meaning:
    if row is None:
        return Meaning("no_number")
    if row.has_withdrawn:
        return Meaning("returns", (row,))
    if pays and row.is_present:
        return Meaning("pays", (row,))
    return Meaning("arrives" if row.is_awaited else "several", (row,))


def _is_the_only_one(sign_up: SignUpRow, namesakes: tuple[DoorRow, ...]) -> bool:
    """Whether the only player with a sign-up's name, if any, is its own."""
    return all(row.start_number == sign_up.start_number for row in namesakes)


def _may_be_of(row: DoorRow | SignUpRow, typed: Mapping[str, str]) -> bool:
    """Whether the typed club and details, if any, match the player's. An empty detail of the player matches any."""
    texts = {key: text for key, text in row.details if text} if isinstance(row, DoorRow) else {}
    texts["club"] = row.club
    return not any(
        text.strip() and same_name_key(text) != same_name_key(texts[key])
        for key, text in typed.items()
        if key in texts
    )
