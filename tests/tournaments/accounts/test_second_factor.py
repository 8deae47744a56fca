"""The second factor: codes of an app (RFC 6238) and recovery codes, set up over https or on the computer itself."""

import io
import re
import time

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from tests.factories import PASSWORD, TournamentFactory, UserFactory
from tests.races import at_once
from tournaments.core.refusal import Refusal
from tournaments.models import EventKind, Membership, SecurityEvent
from tournaments.services import accounts as people
from tournaments.services import second_factor as factors

LOGIN, CODE, PAGE = "/account/login/", "/account/code/", "/account/second-factor/"


def code_of(user: User, *, step: int = 0) -> str:
    """Return the code that the account's app shows now, or `step` times 30 seconds after the last one that was used."""
    device = TOTPDevice.objects.get(user=user)
    app = TOTP(device.bin_key)
    app.time = 30 * (device.last_t + step) if step else time.time()
    return f"{app.token():06}"


def protected(user: User) -> list[str]:
    """Switch the second factor on; return the recovery codes."""
    factors.begin_second_factor(user)
    return factors.confirm(user, code=code_of(user), at=timezone.now())


def after_password(client: Client, user: User, goal: str = "/o/+/") -> None:
    response = client.post(LOGIN, {"username": user.username, "password": PASSWORD, "next": goal})
    assert response["Location"] == "/account/code/?next=%2Fo%2F%2B%2F"
    assert "_auth_user_id" not in client.session


@pytest.fixture
def user(db: None) -> User:
    return UserFactory.create(is_superuser=True)


# --- switching it on -----------------------------------------------------------------------------------------------


def test_the_second_factor_is_switched_on_with_a_code_of_the_app(client: Client, user: User) -> None:
    client.force_login(user)
    client.post(f"{PAGE}begin/", secure=True)
    page = client.get(PAGE, secure=True).content.decode()
    assert "otpauth" not in page  # only inside the picture
    assert factors.key_to_confirm(user)
    assert not factors.has_second_factor(user)

    wrong = client.post(f"{PAGE}confirm/", {"code": "abc"}, secure=True)
    assert wrong.status_code == 422
    TOTPDevice.objects.update(throttling_failure_count=0)
    right = client.post(f"{PAGE}confirm/", {"code": code_of(user)}, secure=True)

    assert right.status_code == 200
    shown = re.findall(r"<li><code>([a-z2-9]{5}-[a-z2-9]{5})</code>", right.content.decode())
    assert len(set(shown)) == factors.RECOVERY_CODES
    assert factors.has_second_factor(user)
    assert shown[0] not in client.get(PAGE, secure=True).content.decode()


def test_no_key_is_created_over_plain_http(client: Client, user: User) -> None:
    client.force_login(user)
    client.post(f"{PAGE}begin/")
    assert not TOTPDevice.objects.exists()
    assert "https" in client.get(PAGE).content.decode()


@pytest.mark.parametrize(
    ("host", "address", "is_made"),
    [
        ("localhost:8000", "127.0.0.1", True),
        ("[::1]:8000", "::1", True),
        ("localhost:8000", "192.168.0.9", False),
        ("testserver", "127.0.0.1", False),  # a proxy on this computer that is not in TRUSTED_PROXIES
    ],
)
def test_over_plain_http_a_key_is_created_for_a_browser_on_the_same_computer(
    client: Client, user: User, host: str, address: str, is_made: bool
) -> None:
    client.force_login(user)
    client.post(f"{PAGE}begin/", headers={"host": host}, REMOTE_ADDR=address)
    assert TOTPDevice.objects.exists() is is_made


def test_an_active_second_factor_cannot_be_set_up_again(client: Client, user: User) -> None:
    protected(user)
    client.force_login(user)
    page = client.post(f"{PAGE}begin/", secure=True, follow=True).content.decode()
    assert "schon eingeschaltet" in page
    assert factors.has_second_factor(user)


# --- logging in ----------------------------------------------------------------------------------------------------


def test_after_the_password_comes_the_code(client: Client, user: User) -> None:
    protected(user)
    after_password(client, user)

    response = client.post(CODE, {"code": code_of(user, step=1), "next": "/o/+/"})

    assert (response.status_code, response["Location"]) == (302, "/o/+/")
    assert client.session["_auth_user_id"] == str(user.pk)


def test_what_was_typed_without_a_session_outlives_password_and_code(client: Client, user: User) -> None:
    tournament = TournamentFactory.create(owner=user)
    protected(user)
    register = f"/o/{tournament.slug}/door/register/"
    page = client.post(register, {"name": "Meier Anna", "club": "Krone"}).content.decode()
    kept = re.search(r'name="interrupted" value="([^"]+)"', page)
    assert kept
    typed = {"username": user.username, "password": PASSWORD, "interrupted": kept[1]}
    assert client.post(LOGIN, typed)["Location"].startswith(CODE)

    wrong = client.post(CODE, {"code": "aaaaa-aaaaa"})
    assert wrong.status_code == 422
    assert "Meier Anna" not in wrong.content.decode()
    TOTPDevice.objects.update(throttling_failure_count=0)
    StaticDevice.objects.update(throttling_failure_count=0)
    right = client.post(CODE, {"code": code_of(user, step=1)}).content.decode()

    assert "Ihre Eingabe ist noch nicht gespeichert." in right
    assert f'action="{register}"' in right
    assert "<b>Meier Anna</b>" in right
    assert not tournament.participants.exists()
    again = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', right))
    client.post(register, again)
    assert list(tournament.participants.values_list("name", "club")) == [("Meier Anna", "Krone")]


