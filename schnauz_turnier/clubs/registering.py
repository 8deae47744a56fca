"""Pages on which a club registers. They have no session: a form is accepted by its origin, and nothing is done on GET."""

from contextlib import nullcontext
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from schnauz_turnier.clubs.catalogue import short_address_of
from schnauz_turnier.clubs.changes import setup_link
from schnauz_turnier.clubs.forms import OpenForm, RegisterForm
from schnauz_turnier.clubs.link_mail import MailRefusal, send_link, turn_to_send
from schnauz_turnier.clubs.registration import (
    LINK_LASTS,
    OPERATOR_HAS,
    RegistrationRefusal,
    club_of_link,
    register,
    slug_is_free,
    withdraw,
)
from schnauz_turnier.clubs.slugs import proposed_slug
from schnauz_turnier.clubs.texts import keep_sources, texts_of_agreement, why_incomplete
from tournaments.access import form_of_everybody, public_view
from tournaments.forms import form_page
from tournaments.requests import Request, address_of, posted

TRAP = "website"
"""A field that no person sees. Programs that fill in every field fill in this one, too."""


@form_of_everybody
@never_cache
@public_view("GET", "POST", once=False)
def register_club(request: Request) -> HttpResponse:
    """Take a registration; send its link by mail, or let it wait for the operator."""
    if problems := why_incomplete():
        return render(request, "clubs/register_closed.html", {"problems": problems})
    form = RegisterForm(posted(request), texts_of_agreement())
    if form.is_valid():
        try:
            if not request.POST.get(TRAP):
                _register(form, address_of(request))
            return render(request, "clubs/registered.html", _registered(form))
        except RegistrationRefusal as refusal:
            form.refuse(refusal)
        except MailRefusal as refusal:
            form.add_error(refusal.field, str(refusal))
    context = {
        "form": form,
        "trap": TRAP,
        **_address(form.data.get("slug", ""), form.data.get("proposed", "")),
    }
    return form_page(request, "clubs/register.html", context, form)


def _registered(form: RegisterForm) -> dict[str, Any]:
    """Return what the answer says. It is the same if nothing was kept."""
    return {
        "address": short_address_of(form.cleaned_data["slug"]),
        "email": form.cleaned_data["email"],
        "has_mail": settings.HAS_MAIL,
        "hours": LINK_LASTS // timedelta(hours=1),
        "days": OPERATOR_HAS.days,
    }


def _register(form: RegisterForm, network: str) -> None:
    data = form.cleaned_data
    keep_sources(form.texts)
    with turn_to_send() if settings.HAS_MAIL else nullcontext():
        code = register(
            data["slug"],
            data["name"],
            data["email"],
            agreed_by=data["agreed_by"],
            texts=[text.agreed for text in form.texts],
            network=network,
            with_link=settings.HAS_MAIL,
            at=timezone.now(),
        )
        if code:
            try:
                send_link(data["email"], address=short_address_of(data["slug"]), code=code)
            except MailRefusal:
                withdraw(code)
                raise


@form_of_everybody
@never_cache
@public_view("POST", once=False)
def address(request: Request) -> HttpResponse:
    """Return the field of the address for the name that is typed, and whether the address is free."""
    name, typed, proposed = (request.POST.get(key, "")[:200] for key in ("name", "slug", "proposed"))
    if typed in ("", proposed):
        typed = proposed = proposed_slug(name)
    form = RegisterForm({"slug": proposed_slug(typed)}, ())
    return render(request, "clubs/_address.html", {"form": form, **_address(typed, proposed)})


def _address(typed: str, proposed: str) -> dict[str, Any]:
    """Return what the page says of the address that was typed or proposed."""
    slug = proposed_slug(typed[:200])
    is_free = bool(slug) and slug_is_free(slug, at=timezone.now())
    return {"proposed": proposed[:200], "address": short_address_of(slug) if slug else "", "is_free": is_free}


@form_of_everybody
@never_cache
@public_view("GET", "POST", once=False)
def open_link(request: Request) -> HttpResponse:
    """Make the club of a link. GET changes nothing: programs that look for malware open the links of mails."""
    form = OpenForm(posted(request))
    if form.is_valid():
        try:
            entry = club_of_link(form.cleaned_data["code"], at=timezone.now())
            return render(request, "clubs/opened.html", {"club": entry, "setup": setup_link(entry)})
        except RegistrationRefusal as refusal:
            form.refuse(refusal)
    return form_page(request, "clubs/open_link.html", {"form": form}, form)
