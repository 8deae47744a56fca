"""The accounts of the installation, and the security log."""

from datetime import datetime
from typing import Any

from django.contrib.auth.models import User
from django.core.paginator import Page, Paginator
from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.db.models.functions import Lower
from django_otp.plugins.otp_totp.models import TOTPDevice

from tournaments.access import runs_club
from tournaments.models import Deletion, Membership, SecurityEvent, Tournament
from tournaments.security_log import still_kept

EVENTS_A_PAGE = 100


def accounts() -> QuerySet[Any]:
    """Return all accounts by name, the closed ones last, each with `has_second_factor` and its latest tournaments first. Two queries."""
    factors = TOTPDevice.objects.filter(confirmed=True, user=OuterRef("pk"))
    latest_first = Membership.objects.select_related("tournament").order_by("-tournament__played_on", "-pk")
    users = User.objects.order_by("-is_active", Lower("username")).select_related("club_role")
    users = users.prefetch_related(Prefetch("memberships", latest_first))
    return users.annotate(has_second_factor=Exists(factors))


def account_id(name: str) -> int | None:
    """Return the id of the account with this name, in any case; None for none."""
    return User.objects.filter(username__iexact=name).values_list("pk", flat=True).first()


def organises_another(user: User, tournament: Tournament) -> bool:
    """Return whether the account may still make tournaments once this one is gone."""
    organised = Membership.objects.filter(user=user, role=Membership.Role.ORGANISER)
    return runs_club(user) or organised.exclude(tournament=tournament).exists()


def security_events(*, kind: str, page: str, at: datetime) -> "Page[SecurityEvent]":
    """Return a page of the security log, newest first. kind: "" for all kinds."""
    events = SecurityEvent.objects.filter(still_kept(at)).order_by("-id")
    return Paginator(events.filter(kind=kind) if kind else events, EVENTS_A_PAGE).get_page(page)


def deletions(*, page: str) -> "Page[Deletion]":
    """Return a page of what was deleted and erased, newest first."""
    return Paginator(Deletion.objects.order_by("-id"), EVENTS_A_PAGE).get_page(page)
