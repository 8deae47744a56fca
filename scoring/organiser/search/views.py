"""Search for a player, a table or a page, from every page of the organiser and of the door."""

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy

from scoring.queries.search import find_people, find_table
from tournaments.access import cashier_view
from tournaments.core.names import MOST_IN_A_NAME
from tournaments.core.person_search import name_fits
from tournaments.models import Membership, Tournament
from tournaments.requests import StaffRequest

MOST = 8
"""Players that are listed."""

PAGES = {
    "door:desk": gettext_lazy("Anmeldung"),
    "door:roll_call": gettext_lazy("Wer fehlt?"),
    "door:import_list": gettext_lazy("Liste einlesen"),
}
PAGES_OF_MONEY = {
    "door:cash": gettext_lazy("Kassenbuch"),
    "door:desks": gettext_lazy("Kassen"),
}
PAGES_OF_ORGANISERS = {
    "organiser:overview": gettext_lazy("Übersicht"),
    "organiser:rounds": gettext_lazy("Spielrunden"),
    "organiser:standings": gettext_lazy("Rangliste"),
    "organiser:prize_plan": gettext_lazy("Preisplan"),
    "organiser:prize_list": gettext_lazy("Wer was bekommt"),
    "organiser:pictures": gettext_lazy("Bilder"),
    "organiser:print": gettext_lazy("Drucken"),
    "organiser:announce": gettext_lazy("Am Mikrofon: was jetzt zu sagen ist"),
    "organiser:flags": gettext_lazy("Aus dem Saal gemeldet"),
    "organiser:screens": gettext_lazy("Leinwand"),
    "organiser:wishes": gettext_lazy("Wünsche an die Auslosung"),
    "organiser:settings": gettext_lazy("Einstellungen"),
    "organiser:sign_ups": gettext_lazy("Voranmeldung"),
    "organiser:fees": gettext_lazy("Beiträge"),
    "organiser:members": gettext_lazy("Wer darf mitarbeiten?"),
}


@cashier_view("GET")
def search(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show what the query finds, of what this account may see. htmx gets the results alone."""
    text = request.GET.get("q", "")[:MOST_IN_A_NAME].strip()
    is_organiser = request.role == Membership.Role.ORGANISER
    pages = {
        **PAGES,
        **({} if tournament.hides_amounts else PAGES_OF_MONEY),
        **(PAGES_OF_ORGANISERS if is_organiser else {}),
    }
    context = {
        "tournament": tournament,
        "text": text,
        "people": find_people(tournament, text, most=MOST) if text else (),
        "table": find_table(tournament, text) if text and is_organiser else None,
        "pages": [
            (reverse(name, args=[tournament.slug]), title)
            for name, title in pages.items()
            if name_fits(str(title), text)
        ],
    }
    page, part = "scoring/organiser/search/search.html", "scoring/organiser/search/_results.html"
    return render(request, part if request.htmx else page, context)
