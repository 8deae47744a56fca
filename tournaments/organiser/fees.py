"""Kinds of fees: form and page."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.access import organiser_view
from tournaments.core.fees import MOST_KINDS, FeeKind
from tournaments.forms import EurosField, RefusableForm, TextField, form_page
from tournaments.models import Tournament
from tournaments.requests import StaffRequest, posted
from tournaments.services.tournaments import edit_fees

_MORE_ROWS = 3


class FeesForm(RefusableForm):
    """One row per kind of fee, and some empty ones. A row without name and amount is removed."""

    def __init__(self, *args: Any, stored: Sequence[FeeKind], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stored = stored
        self.numbers = range(1, min(MOST_KINDS, len(stored) + _MORE_ROWS) + 1)
        for number in self.numbers:
            kind = stored[number - 1] if number <= len(stored) else None
            off = {"autocomplete": "off"}
            self.fields[f"name_{number}"] = TextField(
                label=_("Bezeichnung"), most=40, widget=forms.TextInput(attrs=off), initial=kind and kind.name
            )
            self.fields[f"cents_{number}"] = EurosField(
                label=_("Betrag"), empty=True, widget=forms.TextInput(attrs=off), initial=kind and kind.cents
            )

    @property
    def rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return [(self[f"name_{number}"], self[f"cents_{number}"]) for number in self.numbers]

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        for number in self.numbers:
            name, cents = data.get(f"name_{number}"), data.get(f"cents_{number}")
            if name and cents is None and f"cents_{number}" not in self.errors:
                self.add_error(f"cents_{number}", _("Bitte den Betrag dazu eintragen; frei ist 0,00."))
            if cents is not None and not name:
                self.add_error(f"name_{number}", _("Bitte den Namen dazu eintragen."))
        if not data.get("name_1") and any(data.get(f"name_{number}") for number in self.numbers):
            self.add_error("name_1", _("Hier steht der Beitrag, der ohne Auswahl gilt."))
        return data

    @property
    def kinds(self) -> list[FeeKind]:
        keys = [kind.key for kind in self.stored] + [""] * MOST_KINDS
        data = self.cleaned_data
        return [
            FeeKind(keys[number - 1], data[f"name_{number}"], data[f"cents_{number}"])
            for number in self.numbers
            if data[f"name_{number}"]
        ]


@organiser_view("GET", "POST")
def fees(request: StaffRequest, tournament: Tournament) -> HttpResponse:
    """Show the kinds of fees on GET, replace them on POST."""
    stored = tournament.fee_kinds if tournament.fees else ()
    form = FeesForm(posted(request), stored=stored)
    if form.is_valid():
        with form.refusal_at_field():
            edit_fees(tournament, form.kinds)
            messages.success(request, gettext("Die Beiträge sind gespeichert."))
            return redirect("organiser:fees", tournament.slug)
    context = {
        "tournament": tournament,
        "form": form,
        "cents": tournament.rules.entry_fee_cents,
    }
    return form_page(request, "tournaments/organiser/fees.html", context, form)
