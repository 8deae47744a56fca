"""Sessions, cookies and what a log-in leads to. Each attack has a control."""

import re
from datetime import date, timedelta
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from tests.factories import PASSWORD, ParticipantFactory, TournamentFactory, UserFactory, a_round
from tests.schnauz_turnier.test_settings import PRODUCTION, settings_with
from tests.tournaments.accounts.test_accounts import LOGIN, is_logged_in
from tests.tournaments.door.doors import FRAGMENT, Cashier
from tournaments import links
from tournaments.models import Membership, Participant

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def desk() -> Cashier:
    return Cashier()


def log_out(desk: Cashier) -> None:
    """End the session as the clock does: the browser keeps its cookies."""
    Session.objects.all().delete()


# --- the end of a session -------------------------------------------------------------------------------------------


def let_pass(desk: Cashier, silence: timedelta) -> None:
    session = desk.client.session
    ends = Session.objects.get(session_key=session.session_key).expire_date
    session["active_at"] -= int(silence.total_seconds())
    session.save()
    Session.objects.filter(session_key=session.session_key).update(expire_date=ends - silence)


def test_a_session_ends_after_twelve_hours_of_silence(desk: Cashier) -> None:
    let_pass(desk, 12 * HOUR)
    assert desk.client.get(desk.url("desk")).status_code == 302


def test_whoever_works_stays_logged_in(desk: Cashier) -> None:
    for _ in range(3):
        let_pass(desk, 11 * HOUR)
        assert desk.client.get(desk.url("desk")).status_code == 200


def test_a_page_that_keeps_itself_up_to_date_is_silence(desk: Cashier) -> None:
    let_pass(desk, 11 * HOUR)
    assert desk.client.get(desk.url("list"), headers=FRAGMENT).status_code == 200
    let_pass(desk, HOUR)
    assert desk.client.get(desk.url("list"), headers=FRAGMENT).status_code == 401


def test_not_every_page_writes_the_session(desk: Cashier) -> None:
    ends = Session.objects.get().expire_date
    desk.get("desk")
    assert Session.objects.get().expire_date == ends


def test_a_session_ends_with_the_last_role(desk: Cashier) -> None:
    cashier = Cashier("cashier", desk.tournament)
    other = TournamentFactory.create()
    Membership.objects.create(tournament=other, user=cashier.user, role="cashier")
    desk.client.post(desk.url("remove_member", cashier.user.pk))
    assert cashier.client.get(cashier.url("desk")).status_code == 404
    assert cashier.client.get("/o/").status_code == 200  # the control: there is another role

    Membership.objects.filter(user=cashier.user).delete()

    assert cashier.client.get("/o/", follow=True).redirect_chain == [("/account/login/?next=/o/", 302)]
    assert not is_logged_in(cashier.client)


def test_who_belongs_to_nothing_is_told_so_at_each_log_in(client: Client) -> None:
    user = UserFactory.create()
    page = client.post(LOGIN, {"username": user.username, "password": PASSWORD}, follow=True)
    assert "Dieses Konto gehört zu keinem Turnier mehr." in page.content.decode()
    assert not is_logged_in(client)


def test_a_new_password_ends_the_sessions_of_other_devices(desk: Cashier) -> None:
    elsewhere = Client()
    elsewhere.force_login(desk.user)
    assert elsewhere.get("/o/").status_code == 200
    new = {"old_password": PASSWORD, "new_password1": "Eichel-Ober-7", "new_password2": "Eichel-Ober-7"}
    desk.client.post("/account/password/", new)
    assert elsewhere.get("/o/").status_code == 302
    assert desk.client.get("/o/").status_code == 200


def test_logging_in_changes_the_key_of_the_session(client: Client) -> None:
    user = UserFactory.create(is_superuser=True)
    session = client.session
    session["planted"] = True
    session.save()
    client.cookies["sessionid"] = planted = str(session.session_key)
    client.post(LOGIN, {"username": user.username, "password": PASSWORD})
    assert client.cookies["sessionid"].value != planted
    assert not Session.objects.filter(session_key=planted).exists()


# --- what browsers keep ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["get", "post", "put"])
def test_answers_behind_a_log_in_are_never_stored(desk: Cashier, method: str) -> None:
    unknown = desk.url("members").replace(desk.tournament.slug, "unbekannt")
    urls = ["/o/", "/o/+/", desk.url("desk"), desk.url("members"), unknown]
    for client in (desk.client, Client()):
        for url in urls:
            answer = getattr(client, method)(url)
            assert "no-store" in answer.get("Cache-Control", ""), (url, answer.status_code)


def test_public_pages_may_be_stored(desk: Cashier) -> None:
    answer = Client().get(f"/t/{desk.tournament.slug}/")
    assert "no-store" not in answer.get("Cache-Control", "")


