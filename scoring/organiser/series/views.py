"""The organiser's pages of series (Jahreswertung): list, new one, evenings and standing of one."""

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from scoring.core.series_rule import MOST_EVENINGS, SERIES_PRESETS, SeriesRule, preset_text, series_preset
from scoring.forms import RefusableForm
from scoring.models import Series
from scoring.organiser.series.honours import LinesField
from scoring.queries.series import evening_to_copy, evenings_to_choose, series_page
from scoring.services import series as services
from tournaments.access import club_view
from tournaments.core.names import clean_name
from tournaments.core.refusal import Refusal
from tournaments.forms import CleanField, DayField, NameField, WholeNumberField, form_page, refuse
from tournaments.queries.club import club
from tournaments.queries.tournaments import next_free_day
from tournaments.requests import StaffRequest, posted
from tournaments.text.ruleset_summary import in_readers_language

MOST_CERTIFICATES = 10
_HOW_MANY = gettext_lazy("Bitte eine Zahl von 1 bis 400, oder das Feld leer lassen.")


class SeriesForm(RefusableForm):
    """A new series: a preset, or the text of a rule of the club's own."""

    field_of = {"slug_taken": "name"}

    name = CleanField(lambda text: clean_name(text, most=60), label=gettext_lazy("Name"))
    preset = forms.ChoiceField(
        label=gettext_lazy("Regel"),
        choices=lambda: [(name, in_readers_language(series_preset(name).title)) for name in SERIES_PRESETS],
    )
    planned = WholeNumberField(
        empty=True,
        bad=_HOW_MANY,
        label=gettext_lazy("Wie viele Abende"),
        help_text=gettext_lazy(
            "Dann steht dabei, wer noch gewinnen kann, und Namen bleiben bis nach dem letzten."
        ),
    )
    rule = forms.CharField(
        required=False,
        label=gettext_lazy("Eigene Regel"),
        help_text=gettext_lazy(
            "Nur ausfüllen, wenn keine Vorlage passt: eine Vorlage hierher kopieren und ändern."
        ),
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
    )

    def clean_planned(self) -> int | None:
        planned: int | None = self.cleaned_data["planned"]
        if planned is not None and not 1 <= planned <= MOST_EVENINGS:
            raise forms.ValidationError(_HOW_MANY)
        return planned

    def clean_rule(self) -> SeriesRule | None:
        """Return the club's own rule, None without one."""
        try:
            text = self.cleaned_data["rule"].strip()
            return SeriesRule.from_toml(text) if text else None
        except Refusal as refusal:
            raise self.error_of(refusal) from None


class EveningForm(RefusableForm):
    """An evening of earlier times: day, name and table of results."""

    default_field = "lines"
    field_of = {}

    name = CleanField(lambda text: clean_name(text, most=120), label=gettext_lazy("Name"))
    day = DayField(label=gettext_lazy("Tag"))
    lines = LinesField(
        rows=12,
        label=gettext_lazy("Rangliste"),
        help_text=gettext_lazy(
            "Eine Zeile je Spieler: „1; Name; 18“, also Rang, Name und Punkte. Aus einer Tabelle kopiert geht es auch."
        ),
    )


class FinalForm(RefusableForm):
    """The evening of the final: name and day."""

    default_field = "name"
    field_of = {}

    name = NameField(label=gettext_lazy("Name des Turniers"), most=120)
    played_on = DayField(label=gettext_lazy("Tag"))


@club_view("GET", "POST")
def all_series(request: StaffRequest) -> HttpResponse:
    """List the series on GET, make one on POST."""
    form = SeriesForm(posted(request))
    if form.is_valid():
        data = form.cleaned_data
        with form.refusal_at_field():
            made = services.make_series(
                slug=slugify(data["name"]) or "jahr",
                name=data["name"],
                rule=data["rule"] or series_preset(data["preset"]),
                planned=data["planned"],
                at=timezone.now(),
            )
            messages.success(
                request, _("„%(name)s“ ist angelegt. Jetzt die Abende wählen.") % {"name": made.name}
            )
            return redirect("organiser:series", made.slug)
    context = {
        "form": form,
        "pages": [
            series_page(each, today=timezone.localdate()) for each in Series.objects.order_by("-created_at")
        ],
        "presets": [
            (in_readers_language(series_preset(name).title), preset_text(name, get_language() or ""))
            for name in SERIES_PRESETS
        ],
    }
    return form_page(request, "scoring/organiser/series/all.html", context, form)


