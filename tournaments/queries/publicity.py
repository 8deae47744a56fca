"""The period during which the pages of a tournament are public."""

from datetime import date
from functools import cache
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from tournaments.core.publicity import last_public_day
from tournaments.models import Round, Tournament
from tournaments.page_cache import page_cache


def active_at() -> Subquery:
    """Return an annotation for tournaments: the latest time at which a round was drawn, released or closed."""
    rounds = Round.objects.filter(tournament=OuterRef("pk")).order_by().values("tournament")
    latest = Max(Coalesce("closed_at", "released_at", "drawn_at"))
    return Subquery(rounds.annotate(latest=latest).values("latest"))


def with_activity(tournaments: QuerySet[Tournament]) -> QuerySet[Any]:
    return tournaments.annotate(active_at=active_at())


def tournament_by_slug(slug: str) -> Any:
    """Return the tournament with what `public_until` needs. Raises Tournament.DoesNotExist."""
    return _with_activity().get(slug=slug)


@cache
def _with_activity() -> QuerySet[Any]:
    """Return the query for all tournaments, built once."""
    return with_activity(Tournament.objects.all())


def tournament_with_draws(slug: str) -> Any:
    """Return the same, and as `released` the numbers of the rounds whose draw is released. One query."""
    rounds = Round.objects.filter(tournament=OuterRef("pk")).exclude(state=Round.State.DRAWN)
    numbers = ArraySubquery(rounds.order_by("number").values("number"))
    return _with_activity().annotate(released=numbers).get(slug=slug)


def public_until(tournament: Any) -> date:
    """Return the last day of the public pages of a tournament that was read with `active_at`."""
    moments = (tournament.active_at, tournament.imported_at)
    days = (timezone.localdate(moment) for moment in moments if moment)
    today = timezone.localdate()
    return last_public_day(tournament.played_on, days, tournament.public_until_on, today=today)


def is_public(slug: str, today: date) -> bool:
    """Whether the tournament is public today. Cached while nothing changes. Raises Tournament.DoesNotExist."""
    return today <= page_cache.get_or_make(
        slug, "public_until", lambda: public_until(tournament_by_slug(slug))
    )


def default_last_day(tournament: Tournament) -> date:
    """Return the last public day if the organiser sets none."""
    reread = with_activity(Tournament.objects.filter(pk=tournament.pk)).get()
    reread.public_until_on = None
    return public_until(reread)
