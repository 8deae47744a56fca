"""Logging in and out, the first account, invitations, access."""

import re
from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from tests.factories import PASSWORD, TournamentFactory, UserFactory
from tests.tournaments.door.doors import Cashier
from tournaments.models import Membership
from tournaments.services import accounts as people

pytestmark = pytest.mark.django_db

LOGIN, LOGOUT, SETUP, JOIN = "/account/login/", "/account/logout/", "/account/setup/", "/account/join/"
NEW = {"name": "Sepp", "password": "Eichel-Ober-7", "password_again": "Eichel-Ober-7"}


def is_logged_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def errors_at(page: str, name: str) -> str:
    match = re.search(rf'id="id_{name}_error">(.*?)</div></div>', page, re.DOTALL)
    return re.sub(r"<[^>]*>", "", match[1]).strip() if match else ""


# --- logging in ----------------------------------------------------------------------------------------------------


def test_log_in_redirects_to_the_requested_page(client: Client) -> None:
    user = UserFactory.create()
    response = client.post(LOGIN, {"username": user.username, "password": PASSWORD, "next": "/o/+/"})
    assert (response.status_code, response["Location"]) == (302, "/o/+/")
    assert is_logged_in(client)


def test_account_names_ignore_a_capital_first_letter(client: Client) -> None:
    UserFactory.create(username="sepp")
    client.post(LOGIN, {"username": "Sepp ", "password": PASSWORD})
    assert is_logged_in(client)


@pytest.mark.parametrize("goal", ["https://example.org/", "//example.org/", "javascript:alert(1)"])
def test_log_in_never_redirects_to_another_site(client: Client, goal: str) -> None:
    user = UserFactory.create()
    response = client.post(LOGIN, {"username": user.username, "password": PASSWORD, "next": goal})
    assert response["Location"] == "/o/"


def test_a_wrong_password_is_reported(client: Client) -> None:
    user = UserFactory.create()
    response = client.post(LOGIN, {"username": user.username, "password": "falsch"})
    assert response.status_code == 422
    assert "Name und Passwort passen nicht zusammen." in response.content.decode()


@pytest.mark.parametrize("name", ["", "x" * 10_000, "a\0b"])
def test_invalid_account_names_are_refused(client: Client, name: str) -> None:
    response = client.post(LOGIN, {"username": name, "password": "x"})
    assert response.status_code == 422
    assert errors_at(response.content.decode(), "username").startswith("Der Name")


def test_guessing_is_slowed_with_a_sentence_and_the_organiser_gets_in_after_a_minute(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, now = UserFactory.create(), timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)  # the first wait is two seconds
    answers = [client.post(LOGIN, {"username": user.username, "password": str(n)}) for n in range(7)]
    assert [answer.status_code for answer in answers] == [422] * 5 + [429] * 2
    page = answers[-1].content.decode()
    wait = re.search(r"Bitte noch (\d+) Sekunden warten", page)
    assert wait
    assert 0 < int(wait[1]) <= 60
    assert client.post(LOGIN, {"username": user.username, "password": PASSWORD}).status_code == 429
    from_elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    assert from_elsewhere.post(LOGIN, {"username": user.username, "password": PASSWORD}).status_code == 302


def test_log_out_needs_a_post(client: Client) -> None:
    client.force_login(UserFactory.create())
    assert client.get(LOGOUT).status_code == 405
    assert is_logged_in(client)
    client.post(LOGOUT)
    assert not is_logged_in(client)


def test_the_password_is_changed(client: Client) -> None:
    user = UserFactory.create()
    TournamentFactory.create(owner=user)
    client.force_login(user)
    new = {"old_password": PASSWORD, "new_password1": "Eichel-Ober-7", "new_password2": "Eichel-Ober-7"}
    assert client.post("/account/password/", new | {"old_password": "falsch"}).status_code == 422
    assert client.post("/account/password/", new | {"new_password2": "anders-22"}).status_code == 422
    assert client.post("/account/password/", new).status_code == 302
    user.refresh_from_db()
    assert user.check_password("Eichel-Ober-7")
    assert is_logged_in(client)


# --- the first account ---------------------------------------------------------------------------------------------


@pytest.fixture
def nobody(db: None) -> None:
    """A new installation, without accounts of other tests."""
    User.objects.all().delete()


