"""The sign-ups that wait for the desk, as they stand above its list."""

from dataclasses import dataclass

from tournaments.queries.door import Door, DoorRow
from tournaments.queries.sign_ups import SignUpRow, find_sign_ups

FIRST = 8
"""So many of those who are here stand above the list; the others on demand."""
MOST = 60
"""So many are shown at most; further ones are found by their name."""


@dataclass(frozen=True, slots=True)
class WaitingRow:
    """A sign-up, and beside it whoever may be the same person.

    player: of one who takes part without a desk. missing_cents: what confirming books. of_sender: how many from one sender wait.
    """

    sign_up: SignUpRow
    player: DoorRow | None
    players_alike: tuple[DoorRow, ...]
    sign_ups_alike: tuple[SignUpRow, ...]
    missing_cents: int
    of_sender: int


@dataclass(frozen=True, slots=True)
class Waiting:
    """The sign-ups that are shown. found: how many fit what is typed. here, at_home: of all, whatever is typed."""

    rows: tuple[WaitingRow, ...]
    found: int
    here: int
    at_home: int
    can_be_more: bool
    is_search: bool

    @property
    def more(self) -> int:
        """The number of those that fit and are not shown."""
        return self.found - len(self.rows)


def waiting_rows(door: Door, text: str, *, every: bool) -> Waiting:
    """Return the sign-ups that fit a text, the first of them, or without a text the first who are here. every: more of them."""
    found = find_sign_ups(door.sign_ups, text)
    here = sum(row.is_here for row in door.sign_ups)
    first = tuple(row for row in found if text.strip() or row.is_here)[:FIRST]
    shown = found[:MOST] if every else first
    return Waiting(
        rows=tuple(_row(door, row) for row in shown),
        found=len(found),
        here=here,
        at_home=len(door.sign_ups) - here,
        can_be_more=not every and len(first) < len(found),
        is_search=bool(text.strip()),
    )


def _row(door: Door, row: SignUpRow) -> WaitingRow:
    player = door.person(row.start_number) if row.start_number else None
    return WaitingRow(
        sign_up=row,
        player=player,
        players_alike=door.players_alike(row),
        sign_ups_alike=door.sign_ups_alike(row),
        missing_cents=player.missing_cents if player else door.fee_kinds[0].cents,
        of_sender=sum(1 for other in door.sign_ups if other.sender == row.sender and not other.start_number),
    )
