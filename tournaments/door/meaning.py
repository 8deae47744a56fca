"""Meaning of the text in the one field of the registration, which searches, checks in and registers."""

from dataclasses import dataclass
from typing import Literal

from tournaments.core.names import same_name_key
from tournaments.core.person_search import start_number_in
from tournaments.queries.door import Door, DoorRow

MeaningKind = Literal["new", "arrives", "several", "no_number", "namesakes"]


@dataclass(frozen=True, slots=True)
class Meaning:
    """The meaning of a typed text.

    kind: "arrives" checks in the only row; "several" leaves the choice among the rows to the cashier; "no_number"
    is a start number that nobody has; "namesakes" are all here already; "new" registers a player.
    """

    kind: MeaningKind
    rows: tuple[DoorRow, ...] = ()

    @property
    def is_clear(self) -> bool:
        """Whether Enter can do it without asking."""
        return self.kind in ("new", "arrives")


def meaning_of(door: Door, text: str, club: str = "", town: str = "") -> Meaning:
    """Return what the text means.

    Only a full name or a number names one player; its beginning might be the whole name of another. A single word is a
    search as long as it finds somebody.
    """
    number = start_number_in(text)
    if number is not None:
        return _numbered(door.person(number))
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


def _numbered(row: DoorRow | None) -> Meaning:
    if row is None:
        return Meaning("no_number")
    return Meaning("arrives" if row.is_awaited else "several", (row,))


def _may_be_of(row: DoorRow, club: str, town: str) -> bool:
    """Whether club and town that were typed, if any, are not others than the player's. A town may be unknown so far."""
    is_club = not club.strip() or same_name_key(club) == same_name_key(row.club)
    is_town = not town.strip() or not row.town or same_name_key(town) == same_name_key(row.town)
    return is_club and is_town
