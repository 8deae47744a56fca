"""Terms of the sign-ups: form and page, and the poster."""

from datetime import datetime, time
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.access import organiser_view
from tournaments.core.publicity import PUBLIC_DAYS
from tournaments.forms import RefusableForm, StartField, WholeNumberField, form_page, start_as_typed
from tournaments.links import qr_code, sign_up_url
from tournaments.models import SignUpTerms, Tournament
from tournaments.queries.door import joining_ended
from tournaments.queries.sign_ups import sign_up_figures, terms_of_sign_up
from tournaments.requests import StaffRequest, posted
from tournaments.services.sign_ups import set_terms
from tournaments.text.money import word_fees
from tournaments.text.refusals import message

_USUAL_END = time(18)
_OFF = {"autocomplete": "off"}


class TermsForm(RefusableForm):
    """Terms of the sign-ups. step: open or close them; empty: unchanged."""

    field_of = {"sign_up_most_bad": "most"}

    closes_at = StartField(
        label=_("Voranmelden bis"),
        help_text=_("Die Uhrzeit, oder Tag und Uhrzeit: 20.11.2026 18:00. Im Saal geht es auch danach."),
        widget=forms.TextInput(attrs=_OFF),
    )
    most = WholeNumberField(
        label=_("Plätze"),
        empty=True,
        bad=_("Bitte eine ganze Zahl, oder nichts für keine Grenze."),
        help_text=_(
            "Sind sie vergeben, gibt es eine Warteliste, die von selbst nachrückt. Leer: keine Grenze."
        ),
        widget=forms.TextInput(attrs=_OFF),
    )
    only_in_hall = forms.BooleanField(
        label=_("Nur mit dem Code an der Leinwand"),
        required=False,
        help_text=_("Er wechselt alle fünf Minuten. So meldet sich niemand zum Spaß von zu Hause an."),
    )
    without_desk = forms.BooleanField(
        label=_("Ohne Schlange"),
        required=False,
        help_text=_(
            "Wer den Code im Saal hat, spielt gleich mit und zahlt später. Bis die Kasse nachgesehen hat, nennt ihn das Netz nur mit der Nummer."
        ),
    )
    step = forms.ChoiceField(choices=[("open", ""), ("close", "")], required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, tournament: Tournament, terms: SignUpTerms | None) -> None:
        self.tournament, self.was_open = tournament, terms is not None and terms.is_open
        usual = terms.closes_at if terms else usual_end(tournament)
        initial: dict[str, Any] = {"closes_at": start_as_typed(usual, tournament.played_on)}
        if terms:
            stored = ("most", "only_in_hall", "without_desk")
            initial |= {name: getattr(terms, name) for name in stored}
        super().__init__(data, initial=initial)

    @property
    def is_open(self) -> bool:
        """Whether the form asks to open sign-ups."""
        step = self.cleaned_data["step"]
        return step == "open" if step else self.was_open

    def clean_closes_at(self) -> datetime:
        """Return the moment in the club's time zone; by default the usual end, and the tournament's day if only a time is typed."""
        typed = self.cleaned_data["closes_at"]
        if typed is None:
            return usual_end(self.tournament)
        day, at = typed
        return timezone.make_aware(datetime.combine(day or self.tournament.played_on, at))


def usual_end(tournament: Tournament) -> datetime:
    """Return the default end of sign-ups: the start, else the admission, else 18:00 on the tournament's day."""
    six = timezone.make_aware(datetime.combine(tournament.played_on, _USUAL_END))
    return tournament.starts_at or tournament.admits_at or six


@organiser_view("GET", "POST")
def sign_ups(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show terms, link, code and figures on GET; set the terms, open or close on POST."""
    terms = terms_of_sign_up(tournament)
    form = TermsForm(posted(request), tournament=tournament, terms=terms)
    if form.is_valid():
        data = {
            name: form.cleaned_data[name] for name in ("closes_at", "most", "only_in_hall", "without_desk")
        }
        with form.refusal_at_field():
            set_terms(tournament, is_open=form.is_open, **data, at=timezone.now())
            messages.success(request, _said(was_open=form.was_open, is_open=form.is_open))
            return redirect("organiser:sign_ups", tournament.slug)
    link = sign_up_url(tournament.slug)
    context = {
        "tournament": tournament,
        "form": form,
        "terms": terms,
        "state": _state(terms, timezone.now()),
        "ended": _ended(tournament),
        "link": link,
        "qr": qr_code(link),
        "figures": sign_up_figures(tournament, terms),
    }
    return form_page(request, "tournaments/organiser/sign_ups.html", context, form)


@organiser_view("GET")
def poster(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Print the poster in A4, or A5 with ?size=a5."""
    link = sign_up_url(tournament.slug)
    context = {
        "tournament": tournament,
        "size": "a5" if request.GET.get("size") == "a5" else "a4",
        "terms": terms_of_sign_up(tournament),
        "fees": word_fees(tournament.fee_kinds),
        "address": link.partition("://")[2],
        "qr": qr_code(link),
        "public_days": PUBLIC_DAYS,
    }
    return render(request, "tournaments/organiser/poster.html", context)


def _said(*, was_open: bool, is_open: bool) -> str:
    if was_open == is_open:
        return gettext("Gespeichert.")
    return gettext("Die Voranmeldung ist offen.") if is_open else gettext("Die Voranmeldung ist geschlossen.")


def _state(terms: SignUpTerms | None, at: datetime) -> str:
    """Return the state of the sign-ups: closed, hall, over (the end has passed: only in the hall), open."""
    if terms is None or not terms.is_open:
        return "closed"
    if terms.only_in_hall:
        return "hall"
    return "over" if at >= terms.closes_at else "open"


def _ended(tournament: Tournament) -> str:
    """Return the reason why joining has ended, "" if it has not."""
    ended = joining_ended(tournament)
    return message(ended) if ended else ""
