"""The public pages of honours and of a series (Jahreswertung), and its JSON with everything that the standing follows from."""

from dataclasses import asdict
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.models import Series
from scoring.public.responses import kept_json, kept_page
from scoring.queries.honours import honours_by_year
from scoring.queries.series import SeriesPage, evening_of_the_day, series_page
from tournaments.access import public_view
from tournaments.models import Tournament
from tournaments.queries.publicity import tournament_by_slug

MOST_SERIES = 5


def pages_of_the_year() -> list[tuple[str, str]]:
    """Return name and address of the pages that the start page leads to: the latest series, and the roll of honour."""
    latest = Series.objects.order_by("-created_at")[:MOST_SERIES]
    series = [(each.name, reverse("series", args=[each.slug])) for each in latest]
    return [*series, (_("Ehrentafel"), reverse("roll_of_honour"))]


@public_view("GET")
def page(request: HttpRequest, series: str) -> HttpResponse:
    """Show the standing. On the day of an evening it keeps itself current, as a tab of that evening does."""
    stored, running = _series_of_today(series)
    template = "scoring/public/series.html"
    if running is None:
        return render(request, template, {"page": series_page(stored, today=timezone.localdate())})
    return kept_page(request, running.slug, ("series", series), template, lambda: _context(stored, running))


@public_view("GET")
def honours(request: HttpRequest) -> HttpResponse:
    context = {"years": honours_by_year(today=timezone.localdate())}
    return render(request, "scoring/public/honours.html", context)


@public_view("GET")
def document(request: HttpRequest, series: str) -> HttpResponse:
    stored, running = _series_of_today(series)
    if running is None:
        return JsonResponse(series_document(series_page(stored, today=timezone.localdate())))

    def make() -> tuple[dict[str, Any], Tournament]:
        context = _context(stored, running)
        return series_document(context["page"]), context["tournament"]

    return kept_json(request, running.slug, ("series", series), make)


def series_document(page: SeriesPage) -> dict[str, Any]:
    """Return rule, evenings and standing. Players are numbered in the order of the standing; fractions are texts."""
    numbers = {line.row.player: number for number, line in enumerate(page.lines, start=1)}
    evenings = {evening.key: evening for evening in page.evenings}
    return {
        "series": page.series.slug,
        "name": page.series.name,
        "rule": page.rule.to_dict(),
        "lot_seed": page.series.lot_seed,
        "problem": page.problem.code if page.problem else None,
        "provisional": page.is_provisional,
        "evenings": [
            {
                "name": head.name,
                "date": head.played_on.isoformat(),
                "kind": evenings[head.key].kind,
                "final": head.counts,
                "results": [
                    {**score._asdict(), "player": numbers.get(score.player)}
                    for score in evenings[head.key].scores
                ],
            }
            for head in page.heads
            if head.key in evenings
        ],
        "rows": [
            {
                **asdict(line.row),
                "player": numbers[line.row.player],
                "before": line.before,
                "name": line.name,
                "value": str(line.row.value),
                "evenings": [
                    {
                        "value": None if each.value is None else str(each.value),
                        "rank": each.rank,
                        "counts": each.counts,
                    }
                    for each in line.row.evenings
                ],
            }
            for line in page.lines
        ],
    }


def _series_of_today(series: str) -> tuple[Series, Tournament | None]:
    """Return the series with this address, and its evening of the day. Raises Http404."""
    stored = get_object_or_404(Series, slug=series)
    return stored, evening_of_the_day(stored, timezone.localdate())


def _context(series: Series, running: Tournament) -> dict[str, Any]:
    return {
        "page": series_page(series, today=timezone.localdate(), running=running),
        "tournament": tournament_by_slug(running.slug),
    }
