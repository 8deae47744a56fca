"""Accounts that lose a role, are closed, or set a new password; and the security log."""

import io
import logging
import re
import zipfile
from datetime import timedelta
from functools import partial
from threading import Event
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.utils import timezone

from scoring.services import dump
from tests.factories import AT, PASSWORD, ParticipantFactory, TournamentFactory, UserFactory
from tests.races import at_once, while_uncommitted
from tests.tournaments.door.doors import Cashier
from tournaments import security_log
from tournaments.core.refusal import Refusal
from tournaments.models import (
    ClubRole,
    EventKind,
    Invitation,
    Membership,
    PasswordLink,
    SecurityEvent,
    Tournament,
)
from tournaments.services import accounts

LOGIN, JOIN, RESET = "/account/login/", "/account/join/", "/account/password/new/"
NEW_PASSWORD = "Eichel-Ober-7"


def log_in(user: User, password: str = PASSWORD) -> Any:
    return Client().post(LOGIN, {"username": user.username, "password": password})


def reset(code: str, password: str = NEW_PASSWORD, client: Client | None = None) -> Any:
    typed = {"code": code, "password": password, "password_again": password}
    return (client or Client()).post(RESET, typed)


def is_logged_in(client: Client) -> bool:
    return client.get("/o/").status_code == 200


def events(kind: EventKind) -> list[tuple[str, str, str]]:
    found = SecurityEvent.objects.filter(kind=kind).order_by("id")
    return list(found.values_list("account", "address", "about"))


@pytest.fixture
def owner(db: None) -> Client:
    client = Client()
    client.force_login(UserFactory.create(username="wirt", is_superuser=True))
    return client


def link_for(owner: Client, user: User) -> str:
    page = owner.post(f"/account/all/{user.pk}/link/").content.decode()
    found = re.search(r'<code class="code">http://localhost:8000/account/password/new/#([^<]*)</code>', page)
    assert found
    return found[1]


# --- invitations ---------------------------------------------------------------------------------------------------


def invite(tournament: Tournament, author: User, role: str = "organiser") -> str:
    return accounts.invite(tournament, role=role, by=author.username, at=timezone.now())


def join(code: str, user: User) -> str:
    """Return "done" or the code of the refusal."""
    try:
        accounts.join(user, code=code, at=timezone.now())
    except Refusal as refusal:
        return refusal.code
    return "done"


@pytest.mark.django_db
@pytest.mark.parametrize("how", ["removed", "closed", "withdrawn", "demoted by hand", "still there"])
def test_an_invitation_ends_with_the_role_of_its_author(how: str) -> None:
    first, second = Cashier(), UserFactory.create()
    tournament = first.tournament
    membership = tournament.memberships.create(user=second, role="organiser")
    code = invite(tournament, second)
    if how == "removed":
        accounts.remove_member(tournament, user_id=second.pk, at=timezone.now())
    elif how == "closed":
        accounts.close_account(second.pk, at=timezone.now())
    elif how == "withdrawn":
        (one,) = Invitation.objects.filter(tournament=tournament)
        accounts.withdraw_invitation(tournament, invitation_id=one.pk, at=timezone.now())
    elif how == "demoted by hand":
        membership.role = "cashier"
        membership.save()

    assert join(code, UserFactory.create()) == ("done" if how == "still there" else "code_expired")


@pytest.mark.django_db
def test_an_organiser_who_comes_back_does_not_bring_old_invitations_back() -> None:
    desk, second = Cashier(), UserFactory.create()
    desk.tournament.memberships.create(user=second, role="organiser")
    code = invite(desk.tournament, second)
    accounts.remove_member(desk.tournament, user_id=second.pk, at=timezone.now())
    desk.tournament.memberships.create(user=second, role="organiser")
    assert join(code, UserFactory.create()) == "code_expired"


