"""The organiser's forms for the scenes of the screens."""

from django import forms
from django.utils.translation import gettext_lazy

from scoring.forms import TEXT_CODES, RefusableForm
from scoring.queries.round_clock import MINUTES, WAIT
from scoring.queries.screens import LOWEST_RANK
from scoring.scenes import SCENES

MOST_ROUND = 999
"""Highest round number that a form accepts."""


class SceneForm(RefusableForm):
    """A scene to be sent to a screen; `scene` names the button that was pressed."""

    field_of = dict.fromkeys(TEXT_CODES, "text")

    scene = forms.ChoiceField(choices=lambda: [(key, key) for key in SCENES], widget=forms.HiddenInput)


class ScreenCodeForm(RefusableForm):
    """The code shown by a browser that asks to be paired as a screen."""

    field_of = {"screen_code_unknown": "code"}

    code = forms.CharField(
        label=gettext_lazy("Code auf dem Bildschirm"),
        max_length=20,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"}),
        error_messages={
            "required": gettext_lazy("Bitte die sechs Ziffern eintragen, die der Bildschirm zeigt.")
        },
    )


class ClockForm(RefusableForm):
    """The minutes of a round. round: the one shown by the page."""

    field_of = {"clock_minutes": "minutes", "clock_wait": "wait"}

    round = forms.IntegerField(min_value=1, max_value=MOST_ROUND, widget=forms.HiddenInput)
    minutes = forms.IntegerField(
        label=gettext_lazy("Minuten für diese Spielrunde"),
        min_value=MINUTES.start,
        max_value=MINUTES.stop - 1,
        error_messages={
            "required": gettext_lazy("Bitte eintragen, wie viele Minuten die Spielrunde dauert.")
        },
    )
    wait = forms.IntegerField(
        label=gettext_lazy("Startzeichen in Minuten (leer: jetzt)"),
        min_value=WAIT.start,
        max_value=WAIT.stop - 1,
        required=False,
    )


class WelcomeForm(SceneForm):
    """The welcome scene, with the guests' wireless network."""

    field_of = dict.fromkeys(TEXT_CODES, "network")

    network = forms.CharField(label=gettext_lazy("WLAN für Gäste: Name"), max_length=32, required=False)
    password = forms.CharField(label=gettext_lazy("Passwort des WLAN"), max_length=63, required=False)


class AnnouncementForm(SceneForm):
    """An announcement."""

    text = forms.CharField(
        label=gettext_lazy("Durchsage"),
        max_length=240,
        error_messages={"required": gettext_lazy("Bitte eintragen, was auf der Leinwand stehen soll.")},
    )


class PrizesForm(SceneForm):
    """The prize-giving."""

    lowest_rank = forms.IntegerField(
        label=gettext_lazy("Preise bis Rang"),
        min_value=1,
        max_value=LOWEST_RANK,
        initial=3,
        error_messages={"required": gettext_lazy("Bitte eintragen, bis zu welchem Rang es Preise gibt.")},
    )
