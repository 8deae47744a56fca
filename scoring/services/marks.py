"""Marks of closed rounds: one when the round is closed, and another whenever an accepted sheet has changed."""

from datetime import datetime
from typing import Any

from django.db.models import OuterRef, Subquery

from scoring.core.marks import round_digest, round_value
from scoring.models import RoundMark, Sheet, SheetEntry
from scoring.queries.publication import after_what_is_public
from tournaments.models import Round
from tournaments.queries.draw_digests import draw_digest


def mark_round(closed: Round, *, at: datetime) -> None:
    """Make a mark of a closed round, unless its latest one has the same value.

    The caller has locked the tournament, whose marks are one chain: closing a round, and changing a sheet of a closed
    round, need that lock.
    """
    value = value_of(closed)
    marks = RoundMark.objects.filter(tournament=closed.tournament_id).order_by("-number")
    last, latest = marks.first(), marks.filter(round_number=closed.number).first()
    if latest is not None and latest.value == value:
        return
    RoundMark.objects.create(
        tournament_id=closed.tournament_id,
        number=last.number + 1 if last else 1,
        round_number=closed.number,
        value=value,
        tables=_changed(latest, value) if latest else [],
        digest=round_digest(last.digest if last else "", value),
        made_at=after_what_is_public(closed.tournament, at),
    )


def value_of(closed: Round) -> dict[str, object]:
    """Return the value of a mark of this round now."""
    entries = SheetEntry.objects.filter(sheet=OuterRef("pk")).order_by("-sequence")
    counted = Sheet.objects.filter(table__round=closed, results__accepted=True).distinct()
    sheets = counted.annotate(last=Subquery(entries.values("digest")[:1])).values_list(
        "table__number", "last"
    )
    return round_value(round_number=closed.number, draw=draw_digest(closed), sheets=dict(sheets))


def _changed(latest: RoundMark, value: dict[str, Any]) -> list[int]:
    before, now = (
        {sheet["table"]: sheet["digest"] for sheet in mark["sheets"]} for mark in (latest.value, value)
    )
    return sorted(table for table in before.keys() | now.keys() if before.get(table) != now.get(table))
