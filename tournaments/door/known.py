"""People who have played before: suggested while a name is typed, and taken into the line."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from tournaments.access import cashier_view
from tournaments.core.names import MOST_IN_A_NAME
from tournaments.door.meaning import Line
from tournaments.models import Person, Tournament
from tournaments.queries.people import known_people
from tournaments.requests import StaffRequest


@never_cache
@cashier_view("GET")
def suggestions(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Return the people whom the typed text may mean, for the list below the name."""
    line = Line.of(request.GET.get("name", "")[:MOST_IN_A_NAME])
    people = known_people(tournament, line.who)
    return render(request, "tournaments/door/_known.html", {"people": people, "amount": line.amount})


def as_person(tournament: Tournament, data: dict[str, Any], person: Person) -> dict[str, Any]:
    """Return the typed line with the name of a known person, and with what was not typed or chosen: club, town, kind of fee."""
    kinds = [kind.key for kind in tournament.fee_kinds]
    is_usual = data["fee"] in ("", kinds[0]) and person.fee in kinds
    amount = Line.of(data["name"]).amount
    return data | {
        "name": f"{person.name} {amount}".rstrip(),
        "club": data["club"] or person.club,
        "town": data["town"] or person.town,
        "fee": person.fee if is_usual else data["fee"],
    }
