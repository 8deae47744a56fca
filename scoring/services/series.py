"""Series (Jahreswertung): make, change, choose evenings, draw the lot between equal players."""

import secrets
from collections.abc import Collection
from datetime import datetime

from django.db import IntegrityError, transaction

from scoring.core.series_rule import SeriesRule
from scoring.models import Evening, Series, SeriesEvening
from tournaments.core.names import clean_name
from tournaments.core.refusal import Refusal
from tournaments.models import Tournament


def make_series(*, slug: str, name: str, rule: SeriesRule, planned: int | None, at: datetime) -> Series:
    """Make a series without evenings, with its own copy of the rule. Refuses slug_taken (slug), name_...."""
    columns = {"name": clean_name(name, most=120), "rule": rule.to_dict(), "planned": planned}
    try:
        with transaction.atomic():
            return Series.objects.create(slug=slug, created_at=at, **columns)
    except IntegrityError:
        raise Refusal("slug_taken", slug=slug) from None


def choose_evenings(series: Series, chosen: Collection[int], *, among: Collection[int]) -> None:
    """Let the series have `chosen` (ids of tournaments) of those `among` which the account may choose; it keeps all others.

    The evenings are in the order of their days. Practice never counts.
    """
    with transaction.atomic():
        Series.objects.select_for_update().get(pk=series.pk)
        playing = Tournament.objects.filter(pk__in=set(chosen) & set(among), is_practice=False)
        added = [Evening.objects.get_or_create(tournament=tournament)[0] for tournament in playing]
        kept = series.evenings.exclude(tournament__in=among).select_related("tournament")
        in_order = sorted([*added, *kept], key=lambda evening: (evening.day, evening.pk))
        series.places.all().delete()
        SeriesEvening.objects.bulk_create(
            SeriesEvening(series=series, evening=evening, number=number)
            for number, evening in enumerate(in_order, start=1)
        )


def draw_lot(series: Series) -> None:
    """Draw the lot between players who are equal in everything, once: a recorded seed gives their order."""
    Series.objects.filter(pk=series.pk, lot_seed="").update(lot_seed=secrets.token_hex(32))


def delete_series(series: Series) -> None:
    """Delete a series. Its evenings and their results stay."""
    series.delete()