@club_view("GET", "POST")
def series(request: StaffRequest, series: str) -> HttpResponse:
    """Show the standing on GET, choose the evenings on POST."""
    stored = get_object_or_404(Series, slug=series)
    if request.method == "POST":
        chosen, dropped = (
            [int(text) for text in request.POST.getlist(name) if text.isdecimal()]
            for name in ("evening", "drop")
        )
        services.choose_evenings(stored, chosen, dropped=dropped)
        messages.success(request, _("Die Abende sind gespeichert."))
        return redirect("organiser:series", stored.slug)
    choices = evenings_to_choose(stored)
    context = {
        "page": series_page(stored, today=timezone.localdate()),
        "choices": choices,
        "can_make_final": evening_to_copy(stored) is not None,
        "typed": stored.evenings.filter(tournament=None).order_by("-played_on"),
    }
    return form_page(request, "scoring/organiser/series/series.html", context)


@club_view("GET", "POST")
def type_evening(request: StaffRequest, series: str) -> HttpResponse:
    """Ask for an evening of earlier times on GET, store it on POST."""
    stored = get_object_or_404(Series, slug=series)
    form = EveningForm(posted(request))
    if form.is_valid():
        data = form.cleaned_data
        with form.refusal_at_field():
            services.type_evening(stored, data["lines"], name=data["name"], day=data["day"])
            messages.success(request, _("Der Abend ist gespeichert."))
            return redirect("organiser:series", stored.slug)
    return form_page(request, "scoring/organiser/series/evening.html", {"series": stored, "form": form}, form)


@club_view("GET", "POST")
def make_final(request: StaffRequest, series: str) -> HttpResponse:
    """Show on GET who may play the final and ask for its name and day, make it on POST."""
    stored = get_object_or_404(Series, slug=series)
    like = evening_to_copy(stored)
    if like is None:
        refuse(request, _("Für ein Finale fehlt ein Abend dieser Jahreswertung."))
        return redirect("organiser:series", stored.slug)
    today = timezone.localdate()
    initial = {
        "name": _("Finale %(series)s") % {"series": stored.name},
        "played_on": next_free_day(like, today),
    }
    form = FinalForm(posted(request), initial=initial)
    if form.is_valid():
        with form.refusal_at_field():
            made = services.make_final(
                stored, like, **form.cleaned_data, owner=request.user, at=timezone.now()
            )
            messages.success(request, _("„%(name)s“ ist angelegt.") % {"name": made.name})
            return redirect("door:list", made.slug)
    context = {"page": series_page(stored, today=today), "like": like, "form": form}
    return form_page(request, "scoring/organiser/series/final.html", context, form)


@club_view("GET")
def certificates(request: StaffRequest, series: str) -> HttpResponse:
    """Print certificates for the first ranks, with the full names."""
    page = series_page(get_object_or_404(Series, slug=series), today=timezone.localdate())
    ranked = [line for line in page.lines if line.row.rank]
    first = [line for line in ranked if (line.row.rank or 0) <= MOST_CERTIFICATES and line.known_as[0]]
    context = {"page": page, "lines": first, "ranked": len(ranked), "club": club()}
    return render(request, "scoring/organiser/series/certificates.html", context)


@club_view("POST")
def draw_lot(request: StaffRequest, series: str) -> HttpResponse:
    services.draw_lot(get_object_or_404(Series, slug=series))
    return redirect("organiser:series", series)


@club_view("POST")
def delete_series(request: StaffRequest, series: str) -> HttpResponse:
    stored = get_object_or_404(Series, slug=series)
    services.delete_series(stored)
    messages.success(request, _("„%(name)s“ ist gelöscht.") % {"name": stored.name})
    return redirect("organiser:all_series")
