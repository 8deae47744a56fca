"""Views of the public sign-up: the form, and the page of a browser's own sign-ups.

Pages depend on the cookie with the browser's codes and are never cached. Nothing that is typed here is public.
"""

from collections.abc import Callable
from functools import partial, wraps
from hashlib import blake2b
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.access import PublicityEnded, View, form_of_everybody, public_view, publicity_ended
from tournaments.core.publicity import PUBLIC_DAYS
from tournaments.core.refusal import Refusal
from tournaments.forms import form_page, refusal_as_message, refuse
from tournaments.hall_codes import is_hall_code
from tournaments.links import new_sign_up_code
from tournaments.models import SignUpTerms, Tournament
from tournaments.once import mark_unchanged
from tournaments.queries.own_evening import is_played
from tournaments.queries.publicity import is_public
from tournaments.queries.sign_ups import OwnSignUp, own_sign_ups, terms_of_sign_up
from tournaments.requests import Request, address_of
from tournaments.services import own_evening
from tournaments.services import sign_ups as services
from tournaments.sign_up.forms import HallForm, OwnCodeForm, OwnForm, SignUpForm
from tournaments.sign_up.own_codes import own_codes, remember_codes
from tournaments.sign_up.page import OWN_CONSENTS, SignUpCard, card_of
from tournaments.sign_up.refused_senders import refused_senders, told_again
from tournaments.text.refusals import message

_TOO_MANY = frozenset({"sign_ups_too_many", "sign_ups_enough"})


def _pages_of_one(view: View) -> View:
    """Answer 404 without such a tournament, 410 if it is no longer public. Answers are never cached."""

    @wraps(view)
    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = view(request, *args, **kwargs)
        except Tournament.DoesNotExist:
            raise Http404 from None
        except PublicityEnded:
            return publicity_ended(request)
        response["Cache-Control"] = "private, no-store"
        response["X-Robots-Tag"] = "noindex"
        return response

    return answered


def _tournament(slug: str) -> Tournament:
    """Return the tournament. Raises Tournament.DoesNotExist and PublicityEnded."""
    if not is_public(slug, timezone.localdate()):
        raise PublicityEnded
    return Tournament.objects.get(slug=slug)


@_pages_of_one
@form_of_everybody
@public_view("GET", "POST")
def sign_up(request: Request, slug: str) -> HttpResponse:
    """Show the sign-up form on GET, register the player on POST."""
    address = address_of(request)
    if request.method == "POST" and not request.POST.get("hall") and refused_senders.has(slug, address):
        return told_again()
    tournament = _tournament(slug)
    codes = own_codes(request)
    form = SignUpForm(request.POST or None, tournament=tournament, initial={"code": new_sign_up_code()})
    status = 200
    if form.is_valid():
        try:
            new = _register(tournament, form, codes, address)
        except Refusal as refusal:
            status = 429 if refusal.code in _TOO_MANY else 422
            if status == 429 and not codes:
                refused_senders.note(slug, address)
            form.refuse(refusal)
        else:
            response = redirect("sign_up:mine", tournament.slug)
            remember_codes(response, tournament.slug, [*(code for code in codes if code != new), new])
            return response
    elif form.errors:
        status = 422
    terms = terms_of_sign_up(tournament)
    context = {
        "tournament": tournament,
        "form": form,
        "terms": terms,
        "closed": _why_closed(terms),
        "public_days": PUBLIC_DAYS,
        "needs_hall": terms is not None and (terms.only_in_hall or timezone.now() >= terms.closes_at),
        "cards": [card for card in _cards(tournament, terms, codes) if card.state != "withdrawn"],
        "code_form": OwnCodeForm(auto_id="own_%s"),
    }
    return render(request, "tournaments/sign_up/form.html", context, status=status)


def _register(tournament: Tournament, form: SignUpForm, codes: list[str], address: str) -> str:
    """Create the sign-up of a valid form and return its code."""
    data = form.cleaned_data
    services.sign_up(
        tournament,
        name=data["name"],
        club=data["club"],
        names=data["names"],
        code=data["code"],
        in_hall=_is_in_hall(tournament, data["hall"]),
        sender=services.Sender(address, browser=[*codes, data["code"]][0]),
        at=timezone.now(),
    )
    return str(data["code"])


def _is_in_hall(tournament: Tournament, typed: str) -> bool:
    """Whether the code of the hall was typed, or scanned. Refuses hall_code_wrong."""
    if not typed.strip():
        return False
    if not is_hall_code(tournament, typed, timezone.now()):
        raise Refusal("hall_code_wrong")
    return True


def _why_closed(terms: SignUpTerms | None) -> str:
    """Return the reason why sign-ups are closed even in the hall; "" if they are open."""
    try:
        services.check_open(terms, in_hall=True, at=timezone.now())
    except Refusal as refusal:
        return message(refusal)
    return ""


def _cards(tournament: Tournament, terms: SignUpTerms | None, codes: list[str]) -> list[SignUpCard]:
    entries = own_sign_ups(tournament, codes)
    played = bool(entries) and is_played(tournament)
    return [card_of(own_sign_up, tournament.rules, terms, is_played=played) for own_sign_up in entries]


