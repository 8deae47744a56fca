"""Retention: which names the club keeps no longer, and when they become numbers.

A name has a ground while its evening is not over, while the pages of the evening are public, for `ClubSettings.name_days` after it,
and while a series with the evening names its players. Evenings of one series fall due together: then a player's numbers go on to
be one player's. A person who has allowed to be kept, or to stand among the honours, is named until they withdraw it.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.db.models import CharField, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.utils import timezone

from scoring.models import Series
from scoring.queries.series import last_named_day
from tournaments.core.publicity import PUBLIC_DAYS, last_public_day
from tournaments.models import ClubSettings, Consent, Participant, Tournament
from tournaments.queries.club import club
from tournaments.queries.people import merged_people, people_who_allow
from tournaments.queries.publicity import public_until, with_activity

NOTICE = timedelta(days=7)
"""How long before they go names are on the organisers' overview."""


@dataclass(frozen=True, slots=True)
class DueEvenings:
    """Evenings, by id, whose names without a ground go on the same day. Several if a series has them."""

    evenings: frozenset[int]
    due_on: date


@dataclass(frozen=True, slots=True)
class Notice:
    """An evening on the overview, with the number of names that become numbers on the day."""

    tournament: Tournament
    due_on: date
    names: int


def due_evenings(until: date) -> list[DueEvenings]:
    """Return the evenings that are due on this day or before. None without settings; nothing goes in the week after they were saved."""
    settings = ClubSettings.objects.exclude(name_days=None).first()
    if settings is None or settings.name_days is None:
        return []
    earliest = timezone.localdate(settings.at) + NOTICE
    closed = Tournament.objects.filter(is_practice=False, evening__results__isnull=False).distinct()
    days = {each.pk: _due_on(each, settings.name_days, until) for each in with_activity(closed)}
    ends: dict[frozenset[int], date] = {}
    for series in Series.objects.prefetch_related("evenings__tournament"):
        evenings = series.evenings.all()
        last = last_named_day(series, evenings, until)
        ids = (each.tournament_id for each in evenings)
        played = frozenset(pk for pk in ids if pk is not None and pk in days)
        ends[played] = max(last + timedelta(days=1), ends.get(played, last))
    groups = _together([*ends, *(frozenset([evening]) for evening in days)])
    dated = [
        DueEvenings(
            group,
            max(
                earliest,
                *(days[each] for each in group),
                *(end for part, end in ends.items() if part & group),
            ),
        )
        for group in groups
    ]
    return sorted((each for each in dated if each.due_on <= until), key=lambda each: each.due_on)


def _due_on(tournament: Any, name_days: int, today: date) -> date:
    """Return the first day on which the evening itself is no ground. tournament: read with `active_at`."""
    moments = filter(None, (tournament.active_at, tournament.imported_at))
    days = map(timezone.localdate, moments)
    public = last_public_day(tournament.played_on, days, None, today=today)
    last: date = max(public_until(tournament), public + timedelta(days=name_days - PUBLIC_DAYS))
    return last + timedelta(days=1)


def _together(sets: Iterable[frozenset[int]]) -> list[frozenset[int]]:
    """Return the sets, joined as far as they have something in common."""
    joined: list[frozenset[int]] = []
    for each in filter(None, sets):
        touched = [group for group in joined if group & each]
        joined = [group for group in joined if not group & each] + [each.union(*touched)]
    return joined


def names_without_ground(evenings: Collection[int]) -> QuerySet[Participant]:
    """Return who is still named in these evenings without having allowed it."""
    number = Concat(Value("Nr. "), Cast("start_number", CharField()))
    named = Participant.objects.filter(tournament__in=evenings).exclude(name=number)
    return named.exclude(appearance__person__in=kept_people()).order_by("tournament", "start_number")


def kept_people() -> set[UUID]:
    """Return who has allowed to be kept or to stand among the honours, with the rows that are merged into them."""
    merged = merged_people()
    kept = set(people_who_allow(Consent.What.KEEP, merged) | people_who_allow(Consent.What.HONOURS, merged))
    while more := {row for row, into in merged.items() if into in kept} - kept:
        kept |= more
    return kept


def notices(today: date) -> list[Notice]:
    """Return what becomes numbers within a week, for the overview, the next first."""
    settings = club()  # cached: most clubs have none, and the list of tournaments is asked for often
    if settings is None or settings.name_days is None:
        return []
    due = {pk: group.due_on for group in due_evenings(today + NOTICE) for pk in group.evenings}
    counts: dict[int, int] = {}
    for tournament in names_without_ground(due).values_list("tournament", flat=True):
        counts[tournament] = counts.get(tournament, 0) + 1
    evenings = Tournament.objects.in_bulk(counts)
    going = [Notice(evenings[pk], max(due[pk], today), count) for pk, count in counts.items()]
    return sorted(going, key=lambda each: (each.due_on, each.tournament.played_on))
