"""Page of what a club and the operator have agreed on, for its owner, who agrees to new versions. Nothing waits for that."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from schnauz_turnier.clubs.agreements import agree, agreements
from schnauz_turnier.clubs.own_pages import slug_of_club
from schnauz_turnier.clubs.texts import (
    Kind,
    Text,
    keep_sources,
    source_of,
    texts_of_agreement,
    texts_to_agree,
    title_of,
)
from tournaments.access import owner_view
from tournaments.forms import NameField, form_page
from tournaments.models import EventKind
from tournaments.requests import StaffRequest, posted
from tournaments.security_log import download, record


class AgreeForm(forms.Form):
    """The agreement to the texts that the page has shown. seen: their digests."""

    seen = forms.CharField(max_length=200, required=False, widget=forms.HiddenInput)
    agreed_by = NameField(
        label=gettext_lazy("Ihr Name"),
        help_text=gettext_lazy(
            "Wer für den Verein zustimmt und ihn vertreten darf. Der Betreiber sieht diesen Namen."
        ),
        widget=forms.TextInput({"autocomplete": "name"}),
    )

    def clean(self) -> dict[str, Any]:
        """Return the values with the texts that were shown. Each has to be the latest version, as it is in its file now."""
        current = {text.agreed.sha256: text for text in texts_of_agreement()}
        digests = self.cleaned_data.get("seen", "").split()
        if not digests or not current.keys() >= set(digests):
            raise forms.ValidationError(
                _("Inzwischen gibt es eine andere Fassung. Bitte sie lesen, und dann zustimmen."),
                code="seen_old",
            )
        return {**self.cleaned_data, "texts": [current[digest] for digest in digests]}


@never_cache
@owner_view("GET", "POST", once=False)
def club_agreements(request: StaffRequest) -> HttpResponse:
    """Show what the club has agreed to and what is new on GET, agree on POST. Pressed again, it says the same and changes nothing."""
    slug = slug_of_club()
    form = AgreeForm(posted(request))
    if form.is_valid():
        texts: list[Text] = form.cleaned_data["texts"]
        keep_sources(texts)
        if agree(
            slug,
            [text.agreed for text in texts],
            agreed_by=form.cleaned_data["agreed_by"],
            at=timezone.now(),
        ):
            record(EventKind.CLUB_CHANGED, request, about=request.path)
        messages.success(request, _("Ihr Verein hat zugestimmt."))
        return redirect("here:agreements")
    texts = texts_to_agree(slug)
    context: dict[str, Any] = {
        "form": form,
        "texts": texts,
        "seen": " ".join(text.agreed.sha256 for text in texts),
        "agreements": [
            (title_of(Kind(agreement.kind)), agreement, source_of(agreement.sha256) is not None)
            for agreement in agreements(slug)
        ],
    }
    return form_page(request, "clubs/own/agreements.html", context, form)


@never_cache
@owner_view("GET")
def agreed_text(request: StaffRequest, sha256: str) -> HttpResponse:
    """Return a text to which this club has agreed, as it was then."""
    for agreement in agreements(slug_of_club()):
        source = source_of(sha256) if agreement.sha256 == sha256 else None
        if source is not None:
            name = f"{agreement.kind}-{agreement.dated_on}.txt"
            return download(request, name, source, "text/plain; charset=utf-8")
    raise Http404
