"""Views of the people whom the club remembers, over all evenings: for organisers of the club."""

import json
from datetime import date
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from scoring.forms import refusal_as_message
from scoring.organiser.people.forms import CONSENTS, WAYS, ClubPersonForm, ConsentForm
from scoring.queries.honours import honours_of
from scoring.services.purge import erase_from_club
from tournaments.access import club_view
from tournaments.core.names import MOST_IN_A_NAME
from tournaments.forms import form_page
from tournaments.models import EventKind, Person
from tournaments.queries.people import (
    MOST_DOUBLES,
    Life,
    alike_people,
    apart_from,
    doubles,
    last_evenings,
    latest_fees,
    life_of,
    people_of_club,
)
from tournaments.requests import StaffRequest, posted, signed
from tournaments.security_log import download, record
from tournaments.services import people as services

_KEPT = (
    "name",
    "club",
    "town",
    "member_number",
    "member_from_on",
    "member_until_on",
    "fee",
    "names",
    "table",
)


@never_cache
@club_view("GET")
def people(request: StaffRequest) -> HttpResponse:
    text = request.GET.get("q", "")[:MOST_IN_A_NAME].strip()
    page = people_of_club(text, request.GET.get("page", "1")[:6])
    last = last_evenings()
    context = {
        "page": page,
        "people": [(person, _details(person, last.get(person.key))) for person in page],
        "text": text,
        "kept": f"{urlencode({'q': text})}&" if text else "",
    }
    return render(request, "scoring/organiser/people/people.html", context)


def _details(person: Person, last_on: date | None) -> list[str]:
    """Return what tells a person from others of the same name."""
    number = person.member_number and _("Nr. %(number)s") % {"number": person.member_number}
    last = last_on and _("zuletzt %(day)s") % {"day": date_format(last_on, "d.m.Y")}
    return [detail for detail in (person.town, person.club, number, last) if detail]


@never_cache
@club_view("GET")
def all_doubles(request: StaffRequest) -> HttpResponse:
    """List the pairs that may be one person. Each leads to both histories; a member is whom the other one becomes."""
    last = last_evenings()
    pairs = [
        [(person, _details(person, last.get(person.key))) for person in pair]
        for pair in (sorted(pair, key=lambda person: bool(person.member_number)) for pair in doubles())
    ]
    return render(request, "scoring/organiser/people/doubles.html", {"pairs": pairs, "most": MOST_DOUBLES})


@never_cache
@club_view("GET", "POST")
def person(request: StaffRequest, person: UUID) -> HttpResponse:
    life = _life(person)
    form = ClubPersonForm(posted(request), person=life.person, kinds=latest_fees())
    if form.is_valid():
        with form.refusal_at_field():
            services.edit_person(person, **form.cleaned_data)
            messages.success(request, _("Gespeichert."))
            return redirect("organiser:club_person", person)
    return _page(request, life, form, ConsentForm(initial={"on": timezone.localdate()}))


def _life(key: UUID) -> Life:
    life = life_of(key)
    if life is None:
        raise Http404
    return life


def _page(request: StaffRequest, life: Life, form: ClubPersonForm, consent: ConsentForm) -> HttpResponse:
    context = {
        "life": life,
        "form": form,
        "consent": consent,
        "allowed": [(word, what in life.allowed) for what, word in CONSENTS.items()],
        "said": [(word, CONSENTS[word.what], WAYS[word.how]) for word in life.consents],
        "alike": [(other, _details(other, None)) for other in alike_people(life.person)],
    }
    return form_page(request, "scoring/organiser/people/person.html", context, form, consent)


@club_view("POST")
def consent(request: StaffRequest, person: UUID) -> HttpResponse:
    life = _life(person)
    form = ConsentForm(request.POST)
    if form.is_valid():
        with form.refusal_at_field():
            services.record_consent(person, **form.cleaned_data)
            messages.success(request, _("Gespeichert."))
            return redirect("organiser:club_person", person)
    return _page(request, life, ClubPersonForm(None, person=life.person, kinds=latest_fees()), form)


@never_cache
@club_view("GET", "POST")
def merge(request: StaffRequest, person: UUID, into: UUID) -> HttpResponse:
    """Show both histories side by side; a POST says that the first is the second."""
    both = [_life(person), _life(into)]
    if request.method == "POST":
        with refusal_as_message(request):
            services.merge(person, into)
            messages.success(request, _("Zusammengelegt. Das lässt sich jederzeit wieder trennen."))
            return redirect("organiser:club_person", into)
    here, there = ({each.participant.tournament for each in life.evenings} for life in both)
    context = {
        "both": [(life, _details(life.person, None)) for life in both],
        "shared": sorted(str(evening) for evening in here & there),
    }
    return render(request, "scoring/organiser/people/merge.html", context)


@club_view("POST")
def split(request: StaffRequest, person: UUID) -> HttpResponse:
    if not services.split(person):
        raise Http404
    messages.success(request, _("Wieder getrennt."))
    return redirect("organiser:club_people")


@club_view("GET")
def person_file(request: StaffRequest, person: UUID) -> HttpResponse:
    """Return everything that is kept of a person, for themselves."""
    life = _life(person)
    document = {
        **_kept(life.person),
        "merged": [_kept(other) for other in life.merged],
        "evenings": [
            {
                "date": appearance.participant.tournament.played_on,
                "tournament": appearance.participant.tournament.name,
                "start_number": appearance.participant.start_number,
                "name": appearance.participant.name,
                "how": appearance.how,
            }
            for appearance in life.evenings
        ],
        "apart": list(apart_from(life.person)),
        "honours": honours_of(person),
        "consents": [
            {"what": word.what, "is_given": word.is_given, "on": word.given_on, "how": word.how}
            for word in life.consents
        ],
    }
    text = json.dumps(document, ensure_ascii=False, indent=1, default=str)
    return download(request, f"person-{person}.json", text, "application/json")


def _kept(person: Person) -> dict[str, Any]:
    return {name: getattr(person, name) for name in _KEPT}


@club_view("POST")
def erase(request: StaffRequest, person: UUID) -> HttpResponse:
    _life(person)
    with refusal_as_message(request):
        erase_from_club(person, **signed(request))
        record(EventKind.PURGED, request, about=str(person))
        messages.success(request, _("Gelöscht: an keinem Abend und in keiner Liste steht noch der Name."))
    return redirect("organiser:club_people")
