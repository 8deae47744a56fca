"""Marks of closed rounds: one when the round is closed, and another one whenever a sheet that counts has changed."""

from datetime import datetime

from django.db.models import OuterRef, Subquery

from scoring.core.marks import round_digest, round_value
from scoring.models import RoundMark, Sheet, SheetEntry
from scoring.queries.publication import after_what_is_public
from tournaments.models import Round
from tournaments.queries.draw_digests import draw_digest


def mark_round(closed: Round, *, at: datetime) -> None:
    """Make a mark of a closed round, unless its latest one is over the same.

    The caller has locked the tournament, whose marks are one chain: a round is closed, and a sheet of a closed round changed, under
    that lock only.
    """
    value = value_of(closed)
    marks = RoundMark.objects.filter(tournament=closed.tournament_id).order_by("-number")
    last, own = marks.first(), marks.filter(round_number=closed.number).first()
    if own is not None and own.value == value:
        return
    RoundMark.objects.create(
        tournament_id=closed.tournament_id,
        number=last.number + 1 if last else 1,
        round_number=closed.number,
        value=value,
        tables=_changed(own, value) if own else [],
        digest=round_digest(last.digest if last else "", value),
        made_at=after_what_is_public(closed.tournament, at),
    )


def value_of(closed: Round) -> dict[str, object]:
    """Return what a mark of this round is over now."""
    entries = SheetEntry.objects.filter(sheet=OuterRef("pk")).order_by("-sequence")
    counted = Sheet.objects.filter(table__round=closed, results__accepted=True).distinct()
    sheets = counted.annotate(last=Subquery(entries.values("digest")[:1])).values_list(
        "table__number", "last"
    )
    return round_value(round_number=closed.number, draw=draw_digest(closed), sheets=dict(sheets))


def _changed(own: RoundMark, value: dict[str, object]) -> list[int]:
    before, now = (_digests(one) for one in (own.value, value))
    return sorted(table for table in before.keys() | now.keys() if before.get(table) != now.get(table))


def _digests(value: object) -> dict[int, str]:
    assert isinstance(value, dict)
    return {sheet["table"]: sheet["digest"] for sheet in value["sheets"]}