@pytest.mark.django_db
def test_nobody_withdraws_an_invitation_to_another_tournament() -> None:
    ours, theirs = Cashier(), Cashier()
    code = invite(theirs.tournament, theirs.user)
    (foreign,) = Invitation.objects.filter(tournament=theirs.tournament)
    assert ours.client.post(ours.url("withdraw_invitation", foreign.pk)).status_code == 302
    assert ours.client.post(theirs.url("withdraw_invitation", foreign.pk)).status_code == 404
    assert join(code, UserFactory.create()) == "done"


def slow_removal(tournament: Tournament, author: User, removed: Event, go_on: Event) -> None:
    """Remove the author in a transaction that stays open until the other has come so far that it must wait."""
    with transaction.atomic():
        accounts.remove_member(tournament, user_id=author.pk, at=timezone.now())
        removed.set()
        go_on.wait(60)


def waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
        return bool(cursor.fetchone()[0])


def when_it_waits(go_on: Event) -> None:
    while not waits_for_a_lock() and not go_on.is_set():
        pass
    go_on.set()


def test_an_invitation_accepted_while_its_author_is_removed_gives_no_role(committed: None) -> None:
    author, other, guest = UserFactory.create_batch(3)
    tournament = TournamentFactory.create(owner=other)
    tournament.memberships.create(user=author, role="organiser")
    code = invite(tournament, author)
    removed, go_on = Event(), Event()

    def accept() -> str:
        removed.wait(60)
        try:
            return join(code, guest)
        finally:
            go_on.set()

    answers = at_once(
        partial(slow_removal, tournament, author, removed, go_on), accept, partial(when_it_waits, go_on)
    )
    assert answers == [None, "code_expired", None]
    assert not Membership.objects.filter(tournament=tournament, user=guest).exists()


def test_without_the_lock_the_guest_would_get_the_role(committed: None) -> None:
    """Control: the same steps, but the author is looked up without a lock."""
    author, other, guest = UserFactory.create_batch(3)
    tournament = TournamentFactory.create(owner=other)
    tournament.memberships.create(user=author, role="organiser")
    removed, go_on = Event(), Event()

    def accept() -> str:
        removed.wait(60)
        with transaction.atomic():
            assert tournament.memberships.filter(user=author, role="organiser").exists()
            tournament.memberships.create(user=guest, role="organiser")
        go_on.set()
        return "done"

    assert at_once(partial(slow_removal, tournament, author, removed, go_on), accept) == [None, "done"]
    assert set(tournament.memberships.values_list("user", flat=True)) == {other.pk, guest.pk}


def test_two_guests_who_take_names_that_differ_in_capitals_get_one_account(committed: None) -> None:
    """Of two tournaments and two authors, so that none of their locks stands between the guests."""
    name = f"Zenzi-{uuid4()}"
    codes = [invite(TournamentFactory.create(owner=one), one) for one in UserFactory.create_batch(2)]
    given: dict[str, Any] = {"password": NEW_PASSWORD, "origin": "192.0.2.7", "at": timezone.now()}
    first = partial(accounts.join_with_new_account, code=codes[0], name=name, **given)
    second = partial(accounts.join_with_new_account, code=codes[1], name=name.upper(), **given)
    (told,) = while_uncommitted(first, second)
    assert isinstance(told, Refusal)
    assert told.code == "account_name_taken"
    assert list(User.objects.filter(username__iexact=name).values_list("username", flat=True)) == [name]


def test_without_the_lock_both_guests_would_get_an_account(committed: None) -> None:
    """Control: the constraint of the database takes names that differ in capitals for two."""
    name = f"Zenzi-{uuid4()}"

    def take(name: str) -> int:
        assert not User.objects.filter(username__iexact=name).exists()
        return User.objects.create(username=name).pk

    while_uncommitted(partial(take, name), partial(take, name.upper()))
    both = User.objects.filter(username__iexact=name)
    assert both.count() == 2
    both.filter(username=name.upper()).delete()


# --- closed accounts -----------------------------------------------------------------------------------------------