def test_the_password_alone_gives_no_access(client: Client, user: User) -> None:
    tournament = TournamentFactory.create(owner=user)
    protected(user)
    after_password(client, user)
    assert client.get(f"/o/{tournament.slug}/").status_code == 302
    control = Client()
    control.force_login(user)
    assert control.get(f"/o/{tournament.slug}/").status_code == 200


def test_a_code_works_once(client: Client, user: User) -> None:
    protected(user)
    code = code_of(user, step=1)
    after_password(client, user)
    client.post(CODE, {"code": code})
    second = Client()
    after_password(second, user)
    assert second.post(CODE, {"code": code}).status_code == 422


def test_a_recovery_code_works_once_and_as_people_type_it(client: Client, user: User) -> None:
    typed = protected(user)[3].upper().replace("-", " ")
    after_password(client, user)
    assert client.post(CODE, {"code": typed}).status_code == 302
    second = Client()
    after_password(second, user)
    assert second.post(CODE, {"code": typed}).status_code == 422
    assert factors.recovery_codes_left(user) == factors.RECOVERY_CODES - 1


def test_wrong_codes_slow_down_further_attempts(client: Client, user: User) -> None:
    protected(user)
    after_password(client, user)
    TOTPDevice.objects.update(throttling_failure_count=6, throttling_failure_timestamp=timezone.now())
    page = client.post(CODE, {"code": code_of(user, step=1)})
    assert page.status_code == 422
    assert re.search(r"Bitte noch \d+ Sekunden warten", page.content.decode())
    assert "_auth_user_id" not in client.session


@pytest.mark.parametrize("code", ["", "000000", "x" * 10_000, "１２３４５６", "a\0b"])
def test_invalid_codes_are_refused(client: Client, user: User, code: str) -> None:
    protected(user)
    after_password(client, user)
    assert client.post(CODE, {"code": code}).status_code == 422


def test_the_password_is_asked_again_after_ten_minutes_and_after_it_has_changed(
    client: Client, user: User
) -> None:
    protected(user)
    after_password(client, user)
    user.set_password("Eichel-Ober-7")
    user.save()
    assert client.get(CODE)["Location"] == LOGIN

    user.set_password(PASSWORD)
    user.save()
    other = Client()
    after_password(other, user)
    session = other.session
    session["account_awaiting_code"] = session["account_awaiting_code"] | {"until": time.time() - 1}
    session.save()
    assert other.get(CODE)["Location"] == LOGIN


def test_an_invitation_does_not_bypass_the_second_factor(client: Client, user: User) -> None:
    owner = UserFactory.create()
    tournament = TournamentFactory.create(owner=owner)
    code = people.invite(tournament, role="cashier", by=owner.username, at=timezone.now())
    protected(user)
    data = {"code": code, "account": "existing", "name": user.username, "password": PASSWORD}
    response = client.post("/account/join/", data)
    assert response.status_code == 422
    assert "erst anmelden" in response.content.decode()
    assert "_auth_user_id" not in client.session
    assert not Membership.objects.filter(user=user).exists()


def test_of_two_browsers_with_the_same_code_one_gets_in(committed: None) -> None:
    user = UserFactory.create()
    protected(user)
    code = code_of(user, step=1)

    def enter() -> str:
        try:
            factors.check_code(user, code=code, at=timezone.now())
        except Refusal as refusal:
            return refusal.code
        return "in"

    results = at_once(*[enter] * 4)

    assert results.count("in") == 1
    user.delete()


# --- switching it off ----------------------------------------------------------------------------------------------


def test_the_second_factor_is_switched_off_only_with_a_code(client: Client, user: User) -> None:
    codes = protected(user)
    client.force_login(user)
    assert client.post(f"{PAGE}end/", {"code": "aaaaa-aaaaa"}).status_code == 422
    StaticDevice.objects.update(throttling_failure_count=0)
    assert client.post(f"{PAGE}end/", {"code": codes[0]}).status_code == 302
    assert not factors.has_second_factor(user)
    assert factors.recovery_codes_left(user) == 0


@pytest.mark.django_db
def test_the_owner_removes_the_second_factor_if_app_and_codes_are_lost(client: Client) -> None:
    owner, other = UserFactory.create(is_superuser=True), UserFactory.create()
    TournamentFactory.create(owner=other)
    protected(other)
    client.force_login(other)
    assert client.post(f"/account/all/{other.pk}/second-factor/remove/").status_code == 404
    assert factors.has_second_factor(other)

    client.force_login(owner)
    assert "Zweiten Faktor entfernen" in client.get("/account/all/").content.decode()
    page = client.post(f"/account/all/{other.pk}/second-factor/remove/", follow=True).content.decode()

    assert "braucht keinen Code mehr" in page
    assert not factors.has_second_factor(other)
    assert SecurityEvent.objects.filter(kind=EventKind.SECOND_FACTOR, about=other.username).exists()


@pytest.mark.parametrize("removed", [False, True])
def test_a_command_removes_the_owners_second_factor_on_request(user: User, removed: bool) -> None:
    protected(user)
    options = ["--without-second-factor"] if removed else []
    call_command("account_link", user.username, *options, stdout=io.StringIO())
    assert factors.has_second_factor(user) is not removed


def test_new_recovery_codes_replace_the_old_ones(client: Client, user: User) -> None:
    old = protected(user)
    client.force_login(user)
    page = client.post(f"{PAGE}recovery-codes/", {"code": old[0]}).content.decode()
    new = re.findall(r"<li><code>([a-z2-9-]{11})</code>", page)
    assert len(new) == factors.RECOVERY_CODES
    assert not set(new) & set(old)
    with pytest.raises(Refusal):
        factors.check_code(user, code=old[1], at=timezone.now())
