"""Forms of the operator's pages."""

from datetime import date, datetime, time
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from schnauz_turnier.clubs.maintenance import LONGEST_TEXT
from schnauz_turnier.clubs.quotas import MOST
from tournaments.forms import StartField, TextField, WholeNumberField

LONGEST_MAINTENANCE_DAYS = 14
_BAD_LIMIT = _("Bitte eine ganze Zahl bis 1 000 000 eingeben, oder nichts.")


class _LimitField(WholeNumberField):
    """A limit; None without one of its own."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(bad=_BAD_LIMIT, empty=True, **kwargs)

    def clean(self, value: Any) -> int | None:  # type: ignore[override]
        number = super().clean(value)
        if number is not None and not 0 <= number <= MOST:
            raise forms.ValidationError(_BAD_LIMIT, code="number_bad")
        return number


class LimitsForm(forms.Form):
    """The limits of a club. Empty: those of the installation."""

    tournaments = _LimitField(label=_("Höchstens Turniere"))
    people = _LimitField(label=_("Höchstens Spieler"))
    megabytes = _LimitField(label=_("Höchstens MB"))
    is_listed = forms.BooleanField(label=_("Auf der Seite aller Vereine zeigen"), required=False)


class MaintenanceForm(forms.Form):
    """Maintenance to announce. Without its day, the end is on the day of the beginning."""

    begins = StartField(label=_("Beginn"), help_text=_("Tag und Uhrzeit, zum Beispiel „21.11.2026 22:00“."))
    ends = StartField(label=_("Ende"), help_text=_("Uhrzeit, oder Tag und Uhrzeit."))
    german = TextField(label=_("Text auf Deutsch"), most=LONGEST_TEXT, required=True)
    english = TextField(label=_("Text auf Englisch"), most=LONGEST_TEXT)

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if data.get("german") == "":
            self.add_error("german", _("Der Text fehlt. Bitte einen Satz eingeben."))
        begins, ends = data.get("begins"), data.get("ends")
        if "begins" in data and (begins is None or begins[0] is None):
            self.add_error("begins", _("Bitte Tag und Uhrzeit eingeben."))
        elif "ends" in data and ends is None:
            self.add_error("ends", _("Bitte die Uhrzeit eingeben."))
        elif begins and ends:
            data["begins_at"] = _moment(begins[0], begins[1])
            data["ends_at"] = _moment(ends[0] or begins[0], ends[1])
            self._check(data["begins_at"], data["ends_at"])
        return data

    def _check(self, begins_at: datetime, ends_at: datetime) -> None:
        if ends_at <= begins_at:
            self.add_error("ends", _("Das Ende muss nach dem Beginn liegen."))
        elif ends_at <= timezone.now():
            self.add_error("ends", _("Das ist schon vorbei."))
        elif (ends_at - begins_at).days >= LONGEST_MAINTENANCE_DAYS:
            self.add_error("ends", _("Eine Wartung dauert höchstens zwei Wochen."))


def _moment(day: date, clock: time) -> datetime:
    return timezone.make_aware(datetime.combine(day, clock))
