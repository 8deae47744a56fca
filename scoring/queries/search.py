"""Search of a tournament's players and tables, for the organiser's pages and the door."""

import re
from dataclasses import dataclass
from itertools import islice

from tournaments.core.person_search import name_fits, start_number_in
from tournaments.models import Participant, Round, Seat, Table, Tournament

_TABLE = re.compile(r"(?:tisch|table)?\s*(\d{1,3})", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class PersonHit:
    """A participant. table: the number of the table in the round in play, None without a seat there."""

    start_number: int
    name: str
    club: str
    table: int | None


def find_people(tournament: Tournament, text: str, *, most: int) -> list[PersonHit]:
    """Return the participants whose number, name or club the text names, by number. Two queries."""
    number = start_number_in(text)
    people = Participant.objects.filter(tournament=tournament).order_by("start_number")
    meant = (
        row
        for row in people.values_list("start_number", "name", "club")
        if row[0] == number or name_fits(f"{row[1]} {row[2]}", text)
    )
    rows = list(islice(meant, most))
    in_play = Seat.objects.filter(round__tournament=tournament, round__state=Round.State.RELEASED)
    seats = in_play.filter(participant__start_number__in=[row[0] for row in rows])
    tables = dict(seats.values_list("participant__start_number", "table__number"))
    return [PersonHit(*row, table=tables.get(row[0])) for row in rows]


def find_table(tournament: Tournament, text: str) -> tuple[int, int] | None:
    """Return round and number of the table in play that the text names ("7", "Tisch 7"); None without one. One query."""
    match = _TABLE.fullmatch(text.strip())
    if match is None:
        return None
    in_play = Table.objects.filter(round__tournament=tournament, round__state=Round.State.RELEASED)
    return in_play.filter(number=int(match[1])).values_list("round__number", "number").first()
