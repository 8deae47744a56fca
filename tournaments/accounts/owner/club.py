"""The settings of the club: form and page."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.access import club_view
from tournaments.forms import (
    HOW_NAMES_ARE_SHOWN,
    NameField,
    RefusableForm,
    TextField,
    WholeNumberField,
    form_page,
)
from tournaments.queries import club as queries
from tournaments.requests import StaffRequest, posted, signed
from tournaments.services.club import LONGEST, set_club


class ClubForm(RefusableForm):
    field_of = {"retention_bad": "retention_months", "name_days_bad": "name_days"} | dict.fromkeys(
        ("picture_too_large", "picture_of_too_many_pixels", "picture_unreadable", "quota_room"), "uploaded"
    )

    name = NameField(label=_("Name des Vereins"), most=LONGEST["name"])
    legal_form = TextField(
        label=_("Rechtsform"), most=LONGEST["legal_form"], help_text=_("Zum Beispiel eingetragener Verein.")
    )
    street = TextField(label=_("Straße und Hausnummer"), most=LONGEST["street"])
    town = TextField(label=_("Postleitzahl und Ort"), most=LONGEST["town"])
    represented_by = TextField(
        label=_("Vertreten durch"), most=LONGEST["represented_by"], help_text=_("Wer für den Verein spricht.")
    )
    contact = TextField(
        label=_("Kontakt"), most=LONGEST["contact"], help_text=_("E-Mail oder Telefon des Vereins.")
    )
    register = TextField(
        label=_("Registereintrag"),
        most=LONGEST["register"],
        help_text=_("Das Registergericht und die Nummer, wenn der Verein eingetragen ist."),
    )
    place = TextField(
        label=_("Spielort"), most=LONGEST["place"], help_text=_("Steht bei jedem neuen Turnier schon da.")
    )
    names = forms.ChoiceField(
        label=_("Namen im Netz"),
        choices=HOW_NAMES_ARE_SHOWN,
        initial="short",
        widget=forms.RadioSelect,
        help_text=_("So beginnt jedes neue Turnier."),
    )
    retention_months = WholeNumberField(
        label=_("Turniere löschen wir nach … Monaten"),
        empty=True,
        bad=_("Bitte eine ganze Zahl, oder nichts."),
        help_text=_(
            "Steht unter „Datenschutz“. Das Löschen selbst macht der Veranstalter in den Einstellungen."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    name_days = WholeNumberField(
        label=_("Namen werden zu Nummern nach … Tagen"),
        empty=True,
        bad=_("Bitte eine ganze Zahl, oder nichts."),
        help_text=_(
            "Von selbst, wenn ein Turnier und seine Jahreswertung vorbei sind; wer zugestimmt hat, bleibt. Zahlen und Zahlungen "
            "bleiben. Eine Woche vorher steht es bei den Turnieren. Ohne Zahl geschieht nichts."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    announcement = TextField(
        label=_("Ankündigung"),
        most=LONGEST["announcement"],
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Ein Satz für die Startseite und für die Leinwand, solange sie die Gäste begrüßt."),
    )
    uploaded = forms.FileField(
        label=_("Bild oder Wappen des Vereins"),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png"}),
        help_text=_(
            "JPEG oder PNG, höchstens 2 MB. Auch für Urkunden, wenn das Turnier kein eigenes Bild hat."
        ),
    )
    no_picture = forms.BooleanField(label=_("Bild löschen"), required=False)

    @property
    def details(self) -> queries.ClubDetails:
        return queries.ClubDetails(
            **{
                name: value
                for name, value in self.cleaned_data.items()
                if name not in ("uploaded", "no_picture")
            }
        )

    @property
    def picture(self) -> bytes | None:
        """The uploaded picture, b"" to delete the one there is, None to leave it."""
        uploaded = self.cleaned_data["uploaded"]
        return uploaded.read() if uploaded else b"" if self.cleaned_data["no_picture"] else None


@club_view("GET", "POST")
def club(request: StaffRequest) -> HttpResponse:
    """Show the settings of the club on GET, store them on POST."""
    stored = queries.club()
    initial = stored.to_dict() if stored else {"name": queries.name_of_club()}
    form = ClubForm(posted(request), request.FILES or None, initial=initial)
    if form.is_valid():
        with form.refusal_at_field():
            set_club(form.details, uploaded=form.picture, **signed(request))
            messages.success(request, gettext("Gespeichert."))
            return redirect("account:club")
    context: dict[str, Any] = {"form": form, "stored": stored}
    return form_page(request, "tournaments/accounts/owner/club.html", context, form)
