"""Lists of tournaments and their members."""

from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Value

from tournaments.models import Membership, Round, Tournament
from tournaments.queries.publicity import public_until, with_activity


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament in a list. role: that of the user, "" for the public. players, rounds: counts."""

    slug: str
    name: str
    played_on: date
    place: str
    is_practice: bool
    role: str
    players: int
    rounds: int

    @property
    def is_cashier(self) -> bool:
        return self.role == Membership.Role.CASHIER


@dataclass(frozen=True, slots=True)
class MemberRow:
    """An account with a role in a tournament."""

    user_id: int
    name: str
    role: str

    @property
    def is_cashier(self) -> bool:
        return self.role == Membership.Role.CASHIER


@dataclass(frozen=True, slots=True)
class InvitationRow:
    """An open invitation. Its code is not known: only a hash is stored."""

    invitation_id: int
    role: str
    invited_by: str
    invited_at: datetime
    expires_at: datetime

    @property
    def is_cashier(self) -> bool:
        return self.role == Membership.Role.CASHIER


def tournaments_of(user: User) -> list[TournamentRow]:
    """Return the tournaments of a user, latest day first; for the owner of the installation all of them."""
    if user.is_superuser:
        found = Tournament.objects.annotate(role=Value(Membership.Role.ORGANISER.value))
    else:
        found = Tournament.objects.filter(memberships__user=user).annotate(role=F("memberships__role"))
    return [_tournament_row(tournament, tournament.role) for tournament in _counted(found)]


def tournaments_to_watch(today: date) -> list[TournamentRow]:
    """Return up to 12 public tournaments that are not hidden: those of today, and those with a released round."""
    released = Round.objects.filter(tournament=OuterRef("pk")).exclude(state=Round.State.DRAWN)
    found = with_activity(Tournament.objects.filter(Q(played_on=today) | Exists(released), is_hidden=False))
    public = (tournament for tournament in _counted(found) if today <= public_until(tournament))
    return [_tournament_row(tournament, "") for tournament in islice(public, 12)]


def members(tournament: Tournament) -> list[MemberRow]:
    found = tournament.memberships.select_related("user").order_by("-role", "user__username")
    return [MemberRow(member.user_id, member.user.get_username(), member.role) for member in found]


def open_invitations(tournament: Tournament, at: datetime) -> list[InvitationRow]:
    """Return the invitations that can still be accepted, latest first."""
    found = tournament.invitations.filter(used_at=None, expires_at__gt=at).order_by("-invited_at", "-id")
    return [InvitationRow(one.pk, one.role, one.invited_by, one.invited_at, one.expires_at) for one in found]


def has_rounds(tournament: Tournament) -> bool:
    """Whether a round is drawn. The ruleset can then no longer change."""
    return tournament.rounds.exists()


def taken_slugs(beginning: str) -> set[str]:
    """Return the slugs that begin with these letters."""
    return set(Tournament.objects.filter(slug__startswith=beginning).values_list("slug", flat=True))


def _counted(found: QuerySet[Tournament]) -> QuerySet[Any]:
    return found.annotate(
        players=Count("participants", distinct=True), drawn=Count("rounds", distinct=True)
    ).order_by("-played_on", "-id")


def _tournament_row(tournament: Any, role: str) -> TournamentRow:
    return TournamentRow(
        slug=tournament.slug,
        name=tournament.name,
        played_on=tournament.played_on,
        place=tournament.place,
        is_practice=tournament.is_practice,
        role=role,
        players=tournament.players,
        rounds=tournament.drawn,
    )
