"""Search for a player by start number or name."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.queries.public_view import PublicSeat, PublicTable, PublicView
from scoring.queries.standings import StandingsRow
from tournaments.core.names import public_name, same_name_key, sort_key
from tournaments.core.person_search import name_fits, start_number_in

MOST_HITS = 12


@dataclass(frozen=True, slots=True)
class Found:
    """A player found: their seat in the released round and row in the standings, if any."""

    start_number: int
    name: str
    is_number: bool
    seat: PublicSeat | None
    table: PublicTable | None
    row: StandingsRow | None


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of „Wo sitze ich?“. more: the number of further matches."""

    query: str
    found: tuple[Found, ...]
    more: int

    @property
    def is_unique(self) -> bool:
        return len(self.found) == 1


def find(view: PublicView, query: str) -> Answer:
    """Find players by start number, or by any part of the names that the page shows. Umlauts are normalised.

    Names that the page does not show in full are not searched in full, but "Sepp Huber" finds "Sepp H.". A
    player shown as a number is found only by it.
    """
    people: dict[int, PublicSeat | StandingsRow] = {row.start_number: row for row in view.rows}
    if view.round is not None:
        people |= {seat.start_number: seat for seat in view.round.seats}
    hits = _hits(people, query[:200])
    found = tuple(_found(view, people[number]) for number in hits[:MOST_HITS])
    return Answer(query[:200], found, max(len(hits) - MOST_HITS, 0))


def _hits(people: Mapping[int, PublicSeat | StandingsRow], query: str) -> list[int]:
    number = start_number_in(query)
    if number is not None:
        return [number] if number in people else []
    names = {n: person.name for n, person in people.items() if not person.is_number}
    wanted = {named: {query, public_name(query, 0, named)} for named in ("full", "short")}
    keys = {named: {same_name_key(one) for one in spellings} for named, spellings in wanted.items()}
    exact = [n for n, name in names.items() if same_name_key(name) in keys[people[n].named]]
    if exact:
        return sorted(exact)
    fitting = [n for n, name in names.items() if any(name_fits(name, one) for one in wanted[people[n].named])]
    return sorted(fitting, key=lambda n: (sort_key(names[n]), n))


def _found(view: PublicView, person: PublicSeat | StandingsRow) -> Found:
    start_number = person.start_number
    seats = view.round.seats if view.round and not view.round.is_closed else []
    seat = next((seat for seat in seats if seat.start_number == start_number), None)
    table = view.round.table_of(seat) if view.round and seat else None
    row = next((row for row in view.rows if row.start_number == start_number), None)
    return Found(start_number, person.name, person.is_number, seat, table, row)
