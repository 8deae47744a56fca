"""The sign-ups that wait for the desk, shown above its list."""

from dataclasses import dataclass

from tournaments.core.fees import FeeKind
from tournaments.queries.door import Door, DoorRow
from tournaments.queries.sign_ups import SignUpRow, find_sign_ups

FIRST = 8
"""Number of arrived sign-ups above the list; the others on demand."""
MOST = 60
"""Largest number of sign-ups on the page; a search finds the others."""


@dataclass(frozen=True, slots=True)
class WaitingRow:
    """A sign-up, with players and sign-ups that may be the same person.

    player: set if it joined without a desk. missing_cents: booked by confirming. of_sender: the waiting ones of its browser, in
    the order of their numbers.
    """

    sign_up: SignUpRow
    player: DoorRow | None
    players_alike: tuple[DoorRow, ...]
    sign_ups_alike: tuple[SignUpRow, ...]
    missing_cents: int
    of_sender: tuple[SignUpRow, ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """The listed sign-ups. matching: number that match the search. here, at_home: numbers of all, arrived or not."""

    rows: tuple[WaitingRow, ...]
    matching: int
    here: int
    at_home: int
    can_be_more: bool
    is_search: bool

    @property
    def more(self) -> int:
        """The number of matches that are not listed."""
        return self.matching - len(self.rows)


def waiting_rows(door: Door, text: str, fee: FeeKind | None, *, every: bool) -> Waiting:
    """Return the first sign-ups that match a text, or without a text the first arrived ones. every: up to MOST of them.

    fee: the kind of fee with which they are confirmed; None: the default one.
    """
    matches = find_sign_ups(door.sign_ups, text)
    here = sum(row.is_here for row in door.sign_ups)
    first = tuple(row for row in matches if text.strip() or row.is_here)[:FIRST]
    listed = matches[:MOST] if every else first
    return Waiting(
        rows=tuple(_row(door, row, fee or door.fee_kinds[0]) for row in listed),
        matching=len(matches),
        here=here,
        at_home=len(door.sign_ups) - here,
        can_be_more=not every and len(first) < len(matches),
        is_search=bool(text.strip()),
    )


def _row(door: Door, row: SignUpRow, fee: FeeKind) -> WaitingRow:
    player = door.person(row.start_number) if row.start_number else None
    return WaitingRow(
        sign_up=row,
        player=player,
        players_alike=door.players_alike(row),
        sign_ups_alike=door.sign_ups_alike(row),
        missing_cents=player.missing_cents if player else fee.cents,
        of_sender=door.sign_ups_of_sender(row),
    )