def test_a_closed_account_is_out_everywhere_and_its_records_stay(owner: Client) -> None:
    desk = Cashier()
    desk.register("Huber Sepp")
    code, link = invite(desk.tournament, desk.user), link_for(owner, desk.user)
    assert desk.client.get(desk.url("desk")).status_code == 200

    assert owner.post(f"/account/all/{desk.user.pk}/close/").status_code == 302

    assert desk.client.get(desk.url("desk")).status_code == 302  # to the log-in
    assert not Membership.objects.filter(user=desk.user).exists()
    assert join(code, UserFactory.create()) == "code_expired"
    assert "Diesen Code gibt es nicht." in reset(link).content.decode()
    assert desk.tournament.participants.get().registered_by == desk.user.username
    assert "geschlossen" in owner.get("/account/all/").content.decode()


@pytest.mark.django_db
def test_a_closed_account_is_answered_like_a_wrong_password() -> None:
    closed, there = UserFactory.create_batch(2)
    accounts.close_account(closed.pk, at=timezone.now())

    def answer(user: User, password: str) -> tuple[int, str]:
        response = log_in(user, password)
        page = re.sub(
            r'name="csrfmiddlewaretoken" value="\w+"|X-CSRFToken": "\w+"', "", response.content.decode()
        )
        return response.status_code, page.replace(user.username, "")

    assert answer(closed, PASSWORD) == answer(there, "falsch")
    assert log_in(there).status_code == 302


@pytest.mark.django_db
def test_the_name_of_a_closed_account_is_not_given_again() -> None:
    closed, desk = UserFactory.create(), Cashier()
    accounts.close_account(closed.pk, at=timezone.now())
    typed = {
        "account": "new",
        "name": closed.username,
        "password": NEW_PASSWORD,
        "password_again": NEW_PASSWORD,
    }
    response = Client().post(JOIN, typed | {"code": invite(desk.tournament, desk.user)})
    assert response.status_code == 422


@pytest.mark.django_db
def test_the_last_owner_is_not_closed() -> None:
    User.objects.filter(is_superuser=True).delete()
    first = UserFactory.create(is_superuser=True)
    with pytest.raises(Refusal, match="last_owner"):
        accounts.close_account(first.pk, at=AT)
    second = UserFactory.create(is_superuser=True)
    accounts.close_account(second.pk, at=AT)
    with pytest.raises(Refusal, match="last_owner"):
        accounts.close_account(first.pk, at=AT)


def test_of_two_owners_who_close_each_other_one_stays(committed: None) -> None:
    User.objects.filter(is_superuser=True).update(is_superuser=False)
    for _ in range(4):
        pair = UserFactory.create_batch(2, is_superuser=True)
        answers = at_once(*(partial(accounts.close_account, one.pk, at=AT) for one in pair))
        assert sorted(type(answer).__name__ for answer in answers) == ["Refusal", "User"]
        assert User.objects.filter(is_superuser=True, is_active=True).count() == 1
        User.objects.filter(is_superuser=True).update(is_superuser=False)


def test_an_account_that_is_closed_meanwhile_keeps_no_role_in_the_club(committed: None) -> None:
    for closing_first, answer in ((True, "Refusal"), (False, "User")):
        user = UserFactory.create()
        close = partial(accounts.close_account, user.pk, at=AT)
        give = partial(accounts.set_club_role, user.pk, role="organiser", at=AT)
        (other,) = while_uncommitted(*((close, give) if closing_first else (give, close)))
        assert type(other).__name__ == answer
        assert not ClubRole.objects.filter(user=user).exists()


# --- links for a new password ----------------------------------------------------------------------------------------