def test_on_https_cookies_belong_to_this_host_alone(tmp_path: Any) -> None:
    settings = settings_with(tmp_path, **PRODUCTION)
    for name in ("SESSION", "CSRF", "LANGUAGE", "DEVICE", "PHONE"):
        assert str(settings[f"{name}_COOKIE_NAME"]).startswith("__Host-")
    assert settings["SCREEN_COOKIE_NAME"] == "__Secure-screen"
    assert settings["PHONE_COOKIE_PATH"] == "/"
    assert settings["SECURE_HSTS_SECONDS"] == 365 * 24 * 60 * 60


def test_on_plain_http_browsers_would_refuse_the_prefix(tmp_path: Any) -> None:
    settings = settings_with(tmp_path, PUBLIC_URL="http://192.168.178.20:8000")
    assert settings["SESSION_COOKIE_NAME"] == "sessionid"
    assert settings["SECURE_HSTS_SECONDS"] == 0


def test_with_the_prefix_everybody_gets_in(settings: Any) -> None:
    """The cookies that are set have what browsers require of the prefix: Secure, the path / and no domain."""
    settings.SESSION_COOKIE_SECURE = True
    settings.SESSION_COOKIE_NAME = "__Host-sessionid"
    settings.DEVICE_COOKIE_NAME = "__Host-device"
    settings.PHONE_COOKIE_NAME, settings.PHONE_COOKIE_PATH = "__Host-sheet", "/"
    tournament = TournamentFactory.create(owner=(user := UserFactory.create()))
    ParticipantFactory.create_batch(5, tournament=tournament)
    table = a_round(tournament).tables.get()
    client = Client()

    client.post(LOGIN, {"username": user.username, "password": PASSWORD})
    assert client.get("/o/").status_code == 200
    assert enter(client, links.sheet_secret(table.pk, table.link_version)) == 200
    assert client.get("/s/sheet").status_code == 200
    for name in ("sessionid", "device", "sheet"):
        cookie = client.cookies[f"__Host-{name}"]
        assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", "")


# --- a table's link -------------------------------------------------------------------------------------------------


def enter(phone: Client, secret: str) -> int:
    return phone.post("/s/enter", {"secret": secret}, content_type="application/json").status_code


def test_a_tables_link_and_cookie_end_with_the_public_pages() -> None:
    tournament = TournamentFactory.create(public_until_on=None)
    ParticipantFactory.create_batch(5, tournament=tournament)
    table = a_round(tournament).tables.get()
    secret, phone = links.sheet_secret(table.pk, table.link_version), Client()
    today = timezone.localdate()

    tournament.public_until_on = today
    tournament.save()
    assert enter(phone, secret) == 200
    assert phone.get("/s/sheet").status_code == 200

    tournament.public_until_on = today - timedelta(days=1)
    tournament.save()
    assert phone.get("/s/sheet").status_code == 401
    assert enter(Client(), secret) == 401


def test_where_no_day_is_named_it_ends_thirty_days_after_the_evening() -> None:
    tournament = TournamentFactory.create(public_until_on=None, played_on=date(2026, 11, 21))
    ParticipantFactory.create_batch(5, tournament=tournament)
    table = a_round(tournament).tables.select_related("round__tournament").get()
    assert not links.has_ended(table, date(2026, 12, 21))
    assert links.has_ended(table, date(2026, 12, 22))


# --- a session that ended while somebody typed ------------------------------------------------------------------------


def hidden(page: str) -> dict[str, str]:
    """Return the hidden fields of the form in the page's main part."""
    main = page[page.index("<main") : page.index("</main")]
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', main)
    return {name: unescape(value) for name, value in found}


def again(desk: Cashier, page: str) -> str:
    """Log in on the page and return the next one."""
    kept = hidden(page)
    kept.pop("csrfmiddlewaretoken", None)
    typed = kept | {"username": desk.user.username, "password": PASSWORD}
    return desk.client.post(LOGIN, typed).content.decode()


@pytest.mark.parametrize("headers", [{}, FRAGMENT])
def test_what_was_typed_is_kept_over_the_log_in(desk: Cashier, headers: dict[str, str]) -> None:
    log_out(desk)
    name = 'Huber "Sepp" <Öd>\u00a0& Söhne'

    answer = desk.client.post(desk.url("register"), {"name": name}, headers=headers)
    assert answer.status_code == 401
    assert "Ihre Eingabe ist noch da" in answer.content.decode()
    assert not Participant.objects.exists()
    wrong = desk.client.post(LOGIN, hidden(answer.content.decode()) | {"username": "x", "password": "x"})
    page = again(desk, wrong.content.decode())
    assert "Ihre Eingabe ist noch nicht gespeichert." in page
    assert f'action="{desk.url("register")}"' in page
    assert not Participant.objects.exists()

    desk.client.post(desk.url("register"), hidden(page))
    assert [person.name for person in Participant.objects.all()] == ['Huber "Sepp" <Öd> & Söhne']


