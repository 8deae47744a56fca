"""Accounts, invitations and memberships of tournaments."""

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.utils.crypto import constant_time_compare, salted_hmac

from tournaments import links
from tournaments.core.refusal import Refusal
from tournaments.models import Invitation, Membership, Tournament
from tournaments.services.tournaments import lock_tournament

INVITATION_DAYS = 14
_FIRST_ACCOUNT_LOCK = 0x5C4A


def setup_code() -> str | None:
    """Return the code of the one-time link that creates the first account; None once an account exists.

    The code is derived from the server's key, so every process prints the same one and nothing is stored.
    """
    if User.objects.exists():
        return None
    code = (
        salted_hmac("tournaments.people.setup", "first account", algorithm="sha256").hexdigest()[:32].upper()
    )
    return "-".join(code[index : index + 4] for index in range(0, 32, 4))


def create_first_organiser(*, code: str, name: str, password: str) -> User:
    """Create the account that owns this installation. Refuses code_unknown, organisers_exist, password_bad (messages)."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_FIRST_ACCOUNT_LOCK])
        expected = setup_code()
        if expected is None:
            raise Refusal("organisers_exist")
        if not constant_time_compare(links.code_hash(code), links.code_hash(expected)):
            raise Refusal("code_unknown")
        user = _new_account(name, password)
        user.is_superuser = True
        user.save(update_fields=["is_superuser"])
        return user


def invite(tournament: Tournament, *, role: str, by: str, at: datetime) -> str:
    """Create an invitation and return its code, which is valid for 14 days and one account."""
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


def join_with_new_account(*, code: str, name: str, password: str, at: datetime) -> tuple[User, Tournament]:
    """Create an account and accept an invitation with it.

    Refuses what `join` refuses, account_name_taken (name) and password_bad (messages).
    """
    with transaction.atomic():
        invitation = _open_invitation(code, at)
        user = _new_account(name, password)
        return user, _take_up(invitation, user, at)


def join(user: User, *, code: str, at: datetime) -> Tournament:
    """Accept an invitation with an existing account. Refuses code_unknown, code_expired."""
    with transaction.atomic():
        return _take_up(_open_invitation(code, at), user, at)


def remove_member(tournament: Tournament, *, user_id: int) -> None:
    """Remove a member from the tournament. Refuses last_organiser, since a tournament needs an organiser."""
    with transaction.atomic():
        lock_tournament(tournament)
        membership = Membership.objects.filter(tournament=tournament, user_id=user_id).first()
        if membership is None:
            return
        organisers = Membership.objects.filter(tournament=tournament, role=Membership.Role.ORGANISER)
        if membership.role == Membership.Role.ORGANISER and organisers.count() == 1:
            raise Refusal("last_organiser")
        membership.delete()


def _open_invitation(code: str, at: datetime) -> Invitation:
    invitation = Invitation.objects.select_for_update().filter(code_hash=links.code_hash(code)).first()
    if invitation is None:
        raise Refusal("code_unknown")
    if invitation.used_at is not None or invitation.expires_at <= at:
        raise Refusal("code_expired")
    return invitation


def _take_up(invitation: Invitation, user: User, at: datetime) -> Tournament:
    """Use an invitation. It never lowers a role: an organiser who opens a cashier's link stays an organiser."""
    membership, created = Membership.objects.get_or_create(
        tournament=invitation.tournament, user=user, defaults={"role": invitation.role}
    )
    if not created and invitation.role == Membership.Role.ORGANISER:
        membership.role = invitation.role
        membership.save(update_fields=["role"])
    invitation.used_at = at
    invitation.save(update_fields=["used_at"])
    return invitation.tournament


def _new_account(name: str, password: str) -> User:
    if User.objects.filter(username__iexact=name).exists():
        raise Refusal("account_name_taken", name=name)
    user = User(username=name)
    try:
        validate_password(password, user)
    except ValidationError as error:
        raise Refusal("password_bad", messages=list(error.messages)) from None
    user.set_password(password)
    user.save()
    return user
