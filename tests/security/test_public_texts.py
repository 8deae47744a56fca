"""Free text and accounts: what organisers and guests write about people, and who wrote it, is nowhere public.

Every text column of both apps holds a mark of its own, unless it is named here as public or as no text. So a new column
is planted by itself, and this test fails until an evening has it or it is named.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection, models
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scoring.models import BackupNote, ParkedEntry, RoundClock, SheetEntry
from scoring.queries.screens import SentScene
from scoring.queries.standings import tied_groups
from scoring.services import (
    calls,
    flags,
    parked_entries,
    screen_pairings,
    screens,
    sheets,
    standings,
)
from scoring.services.honours import set_honours
from scoring.services.rounds import close
from tests.architecture.test_routes import routes
from tests.factories import AT, a_paper_sheet
from tests.scoring.pages import Staff
from tests.scoring.paired import paired_client
from tournaments import links
from tournaments.core.signatures import Signature
from tournaments.core.wishes import KeepApart
from tournaments.models import Deletion, DrawAttempt, EventKind, Person, SecurityEvent, Table, Tournament
from tournaments.queries.club import ClubDetails
from tournaments.rulesets.loader import preset
from tournaments.services import accounts, door, draw_settings, ending, exclusion, rounds, sign_ups
from tournaments.services.club import set_club

pytestmark = pytest.mark.django_db

PUBLIC = {
    "Tournament.name", "Tournament.place", "Participant.name", "Participant.club", "Screen.text", "Commitment.words", "DrawAttempt.reason",
    "ClubPicture.caption", "ClubSettings.name", "ClubSettings.legal_form", "ClubSettings.street", "ClubSettings.town", "ClubSettings.represented_by",
    "ClubSettings.contact", "ClubSettings.register", "ClubSettings.place", "ClubSettings.announcement",
    "Evening.name", "EveningResult.name", "Honour.title", "Honour.name", "Series.name",
}  # fmt: skip
NO_TEXT = {
    "Tournament.slug", "Invitation.code_hash", "DrawAttempt.mode", "DrawAttempt.seed", "SheetEntry.kind", "ParkedEntry.kind",
    "Decision.seed", "ScreenPairing.device", "ScreenPairing.code", "PasswordLink.code_hash", "WrongPasswords.origin",
    "SecurityEvent.kind", "Participant.fee", "PrizeHandout.prize", "Screen.revealed",
    "SheetEntry.digest", "RoundMark.digest", "SignUp.code_hash", "SignUp.names", "Commitment.nonce", "Commitment.secret", "Commitment.digest",
    "Series.slug", "Series.lot_seed", "Evening.kind", "EveningResult.fee",
}  # fmt: skip
ON_PAIRED_SCREENS = {"Screen.network", "Screen.password"}
SHOWN_TO_NOBODY = {
    "Sheet.pen_device", "Sheet.came_by", "PenGrant.device", "Flag.origin", "Flag.phone", "Flag.looked_by", "ScreenPairing.origin",
    "Screen.by", "RoundClock.by", "MissingPlayer.reported_by", "MissingPlayer.found_by",
    "Publication.by", "PrizeHandout.by", "Table.scribe_by", "SecurityEvent.account", "SecurityEvent.address", "SecurityEvent.about",
    "BackupNote.failure", "ClubSettings.by", "Deletion.by", "ImportedList.by", "ImportedList.taken_out_by",
    "SignUp.withdrawn_by", "SignUp.origin", "SignUp.phone",
    "Appearance.by", "Honour.by",
    "Person.name", "Person.words", "Person.club", "Person.town", "Person.member_number", "Person.fee",
}  # fmt: skip
WISH = "Zqwishx"


@pytest.fixture
def desk(request: pytest.FixtureRequest) -> Staff:
    """Create an evening with a text in every column. The parameter names another rule sheet."""
    rules = preset(getattr(request, "param", "schnauz-placing"))
    desk = Staff(11, ruleset=replace(rules, entry_fee_cents=300))
    tournament = desk.tournament
    signature: Signature = {"by": "x", "at": AT}
    accounts.invite(tournament, role="cashier", **signature)
    set_club(ClubDetails("Verein"), **signature)
    BackupNote.objects.create(pk=1, failure="x", failed_at=AT)
    SecurityEvent.objects.create(kind=EventKind.REFUSED, at=AT, account="x", address="192.0.2.1", about="x")
    Deletion.objects.create(kind="person", played_on=AT.date(), start_number=1, **signature)
    door.take_fee(tournament, 1, desk="Kasse", **signature)
    tournament.participants.filter(start_number=1).update(town="x", fee="full")
    texts = dict.fromkeys(("name", "words", "club", "town", "member_number", "fee"), "x")
    known = Person.objects.create(**texts)
    known.appearances.create(participant=tournament.participants.get(start_number=1), how="list", **signature)
    set_honours("1998; Wer Anders", **signature)
    till = tournament.desks.get(name="Kasse")
    till.entries.create(tournament=tournament, kind="out", cents=1, reason="x", **signature)
    till.changes.create(kind="closed", **signature)
    till.changes.create(kind="opened", reason="x", **signature)
    exclusion.exclude(tournament, 11, reason="x", **signature)
    tournament.imported_lists.create(
        number=1, count=1, cents=0, taken_out_at=AT, taken_out_by="x", **signature
    )
    draw_settings.add_wish(tournament, KeepApart(1, 2, "x"))
    register_themselves(tournament)
    desk.draw(released=False)
    again: Any = {"players": range(1, 11), "sizes": [5, 5], "wishes": [KeepApart(1, 2, "x")], **signature}
    rounds.redraw(tournament, 1, mode="random", reason="x", **again)
    first, second = (Table.objects.filter(round__tournament=tournament, number=n).get() for n in (1, 2))
    pair = [table.seats.get(seat_number=4).participant.start_number for table in (first, second)]
    if {1, 2} & set(pair):
        pair = [table.seats.get(seat_number=5).participant.start_number for table in (first, second)]
    rounds.swap(tournament, 1, a=pair[0], b=pair[1], reason="x", **signature)
    rounds.release(tournament, 1, at=AT)
    play(desk)
    return desk


def play(desk: Staff) -> None:
    tournament = desk.tournament
    signature: Signature = {"by": "x", "at": AT}
    first, second = desk.table(1), desk.table(2)
    second_seat = first.seats.get(seat_number=2)
    Table.objects.filter(pk=first.pk).update(scribe=second_seat.participant, scribe_by="x", scribe_at=AT)
    first.round.released_reason = "x"
    first.round.save(update_fields=["released_reason"])
    park(first)
    calls.call_supervisor(links.PhonePass(first.pk, first.link_version, "a"), at=AT)
    calls.come(first, **signature)
    calls.report_missing(first, 3, **signature)
    calls.end_missing(first, 3, **signature)
    sheets.write(first, [("objected", {"seat_number": 2, "note": "x"})], initials="AB", **signature)
    objection = SheetEntry.objects.get(sheet__table=first, kind="objected")
    sheets.write(first, [("voided", {"entry": str(objection.entry_id), "reason": "x"})], **signature)
    for table in (first, second):
        a_paper_sheet(table)
    sheets.write(second, [("reopened", {"reason": "x"}), ("accepted", {"reason": "x"})], **signature)
    found = flags.raise_flag(tournament, 1, 1, note="x", name="x", address="192.0.2.1", browser="x", at=AT)
    flags.mark_in_progress(tournament, found.pk, **signature)
    flags.close_flag(tournament, found.pk, word="x", **signature)
    flags.raise_flag(tournament, 1, 2, note="x", name="x", address="192.0.2.1", browser="x", at=AT)
    close(tournament, 1, reason="x", at=AT)
    for group in tied_groups(tournament)[:1]:
        made = standings.decide(tournament, kind="playoff", order=group, reason="x", **signature)
        standings.revoke_decision(tournament, made.pk, **signature)
        standings.decide(tournament, kind="playoff", order=group, reason="x", **signature)
    screens.set_scene(tournament, [1], SentScene("welcome", network="x", password="x"), **signature)
    RoundClock.objects.create(tournament=tournament, round_number=1, minutes=45, started_at=AT, **signature)
    ending.end_tournament(tournament, reason="x", **signature)
    player = tournament.participants.get(start_number=1)
    tournament.handouts.create(participant=player, prize="rank", number=1, kind="absent", **signature)
    screen_pairings.ask_for_code(tournament, 1, address="192.0.2.1", at=timezone.now())


def register_themselves(tournament: Tournament) -> None:
    """Let three players register themselves: one whom a desk confirms, one whom it discards, one whom nobody has looked at."""
    more: Any = {"most": None, "only_in_hall": False, "without_desk": False}
    sign_ups.set_terms(tournament, is_open=True, closes_at=AT + timedelta(days=1), **more, at=AT)
    sender = sign_ups.Sender("192.0.2.1", "x")
    for _ in range(3):
        sent: Any = {"name": "x", "club": "x", "names": "", "code": links.new_sign_up_code()}
        sign_ups.sign_up(tournament, **sent, in_hall=False, sender=sender, at=AT)
    person = sign_ups.confirm(tournament, 1, paid=False, by="x", at=AT)
    door.set_presence(tournament, person.start_number, present=False)
    sign_ups.discard(tournament, 2, by="x", at=AT)


def park(table: Table) -> None:
    """Park an entry of a phone that has lost the pen, and discard it."""
    epoch = sheets.take_pen(table, device="a", at=AT).row.pen_epoch
    sheets.free_pen(table, at=AT)
    sheets.take_pen(table, device="b", at=AT)
    sent = [sheets.Sent(str(uuid4()), "objected", {"seat_number": 2, "note": "x"}, AT)]
    sheets.record(table, sent, device="a", pen_epoch=epoch, at=AT)
    late = ParkedEntry.objects.get(sheet__table=table)
    parked_entries.discard(table.round.tournament, late.pk, reason="x", by="x", at=AT, initials="AB")


# --- the marks -----------------------------------------------------------------------------------------------------


def columns() -> Iterator[tuple[str, Any, str]]:
    """Yield name, model and column of every text that is neither public nor a value of the program."""
    for app in ("tournaments", "scoring"):
        for model in apps.get_app_config(app).get_models():
            for field in model._meta.concrete_fields:
                name = f"{model.__name__}.{field.name}"
                is_text = isinstance(field, models.CharField | models.TextField) and not field.choices
                if is_text and name not in PUBLIC | NO_TEXT:
                    yield name, model, field.name


def plant(desk: Staff) -> dict[str, str]:
    """Write a mark of its own into each column, past triggers and services; return the marks by column."""
    marks = {"User.username": "Zquserx", "wishes": WISH}
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
    for number, (name, model, column) in enumerate(columns()):
        marks[name] = f"Zq{number:02}x"
        assert model.objects.exclude(**{column: ""}).update(**{column: marks[name]}), f"nothing in {name}"
    desk.tournament.wishes = [{**wish, "reason": WISH} for wish in desk.tournament.wishes]
    desk.tournament.save(update_fields=["wishes"])
    for attempt in DrawAttempt.objects.exclude(wishes=[]):
        attempt.wishes = [{**wish, "reason": WISH} for wish in attempt.wishes]
        attempt.save(update_fields=["wishes"])
    desk.user.username = marks["User.username"]
    desk.user.save()
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = origin")
    return marks


def found_in(texts: Iterator[tuple[str, str]], marks: dict[str, str]) -> set[tuple[str, str]]:
    """Return address and column of each mark in the texts."""
    return {(address, name) for address, text in texts for name, mark in marks.items() if mark in text}


# --- the addresses -------------------------------------------------------------------------------------------------


def addresses(desk: Staff, room: str) -> Iterator[str]:
    """Yield every address of a room that answers GET, with each number that it can have in this evening."""
    for _address, name, pattern in routes():
        if not name.startswith(f"{room}:") or "GET" not in getattr(pattern.callback, "methods", ()):
            continue
        parts = re.findall(r"<(\w+):(\w+)>", str(pattern.pattern))
        named = {part for _kind, part in parts} - {"slug"}
        if ("slug", "slug") in parts and {kind for kind, _part in parts} <= {"slug", "number"}:
            for values in numbers(named):
                yield reverse(name, kwargs={"slug": desk.tournament.slug, **values})


def numbers(named: set[str]) -> Iterator[dict[str, int]]:
    """Yield numbers for the parts of an address: up to three rounds, screens or players, and tables of round 1."""
    for number in range(1, 4) if named else [1]:
        yield {name: 1 if name == "number" and len(named) > 1 else number for name in named}


def public_texts(desk: Staff, client: Client) -> Iterator[tuple[str, str]]:
    answered = set()
    for address in [
        "/",
        *addresses(desk, "public"),
        *addresses(desk, "sign_up"),
        f"/t/{desk.tournament.slug}/?q=1&me=1",
    ]:
        answer = client.get(address)
        if answer.status_code == 200:
            answered.add(re.sub(r"\d+", "1", address.removeprefix(f"/t/{desk.tournament.slug}")))
            yield address, answer.content.decode("utf-8", "replace")
    known = {
        "/",
        "/me/1/",
        "/rules/",
        "/check/",
        "/sign-up/",
        "/sign-up/mine/",
        "/screen/",
        "/screen/1/",
        "/leaderboard.json",
        "/record.json",
        "/rounds/1/",
        "/rounds/1.json",
    }
    more = {"/tree/"} if desk.tournament.ruleset["name"] == "knockout" else {"/hand/"}
    assert known | more | {"/rounds/1/tables/1/"} <= answered


def prints(desk: Staff) -> Iterator[tuple[str, str]]:
    """Yield what is hung up or laid on the tables."""
    for address in (
        desk.url("print_seating", 1),
        desk.url("print_seating", 1) + "?by=table",
        desk.url("print_sheets", 1),
        desk.url("print_standings"),
        desk.url("print_standings") + "?public=1",
    ):
        answer = desk.client.get(address)
        assert answer.status_code == 200
        yield address, answer.content.decode()


def own_texts(desk: Staff) -> Iterator[tuple[str, str]]:
    for address in addresses(desk, "organiser"):
        answer = desk.client.get(address)
        if answer.status_code == 200:
            yield address, b"".join(answer).decode("utf-8", "replace")
    door_address = reverse("door:desk", args=[desk.tournament.slug])
    yield "desk", desk.client.get(f"{door_address}?waiting=1").content.decode()
    yield "people", desk.client.get(reverse("door:person", args=[desk.tournament.slug, 11])).content.decode()


# --- the tests -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("desk", "frozen"), [("schnauz-placing", True), ("knockout", False)], indirect=["desk"]
)
def test_nothing_public_tells_what_was_written_about_people_and_by_whom(desk: Staff, frozen: bool) -> None:
    standings.freeze(desk.tournament, by="x", at=AT)
    if not frozen:
        standings.release(desk.tournament, by="x", at=AT)
    paired = paired_client(desk.tournament)
    marks = plant(desk)
    assert found_in(public_texts(desk, Client()), marks) == set()
    assert {name for _, name in found_in(public_texts(desk, paired), marks)} == ON_PAIRED_SCREENS


def test_what_is_hung_up_tells_nothing_either(desk: Staff) -> None:
    standings.freeze(desk.tournament, by="x", at=AT)
    paired_client(desk.tournament)
    marks = plant(desk)
    del marks["User.username"]  # in the head of the organiser's page, which is not printed
    assert found_in(prints(desk), marks) == set()


def test_the_pages_of_the_organiser_tell_it(desk: Staff) -> None:
    """The control: the marks are where they can be found."""
    standings.freeze(desk.tournament, by="x", at=AT)
    paired_client(desk.tournament)
    marks = plant(desk)
    told = {name for _, name in found_in(own_texts(desk), marks)}
    assert marks.keys() - told <= SHOWN_TO_NOBODY
