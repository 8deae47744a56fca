"""Accounts, invitations, roles in the club, memberships of tournaments, and links for a new password."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils.crypto import constant_time_compare, salted_hmac

from tournaments import hashing, links
from tournaments.access import role_in
from tournaments.clocks import CLOCKS_DIFFER, LONG_AGO
from tournaments.core.refusal import Refusal
from tournaments.current_club import signing_key
from tournaments.models import ClubRole, Invitation, Membership, PasswordLink, Tournament
from tournaments.services.tournaments import lock_tournament

INVITATION_DAYS = 14
PASSWORD_LINK_HOURS = 24
_NEW_ACCOUNT_LOCK = 0x5C4A


def setup_code() -> str | None:
    """Return the code of the one-time link that creates the first account; None once an account exists.

    The code is derived from the server's key, so every process prints the same one and nothing is stored.
    """
    if User.objects.exists():
        return None
    code = (
        salted_hmac("tournaments.people.setup", "first account", signing_key(), algorithm="sha256")
        .hexdigest()[:32]
        .upper()
    )
    return "-".join(code[index : index + 4] for index in range(0, 32, 4))


def create_first_organiser(*, code: str, name: str, password: str, origin: str) -> User:
    """Create the account that owns this installation.

    Refuses code_unknown, organisers_exist, password_bad (messages), log_in_busy. origin: the address of the request.
    """
    _check_setup_code(code)
    user = _new_account(name, password, origin)
    user.is_superuser = True
    with transaction.atomic():
        _wait_for_other_new_accounts()
        _check_setup_code(code)
        user.save()
    return user


def _check_setup_code(code: str) -> None:
    expected = setup_code()
    if expected is None:
        raise Refusal("organisers_exist")
    if not constant_time_compare(links.code_hash(code), links.code_hash(expected)):
        raise Refusal("code_unknown")


def invite(tournament: Tournament | None, *, role: str, by: str, at: datetime) -> str:
    """Create an invitation and return its code, which is valid for 14 days, one account, and while `by` may invite.

    Organisers invite to their tournament, the owner of the installation to the club (None).
    """
    code = links.new_code()
    Invitation.objects.create(
        tournament=tournament,
        role=Membership.Role(role).value,
        code_hash=links.code_hash(code),
        invited_by=by,
        invited_at=at,
        expires_at=at + timedelta(days=INVITATION_DAYS),
    )
    return code


def withdraw_invitation(tournament: Tournament | None, *, invitation_id: int, at: datetime) -> None:
    """End an open invitation. Refuses invitation_over if it is used, expired or withdrawn already."""
    if not _end_invitations(Q(tournament=tournament, pk=invitation_id), at):
        raise Refusal("invitation_over")


def join_with_new_account(
    *, code: str, name: str, password: str, origin: str, at: datetime
) -> tuple[User, Tournament | None]:
    """Create an account and accept an invitation with it. origin: the address of the request.

    Refuses what `join` refuses, account_name_taken (name), password_bad (messages) and log_in_busy.
    """
    with transaction.atomic():
        _open_invitation(code, at, taken_up_by=None)  # nothing is hashed for an unknown code
    user = _new_account(name, password, origin)
    with transaction.atomic():
        invitation = _open_invitation(code, at, taken_up_by=None)
        _wait_for_other_new_accounts()
        _check_name_is_free(name)
        user.save()
        return user, _take_up(invitation, user, at)


def join(user: User, *, code: str, at: datetime) -> Tournament | None:
    """Accept an invitation with an existing account; whoever accepts it again is a member already. None: to the club.

    Refuses code_unknown, code_expired, account_closed.
    """
    with transaction.atomic():
        try:
            invitation = _open_invitation(code, at, taken_up_by=user)
        except Refusal:
            is_member = Q(tournament__memberships__user=user)
            if ClubRole.objects.filter(user=user).exists():
                is_member |= Q(tournament=None)
            taken_up = Invitation.objects.filter(
                is_member, code_hash=links.code_hash(code), used_at__isnull=False
            ).first()
            if taken_up is None:
                raise
            return taken_up.tournament
        return _take_up(invitation, user, at)


def remove_member(tournament: Tournament, *, user_id: int, at: datetime) -> str:
    """Remove a member, end their open invitations to the tournament, and return their name; "" for no member.

    Refuses last_organiser, since a tournament needs an organiser.
    """
    with transaction.atomic():
        lock_tournament(tournament)
        membership = Membership.objects.filter(tournament=tournament, user_id=user_id).first()
        if membership is None:
            return ""
        organisers = Membership.objects.filter(tournament=tournament, role=Membership.Role.ORGANISER)
        if membership.role == Membership.Role.ORGANISER and organisers.count() == 1:
            raise Refusal("last_organiser")
        membership.delete()
        name = membership.user.get_username()
        _end_invitations(Q(tournament=tournament, invited_by=name), at)
    return name


def set_club_role(user_id: int, *, role: str, at: datetime) -> User:
    """Make an account an organiser or cashier of the club; "" ends its role, and the open invitations that rest on it.

    Refuses account_unknown, account_closed, and owner_runs_club: so the club never loses its last organiser.
    """
    with transaction.atomic():
        user = _open_account(list(_locked_accounts(Q(pk=user_id))), user_id)
        if user.is_superuser:
            raise Refusal("owner_runs_club")
        if role:
            ClubRole.objects.update_or_create(user=user, defaults={"role": Membership.Role(role).value})
        else:
            ClubRole.objects.filter(user=user).delete()
        if role != Membership.Role.ORGANISER:
            organised = Membership.objects.filter(user=user, role=Membership.Role.ORGANISER)
            elsewhere = ~Q(tournament__in=organised.values("tournament"))
            _end_invitations(Q(elsewhere, invited_by=user.get_username()), at)
    return user


def close_account(user_id: int, *, at: datetime) -> User:
    """Close an account for good: its sessions, roles, open invitations and password link end. Records keep its name.

    Refuses account_unknown, account_closed, and last_owner.
    """
    with transaction.atomic():
        owners = list(_locked_accounts(Q(is_superuser=True, is_active=True) | Q(pk=user_id)))
        user = _open_account(owners, user_id)
        if user.is_superuser and not any(owner.is_superuser and owner != user for owner in owners):
            raise Refusal("last_owner")
        user.is_active = False  # a session of an account that is not active is anonymous
        user.save(update_fields=["is_active"])
        Membership.objects.filter(user=user).delete()
        ClubRole.objects.filter(user=user).delete()
        PasswordLink.objects.filter(user=user).delete()
        _end_invitations(Q(invited_by=user.get_username()), at)
    return user


def make_password_link(user_id: int, *, at: datetime, hours: int = PASSWORD_LINK_HOURS) -> tuple[str, str]:
    """Return an account's name and the code of a link to set its password, valid once and for so many hours.

    An earlier link of the account ends. Refuses account_unknown, account_closed.
    """
    code = links.new_code()
    with transaction.atomic():
        user = _open_account(list(_locked_accounts(Q(pk=user_id))), user_id)
        made = {"code_hash": links.code_hash(code), "expires_at": at + timedelta(hours=hours)}
        PasswordLink.objects.update_or_create(user=user, defaults=made)
    return user.get_username(), code


def set_password(*, code: str, password: str, origin: str, at: datetime) -> User:
    """Set a new password with the code of a link. All sessions of the account end, as they depend on the password.

    Refuses code_unknown, code_expired, password_bad (messages) and log_in_busy. origin: the address of the request.
    """
    user = _account_of_link(code, at)
    _set_valid_password(user, password, origin)
    with transaction.atomic():
        list(_locked_accounts(Q(pk=user.pk)))
        _account_of_link(code, at)  # still valid
        user.save(update_fields=["password"])
        PasswordLink.objects.filter(user=user).update(expires_at=LONG_AGO)
    return user


def set_email(user: User, email: str) -> str:
    """Set the e-mail address of an account, "" for none, and return the one before. Links for a new password end."""
    with transaction.atomic():
        [stored] = _locked_accounts(Q(pk=user.pk))
        before, stored.email = stored.email, email
        stored.save(update_fields=["email"])
        PasswordLink.objects.filter(user=user).delete()
    return before


def shorten_deadlines(*, at: datetime) -> None:
    """Shorten deadlines beyond the longest duration: they were set while the clock was ahead."""
    for rows, name, longest in (
        (Invitation.objects.filter(used_at=None), "expires_at", timedelta(days=INVITATION_DAYS)),
        (PasswordLink.objects, "expires_at", timedelta(hours=PASSWORD_LINK_HOURS)),
        (Session.objects, "expire_date", timedelta(seconds=settings.SESSION_COOKIE_AGE)),
    ):
        rows.filter(**{f"{name}__gt": at + longest + CLOCKS_DIFFER}).update(**{name: at + longest})


def _account_of_link(code: str, at: datetime) -> User:
    link = PasswordLink.objects.select_related("user").filter(code_hash=links.code_hash(code)).first()
    if link is None:
        raise Refusal("code_unknown")
    if link.expires_at <= at:
        raise Refusal("code_expired")
    return link.user


def _locked_accounts(wanted: Q) -> QuerySet[User]:
    """Lock accounts in an order without deadlocks. Log-ins wait; rows that refer to the accounts do not."""
    return User.objects.select_for_update(no_key=True).filter(wanted).order_by("pk")


def _open_account(locked: list[User], user_id: int) -> User:
    user = next((account for account in locked if account.pk == user_id), None)
    if user is None:
        raise Refusal("account_unknown")
    if not user.is_active:
        raise Refusal("account_closed")
    return user


def _end_invitations(which: Q, at: datetime) -> int:
    """End the open invitations among these and return their number."""
    return Invitation.objects.filter(which, used_at=None, expires_at__gt=at).update(expires_at=LONG_AGO)


def _open_invitation(code: str, at: datetime, *, taken_up_by: User | None) -> Invitation:
    """Lock and return an invitation whose author may still invite.

    The locks of tournament and accounts keep both roles as they are until the transaction ends.
    """
    unlocked = Invitation.objects.filter(code_hash=links.code_hash(code)).first()
    if unlocked is None:
        raise Refusal("code_unknown")
    tournament = unlocked.tournament and lock_tournament(unlocked.tournament)
    accounts = list(_locked_accounts(Q(username=unlocked.invited_by) | Q(pk=taken_up_by and taken_up_by.pk)))
    invitation = Invitation.objects.select_for_update().get(pk=unlocked.pk)
    author = next((account for account in accounts if account.username == unlocked.invited_by), None)
    if invitation.used_at or invitation.expires_at <= at or not _may_invite(author, tournament):
        raise Refusal("code_expired")
    if taken_up_by is not None:
        _open_account(accounts, taken_up_by.pk)
    return invitation


def _may_invite(user: User | None, tournament: Tournament | None) -> bool:
    if user is None or not user.is_active:
        return False
    if user.is_superuser or tournament is None:
        return user.is_superuser
    return role_in(user, tournament) == Membership.Role.ORGANISER


def _take_up(invitation: Invitation, user: User, at: datetime) -> Tournament | None:
    """Use an invitation. A role is never lowered: an organiser who opens a cashier's link stays an organiser."""
    where = {"tournament": invitation.tournament} if invitation.tournament else {}
    roles: Any = Membership.objects if where else ClubRole.objects
    held, created = roles.get_or_create(user=user, **where, defaults={"role": invitation.role})
    if not created and invitation.role == Membership.Role.ORGANISER:
        held.role = invitation.role
        held.save(update_fields=["role"])
    invitation.used_at = at
    invitation.save(update_fields=["used_at"])
    return invitation.tournament


def _new_account(name: str, password: str, origin: str) -> User:
    """Return an account that is not saved yet. Must be called outside of a transaction, since it hashes."""
    _check_name_is_free(name)
    user = User(username=name)
    _set_valid_password(user, password, origin)
    return user


def _set_valid_password(user: User, password: str, origin: str) -> None:
    """Hash a password for an account. Must be called outside of a transaction. Refuses password_bad, log_in_busy."""
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Refusal("password_bad", messages=list(error.messages)) from None
    with hashing.hashing_slot(origin):
        user.set_password(password)


def _wait_for_other_new_accounts() -> None:
    """Lock the names of new accounts: no constraint holds that names differ in more than capitals."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_NEW_ACCOUNT_LOCK])


def _check_name_is_free(name: str) -> None:
    if User.objects.filter(username__iexact=name).exists():
        raise Refusal("account_name_taken", name=name)