def test_a_link_sets_the_password_once_and_ends_all_sessions(owner: Client) -> None:
    desk = Cashier()
    code = link_for(owner, desk.user)
    assert is_logged_in(desk.client)
    assert code not in owner.get("/account/all/").content.decode()
    assert not PasswordLink.objects.filter(code_hash__contains=code).exists()

    assert reset(code).headers["Location"] == LOGIN

    assert not is_logged_in(desk.client)
    assert log_in(desk.user).status_code == 422
    assert log_in(desk.user, NEW_PASSWORD).status_code == 302
    again = reset(code, "Schellen-Unter-8")
    assert again.status_code == 422
    assert "Dieser Code ist abgelaufen oder schon benutzt." in again.content.decode()
    assert log_in(desk.user, NEW_PASSWORD).status_code == 302


def test_only_the_latest_link_is_valid(owner: Client) -> None:
    user = UserFactory.create()
    first, second = link_for(owner, user), link_for(owner, user)
    assert reset(first).status_code == 422
    assert reset(second).status_code == 302


@pytest.mark.django_db
@pytest.mark.parametrize(("hours", "status"), [(23, 302), (25, 422)])
def test_a_link_is_valid_for_a_day(hours: int, status: int) -> None:
    made_at = timezone.now() - timedelta(hours=hours)
    _name, code = accounts.make_password_link(UserFactory.create().pk, at=made_at)
    assert reset(code).status_code == status


@pytest.mark.django_db
def test_a_bad_password_does_not_use_the_link_up() -> None:
    _name, code = accounts.make_password_link(UserFactory.create().pk, at=timezone.now())
    answer = reset(code, "kurz")
    assert answer.status_code == 422
    assert "Dieses Passwort ist zu kurz." in answer.content.decode()
    assert code in answer.content.decode()
    assert reset(code).status_code == 302


@pytest.mark.django_db
def test_the_page_is_kept_nowhere_and_takes_the_code_in_no_address() -> None:
    _name, code = accounts.make_password_link(UserFactory.create().pk, at=timezone.now())
    answer = Client().get(RESET, {"code": code})
    assert "no-store" in answer.headers["Cache-Control"]
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert f'value="{code}"' not in answer.content.decode()


def test_one_link_sets_one_password_in_a_race(committed: None) -> None:
    user = UserFactory.create()
    _name, code = accounts.make_password_link(user.pk, at=AT)
    passwords = ["Eichel-Ober-1", "Eichel-Ober-2"]
    answers = at_once(
        *(
            partial(accounts.set_password, code=code, password=password, origin="192.0.2.1", at=AT)
            for password in passwords
        )
    )
    assert sorted(type(answer).__name__ for answer in answers) == ["Refusal", "User"]


@pytest.mark.django_db
def test_the_command_prints_a_link_for_the_owner_himself() -> None:
    user, out = UserFactory.create(username="wirt", is_superuser=True), io.StringIO()
    call_command("account_link", "Wirt", stdout=out)
    address, code = out.getvalue().strip().split("#")
    assert address == "http://localhost:8000/account/password/new/"
    assert reset(code).status_code == 302
    assert log_in(user, NEW_PASSWORD).status_code == 302
    with pytest.raises(CommandError, match="Dieses Konto gibt es nicht"):
        call_command("account_link", "niemand")


# --- who may -----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("role", "status"), [("", 302), ("cashier", 404), ("organiser", 200), ("owner", 200)]
)
def test_only_the_owner_and_organisers_make_tournaments(role: str, status: int) -> None:
    user, client = UserFactory.create(is_superuser=role == "owner"), Client()
    if role in ("cashier", "organiser"):
        TournamentFactory.create().memberships.create(user=user, role=role)
    client.force_login(user)
    assert client.get("/o/+/").status_code == status
    assert ("Neues Turnier" in client.get("/o/").content.decode()) == (status == 200)
    before = Tournament.objects.count()
    client.post("/o/+/", {"name": "Meines", "played_on": "2026-11-21", "names": "short", "choose": ""})
    assert Tournament.objects.count() == before


