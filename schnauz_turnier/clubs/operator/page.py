"""The page of one club."""

from typing import Any

from django.conf import settings
from django.http import Http404, HttpResponse
from django.shortcuts import render

from schnauz_turnier.clubs.agreements import agreements
from schnauz_turnier.clubs.catalogue import UnknownClub, club_of
from schnauz_turnier.clubs.ending import GRACE
from schnauz_turnier.clubs.operator.clubs import ClubRow, club_row
from schnauz_turnier.clubs.operator.forms import LimitsForm
from schnauz_turnier.clubs.texts import Kind, texts_to_agree, title_of
from tournaments.requests import StaffRequest


def club_or_404(slug: str) -> ClubRow:
    try:
        return club_row(slug)
    except UnknownClub:
        raise Http404 from None


def club_page(request: StaffRequest, row: ClubRow, form: LimitsForm | None = None) -> HttpResponse:
    """Return the page of a club. form: what was typed, with its errors; None for what is stored."""
    context: dict[str, Any] = {
        "row": row,
        "address": club_of(row.slug).address,
        "agreements": [(title_of(Kind(agreed.kind)), agreed) for agreed in agreements(row.slug)],
        "texts_to_agree": texts_to_agree(row.slug),
        "form": form or LimitsForm(initial=row.limits),
        "grace": GRACE.days,
        "has_backups": settings.BACKUP_DIR is not None,
    }
    return render(request, "clubs/operator/club.html", context, status=422 if form and form.errors else 200)
