"""The printed seating plans, by name and by table."""

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from scoring.organiser.prints.paging import Page, numbered, paged, shares
from tournaments.core.name_order import surname_first
from tournaments.core.names import namesakes, public_name, sort_key
from tournaments.models import Tournament
from tournaments.queries.seating import RoundRow, SeatRow, TableRow

NAMES_A_COLUMN = 24
CARDS_A_PAGE = 10
_TABLE_GRID_MM, _CARD_HEAD_MM, _CARD_SEAT_MM = 246, 16.5, 7.5


@dataclass(frozen=True, slots=True)
class NameRow:
    """A row of the plan by name.

    opens_letter: whether it is the first of its letter. has_namesake: whether to show the start number.
    """

    seat: SeatRow
    opens_letter: bool
    has_namesake: bool = False


def seating_by_name(round_row: RoundRow) -> list[Page[NameRow]]:
    """Return all players by surname in German dictionary order, in two columns a page, evenly distributed.

    Players who are shown as a number come after the names.
    """
    posted = map(_posted, round_row.seats)
    listed = (seat if _is_number(seat) else replace(seat, name=surname_first(seat.name)) for seat in posted)
    seats = sorted(listed, key=_by_name)
    alike = namesakes(seat.name for seat in seats)
    rows = [
        NameRow(
            seat,
            opens_letter=index == 0 or _letter(seats[index - 1]) != _letter(seat),
            has_namesake=seat.name in alike,
        )
        for index, seat in enumerate(seats)
    ]
    count = max(1, -(-len(rows) // (2 * NAMES_A_COLUMN)))
    return numbered([tuple(shares(page, 2)) for page in shares(rows, count)])


def letters(page: Page[NameRow]) -> tuple[str, str]:
    """Return the first and the last letter on a page of names, for its heading; "" for each on an empty page."""
    rows = page.rows
    return (_letter(rows[0].seat), _letter(rows[-1].seat)) if rows else ("", "")


def _letter(seat: SeatRow) -> str:
    return _("Nr.") if _is_number(seat) else sort_key(seat.name)[0][:1].upper()


def _by_name(seat: SeatRow) -> tuple[object, ...]:
    return (
        (False, sort_key(seat.name), seat.start_number) if not _is_number(seat) else (True, seat.start_number)
    )


def _is_number(seat: SeatRow) -> bool:
    return seat.names == Tournament.Names.NUMBER


def _posted(seat: SeatRow) -> SeatRow:
    """Return the seat with its name as posted: in full, unless the player has chosen otherwise."""
    name = public_name(seat.name, seat.start_number, seat.names or Tournament.Names.FULL)
    return replace(seat, name=name)


def place_cards(round_row: RoundRow) -> list[Page[SeatRow]]:
    """Return the seats of all tables in pages of cards."""
    return paged([*map(_posted, round_row.seats)], CARDS_A_PAGE)


def seating_by_table(round_row: RoundRow) -> list[Page[TableRow]]:
    """Return the tables in pairs side by side; no table is split between pages."""
    largest = max((len(table.seats) for table in round_row.tables), default=1)
    in_a_column = max(1, int(_TABLE_GRID_MM / (_CARD_HEAD_MM + _CARD_SEAT_MM * largest)))
    posted = [replace(table, seats=tuple(map(_posted, table.seats))) for table in round_row.tables]
    return paged(posted, 2 * in_a_column)
