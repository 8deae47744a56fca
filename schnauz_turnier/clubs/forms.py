"""Forms of a club that registers."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from schnauz_turnier.clubs.changes import LONGEST_NAME
from schnauz_turnier.clubs.registration import RegistrationRefusal, free_slug
from schnauz_turnier.clubs.slugs import proposed_slug
from schnauz_turnier.clubs.texts import Text
from tournaments.accounts.forms import code_field
from tournaments.forms import CleanField, NameField


def _tick(text: Text) -> forms.BooleanField:
    """Return the field to agree to a text, which names its version and leads to its page and its file."""
    link = format_html('<a href="{}" target="_blank">{}</a>', text.address, text.title)
    label = format_html("<span>{}</span>", format_html(_("Wir stimmen zu: {link}"), link=link))
    told = _("Fassung {version} vom {day} · {file}")
    file = format_html('<a href="{}.txt" download>{}</a>', text.address, _("Als Datei speichern"))
    help_text = format_html(
        told, version=text.version, day=date_format(text.dated_on, "DATE_FORMAT"), file=file
    )
    missing = _("Ohne diese Zustimmung geht es nicht. Bitte lesen und ankreuzen.")
    return forms.BooleanField(label=label, help_text=help_text, error_messages={"required": missing})


class RegisterForm(forms.Form):
    """Form of a club that registers. seen: the versions of the texts that the page has shown."""

    name = NameField(
        most=LONGEST_NAME,
        label=gettext_lazy("Name des Vereins"),
        widget=forms.TextInput({"autocomplete": "organization"}),
    )
    slug = CleanField(
        str.strip,
        label=gettext_lazy("Adresse im Netz"),
        widget=forms.TextInput({"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("E-Mail"),
        max_length=254,
        widget=forms.EmailInput({"autocomplete": "email", "data-long": ""}),
        error_messages=dict.fromkeys(
            ("required", "invalid"),
            gettext_lazy("Bitte eine E-Mail-Adresse angeben, wie verein@example.org."),
        ),
    )
    agreed_by = NameField(
        label=gettext_lazy("Ihr Name"),
        help_text=gettext_lazy("Wer für den Verein zustimmt und ihn vertreten darf."),
        widget=forms.TextInput({"autocomplete": "name"}),
    )

    def __init__(self, data: Any, texts: Sequence[Text]) -> None:
        super().__init__(data)
        self.texts = texts
        for text in texts:
            self.fields[text.kind] = _tick(text)

    @property
    def ticks(self) -> list[forms.BoundField]:
        return [self[text.kind] for text in self.texts]

    @property
    def seen(self) -> str:
        return " ".join(text.agreed.sha256[:12] for text in self.texts)

    def clean_slug(self) -> str:
        """Return the slug that was typed, or that the name suggests; "" for a name that is wrong. It may be taken."""
        name = self.cleaned_data.get("name", "")
        slug = proposed_slug(self.cleaned_data["slug"] or name)
        if not slug and (name or self.cleaned_data["slug"]):
            raise forms.ValidationError(_("Bitte eine Adresse aus Buchstaben und Ziffern angeben."))
        return slug

    def clean(self) -> dict[str, Any]:
        if self.data.get("seen") != self.seen:
            for text in self.texts:
                self.add_error(
                    text.kind, _("Dieser Text hat sich geändert. Bitte noch einmal lesen und ankreuzen.")
                )
        return self.cleaned_data

    def refuse(self, refusal: RegistrationRefusal) -> None:
        sentence = _sentence_of(refusal)
        if refusal.code != "slug_taken":
            self.add_error(None, sentence)
            return
        proposal = free_slug(self.cleaned_data["slug"], at=timezone.now())
        free = _("Frei ist zum Beispiel „%(slug)s“.") % {"slug": proposal} if proposal else ""
        self.add_error("slug", f"{sentence} {free}".strip())


class OpenForm(forms.Form):
    """Form with the code of the link that makes the club."""

    code = code_field()

    def refuse(self, refusal: RegistrationRefusal) -> None:
        self.add_error("code", _sentence_of(refusal))


def _sentence_of(refusal: RegistrationRefusal) -> str:
    return {
        "slug_taken": _("Diese Adresse ist vergeben."),
        "network_full": _(
            "Aus diesem Netz warten schon mehrere Anmeldungen. Bitte erst deren Links öffnen, oder es in zwei Tagen noch einmal versuchen."
        ),
        "all_full": _("Gerade warten zu viele Anmeldungen. Bitte es morgen noch einmal versuchen."),
        "code_unknown": _(
            "Dieser Link gilt nicht oder nicht mehr. Wer noch keinen Verein hat, meldet ihn noch einmal an."
        ),
        "being_made": _("Der Verein wird gerade angelegt. Bitte in ein paar Sekunden noch einmal drücken."),
    }[refusal.code]