@pytest.mark.usefixtures("nobody")
def test_the_one_time_link_creates_the_owner_and_logs_them_in(client: Client) -> None:
    response = client.post(SETUP, NEW | {"code": people.setup_code() or ""})
    assert (response.status_code, response["Location"]) == (302, "/o/")
    assert User.objects.get().is_superuser
    assert is_logged_in(client)


@pytest.mark.usefixtures("nobody")
def test_the_code_accepts_small_letters_hyphens_and_blanks(client: Client) -> None:
    code = (people.setup_code() or "").lower().replace("-", " ")
    assert client.post(SETUP, NEW | {"code": code}).status_code == 302


@pytest.mark.usefixtures("nobody")
def test_a_wrong_code_makes_no_account_and_keeps_what_was_typed(client: Client) -> None:
    response = client.post(SETUP, NEW | {"code": "ABCD"})
    page = response.content.decode()
    assert response.status_code == 422
    assert errors_at(page, "code").startswith("Diesen Code gibt es nicht.")
    assert 'value="Sepp"' in page
    assert not User.objects.exists()


@pytest.mark.usefixtures("nobody")
@pytest.mark.parametrize(
    ("typed", "field", "begins"),
    [
        ({"name": " "}, "name", "Der Name fehlt."),
        ({"password_again": "anders"}, "password_again", "Die beiden Passwörter sind verschieden."),
        ({"password": "kurz", "password_again": "kurz"}, "password", "Dieses Passwort ist zu kurz."),
    ],
)
def test_each_error_is_shown_at_its_field(
    client: Client, typed: dict[str, str], field: str, begins: str
) -> None:
    response = client.post(SETUP, NEW | {"code": people.setup_code() or ""} | typed)
    assert errors_at(response.content.decode(), field).startswith(begins)
    assert not User.objects.exists()


@pytest.mark.usefixtures("nobody")
def test_after_set_up_the_page_says_that_an_account_exists(client: Client) -> None:
    code = people.setup_code() or ""
    UserFactory.create()
    assert "Das erste Konto gibt es schon" in client.get(SETUP).content.decode()
    assert client.post(SETUP, NEW | {"code": code}).status_code == 410
    assert User.objects.count() == 1


@pytest.mark.usefixtures("nobody")
def test_who_sends_the_set_up_twice_is_logged_in_twice(client: Client) -> None:
    typed = NEW | {"code": people.setup_code() or ""}
    client.post(SETUP, typed)
    again = Client()
    assert again.post(SETUP, typed)["Location"] == "/o/"
    assert is_logged_in(again)
    wrong = Client()
    assert wrong.post(SETUP, typed | {"password": "falsch", "password_again": "falsch"}).status_code == 410
    assert not is_logged_in(wrong)
    assert User.objects.count() == 1


# --- invitations ---------------------------------------------------------------------------------------------------


@pytest.fixture
def desk() -> Cashier:
    return Cashier()


def invite(desk: Cashier, role: str) -> str:
    page = desk.client.post(desk.url("invite"), {"role": role}).content.decode()
    link = re.search(r'<code class="code">(http[^<]*)</code>', page)
    assert link
    url, code = link[1].split("#")
    assert url == "http://localhost:8000/account/join/"
    assert 'src="data:image/svg+xml' in page
    return code


def roles(desk: Cashier) -> dict[str, str]:
    return dict(Membership.objects.filter(tournament=desk.tournament).values_list("user__username", "role"))


def test_the_link_is_shown_once(desk: Cashier) -> None:
    code = invite(desk, "cashier")
    assert code not in desk.get("members")


def test_a_new_account_accepts_an_invitation(desk: Cashier, client: Client) -> None:
    code = invite(desk, "cashier")
    response = client.post(JOIN, NEW | {"code": code, "account": "new"})
    assert response.status_code == 302
    assert roles(desk) == {desk.user.username: "organiser", "Sepp": "cashier"}
    assert is_logged_in(client)


def test_an_existing_account_accepts_an_invitation(desk: Cashier, client: Client) -> None:
    user = UserFactory.create(username="anna")
    typed = {"code": invite(desk, "organiser"), "account": "existing", "name": "anna", "password": "falsch"}
    assert client.post(JOIN, typed).status_code == 422
    assert client.post(JOIN, typed | {"password": PASSWORD}).status_code == 302
    assert roles(desk)[user.username] == "organiser"


