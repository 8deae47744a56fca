"""Organisers and cashiers of the club: at all tournaments, also at later ones."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from tests.factories import AT, PASSWORD, TournamentFactory, UserFactory, enter
from tests.tournaments.door.doors import Cashier
from tests.tournaments.services.test_people import a_person, appear
from tournaments.access import may_make_tournaments, role_in, runs_club
from tournaments.core.refusal import Refusal
from tournaments.models import ClubRole, Consent, Invitation, Membership, SecurityEvent, Tournament
from tournaments.services import accounts
from tournaments.services.people import record_consent
from tournaments.services.second_factor import begin_second_factor

pytestmark = pytest.mark.django_db

ACCOUNTS, JOIN = "/account/all/", "/account/join/"
NEW = {"account": "new", "name": "Sepp", "password": "Eichel-Ober-7", "password_again": "Eichel-Ober-7"}
OF_THE_CLUB = [
    "account:club",
    "organiser:club_people",
    "organiser:club_members",
    "organiser:club_doubles",
    "organiser:all_series",
    "organiser:roll_of_honour",
]


def browser_of(user: User) -> Client:
    client = Client()
    enter(client, user)
    return client


@pytest.fixture
def owner() -> Client:
    return browser_of(UserFactory.create(username="wirt", is_superuser=True))


def held(role: str) -> User:
    """Return an account with a role in the club, "" for none."""
    user: User = UserFactory.create()
    if role:
        ClubRole.objects.create(user=user, role=role)
    return user


def give(owner: Client, user: User, role: str) -> str:
    address = reverse("account:set_club_role", args=[user.pk])
    return owner.post(address, {"role": role}, follow=True).content.decode()


def stored_role(user: User) -> str:
    return next(iter(ClubRole.objects.filter(user=user).values_list("role", flat=True)), "")


def status_of(client: Client, tournament: Tournament, name: str) -> int:
    return client.get(reverse(name, args=[tournament.slug])).status_code


# --- what a role allows --------------------------------------------------------------------------------------------


def test_the_owner_gives_changes_and_ends_a_role(owner: Client) -> None:
    user, before = held(""), TournamentFactory.create()
    client = browser_of(user)
    for role, desk, settings in (("cashier", 200, 404), ("organiser", 200, 200), ("", 404, 404)):
        assert "Gespeichert." in give(owner, user, role)
        assert stored_role(user) == role
        for evening in (before, TournamentFactory.create()):  # a later one as well
            assert status_of(client, evening, "door:desk") == desk
            assert status_of(client, evening, "organiser:settings") == settings
    log = SecurityEvent.objects.filter(kind="club_role").order_by("id").values_list("account", "about")
    assert list(log) == [("wirt", f"{user.username}: {role}") for role in ("cashier", "organiser", "–")]


def test_the_page_says_who_works_at_all_tournaments(owner: Client) -> None:
    cashier = held("cashier")
    row = re.search(rf"{cashier.username}.*?</td>.*?</td>", owner.get(ACCOUNTS).content.decode(), re.DOTALL)
    assert row
    assert " ".join(re.sub(r"<[^>]*>", "", row[0]).split()) == f"{cashier.username} allen Turnieren (Kasse)"
    desk = Cashier()
    page = " ".join(re.sub(r"<[^>]*>", "", desk.get("members")).split())
    assert f"Dazu bei allen Turnieren: {cashier.username} (Kasse)" in page


@pytest.mark.parametrize(
    ("here", "in_club", "role"),
    [
        ("cashier", "organiser", "organiser"),
        ("organiser", "cashier", "organiser"),
        ("cashier", "", "cashier"),
        ("", "cashier", "cashier"),
        ("", "", None),
    ],
)
def test_of_two_roles_the_higher_one_holds(here: str, in_club: str, role: str | None) -> None:
    user, evening = held(in_club), TournamentFactory.create()
    if here:
        Membership.objects.create(tournament=evening, user=user, role=here)
    assert role_in(user, evening) == role
    listed = browser_of(user).get("/o/")
    rows = [] if listed.status_code == 302 else list(listed.context["page"])
    assert [row.role for row in rows] == ([role] if role else [])


def test_the_first_account_of_an_installation_runs_the_club() -> None:
    code = accounts.setup_code()
    assert code
    first = accounts.create_first_organiser(code=code, name="Wirt", password="Eichel-Ober-7", origin="x")
    assert (runs_club(first), may_make_tournaments(first)) == (True, True)
    client = browser_of(first)
    assert [client.get(reverse(name)).status_code for name in OF_THE_CLUB] == [200] * len(OF_THE_CLUB)


@pytest.mark.parametrize(
    ("role", "status", "makes"), [("organiser", 200, True), ("cashier", 404, False), ("", 404, True)]
)
def test_the_pages_of_the_club_are_for_its_organisers(role: str, status: int, makes: bool) -> None:
    """The organiser of one evening ("") makes others, and reads nothing of the club."""
    user = held(role)
    if not role:
        TournamentFactory.create(owner=user)
    client = browser_of(user)
    assert [client.get(reverse(name)).status_code for name in OF_THE_CLUB] == [status] * len(OF_THE_CLUB)
    assert client.get(reverse("organiser:new")).status_code == (200 if makes else 404)
    page = client.get("/o/").content.decode()
    ways = [
        reverse(name) in page for name in ("account:club", "organiser:club_people", "organiser:all_series")
    ]
    assert ways == [role == "organiser"] * 3
    assert (reverse("organiser:new") in page) == makes


def test_a_club_without_an_evening_invites_nobody_who_works_there() -> None:
    page = browser_of(held("cashier")).get("/o/").content.decode()
    assert "Noch kein Turnier" in page
    assert "Dieses Konto arbeitet bei keinem Turnier mit." not in page


def test_a_role_in_the_club_costs_no_query_on_the_pages_of_an_evening() -> None:
    evening = TournamentFactory.create()
    member, of_club = held(""), held("organiser")
    Membership.objects.create(tournament=evening, user=member, role="organiser")
    counts = []
    for user in (member, of_club):
        client = browser_of(user)
        with CaptureQueriesContext(connection) as asked:
            assert status_of(client, evening, "organiser:settings") == 200
        counts.append(len(asked))
    assert counts[0] == counts[1]


# --- people and consents -------------------------------------------------------------------------------------------


def test_cashiers_are_suggested_people_and_see_no_consent() -> None:
    evening, person = TournamentFactory.create(), a_person("Huber Sepp", town="Hof", member_number="4711")
    appear(person, TournamentFactory.create())
    record_consent(person.key, what="keep", is_given=True, on=AT.date(), how="paper")
    of_evening = UserFactory.create()
    Membership.objects.create(tournament=evening, user=of_evening, role="cashier")
    of_another = UserFactory.create()
    TournamentFactory.create(owner=of_another)
    for user in (of_evening, held("cashier")):
        client = browser_of(user)
        suggested = client.get(reverse("door:known", args=[evening.slug]), {"name": "hube"})
        assert "Huber Sepp" in suggested.content.decode()
        assert not re.search("4711|Papier|paper|keep|Name merken", suggested.content.decode())
    for user in (of_evening, held("cashier"), of_another):
        client = browser_of(user)
        for name in ("club_person", "club_person_file"):
            assert client.get(reverse(f"organiser:{name}", args=[person.key])).status_code == 404
        sent = {"what": "honours", "is_given": "1", "how": "paper", "on": "21.11.2026"}
        for name in ("club_person_consent", "erase_from_club", "split_person"):
            assert client.post(reverse(f"organiser:{name}", args=[person.key]), sent).status_code == 404
    assert Consent.objects.count() == 1


def test_nobody_else_is_suggested_anybody() -> None:
    evening = TournamentFactory.create()
    a_person("Huber Sepp")
    another = UserFactory.create()
    TournamentFactory.create(owner=another)
    for client, status in ((Client(), 302), (browser_of(another), 404)):
        answer = client.get(reverse("door:known", args=[evening.slug]), {"name": "huber"})
        assert answer.status_code == status
        assert "Huber Sepp" not in answer.content.decode()


# --- an end --------------------------------------------------------------------------------------------------------


def test_an_account_whose_last_role_has_ended_is_logged_out(owner: Client) -> None:
    user = held("organiser")
    client = browser_of(user)
    assert client.get("/o/").status_code == 200
    give(owner, user, "")
    answer = client.get("/o/", follow=True)
    assert "Dieses Konto gehört zu keinem Turnier mehr." in answer.content.decode()
    assert "_auth_user_id" not in client.session


def test_who_made_an_evening_stays_its_organiser(owner: Client) -> None:
    user, others = held("organiser"), TournamentFactory.create()
    own = TournamentFactory.create(owner=user)
    mine, theirs = (
        accounts.invite(evening, role="cashier", by=user.username, at=timezone.now())
        for evening in (own, others)
    )
    give(owner, user, "")
    client = browser_of(user)
    assert [status_of(client, one, "organiser:settings") for one in (own, others)] == [200, 404]
    give(owner, user, "organiser")  # brings no old invitation back
    assert accounts.join(UserFactory.create(), code=mine, at=timezone.now()) == own
    with pytest.raises(Refusal, match="code_expired"):
        accounts.join(UserFactory.create(), code=theirs, at=timezone.now())


def test_the_owner_is_always_an_organiser_and_a_closed_account_has_no_role(owner: Client) -> None:
    user = held("organiser")
    assert "der immer Veranstalter des Vereins ist" in give(
        owner, User.objects.get(username="wirt"), "cashier"
    )
    accounts.close_account(user.pk, at=AT)
    assert "Dieses Konto ist geschlossen." in give(owner, user, "organiser")
    assert not ClubRole.objects.exists()
    give(owner, UserFactory.create(), "boss")
    assert not ClubRole.objects.exists()
    with pytest.raises(Refusal, match="account_unknown"):
        accounts.set_club_role(0, role="cashier", at=AT)


# --- invitations ---------------------------------------------------------------------------------------------------


def invited(owner: Client, role: str) -> str:
    page = owner.post(reverse("account:invite"), {"role": role}).content.decode()
    link = re.search(r'<code class="code">http://localhost:8000/account/join/#([^<]*)</code>', page)
    assert link
    assert link[1] not in owner.get(ACCOUNTS).content.decode()
    return link[1]


def test_a_new_account_joins_the_club_by_a_link_once(owner: Client) -> None:
    code, evening = invited(owner, "cashier"), TournamentFactory.create()
    client = Client()
    for browser in (client, Client()):  # the same form again is the same account
        answer = browser.post(JOIN, NEW | {"code": code}, follow=True)
        assert "Sie arbeiten jetzt bei allen Turnieren mit." in answer.content.decode()
    assert status_of(client, evening, "door:desk") == 200
    assert client.post(JOIN, {"code": code}).status_code == 302
    other: Any = NEW | {"name": "Anna"}
    assert "Dieser Code ist abgelaufen" in Client().post(JOIN, other | {"code": code}).content.decode()
    assert list(ClubRole.objects.values_list("user__username", "role")) == [("Sepp", "cashier")]


def test_a_link_never_lowers_a_role(owner: Client) -> None:
    user = held("cashier")
    for role in ("organiser", "cashier"):
        accounts.join(user, code=invited(owner, role), at=timezone.now())
        assert stored_role(user) == "organiser"


def test_an_account_with_a_second_factor_logs_in_with_it_first(owner: Client) -> None:
    user = held("")
    begin_second_factor(user)
    TOTPDevice.objects.filter(user=user).update(confirmed=True)
    typed = {"account": "existing", "name": user.username, "password": PASSWORD}
    assert Client().post(JOIN, typed | {"code": invited(owner, "organiser")}).status_code == 422
    assert stored_role(user) == ""


@pytest.mark.parametrize("how", ["withdrawn", "owner closed", "owner no more"])
def test_a_link_into_the_club_ends(owner: Client, how: str) -> None:
    code = invited(owner, "organiser")
    wirt = User.objects.get(username="wirt")
    if how == "withdrawn":
        (made,) = Invitation.objects.all()
        address = reverse("account:withdraw_invitation", args=[made.pk])
        assert address in owner.get(ACCOUNTS).content.decode()
        for said in ("Die Einladung ist zurückgezogen.", "Diese Einladung ist nicht mehr offen"):
            assert said in owner.post(address, follow=True).content.decode()
    elif how == "owner closed":
        UserFactory.create(is_superuser=True)
        accounts.close_account(wirt.pk, at=timezone.now())
    else:
        User.objects.filter(pk=wirt.pk).update(is_superuser=False)
    with pytest.raises(Refusal, match="code_expired"):
        accounts.join(UserFactory.create(), code=code, at=timezone.now())


def test_an_organiser_of_the_club_invites_to_evenings_only(owner: Client) -> None:
    user, evening = held("organiser"), TournamentFactory.create()
    client = browser_of(user)
    assert client.post(reverse("account:invite"), {"role": "cashier"}).status_code == 404
    code = accounts.invite(evening, role="cashier", by=user.username, at=timezone.now())
    assert accounts.join(UserFactory.create(), code=code, at=timezone.now()) == evening
    to_club = invited(owner, "cashier")
    (made,) = Invitation.objects.filter(tournament=None)
    address = reverse("organiser:withdraw_invitation", args=[evening.slug, made.pk])
    assert "Diese Einladung ist nicht mehr offen" in client.post(address, follow=True).content.decode()
    assert accounts.join(UserFactory.create(), code=to_club, at=timezone.now()) is None
    assert owner.post(reverse("account:invite"), {"role": "boss"}).status_code == 422