@pytest.mark.django_db
@pytest.mark.parametrize("who", ["nobody", "cashier", "organiser", "owner"])
def test_only_the_owner_sees_accounts_and_log(who: str) -> None:
    client = Client()
    if who == "owner":
        client.force_login(UserFactory.create(is_superuser=True))
    elif who != "nobody":
        client = Cashier(who).client
    victim = UserFactory.create()
    expected = {"nobody": 302, "owner": 200}.get(who, 404)
    posted = {"nobody": 401, "owner": 200}.get(who, 404)
    assert [client.get(path).status_code for path in ("/account/all/", "/account/log/")] == [expected] * 2
    for action in ("link", "close"):
        status = client.post(f"/account/all/{victim.pk}/{action}/").status_code
        assert status == (posted if action == "link" or who != "owner" else 302)
    victim.refresh_from_db()
    assert victim.is_active == (who != "owner")


# --- the security log --------------------------------------------------------------------------------------------------


@pytest.fixture
def empty_log(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL schnauz.trim = 'on'")
        SecurityEvent.objects.all().delete()
        cursor.execute("SET LOCAL schnauz.trim = 'off'")


@pytest.mark.usefixtures("empty_log")
def test_the_log_says_who_and_where_from(owner: Client) -> None:
    desk, stranger = Cashier(), Cashier("cashier")
    ParticipantFactory.create(tournament=desk.tournament)
    log_in(desk.user)
    log_in(desk.user, "falsch")
    stranger.client.get(desk.url("members"))
    desk.client.get(desk.url("participants_file", "csv"))
    desk.client.get(f"/o/{desk.tournament.slug}/export.json")
    desk.client.post(f"/o/{desk.tournament.slug}/people/1/erase/")
    desk.client.post(desk.url("invite"), {"role": "cashier"})
    slug, here = desk.tournament.slug, "127.0.0.1"

    assert events(EventKind.LOG_IN)[-1] == (desk.user.username, here, "")
    assert events(EventKind.LOG_IN_FAILED) == [(desk.user.username, here, "")]
    assert events(EventKind.REFUSED) == [(stranger.user.username, here, f"GET /o/{slug}/settings/people/")]
    assert events(EventKind.INVITED) == [(desk.user.username, here, f"{slug}: cashier")]
    assert events(EventKind.PURGED) == [(desk.user.username, here, f"{slug}: 1")]
    assert [about for _by, _from, about in events(EventKind.DOWNLOADED)] == [
        f"{slug}-teilnehmer.csv",
        f"{slug}.json",
    ]
    page = owner.get("/account/log/?kind=invited").content.decode()
    assert "Einladung gemacht" in page
    assert f"{slug}: cashier" in page
    assert f"{slug}-teilnehmer.csv" not in page


@pytest.mark.usefixtures("empty_log")
def test_roles_links_and_closing_are_in_the_log(owner: Client) -> None:
    desk, guest = Cashier(), UserFactory.create(username="gast")
    slug = desk.tournament.slug
    client = Client()
    client.force_login(guest)
    client.post(JOIN, {"code": invite(desk.tournament, desk.user, "cashier")})
    desk.client.post(desk.url("remove_member", guest.pk))
    reset(link_for(owner, guest))
    owner.post(f"/account/all/{guest.pk}/close/")
    assert events(EventKind.JOINED) == [("gast", "127.0.0.1", slug)]
    assert events(EventKind.REMOVED) == [(desk.user.username, "127.0.0.1", f"{slug}: gast")]
    assert events(EventKind.LINK_MADE) == [("wirt", "127.0.0.1", "gast")]
    assert events(EventKind.PASSWORD) == [("gast", "127.0.0.1", "")]
    assert events(EventKind.CLOSED) == [("wirt", "127.0.0.1", "gast")]


@pytest.mark.usefixtures("empty_log")
def test_a_password_typed_as_the_name_is_stored_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    user = UserFactory.create(username="sepp")
    caplog.set_level(logging.DEBUG)
    Client().post(LOGIN, {"username": PASSWORD, "password": "x"})
    Client().post(LOGIN, {"username": "Sepp", "password": PASSWORD + "x"})
    assert events(EventKind.LOG_IN_FAILED) == [("", "127.0.0.1", ""), (user.username, "127.0.0.1", "")]
    assert PASSWORD not in caplog.text
    assert "127.0.0.1" not in caplog.text


@pytest.mark.usefixtures("empty_log")
def test_a_flood_is_bounded_by_address_and_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Cashier("cashier").client
    for _ in range(security_log.MOST_BY_ADDRESS + 5):
        client.get("/account/log/", REMOTE_ADDR="192.0.2.1")
    assert len(events(EventKind.REFUSED)) == security_log.MOST_BY_ADDRESS
    client.get("/account/log/", REMOTE_ADDR="192.0.2.2")
    assert len(events(EventKind.REFUSED)) == security_log.MOST_BY_ADDRESS + 1
    monkeypatch.setattr(security_log, "MOST_IN_ALL", security_log.MOST_BY_ADDRESS + 1)
    client.get("/account/log/", REMOTE_ADDR="192.0.2.3")
    assert len(events(EventKind.REFUSED)) == security_log.MOST_BY_ADDRESS + 1


@pytest.mark.usefixtures("empty_log")
def test_the_log_forgets_what_is_old_and_what_is_too_much_of_one_kind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(security_log, "KEPT", 3)
    old = timezone.now() - timedelta(days=security_log.DAYS + 1)
    SecurityEvent.objects.create(kind=EventKind.INVITED, at=old)
    SecurityEvent.objects.create(kind=EventKind.JOINED, at=timezone.now() - timedelta(days=2))
    for number in range(5):
        SecurityEvent.objects.create(kind=EventKind.REMOVED, at=timezone.now(), about=str(number))
    user = UserFactory.create()
    for _ in range(5):
        log_in(user)
    assert len(events(EventKind.LOG_IN)) == 3
    assert len(events(EventKind.INVITED)) == 0
    assert [about for _by, _from, about in events(EventKind.REMOVED)] == ["2", "3", "4"]


@pytest.mark.usefixtures("empty_log")
@pytest.mark.parametrize("statement", ["UPDATE {} SET about = ''", "DELETE FROM {}", "TRUNCATE {}"])
def test_the_log_is_append_only(statement: str) -> None:
    SecurityEvent.objects.create(kind=EventKind.INVITED, at=AT)
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format(SecurityEvent._meta.db_table))


