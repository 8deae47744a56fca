"""A clock that is set on the evening: hours or years, either way, and in the nights in which it is changed.

Every wait, limit, code and lease is walked through: a wait is never longer than its longest one, a code never lives longer
than it may, and both are as before once the clock is right again. Durations within the process are of time.monotonic.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from schnauz_turnier.background.forgetting import forget
from schnauz_turnier.start import certificate
from scoring.models import Flag, Sheet
from scoring.public import reports
from scoring.queries.marks import public_marks
from scoring.queries.round_clock import clock_of
from scoring.queries.screen_pairings import open_code
from scoring.screen_cookie import device_in, set_device
from scoring.services import flags, screen_pairings, sheets, standings
from scoring.services import rounds as scored_rounds
from scoring.services.ceremonies import draw_sealed, seal_draw
from scoring.services.round_clock import start_clock
from scoring.services.rounds import DrawOptions
from tests.check.checking import checked
from tests.conftest import ROOT
from tests.factories import (
    AT,
    PASSWORD,
    ParticipantFactory,
    TournamentFactory,
    UserFactory,
    a_paper_sheet,
    a_round,
)
from tests.scoring.records import record_text
from tournaments import devices, security_log
from tournaments.accounts.interrupted import InterruptedForm, from_text
from tournaments.core.refusal import Refusal
from tournaments.hall_codes import LASTS, hall_code, is_hall_code
from tournaments.links import COOKIE_SECONDS, PhonePass, new_sign_up_code
from tournaments.models import EventKind, SecurityEvent, SignUp, SignUpTerms, Tournament
from tournaments.queries.publicity import is_public
from tournaments.services import accounts, log_ins, second_factor, sign_ups, turns
from tournaments.services.rounds import release
from tournaments.services.tournaments import edit_tournament

pytestmark = pytest.mark.django_db

HOUR, DAY, YEAR = timedelta(hours=1), timedelta(days=1), timedelta(days=365)
SUMMER_ENDS = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)  # 02:30, half an hour before it is 02:00 again
SUMMER_BEGINS = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)  # 01:30, half an hour before it is 03:00
SET = {
    "two hours back": (AT, -2 * HOUR),
    "two hours ahead": (AT, 2 * HOUR),
    "a year back": (AT, -YEAR),
    "a year ahead": (AT, YEAR),
    "the night of 25 October": (SUMMER_ENDS, timedelta()),
    "an hour back by hand in that night": (SUMMER_ENDS, -HOUR),
    "the night of 29 March": (SUMMER_BEGINS, timedelta()),
}
each_way = pytest.mark.parametrize(("start", "jump"), SET.values(), ids=SET)


class Clock:
    """The clock of the machine. time.monotonic goes on as it is."""

    def __init__(self, patched: pytest.MonkeyPatch) -> None:
        self._patched = patched

    def set(self, at: datetime) -> datetime:
        self._patched.setattr(timezone, "now", lambda: at)
        self._patched.setattr(time, "time", at.timestamp)
        return at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@dataclass(frozen=True, slots=True)
class Evening:
    tournament: Tournament
    user: User


@pytest.fixture
def evening(clock: Clock) -> Evening:
    user = UserFactory.create()
    tournament = TournamentFactory.create(owner=user)
    ParticipantFactory.create_batch(5, tournament=tournament)
    return Evening(tournament, user)


def is_refused(do: Callable[[], object]) -> bool:
    try:
        do()
    except Refusal:
        return True
    return False


# --- waits and limits: each fills itself, and returns what is refused then -------------------------------------------

Try = Callable[[datetime], object]


def log_in_from(name: str, at: datetime) -> object:
    return log_ins.count_attempt(name, address="192.0.2.1", device=None, at=at)


def a_first_wrong_password(_evening: Evening, at: datetime) -> Try:
    log_in_from("anna", at)
    return lambda now: log_in_from("anna", now)


def many_wrong_passwords(_evening: Evening, at: datetime) -> Try:
    """Use up the free ones of a whole address, so that every new device there waits."""
    for number in range(40, -1, -1):
        log_in_from(f"konto{number}", at - number * timedelta(seconds=61))
    return lambda now: log_in_from("anna", now)


def wrong_one_time_codes(evening: Evening, at: datetime) -> Try:
    codes = protect(evening.user, at)
    with pytest.raises(Refusal):
        second_factor.check_code(evening.user, code="000-wrong", at=at)
    return lambda now: second_factor.check_code(evening.user, code=codes.pop(), at=now)


def protect(user: User, at: datetime) -> list[str]:
    """Switch the second factor on; return the recovery codes."""
    second_factor.begin_second_factor(user)
    return second_factor.confirm(user, code=code_of(user, at), at=at)


def code_of(user: User, at: datetime) -> str:
    app = TOTP(TOTPDevice.objects.get(user=user).bin_key)
    app.time = at.timestamp()
    return f"{app.token():06}"


def a_used_one_time_code(evening: Evening, at: datetime) -> Try:
    protect(evening.user, at)
    return lambda now: second_factor.check_code(evening.user, code=code_of(evening.user, now), at=now)


def flags_of_a_browser(evening: Evening, at: datetime) -> Try:
    a_round(evening.tournament)

    def say(now: datetime) -> Flag:
        note = f"falsch {Flag.objects.count()}"
        sender: dict[str, Any] = {"name": "", "address": "192.0.2.1", "browser": "a"}
        return flags.raise_flag(evening.tournament, 1, 1, note=note, **sender, at=now)

    for _ in range(flags.MOST_OF_A_BROWSER):
        say(at)
    return say


def sign_ups_of_a_browser(evening: Evening, at: datetime) -> Try:
    terms: dict[str, Any] = {"most": None, "only_in_hall": False, "without_desk": False}
    sign_ups.set_terms(evening.tournament, is_open=True, closes_at=at + 3 * YEAR, **terms, at=at)

    def sign_up(now: datetime) -> SignUp:
        values: dict[str, Any] = {"name": "Sepp", "club": "", "names": "", "code": new_sign_up_code()}
        return sign_ups.sign_up(
            evening.tournament, sender=sign_ups.Sender("192.0.2.1", "a"), in_hall=False, **values, at=now
        )

    for _ in range(sign_ups.MOST_OF_A_BROWSER):
        sign_up(at)
    return sign_up


def codes_of_screens(evening: Evening, at: datetime) -> Try:
    def ask(now: datetime) -> object:
        return screen_pairings.ask_for_code(evening.tournament, 1, address="192.0.2.1", at=now)

    for _ in range(screen_pairings.MOST_OF_AN_ADDRESS):
        ask(at)
    return ask


def lines_of_the_security_log(_evening: Evening, _at: datetime) -> Try:
    def write(_now: datetime) -> None:
        before = SecurityEvent.objects.count()
        security_log.record(EventKind.REFUSED, RequestFactory().get("/"), account="")
        if SecurityEvent.objects.count() == before:
            raise Refusal("flood")

    for _ in range(security_log.MOST_BY_ADDRESS):
        write(_at)
    return write


def turns_at_mails(_evening: Evening, at: datetime) -> Try:
    def take(now: datetime) -> None:
        if not turns.take_turn("an address", most=3, at=now):
            raise Refusal("log_in_busy")

    for _ in range(3):
        take(at)
    return take


def turns_of_a_day(_evening: Evening, at: datetime) -> Try:
    def take(now: datetime) -> None:
        if not turns.take_turn("an address", most=3, at=now, lasts=turns.DAY):
            raise Refusal("log_in_busy")

    for _ in range(3):
        take(at)
    return take


WAITS: dict[str, tuple[Callable[[Evening, datetime], Try], timedelta]] = {
    "a first wrong password": (a_first_wrong_password, timedelta()),
    "many wrong passwords": (many_wrong_passwords, timedelta(seconds=60)),
    "wrong one-time codes": (wrong_one_time_codes, timedelta(seconds=1)),
    "a used one-time code": (a_used_one_time_code, timedelta(seconds=60)),
    "flags of a browser": (flags_of_a_browser, flags.WINDOW),
    "sign-ups of a browser": (sign_ups_of_a_browser, sign_ups.WINDOW),
    "codes of screens": (codes_of_screens, timedelta(minutes=10)),
    "turns at mails": (turns_at_mails, turns.WHILE),
    "turns of a day": (turns_of_a_day, turns.DAY),
    "lines of the security log": (lines_of_the_security_log, security_log.WINDOW),
}


@each_way
@pytest.mark.parametrize(("fill", "longest"), WAITS.values(), ids=WAITS)
def test_a_wait_is_never_longer_than_its_longest_one(
    evening: Evening,
    clock: Clock,
    fill: Callable[[Evening, datetime], Try],
    longest: timedelta,
    start: datetime,
    jump: timedelta,
) -> None:
    attempt = fill(evening, clock.set(start))
    assert is_refused(lambda: attempt(start)) == (longest > timedelta())  # the control
    is_refused(lambda: attempt(clock.set(start + jump)))
    assert not is_refused(lambda: attempt(clock.set(start + jump + longest + timedelta(seconds=1))))


# --- codes and leases: each is made, and returns whether it holds ----------------------------------------------------

Holds = Callable[[datetime], bool]


def code_on_the_wall(evening: Evening, at: datetime) -> Holds:
    code = hall_code(evening.tournament, at)
    return lambda now: is_hall_code(evening.tournament, code, now)


def invitation(evening: Evening, at: datetime) -> Holds:
    code = accounts.invite(evening.tournament, role="cashier", by=evening.user.username, at=at)

    def is_open(now: datetime) -> bool:
        return not is_refused(lambda: accounts._open_invitation(code, now, taken_up_by=None))

    return is_open


def link_for_a_password(evening: Evening, at: datetime) -> Holds:
    _name, code = accounts.make_password_link(evening.user.pk, at=at)
    return lambda now: not is_refused(lambda: accounts._account_of_link(code, now))


def log_in_without_its_code(evening: Evening, at: datetime) -> Holds:
    protect(evening.user, at)
    browser = Client()
    browser.post("/account/login/", {"username": evening.user.username, "password": PASSWORD})
    return lambda _now: browser.get("/account/code/").status_code == 200


def code_of_a_screen(evening: Evening, at: datetime) -> Holds:
    asked = screen_pairings.ask_for_code(evening.tournament, 1, address="192.0.2.1", at=at)
    return lambda now: bool(open_code(evening.tournament.slug, asked.device, at=now))


def phone(_evening: Evening, _at: datetime) -> Holds:
    cookie = PhonePass(1, 1, "phone").to_cookie()
    return lambda _now: PhonePass.from_cookie(cookie) is not None


def screen(_evening: Evening, _at: datetime) -> Holds:
    response = HttpResponse()
    set_device(response, "abend", "screen")
    cookies = {name: morsel.value for name, morsel in response.cookies.items()}
    return lambda _now: device_in(cookies, "abend") == "screen"


def known_device(evening: Evening, _at: datetime) -> Holds:
    request, response = RequestFactory().get("/"), HttpResponse()
    devices.remember(request, response, evening.user.pk)
    request.COOKIES = {name: morsel.value for name, morsel in response.cookies.items()}
    return lambda _now: devices.device_of(request) is not None


def own_reports(_evening: Evening, _at: datetime) -> Holds:
    response = HttpResponse()
    reports.remember_report(response, {}, "abend", 7)
    cookies = {name: morsel.value for name, morsel in response.cookies.items()}
    return lambda _now: reports.reports_in(cookies, "abend") == [7]


def interrupted_form(_evening: Evening, _at: datetime) -> Holds:
    text = InterruptedForm("/o/", "/o/", ()).signed()
    return lambda _now: from_text(text) is not None


def session(evening: Evening, _at: datetime) -> Holds:
    browser = Client()
    browser.force_login(evening.user)
    address = f"/o/{evening.tournament.slug}/backup/"

    def fetched_by_itself(_now: datetime) -> bool:
        return browser.get(address, headers={"HX-Request": "true"}).status_code == 200

    return fetched_by_itself


CODES: dict[str, tuple[Callable[[Evening, datetime], Holds], timedelta]] = {
    "the code on the wall": (code_on_the_wall, 3 * LASTS),
    "an invitation": (invitation, 14 * DAY),
    "a link for a password": (link_for_a_password, DAY),
    "a log-in that waits for its code": (log_in_without_its_code, HOUR / 6),
    "the code of a screen": (code_of_a_screen, HOUR / 6),
    "a phone": (phone, timedelta(seconds=COOKIE_SECONDS)),
    "a screen": (screen, 7 * DAY),
    "a known device": (known_device, YEAR),
    "own reports": (own_reports, 7 * DAY),
    "a form that was interrupted": (interrupted_form, DAY),
    "a session": (session, DAY / 2),
}


@each_way
@pytest.mark.parametrize(("make", "longest"), CODES.values(), ids=CODES)
def test_a_code_ends_in_time_and_holds_again_when_the_clock_is_right(
    evening: Evening,
    clock: Clock,
    make: Callable[[Evening, datetime], Holds],
    longest: timedelta,
    start: datetime,
    jump: timedelta,
) -> None:
    """What is signed, and so stored nowhere, may be as far in the future as it may be old."""
    holds = make(evening, clock.set(start))
    assert holds(start)
    soon = start + timedelta(minutes=1)
    holds(clock.set(start + jump))
    if jump >= timedelta() and make not in (session, log_in_without_its_code):  # one logs in again
        assert holds(clock.set(soon))
    forget()
    holds(clock.set(start + jump))
    forget()
    ended = start + jump + 2 * longest + timedelta(minutes=2)
    assert not holds(clock.set(ended))


@pytest.mark.parametrize("jump", [-2 * HOUR, -YEAR], ids=["two hours", "a year"])
def test_what_was_used_or_withdrawn_does_not_hold_again(
    evening: Evening, clock: Clock, jump: timedelta
) -> None:
    _name, code = accounts.make_password_link(evening.user.pk, at=clock.set(AT))
    accounts.set_password(code=code, password="noch-ein-langes-1926", origin="192.0.2.1", at=AT)
    invited = accounts.invite(evening.tournament, role="cashier", by=evening.user.username, at=AT)
    found = evening.tournament.invitations.get()
    accounts.withdraw_invitation(evening.tournament, invitation_id=found.pk, at=AT)
    guest, now = UserFactory.create(), clock.set(AT + jump)
    assert is_refused(lambda: accounts.set_password(code=code, password="x" * 20, origin="", at=now))
    assert is_refused(lambda: accounts.join(guest, code=invited, at=now))


# --- what else goes by the clock -------------------------------------------------------------------------------------


@each_way
def test_the_clock_of_a_round_can_be_started_and_runs_its_minutes_from_then(
    evening: Evening, clock: Clock, start: datetime, jump: timedelta
) -> None:
    a_round(evening.tournament, released=False)
    release(evening.tournament, 1, reason="", at=start)
    start_clock(evening.tournament, 1, minutes=45, by="x", at=start)
    again = start + jump + timedelta(minutes=5)
    start_clock(evening.tournament, 1, minutes=45, by="x", at=again)
    row = clock_of(evening.tournament)
    assert row is not None
    assert row.ends_at is not None
    assert row.ends_at <= again + timedelta(minutes=45)


@each_way
def test_a_phone_is_seen_whatever_the_clock_shows(
    evening: Evening, clock: Clock, start: datetime, jump: timedelta
) -> None:
    table = a_round(evening.tournament).tables.get()
    sheets.take_pen(table, device="a", at=start)
    later = start + jump + timedelta(minutes=1)
    sheets.record(table, [], device="a", pen_epoch=1, at=later)
    assert Sheet.objects.get(table=table).seen_at == later


@pytest.mark.parametrize("jump", [-2 * HOUR, -YEAR], ids=["two hours", "a year"])
def test_a_freeze_holds_back_a_mark_that_is_made_after_the_clock_was_set_back(
    evening: Evening, jump: timedelta
) -> None:
    table = a_round(evening.tournament).tables.get()
    a_paper_sheet(table)
    scored_rounds.close(evening.tournament, 1, at=AT)
    standings.freeze(evening.tournament, by="x", at=AT + HOUR)
    now = AT + HOUR + jump
    sheets.write(table, [("reopened", {"reason": "doch anders"})], by="x", at=now)
    sheets.write(table, [("accepted", {"reason": "so stimmt es"})], by="x", at=now)
    assert len(public_marks(evening.tournament)) == 1
    assert evening.tournament.marks.count() == 3


@pytest.mark.parametrize("jump", [-2 * HOUR, -YEAR], ids=["two hours", "a year"])
def test_the_record_of_a_draw_that_the_clock_was_set_back_in_holds(evening: Evening, jump: timedelta) -> None:
    seal_draw(evening.tournament, 1, options=DrawOptions(exceptions=True), by="x", at=AT)
    draw_sealed(evening.tournament, 1, words="Eichel", by="x", at=AT + jump)
    release(evening.tournament, 1, reason="", at=AT + jump)
    [answer] = checked(record_text(evening.tournament))
    assert answer["draws"] == 1


@pytest.mark.parametrize("jump", [YEAR, 2 * HOUR], ids=["a year", "two hours"])
def test_thirty_days_after_the_evening_it_is_not_public_even_if_the_clock_was_ahead(
    evening: Evening, clock: Clock, jump: timedelta
) -> None:
    today = timezone.localdate(clock.set(AT))
    Tournament.objects.filter(pk=evening.tournament.pk).update(public_until_on=None, played_on=today)
    a_round(evening.tournament, released=False)
    release(evening.tournament, 1, reason="", at=clock.set(AT + jump))
    last = clock.set(AT + 30 * DAY)
    assert is_public(evening.tournament.slug, timezone.localdate(last))
    over = clock.set(AT + 31 * DAY)
    assert not is_public(evening.tournament.slug, timezone.localdate(over))


@pytest.mark.parametrize(
    ("made_at", "is_kept"), [(AT, True), (AT + YEAR, False), (AT - YEAR, True), (AT - 2 * HOUR, True)]
)
def test_a_certificate_that_is_not_valid_yet_is_made_anew(
    tmp_path: Path, made_at: datetime, is_kept: bool
) -> None:
    made, later = (certificate.own_certificate(tmp_path, host="localhost", at=at) for at in (made_at, AT))
    assert (made.fingerprint == later.fingerprint) == is_kept


def test_the_end_of_the_sign_ups_keeps_its_time_of_day_over_the_night_of_25_october(
    evening: Evening, clock: Clock
) -> None:
    on_saturday = datetime(2026, 10, 24, 16, tzinfo=UTC)  # 18:00
    terms: dict[str, Any] = {"most": None, "only_in_hall": False, "without_desk": False}
    Tournament.objects.filter(pk=evening.tournament.pk).update(played_on=date(2026, 10, 24))
    sign_ups.set_terms(evening.tournament, is_open=True, closes_at=on_saturday, **terms, at=AT)
    made = Tournament.objects.get(pk=evening.tournament.pk)
    edit_tournament(
        made,
        name=made.name,
        played_on=date(2026, 10, 25),
        place=made.place,
        names=made.names,
        ruleset=made.rules,
        public_until_on=None,
        starts_at=None,
        admits_at=None,
    )
    moved = timezone.localtime(SignUpTerms.objects.get(tournament=made).closes_at)
    assert (moved.day, moved.hour) == (25, 18)


# --- what is deleted does not come back ------------------------------------------------------------------------------


def a_sign_up(evening: Evening, at: datetime, played_on: date) -> None:
    Tournament.objects.filter(pk=evening.tournament.pk).update(played_on=played_on)
    sign_ups_of_a_browser(evening, at)


def test_a_clock_that_is_a_year_ahead_deletes_no_sign_up_of_tonight_even_after_a_restart(
    evening: Evening, clock: Clock
) -> None:
    a_sign_up(evening, clock.set(AT - 3 * DAY), AT.date())
    for after in (timedelta(), HOUR):
        ahead = clock.set(AT + YEAR + after)
        forget()
        Client().post("/account/login/", {"username": evening.user.username, "password": PASSWORD})
    assert SecurityEvent.objects.filter(kind=EventKind.LOG_IN, at=ahead).exists()
    assert SignUp.objects.count() == sign_ups.MOST_OF_A_BROWSER


def test_a_clock_that_is_right_deletes_the_sign_ups_of_an_evening_that_was_played_at_the_next_start(
    evening: Evening, clock: Clock
) -> None:
    a_sign_up(evening, clock.set(AT), AT.date())
    a_paper_sheet(a_round(evening.tournament).tables.get())
    scored_rounds.close(evening.tournament, 1, at=AT)
    clock.set(AT + 35 * DAY)
    forget()
    assert not SignUp.objects.exists()


def test_a_log_in_with_a_clock_that_is_a_year_ahead_leaves_the_log(evening: Evening, clock: Clock) -> None:
    for days in (80, 20, 1):
        SecurityEvent.objects.create(kind=EventKind.INVITED, at=AT - days * DAY)
    for after in (timedelta(), HOUR):
        clock.set(AT + YEAR + after)
        Client().post("/account/login/", {"username": evening.user.username, "password": PASSWORD})
    left = SecurityEvent.objects.filter(kind=EventKind.INVITED)
    assert left.count() == 3


def test_a_clock_is_steady_when_it_has_gone_for_a_day_as_the_processor_has() -> None:
    from tournaments.clocks import SteadyClock  # noqa: PLC0415 (the other tests run without it, on versions before)

    ticks = 0.0
    steady = SteadyClock(lambda: ticks)
    seen = []
    for hours, shown in (
        (0, 0),
        (12, 12),
        (25, 25),
        (26, 26 + 365 * 24),
        (40, 40 + 365 * 24),
        (51, 51 + 365 * 24),
    ):
        ticks = hours * 3600.0
        seen.append(steady.is_steady(AT + shown * HOUR))
    assert seen == [False, False, True, False, False, True]


# --- the list is complete --------------------------------------------------------------------------------------------

_DURATION = re.compile(r"timedelta\(|time\.time\(\)|\bseconds=_?[A-Z]|__(gt|lt|gte|lte)=at\b|\bwithin\(")
WALKED = {
    "schnauz_turnier/start/certificate.py",
    "schnauz_turnier/background/forgetting.py",
    "scoring/public/reports.py",
    "scoring/queries/publication.py",
    "scoring/queries/round_clock.py",
    "scoring/queries/screen_pairings.py",
    "scoring/screen_cookie.py",
    "scoring/services/flags.py",
    "scoring/services/round_clock.py",
    "scoring/services/screen_pairings.py",
    "scoring/services/sheets.py",
    "tournaments/accounts/interrupted.py",
    "tournaments/accounts/log_in.py",
    "tournaments/clocks.py",
    "tournaments/core/publicity.py",
    "tournaments/devices.py",
    "tournaments/hall_codes.py",
    "tournaments/links.py",
    "tournaments/queries/tournaments.py",
    "tournaments/security_log.py",
    "tournaments/services/accounts.py",
    "tournaments/services/log_ins.py",
    "tournaments/services/sign_ups.py",
    "tournaments/services/turns.py",
    "tournaments/sessions.py",
    "tournaments/signed_values.py",
}
ELSEWHERE = {
    "schnauz_turnier/start/address_watch.py": "tests/schnauz_turnier/start/test_address_watch.py",
    "schnauz_turnier/web/kept_answers.py": "tests/security/test_kept_answers.py",
    "tournaments/once.py": "tests/tournaments/test_once.py",
    "schnauz_turnier/clubs/ending.py": "tests/clubs/test_ending.py",
    "schnauz_turnier/clubs/measures.py": "tests/clubs/test_measures.py",
    "schnauz_turnier/clubs/registration.py": "whose link is over registers again; a server has its time from the network",
    "tournaments/accounts/emails.py": "tests/tournaments/accounts/test_forgotten_passwords.py",
    "scoring/queries/retention.py": "tests/scoring/services/test_retention.py",
    "scoring/queries/series.py": "tests/scoring/organiser/test_series.py",
    "scoring/organiser/dashboard/views.py": "a backup of the future counts until the next one, a minute later",
}
DECIDES_NOTHING = {
    "schnauz_turnier/doctor/machine.py",  # says that the clock is wrong
    "schnauz_turnier/doctor/storage.py",
    "schnauz_turnier/settings.py",
    "schnauz_turnier/clubs/incidents.py",  # the log has all of them
    "schnauz_turnier/clubs/maintenance.py",  # when a notice is shown
    "schnauz_turnier/clubs/link_mail.py",
    "schnauz_turnier/clubs/registering.py",
    "schnauz_turnier/clubs/texts.py",  # says how long a link holds
    "tournaments/services/quotas.py",  # whether an evening is of today, as everywhere
    "scoring/queries/pictures.py",  # draws
    "scoring/queries/released.py",  # the end of a round's clock, see scoring/queries/round_clock.py
    "scoring/core/pace.py",  # says when a round may be over
    "scoring/practice/evenings.py",
    "tournaments/core/cash_days.py",  # to which day a line of the cash book belongs
    "scoring/public/views.py",  # how long a browser keeps a cookie that says nothing to the program
    "tournaments/sign_up/own_codes.py",
}


def test_whatever_has_a_duration_is_on_one_of_the_lists() -> None:
    files = (
        file for app in ("schnauz_turnier", "scoring", "tournaments") for file in (ROOT / app).rglob("*.py")
    )
    found = {
        str(file.relative_to(ROOT))
        for file in files
        if "migrations" not in file.parts and _DURATION.search(file.read_text())
    }
    assert found == WALKED | ELSEWHERE.keys() | DECIDES_NOTHING
