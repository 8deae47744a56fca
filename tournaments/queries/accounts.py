"""The accounts of the installation, and the security log."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.core.paginator import Page, Paginator
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournaments.models import Membership, SecurityEvent, Tournament
from tournaments.security_log import still_kept

EVENTS_A_PAGE = 100


@dataclass(frozen=True, slots=True)
class AccountRole:
    """The role of an account in a tournament."""

    tournament: str
    is_cashier: bool


@dataclass(frozen=True, slots=True)
class AccountRow:
    """An account. last_log_in_at: None if it has never logged in."""

    user_id: int
    name: str
    is_owner: bool
    is_closed: bool
    has_second_factor: bool
    last_log_in_at: datetime | None
    roles: tuple[AccountRole, ...]


def accounts() -> list[AccountRow]:
    """Return all accounts by name, the closed ones last. Four queries."""
    found = User.objects.order_by("-is_active", "username").prefetch_related("memberships__tournament")
    protected = accounts_with_second_factor()
    return [
        AccountRow(
            user_id=user.pk,
            name=user.get_username(),
            is_owner=user.is_superuser,
            is_closed=not user.is_active,
            has_second_factor=user.pk in protected,
            last_log_in_at=user.last_login,
            roles=tuple(
                AccountRole(member.tournament.name, member.role == Membership.Role.CASHIER)
                for member in user.memberships.all()
            ),
        )
        for user in found
    ]


def accounts_with_second_factor() -> frozenset[int]:
    """Return the ids of the accounts that need a code to log in."""
    return frozenset(TOTPDevice.objects.filter(confirmed=True).values_list("user_id", flat=True))


def account_id(name: str) -> int | None:
    """Return the id of the account with this name, in any case; None for none."""
    return User.objects.filter(username__iexact=name).values_list("pk", flat=True).first()


def organises_another(user: User, tournament: Tournament) -> bool:
    """Return whether the account may still make tournaments once this one is gone."""
    organised = Membership.objects.filter(user=user, role=Membership.Role.ORGANISER)
    return user.is_superuser or organised.exclude(tournament=tournament).exists()


def security_events(*, kind: str, page: str, at: datetime) -> "Page[SecurityEvent]":
    """Return a page of the security log, newest first. kind: "" for all kinds."""
    found = SecurityEvent.objects.filter(still_kept(at)).order_by("-id")
    return Paginator(found.filter(kind=kind) if kind else found, EVENTS_A_PAGE).get_page(page)
