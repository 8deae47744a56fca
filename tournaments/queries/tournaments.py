"""Lists of tournaments and their members."""

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from itertools import groupby
from typing import Any, Literal

from django.contrib.auth.models import User
from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Max, OuterRef, Subquery, Value
from django.db.models.functions import Coalesce
from django.utils.text import slugify

from tournaments.access import club_role
from tournaments.links import MOST_IN_A_SLUG, NOT_A_SLUG
from tournaments.models import ClubRole, Invitation, Membership, Participant, Round, Tournament
from tournaments.queries.publicity import public_until, with_activity

TOURNAMENTS_A_PAGE = 24
TOURNAMENTS_LOOKED_AT = 100
AHEAD = timedelta(days=31)
A_YEAR_AHEAD = timedelta(days=366)
"""For a club that has named itself: its page lists what it has announced."""
_LATEST_FIRST = ("-played_on", "-id")
_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})

When = Literal["today", "yesterday", "to_come", "over"]
"""Yesterday's evening may still be in play after midnight."""
_IN_ORDER: tuple[When, ...] = ("today", "yesterday", "to_come", "over")


def tournaments_of(user: User, *, page: str = "1") -> "Page[Any]":
    """Return a page of the tournaments of a user, latest day first; for who has a role in the club of all.

    Each has `role`, that of the user, and the counts `players` and `drawn`, the rounds.
    """
    role = club_role(user)
    if role == Membership.Role.ORGANISER:
        tournaments = Tournament.objects.annotate(role=Value(role))
    elif role:
        mine = Membership.objects.filter(user=user, tournament=OuterRef("pk"))
        tournaments = Tournament.objects.annotate(role=Coalesce(Subquery(mine.values("role")), Value(role)))
    else:
        tournaments = Tournament.objects.filter(memberships__user=user).annotate(role=F("memberships__role"))
    counted = tournaments.annotate(players=_count_in(Participant), drawn=_count_in(Round))
    return Paginator(counted.order_by(*_LATEST_FIRST), TOURNAMENTS_A_PAGE).get_page(page)


def tournaments_to_watch(today: date, *, ahead: timedelta = AHEAD, most: int = 12) -> list[Any]:
    """Return public tournaments that are not hidden: those of today, those with a released round or open sign-ups.

    In the order of `by_day`. Only the latest TOURNAMENTS_LOOKED_AT up to `ahead` are considered.

    Each has `released_at`, the latest release of a round, and `takes_sign_ups`.
    """
    # Not EXISTS beside OR: PostgreSQL reads all rounds for it.
    rounds = Round.objects.filter(tournament=OuterRef("pk")).order_by().values("tournament")
    visible = with_activity(Tournament.objects.filter(is_hidden=False, played_on__lte=today + ahead))
    latest = visible.annotate(
        released_at=Subquery(rounds.annotate(latest=Max("released_at")).values("latest")),
        takes_sign_ups=F("sign_up_terms__is_open"),
    ).order_by(*_LATEST_FIRST)[:TOURNAMENTS_LOOKED_AT]
    public = [
        tournament
        for tournament in latest
        if (tournament.played_on == today or tournament.released_at or tournament.takes_sign_ups)
        and today <= public_until(tournament)
    ]
    return sorted(public, key=lambda tournament: _place(tournament, today))[:most]


def announced(today: date) -> list[Any]:
    """Return the evenings from today on that the start page of a club names, the next one first."""
    tournaments = tournaments_to_watch(today, ahead=A_YEAR_AHEAD, most=TOURNAMENTS_LOOKED_AT)
    return to_come(tournaments, today)


def to_come(tournaments: Iterable[Any], today: date) -> list[Any]:
    """Return those of today and later, without practice evenings."""
    return [row for row in tournaments if row.played_on >= today and not row.is_practice]


def by_day(
    tournaments: Iterable[Any], today: date, winners: Mapping[str, list[str]]
) -> list[tuple[When, list[Any]]]:
    """Return the tournaments in the groups of a list, in its order: what is to come by date, what is over latest first.

    Each gets `winners`, of those by slug.
    """
    for tournament in tournaments:
        tournament.winners = winners.get(tournament.slug, [])
    placed = sorted(tournaments, key=lambda tournament: _place(tournament, today))
    grouped = groupby(placed, key=lambda tournament: _place(tournament, today)[0])
    return [(_IN_ORDER[place], list(group)) for place, group in grouped]


def is_evening_in_play(today: date) -> bool:
    """Whether a round of today or of yesterday, which goes on after midnight, is drawn and not closed; practice aside."""
    days = (today - timedelta(days=1), today)
    rounds = Round.objects.filter(tournament__played_on__in=days, tournament__is_practice=False)
    return rounds.exclude(state=Round.State.CLOSED).exists()


def _place(tournament: Any, today: date) -> tuple[int, int]:
    """Return the sort key of a tournament in a list: its group in _IN_ORDER, and the days until or since."""
    days = (tournament.played_on - today).days
    group = 2 if days > 0 else min(-days, 1) if days >= -1 else 3
    return group, abs(days)


def members(tournament: Tournament) -> list[Membership]:
    return list(tournament.memberships.select_related("user").order_by("-role", "user__username"))


def club_staff() -> list[ClubRole]:
    """Return who has a role in the club, and so works at every tournament; without the owner of the installation."""
    return list(ClubRole.objects.select_related("user").order_by("-role", "user__username"))


def open_invitations(tournament: Tournament | None, at: datetime) -> list[Invitation]:
    """Return the invitations that can still be accepted, latest first; without a tournament those to the club."""
    invitations = Invitation.objects.filter(tournament=tournament, used_at=None, expires_at__gt=at)
    return list(invitations.order_by("-invited_at", "-id"))


def has_rounds(tournament: Tournament) -> bool:
    """Whether a round is drawn. The ruleset can then no longer change."""
    return tournament.rounds.exists()


def free_slug(name: str) -> str:
    """Return a web address for a tournament of this name, numbered if taken: „Schnauz für alle“ gives schnauz-fuer-alle."""
    spelt = slugify(name.casefold().translate(_SPELT))
    wanted = spelt[: MOST_IN_A_SLUG - 8].strip("-_") or "turnier"
    taken = (
        set(Tournament.objects.filter(slug__startswith=wanted).values_list("slug", flat=True)) | NOT_A_SLUG
    )
    candidates = (wanted if number == 1 else f"{wanted}-{number}" for number in range(1, len(taken) + 3))
    return next(slug for slug in candidates if slug not in taken)


def next_free_day(like: Tournament, today: date) -> date:
    """Return the first day after today that is the same weekday as a tournament's, and has none."""
    ahead = (like.played_on - today).days % 7 or 7
    taken = set(Tournament.objects.filter(played_on__gt=today).values_list("played_on", flat=True))
    days = (today + timedelta(days=ahead + 7 * week) for week in range(len(taken) + 1))
    return next(day for day in days if day not in taken)


def _count_in(rows: type[Participant | Round]) -> Coalesce:
    """Return the number of these rows in a tournament. A subquery: joins would multiply players by rounds."""
    of_this = rows._default_manager.filter(tournament=OuterRef("pk")).order_by().values("tournament")
    return Coalesce(Subquery(of_this.annotate(n=Count("pk")).values("n")), 0)
