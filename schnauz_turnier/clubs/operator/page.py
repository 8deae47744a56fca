"""The page of one club."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render

from schnauz_turnier.clubs.agreements import agreements
from schnauz_turnier.clubs.catalogue import start_page_of
from schnauz_turnier.clubs.ending import GRACE
from schnauz_turnier.clubs.operator.clubs import club_row
from schnauz_turnier.clubs.operator.forms import LimitsForm
from schnauz_turnier.clubs.texts import Kind, texts_to_agree, title_of
from tournaments.requests import StaffRequest


def club_page(request: StaffRequest, slug: str, form: LimitsForm | None = None) -> HttpResponse:
    """Return the page of a club. form: what was typed, with its errors; None for what is stored. Raises UnknownClub."""
    row = club_row(slug)
    context: dict[str, Any] = {
        "row": row,
        "address": start_page_of(slug),
        "agreements": [(title_of(Kind(agreed.kind)), agreed) for agreed in agreements(slug)],
        "texts_to_agree": texts_to_agree(slug),
        "form": form or LimitsForm(initial=row.limits),
        "grace": GRACE.days,
        "has_backups": settings.BACKUP_DIR is not None,
    }
    return render(request, "clubs/operator/club.html", context, status=422 if form and form.errors else 200)