def test_a_logged_in_account_needs_only_the_invitation_code(desk: Cashier, client: Client) -> None:
    client.force_login(UserFactory.create(username="anna"))
    assert client.post(JOIN, {"code": invite(desk, "cashier")}).status_code == 302
    assert roles(desk)["anna"] == "cashier"


def test_who_accepts_an_invitation_twice_is_logged_in_twice(desk: Cashier) -> None:
    typed = NEW | {"code": invite(desk, "cashier"), "account": "new"}
    first, again = Client(), Client()
    for browser in (first, again, first):
        assert browser.post(JOIN, typed)["Location"] == "/o/"
        assert is_logged_in(browser)
    assert Client().post(JOIN, typed | {"password": "falsch", "password_again": "falsch"}).status_code == 422
    assert roles(desk) == {desk.user.username: "organiser", "Sepp": "cashier"}


def test_an_invitation_is_good_once_and_for_14_days(desk: Cashier, client: Client) -> None:
    code = invite(desk, "cashier")
    Client().post(JOIN, NEW | {"code": code, "account": "new"})
    again = client.post(JOIN, NEW | {"code": code, "account": "new", "name": "Anna"})
    assert errors_at(again.content.decode(), "code").startswith(
        "Dieser Code ist abgelaufen oder schon benutzt."
    )
    long_ago = timezone.now() - timedelta(days=15)
    old = people.invite(desk.tournament, role="cashier", by="x", at=long_ago)
    late = client.post(JOIN, NEW | {"code": old, "account": "new", "name": "Anna"})
    assert errors_at(late.content.decode(), "code").startswith("Dieser Code ist abgelaufen")
    assert not User.objects.filter(username="Anna").exists()


def test_a_taken_account_name_is_refused_at_its_field(desk: Cashier, client: Client) -> None:
    UserFactory.create(username="SEPP")
    response = client.post(JOIN, NEW | {"code": invite(desk, "cashier"), "account": "new"})
    assert errors_at(response.content.decode(), "name").startswith("Den Namen „Sepp“ hat schon jemand.")


def test_a_member_is_removed_but_never_the_last_organiser(desk: Cashier) -> None:
    cashier = Cashier("cashier", desk.tournament)
    desk.client.post(desk.url("remove_member", cashier.user.pk))
    desk.client.post(desk.url("remove_member", desk.user.pk))
    assert roles(desk) == {desk.user.username: "organiser"}
    assert "Das ist der letzte Veranstalter dieses Turniers." in desk.get("members")


@pytest.mark.parametrize("page", ["settings", "members"])
def test_a_cashier_sees_only_the_door(desk: Cashier, page: str) -> None:
    cashier = Cashier("cashier", desk.tournament)
    assert cashier.client.get(cashier.url(page)).status_code == 404
    for open_to_him in ("desk", "roll_call", "cash", "import_list"):
        assert cashier.client.get(cashier.url(open_to_him)).status_code == 200


def test_the_owner_of_the_installation_works_everywhere(client: Client) -> None:
    client.force_login(UserFactory.create(is_superuser=True))
    tournament = TournamentFactory.create()
    assert client.get(f"/o/{tournament.slug}/settings/").status_code == 200
    assert tournament.name in client.get("/o/").content.decode()


def test_the_tournaments_of_an_account_are_folded_the_latest_first_and_so_are_closed_accounts(
    client: Client,
) -> None:
    helper = UserFactory.create(username="abel")
    for year in (2025, 2026, 2024):
        TournamentFactory.create(owner=helper, name=f"Herbst {year}", played_on=date(year, 11, 21))
    one = TournamentFactory.create(owner=UserFactory.create(username="Berta"), name="Frühjahr")
    UserFactory.create(username="zacharias", is_active=False)
    client.force_login(UserFactory.create(is_superuser=True))
    page = " ".join(strip_tags(client.get("/account/all/").content.decode()).split())
    evenings = " ".join(f"Herbst {year} (Veranstalter)" for year in (2026, 2025, 2024))
    assert f"abel 3 Turnieren {evenings} noch nie" in page
    assert f"Berta {one.name} (Veranstalter) noch nie" in page
    assert page.index("abel") < page.index("Berta") < page.index("Geschlossene Konten: 1 zacharias")


def test_a_get_removes_and_invites_nobody(desk: Cashier) -> None:
    assert desk.client.get(desk.url("invite")).status_code == 405
    assert desk.client.get(desk.url("remove_member", 1)).status_code == 405