@_pages_of_one
@form_of_everybody
@public_view("GET", "POST")
def mine(request: Request, slug: str) -> HttpResponse:
    """Show this browser's sign-ups, polled every few seconds. POST: find a sign-up by its code."""
    tournament = _tournament(slug)
    codes = own_codes(request)
    form = OwnCodeForm(request.POST or None, auto_id="own_%s")
    if form.is_valid():
        if own_sign_ups(tournament, [form.plain]):
            response = redirect("sign_up:mine", tournament.slug)
            remember_codes(response, tournament.slug, [*(c for c in codes if c != form.plain), form.plain])
            return response
        form.refuse(Refusal("sign_up_code_unknown"))
    terms = terms_of_sign_up(tournament)
    cards = _cards(tournament, terms, codes)
    version = blake2b(repr(cards).encode(), digest_size=8).hexdigest()
    if request.htmx and request.GET.get("version") == version:
        return HttpResponse(status=204)
    context = {
        "tournament": tournament,
        "cards": cards,
        "version": version,
        "code_form": form,
        "terms": terms,
        "asks_hall": terms is not None and terms.without_desk and not all(card.plays for card in cards),
        "hall_form": HallForm(),
    }
    page = "tournaments/sign_up/_mine.html" if request.htmx else "tournaments/sign_up/mine.html"
    return form_page(request, page, context, form)


@_pages_of_one
@form_of_everybody
@public_view("GET", "POST")
def change(request: Request, slug: str, sign_up: int) -> HttpResponse:
    """Correct a sign-up of this browser, until a desk has confirmed it."""
    tournament = _tournament(slug)
    own_sign_up = _own(request, tournament, sign_up)
    if own_sign_up is None:
        return redirect("sign_up:mine", slug)
    initial = {"name": own_sign_up.name, "club": own_sign_up.club, "names": own_sign_up.names}
    form = OwnForm(request.POST or None, tournament=tournament, initial=initial)
    if form.is_valid():
        with form.refusal_at_field():
            services.change_sign_up(tournament, own_sign_up.code, **form.cleaned_data)
            messages.success(request, _("Geändert."))
            return redirect("sign_up:mine", tournament.slug)
    context = {"tournament": tournament, "form": form}
    return form_page(request, "tournaments/sign_up/change.html", context, form)


_STEPS: dict[str, tuple[Callable[..., object], tuple[str, ...], Promise]] = {
    "arrive": (
        services.arrive,
        ("in_hall", "at"),
        gettext_lazy("Die Kasse sieht jetzt, dass Sie da sind."),
    ),
    "not-here": (services.take_back_arrival, (), gettext_lazy("Die Kasse wartet nicht mehr auf Sie.")),
    "withdraw": (services.withdraw_sign_up, ("at",), gettext_lazy("Die Anmeldung ist zurückgezogen.")),
    "go-home": (
        own_evening.go_home,
        ("at",),
        gettext_lazy("Sie sind abgemeldet. Die Spielleitung sieht es. Gute Heimfahrt!"),
    ),
    "come-back": (own_evening.come_back, ("at",), gettext_lazy("Sie spielen wieder mit.")),
    "pause": (
        own_evening.pause,
        (),
        gettext_lazy("Sie setzen eine Spielrunde aus. Die Spielleitung sieht es."),
    ),
    "end-pause": (own_evening.end_pause, (), gettext_lazy("Sie spielen wieder mit.")),
    **{
        f"{'' if is_given else 'no-'}{what}": (
            partial(own_evening.say_about_name, what=what, is_given=is_given),
            ("at",),
            gettext_lazy("Gemerkt. Sie können es sich jederzeit anders überlegen.")
            if is_given
            else gettext_lazy("Widerrufen."),
        )
        for what in OWN_CONSENTS
        for is_given in (True, False)
    },
}
"""For each step its service, the arguments that it takes beside tournament and code, and the message."""


@_pages_of_one
@form_of_everybody
@public_view("POST")
def take_step(request: Request, slug: str, sign_up: int, step: str) -> HttpResponse:
    """Perform a step on a sign-up of this browser: arrive or not yet, withdraw, go home, come back, pause, end the pause; allow
    the club something and withdraw it.

    Who reports to be there without the code of the hall is asked first: it may be a slip at home.
    """
    tournament = _tournament(slug)
    own_sign_up = _own(request, tournament, sign_up)
    if own_sign_up is None:
        return redirect("sign_up:mine", slug)
    if step not in _STEPS:
        raise Http404
    if step == "arrive" and not (request.POST.get("hall", "").strip() or request.POST.get("sure")):
        mark_unchanged(request)
        return render(
            request, "tournaments/sign_up/arrive.html", {"tournament": tournament, "own": own_sign_up}
        )
    do, takes, done = _STEPS[step]
    with refusal_as_message(request):
        in_hall = _is_in_hall(tournament, request.POST.get("hall", "")[:20])
        arguments = {"in_hall": in_hall, "at": timezone.now()}
        do(tournament, own_sign_up.code, **{name: arguments[name] for name in takes})
        messages.success(request, str(done))
    is_consent = step.removeprefix("no-") in OWN_CONSENTS
    return redirect(reverse("sign_up:mine", args=[slug]) + (f"#name-{sign_up}" if is_consent else ""))


def _own(request: Request, tournament: Tournament, number: int) -> OwnSignUp | None:
    """Return a sign-up of this browser; None, with a message, if it has no such sign-up."""
    sign_ups = own_sign_ups(tournament, own_codes(request))
    own_sign_up = next((entry for entry in sign_ups if entry.number == number), None)
    if own_sign_up is None:
        refuse(request, message(Refusal("sign_up_code_unknown")))
    return own_sign_up
