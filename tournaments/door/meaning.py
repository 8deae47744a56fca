"""Meaning of the text in the one field of the registration, which searches, checks in and registers."""

import re
from dataclasses import dataclass
from typing import Literal

from tournaments.core.euros import cents_of
from tournaments.core.names import same_name_key
from tournaments.core.person_search import start_number_in
from tournaments.core.refusal import Refusal
from tournaments.queries.door import Door, DoorRow

MeaningKind = Literal["new", "arrives", "pays", "several", "no_number", "namesakes"]

# After a start number any figures are an amount; after a name only what has cents or a currency.
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
        if numbered and start_number_in(numbered[1]) is not None:
            return cls(numbered[1], numbered[2])
        named = _AFTER_NAME.fullmatch(one_line)
        return cls(named[1], named[2]) if named else cls(text)

    @property
    def part_cents(self) -> int | None:
        """The part that is paid, None for the whole fee. Raises Refusal fee_bad for an amount that is none."""
        return cents_of(self.amount) if self.amount else None

    @property
    def readable_cents(self) -> int:
        """The part as far as it can be read while it is typed, else 0."""
        try:
            return self.part_cents or 0
        except Refusal:
            return 0


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a typed text.

    kind: "arrives" checks in the only row; "pays" books a part for the only row; "several" leaves the choice among the rows to the cashier; "no_number"
    is a start number that nobody has; "namesakes" are all here already; "new" registers a player.
    """

    kind: MeaningKind
    rows: tuple[DoorRow, ...] = ()

    @property
    def is_clear(self) -> bool:
        """Whether Enter can do it without asking."""
        return self.kind in ("new", "arrives", "pays")


def meaning_of(door: Door, line: Line, club: str = "", town: str = "") -> Meaning:
    """Return what the line means.

    Only a full name or a number names one player; its beginning might be the whole name of another. A single word is a
    search as long as it finds somebody.
    """
    text = line.who
    number = start_number_in(text)
    if number is not None:
        return _numbered(door.person(number), pays=bool(line.amount))
    if not any(map(str.isalnum, text)):
        return Meaning("new")
    namesakes = door.namesakes(text)
    if len(namesakes) == 1 and namesakes[0].is_awaited and _may_be_of(namesakes[0], club, town):
        return Meaning("arrives", namesakes)
    is_word = len(text.split()) == 1
    found = {row for row in door.find(text) if is_word or row.is_awaited}
    if found - set(namesakes) or any(row.is_awaited for row in namesakes):
        return Meaning("several", tuple(row for row in door.rows if row in found or row in namesakes))
    return Meaning("namesakes" if namesakes else "new", namesakes)


def _numbered(row: DoorRow | None, *, pays: bool) -> Meaning:
    if row is None:
        return Meaning("no_number")
    if pays and row.is_present:
        return Meaning("pays", (row,))
    return Meaning("arrives" if row.is_awaited else "several", (row,))


def _may_be_of(row: DoorRow, club: str, town: str) -> bool:
    """Whether club and town that were typed, if any, are not others than the player's. A town may be unknown so far."""
    is_club = not club.strip() or same_name_key(club) == same_name_key(row.club)
    is_town = not town.strip() or not row.town or same_name_key(town) == same_name_key(row.town)
    return is_club and is_town
