"""Search for a player by start number or name."""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.queries.public_seats import PublicSeat
from scoring.queries.public_view import PublicTable, PublicView
from scoring.queries.standings import StandingsRow
from tournaments.core.name_order import surname_first
from tournaments.core.names import same_name_key, sort_key
from tournaments.core.near_names import name_nearly_fits
from tournaments.core.person_search import known_name_fits, start_number_in
from tournaments.models import Tournament
from tournaments.queries.seating import names_of

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
    """The result of „Wo sitze ich?“. more: the number of further matches. is_near: those only look like what was typed."""

    query: str
    players: tuple[Found, ...]
    more: int
    is_near: bool = False

    @property
    def is_unique(self) -> bool:
        return len(self.players) == 1 and not self.is_near


def find(view: PublicView, query: str) -> Answer:
    """Find players by start number or name, whether the page shows the name in full or short.

    A short name is found by the whole surname, not by its beginning, so that a search confirms a name that the reader
    knows but spells none letter by letter. A player shown as a number is found only by it. One query where names are short.
    If nobody fits, errors of typing are forgiven, in what is shown of a name.
    """
    people: dict[int, PublicSeat | StandingsRow] = {row.start_number: row for row in view.rows}
    if view.round is not None:
        people |= {seat.start_number: seat for seat in view.round.seats}
    query = query[:200]
    hits = _hits(view, people, query)
    is_near = not hits and start_number_in(query) is None
    if is_near:
        near = [
            n for n, person in people.items() if not person.is_number and name_nearly_fits(person.name, query)
        ]
        hits = sorted(near, key=lambda n: (_by_surname(people[n].name), n))
    players = tuple(_found(view, people[number]) for number in hits[:MOST_HITS])
    return Answer(query, players, max(len(hits) - MOST_HITS, 0), is_near)


def _hits(view: PublicView, people: Mapping[int, PublicSeat | StandingsRow], query: str) -> list[int]:
    """Return the start numbers that fit, players of exactly this name first, the others by surname."""
    number = start_number_in(query)
    if number is not None:
        return [number] if number in people else []
    named = {n: person for n, person in people.items() if not person.is_number}
    names = {n: person.name for n, person in named.items()}
    if any(person.named == Tournament.Names.SHORT for person in named.values()):
        names |= names_of(view.tournament)
    fitting = [n for n, person in named.items() if known_name_fits(names[n], person.name, query)]
    key = same_name_key(query)
    return sorted(fitting, key=lambda n: (same_name_key(names[n]) != key, _by_surname(named[n].name), n))


def _by_surname(name: str) -> tuple[str, ...]:
    return sort_key(surname_first(name))


def _found(view: PublicView, person: PublicSeat | StandingsRow) -> Found:
    start_number = person.start_number
    seats = view.round.seats if view.round and not view.round.is_closed else []
    seat = next((seat for seat in seats if seat.start_number == start_number), None)
    table = view.round.table_of(seat) if view.round and seat else None
    row = next((row for row in view.rows if row.start_number == start_number), None)
    return Found(start_number, person.name, person.is_number, seat, table, row)