@pytest.mark.django_db
def test_a_log_that_cannot_be_written_stops_nobody() -> None:
    user = UserFactory.create()
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tournaments_securityevent RENAME TO gone")
    with pytest.raises(DatabaseError), transaction.atomic():  # control: the log is broken
        SecurityEvent.objects.create(kind=EventKind.LOG_IN, at=AT)
    assert log_in(user).status_code == 302


def test_no_backup_contains_the_log(committed: None) -> None:
    out = io.BytesIO()
    with dump.snapshot():
        dump.dump(out, key="x" * 50, with_key=False, public_url="http://localhost", at=AT)
    with zipfile.ZipFile(out) as archive:
        names = archive.namelist()
    assert "tables/tournaments_invitation.copy" in names
    assert "tables/tournaments_securityevent.copy" not in names


@pytest.mark.usefixtures("empty_log")
def test_the_pages_of_the_log(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    SecurityEvent.objects.bulk_create(
        SecurityEvent(kind=EventKind.INVITED, at=now, about=f"turnier-{number}") for number in range(101)
    )
    first = owner.get("/account/log/?kind=invited").content.decode()
    assert "turnier-100<" in first
    assert "turnier-0<" not in first
    assert "Seite 1 von 2" in first
    assert "turnier-0<" in owner.get("/account/log/?kind=invited&page=2").content.decode()
    assert owner.get("/account/log/?kind=x&page=nine").status_code == 200
