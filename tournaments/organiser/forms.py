"""Forms of a tournament: name, slug, day, place, how names are shown; and its ruleset."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from tournaments.forms import (
    HOW_NAMES_ARE_SHOWN,
    CleanField,
    DayField,
    NameField,
    RefusableForm,
    StartField,
    TextField,
    clean_slug,
    start_as_typed,
)
from tournaments.models import Membership, Tournament
from tournaments.organiser.ruleset_form import RulesForm
from tournaments.queries.publicity import default_last_day
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.rulesets.schema import Ruleset


class InviteForm(forms.Form):
    """Role of an invited account."""

    role = forms.ChoiceField(
        label=_("Wer wird eingeladen?"),
        choices=[
            (Membership.Role.CASHIER.value, _("jemand für die Kasse: nur Anmeldung und Geld")),
            (Membership.Role.ORGANISER.value, _("ein Veranstalter: darf alles")),
        ],
        initial=Membership.Role.CASHIER.value,
        widget=forms.RadioSelect,
    )


class TournamentForm(RefusableForm):
    """Form of a tournament without its ruleset. The slug of an existing tournament cannot be changed."""

    field_of = {"slug_taken": "slug", "slug_bad": "slug"}

    name = NameField(
        label=_("Name des Turniers"), most=120, help_text=_("So heißt es auf allen Seiten und Ausdrucken.")
    )
    slug = CleanField(
        clean_slug,
        label=_("Webadresse"),
        help_text=_(
            "Bleibt sie leer, wird sie aus dem Namen gemacht. Später lässt sie sich nicht mehr ändern."
        ),
        widget=forms.TextInput(attrs={"autocapitalize": "none", "spellcheck": "false", "data-slug": ""}),
    )
    played_on = DayField(label=_("Tag"))
    admits_at = StartField(
        label=_("Einlass"),
        help_text=_("Die Uhrzeit, ab der die Tür offen ist."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    starts_at = StartField(
        label=_("Beginn"),
        help_text=_("Die Uhrzeit, zum Beispiel 19:30. An einem anderen Tag: 21.11.2026 19:30."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    place = TextField(label=_("Ort"), most=120)
    names = forms.ChoiceField(
        label=_("Namen im Netz"),
        choices=HOW_NAMES_ARE_SHOWN,
        initial=Tournament.Names.SHORT.value,
        widget=forms.RadioSelect,
        help_text=_(
            "Veranstalter, Leinwand im Saal, Tischlisten und Aushang zeigen den ganzen Namen; das bitte an der Tür sagen. "
            "Wer das nicht will, sagt es, und es gilt sofort: bei seinem Namen in der Anmeldung."
        ),
    )
    public_until_on = DayField(label=_("Im Netz zu sehen bis"), required=False)
    is_hidden = forms.BooleanField(
        label=_("Nicht auf der Startseite nennen"),
        required=False,
        help_text=_("Wer den Link oder den Code hat, sieht die Seiten des Turniers trotzdem."),
    )
    hides_amounts = forms.BooleanField(
        label=_("Wir führen unsere Kasse selbst"),
        required=False,
        help_text=_("Dann steht nirgends ein Betrag der Kasse: An der Tür wird nur „bezahlt“ abgehakt."),
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None = None,
        *,
        tournament: Tournament | None = None,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        stored = _stored(tournament) if tournament is not None else {}
        super().__init__(data, initial=stored | dict(initial or {}))
        if tournament is None:
            del self.fields["public_until_on"]
        else:
            del self.fields["slug"]
            self.fields["public_until_on"].help_text = format_lazy(
                _("Leer: 30 Tage, nachdem alles gespielt oder hier eingelesen ist, also bis {day}."),
                day=date_format(default_last_day(tournament), "SHORT_DATE_FORMAT"),
            )

    def clean(self) -> dict[str, Any]:
        """Convert admission and start to moments in the club's time zone; on the tournament's day if no other is typed."""
        data = self.cleaned_data
        if not data.get("played_on"):
            return data
        for name in _MOMENTS:
            if data.get(name):
                day, at = data[name]
                data[name] = timezone.make_aware(datetime.combine(day or data["played_on"], at))
        admits_at, starts_at = (data.get(name) for name in _MOMENTS)
        if admits_at and starts_at and admits_at > starts_at:
            self.add_error("admits_at", _("Das ist nach dem Beginn. Bitte eine der beiden Uhrzeiten ändern."))
        return data


_MOMENTS = ("admits_at", "starts_at")
_OWN = ("name", "played_on", "place", "names", "public_until_on", "is_hidden", "hides_amounts")


def _stored(tournament: Tournament) -> dict[str, Any]:
    """Return the values of `TournamentForm` for a tournament."""
    stored = {name: getattr(tournament, name) for name in _OWN}
    for name in _MOMENTS:
        if (moment := getattr(tournament, name)) is not None:
            stored[name] = start_as_typed(moment, tournament.played_on)
    return stored


class TournamentForms:
    """Tournament form and ruleset form, which are sent together.

    initial_rules: the tournament's ruleset. stand: a round is drawn, so the rules are shown and not read. The button of a
    preset (`choose`) fills in the rules again and keeps the other input. `base` names the preset whose fields
    are shown, so that the request is read with the same fields; "" stands for `initial_rules`.
    """

    def __init__(
        self,
        typed: QueryDict | None,
        *,
        initial_rules: Ruleset,
        tournament: Tournament | None = None,
        initial: Mapping[str, Any] | None = None,
        stand: bool = False,
    ) -> None:
        self.initial_rules, self.stand = initial_rules, stand
        chosen = "" if typed is None or stand else typed.get("choose", "")
        base = "" if typed is None or stand else chosen or typed.get("base", "")
        self.base = base if base in PRESETS else ""
        rules = preset(self.base) if self.base else initial_rules
        has_fees = tournament is not None and bool(tournament.fees)
        if typed is not None and chosen:
            self.evening = TournamentForm(
                tournament=tournament,
                initial=typed.dict() | {name: name in typed for name in ("is_hidden", "hides_amounts")},
            )
            self.rules = RulesForm(base=rules, has_fees=has_fees)
        else:
            self.evening = TournamentForm(
                typed,
                tournament=tournament,
                initial=initial,
            )
            self.rules = RulesForm(None if stand else typed, base=rules, stand=stand, has_fees=has_fees)

    @property
    def are_valid(self) -> bool:
        return self.evening.is_valid() & (self.stand or self.rules.is_valid())

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset of the tournament, once the forms are valid."""
        return self.initial_rules if self.stand else self.rules.ruleset