def test_passwords_and_files_are_never_kept(desk: Cashier) -> None:
    log_out(desk)
    new = {"old_password": PASSWORD, "new_password1": "Eichel-Ober-7", "new_password2": "Eichel-Ober-7"}
    page = desk.client.post("/account/password/", new).content.decode()
    assert "Eichel-Ober-7" not in page
    assert PASSWORD not in page
    assert "gespeichert wurde nichts" in page
    typed = hidden(page) | {"username": desk.user.username, "password": PASSWORD}
    assert desk.client.post(LOGIN, typed)["Location"] == "/account/password/"


def test_a_form_of_somebody_else_is_not_posted_again(desk: Cashier) -> None:
    forged = {"interrupted": '["/o/x/", "/o/", [["name", "x"]]]', "next": "/o/"}
    log_out(desk)
    answer = desk.client.post(LOGIN, forged | {"username": desk.user.username, "password": PASSWORD})
    assert (answer.status_code, answer["Location"]) == (302, "/o/")


def test_a_foreign_page_gets_nothing_kept(desk: Cashier) -> None:
    """Without the token there is no log-in page with a form that an attacker filled in."""
    log_out(desk)
    strict = Client(enforce_csrf_checks=True)
    answer = strict.post(desk.url("register"), {"name": "x"}, headers={"Origin": "https://example.org"})
    assert answer.status_code == 403


def test_after_the_log_in_the_page_of_the_form_comes_and_never_a_405(desk: Cashier) -> None:
    log_out(desk)
    on = {"Referer": f"http://testserver{desk.url('members')}"}
    page = desk.client.post(desk.url("remove_member", 1), headers=on).content.decode()
    typed = hidden(page) | {"username": desk.user.username, "password": PASSWORD}
    answer = desk.client.post(LOGIN, typed)
    assert answer["Location"] == desk.url("members")


@pytest.mark.parametrize("referer", ["", "https://example.org/o/", "http://testserver/gibt/es/nicht"])
def test_without_the_page_the_one_above_comes(desk: Cashier, referer: str) -> None:
    log_out(desk)
    url = desk.url("remove_member", 1)
    page = desk.client.post(url, headers={"Referer": referer}).content.decode()
    typed = hidden(page) | {"username": desk.user.username, "password": PASSWORD}
    answer = desk.client.post(LOGIN, typed, follow=True)
    assert answer.status_code == 200
    assert url.startswith(answer.redirect_chain[0][0]) or referer


def test_next_that_answers_no_get_leads_to_the_page_above(client: Client, desk: Cashier) -> None:
    typed = {"username": desk.user.username, "password": PASSWORD, "next": desk.url("register")}
    answer = client.post(LOGIN, typed, follow=True)
    assert (answer.status_code, answer.redirect_chain[0][0]) == (200, desk.url("desk"))


def test_a_fragment_without_a_session_says_where_to_log_in_and_leaves_the_page(desk: Cashier) -> None:
    log_out(desk)
    page = f"http://testserver{desk.url('desk')}?q=hub"
    answer = desk.client.get(desk.url("list"), headers=FRAGMENT | {"HX-Current-URL": page})
    assert (answer.status_code, answer.content) == (401, b"")
    assert answer["Log-In"] == f"{LOGIN}?next={desk.url('desk')}%3Fq%3Dhub"


def test_the_language_changes_on_a_page_that_answered_a_form(desk: Cashier) -> None:
    answer = desk.client.post("/i18n/", {"language": "en", "next": desk.url("register")}, follow=True)
    assert (answer.status_code, answer.redirect_chain[0][0]) == (200, desk.url("desk"))
    assert 'lang="en"' in answer.content.decode()
    kept = desk.client.post("/i18n/", {"language": "de", "next": f"{desk.url('desk')}?q=hub"})
    assert kept["Location"] == f"{desk.url('desk')}?q=hub"  # the control


def test_the_language_leads_nowhere_else(client: Client) -> None:
    answer = client.post("/i18n/", {"language": "en", "next": "https://example.org/o/"})
    assert answer["Location"] == "/"


def test_logging_in_as_another_person_needs_a_press_of_the_button(desk: Cashier) -> None:
    other: User = UserFactory.create(is_superuser=True)
    log_out(desk)
    page = desk.client.post(desk.url("register"), {"name": "Huber Sepp"}).content.decode()
    typed = hidden(page) | {"username": other.username, "password": PASSWORD}
    assert other.username in desk.client.post(LOGIN, typed).content.decode()
    assert not Participant.objects.exists()
