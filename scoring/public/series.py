"""The public pages of honours and of a series (Jahreswertung), and its JSON with everything that the standing follows from."""

from dataclasses import asdict
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.models import Series
from scoring.queries.honours import honours_by_year
from scoring.queries.series import SeriesPage, series_page
from tournaments.access import public_view

MOST_SERIES = 5


def pages_of_the_year() -> list[tuple[str, str]]:
    """Return name and address of the pages that the start page leads to: the latest series, and the roll of honour."""
    latest = Series.objects.order_by("-created_at")[:MOST_SERIES]
    series = [(each.name, reverse("series", args=[each.slug])) for each in latest]
    return [*series, (_("Ehrentafel"), reverse("roll_of_honour"))]


@public_view("GET")
def page(request: HttpRequest, series: str) -> HttpResponse:
    return render(request, "scoring/public/series.html", {"page": _page_of(series)})


@public_view("GET")
def honours(request: HttpRequest) -> HttpResponse:
    context = {"years": honours_by_year(today=timezone.localdate())}
    return render(request, "scoring/public/honours.html", context)


@public_view("GET")
def document(request: HttpRequest, series: str) -> JsonResponse:
    return JsonResponse(series_document(_page_of(series)))


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
        "evenings": [
            {
                "name": head.name,
                "date": head.played_on.isoformat(),
                "kind": evenings[head.key].kind,
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


def _page_of(series: str) -> SeriesPage:
    """Return the page of the series with this address. Raises Http404."""
    return series_page(get_object_or_404(Series, slug=series), today=timezone.localdate())
