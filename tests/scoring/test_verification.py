"""The verification of a record: records of whole evenings are right, and every forgery is found, with its place in words."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from factory.random import reseed_random
from pytest_django.plugin import DjangoDbBlocker

from scoring.documents import import_tournament
from scoring.management import download
from scoring.models import Sheet, SheetEntry
from scoring.practice.evenings import create_practice_tournament
from scoring.services import sheets
from scoring.services.purge import erase_person
from scoring.services.rounds import DrawOptions, close, draw_again
from scoring.verification.contradiction import Contradiction
from scoring.verification.record import VerifiedRecord, verify_record
from tests.compared_evenings import evening as compared_evening
from tests.conftest import ROOT
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_played_round, a_round
from tests.scoring import forgeries_of_the_ceremony as forgeries_of_the_ceremony
from tests.scoring.evenings import evening, text_of
from tests.scoring.forgeries import FORGERIES, Forgery
from tests.scoring.records import INITIALS, LATER, PRIVATE, Draft, all_records, of_paper, record_text
from tests.security.installation import rolled_back
from tournaments.core.wishes import KeepApart
from tournaments.models import Table, Tournament
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.services import draw_settings, rounds


@pytest.fixture(scope="module")
def texts(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> dict[str, str]:
    """The records of `all_records`, by name. Nothing of them is left in the database."""
    reseed_random("records")  # type: ignore[no-untyped-call]
    with django_db_blocker.unblock(), rolled_back():
        return all_records()


class Records(dict[str, Any]):
    """The records by name, each read when it is asked for."""

    def __init__(self, texts: dict[str, str]) -> None:
        self.texts = texts

    def __missing__(self, name: str) -> Any:
        self[name] = json.loads(self.texts[name])
        return self[name]


@pytest.fixture
def records(texts: dict[str, str]) -> Records:
    return Records(texts)


def contradiction_of(record: Any) -> Contradiction | None:
    try:
        verify_record(json.dumps(record))
    except Contradiction as contradiction:
        return contradiction
    return None


# --- forgeries -----------------------------------------------------------------------------------------------------


def test_the_records_are_right_before_they_are_forged(texts: dict[str, str]) -> None:
    verified = {name: verify_record(text) for name, text in texts.items() if name != "document"}
    assert verified == {
        "frozen": found(draws=3, sheets=3, entries=20, marks=1),
        "placing": found(draws=4, sheets=4, entries=22, marks=2),
        "schafkopf": found(draws=2, lots=1, sheets=4, entries=8, marks=2),
        "knockout": found(draws=2, sheets=3, entries=18, marks=2),
        "wish": found(
            unchecked=("round 1, attempt 1, since a wish is private and so the seed is not public",)
        ),
        "sealed": found(draws=2, sheets=3, entries=8, commitments=4, marks=2),
        "ceremony": found(draws=3, sheets=3, entries=8, commitments=4, marks=2),
        "lot": found(draws=2, lots=1, sheets=4, entries=8, commitments=3, marks=2),
    }


def found(**counts: Any) -> VerifiedRecord:
    nothing = dict.fromkeys(("draws", "lots", "sheets", "entries", "commitments", "marks"), 0)
    return VerifiedRecord(**{"unchecked": (), **nothing, **counts})


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)
def test_a_forgery_is_found_where_it_is(records: dict[str, Any], forgery: Forgery) -> None:
    record = deepcopy(records[forgery.record])
    forgery.change(record, records)
    contradiction = contradiction_of(record)
    assert contradiction is not None
    assert re.fullmatch(forgery.path, contradiction.path), contradiction
    assert forgery.what in contradiction.what, contradiction


def test_every_forgery_changes_its_record(records: dict[str, Any]) -> None:
    """The control: a verification that checks nothing would find none of them."""
    assert len({forgery.name for forgery in FORGERIES}) == len(FORGERIES) > 80
    for forgery in FORGERIES:
        record = deepcopy(records[forgery.record])
        forgery.change(record, records)
        assert json.dumps(record) != json.dumps(records[forgery.record]), forgery.name


def test_a_contradiction_is_one_line_with_its_place_in_words(records: dict[str, Any]) -> None:
    record = records["placing"]
    record["rounds"][0]["tables"][1]["entries"][2]["digest"] = "\x9b31m\n"
    line = str(contradiction_of(record))
    place = r"\$\.rounds\[0\]\.tables\[1\]\.entries\[2\]\.digest \(round 1, table 2, entry 3\): "
    assert re.fullmatch(
        place + 'It is "\N{REPLACEMENT CHARACTER}31m.+". It should be "[0-9a-f]{64}"\\.', line
    )


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{", '{"schema": 1, "schema": 2}', "[" * 99, '"x"', "1e999"]
)
def test_what_is_no_record_is_said_to_be_none(text: str) -> None:
    with pytest.raises(Contradiction):
        verify_record(text)


@pytest.mark.parametrize("value", [None, True, -1, "x", [{}]])
def test_no_value_anywhere_makes_it_fail(records: dict[str, Any], value: Any) -> None:
    """It is right or a contradiction, and nothing else, whatever stands in place of each value."""
    for *path, last in list(places(records["schafkopf"])):
        parent = records["schafkopf"]
        for key in path:
            parent = parent[key]
        right, parent[last] = parent[last], value
        contradiction_of(records["schafkopf"])
        parent[last] = right


def places(record: Any) -> Iterator[list[Any]]:
    """Yield the path of each key, and of the first item of each list. The ruleset has a reader of its own."""
    items = (
        record.items()
        if isinstance(record, dict)
        else enumerate(record[:1])
        if isinstance(record, list)
        else ()
    )
    for key, value in items:
        yield [key]
        if key != "ruleset":
            yield from ([key, *rest] for rest in places(value))


# --- evenings ------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("name", PRESETS)
def test_an_evening_under_every_rule_sheet_is_right(name: str) -> None:
    tournament = TournamentFactory.create(slug=name, ruleset=preset(name).to_dict())
    compared_evening(tournament, name, "decided")
    before = verify_record(record_text(tournament))
    assert before.draws == tournament.rounds.count() >= 2
    assert before.sheets > 2
    erase_person(tournament, 2)
    tournament.names = Tournament.Names.NUMBER
    tournament.save()
    assert verify_record(record_text(tournament)) == before


@pytest.mark.django_db
def test_the_practice_tournament_is_right() -> None:
    tournament = create_practice_tournament(slug="uebung", owner=None, at=AT)
    tournament.public_until_on = date(2199, 1, 1)
    tournament.save()
    verified = verify_record(record_text(tournament))
    assert (verified.draws, verified.sheets, verified.unchecked) == (2, 11, ())


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(8))
def test_a_random_evening_that_was_imported_is_right(seed: int) -> None:
    tournament = import_tournament(text_of(evening(seed, "abend")), at=AT)
    verified = verify_record(record_text(tournament))
    accepted = Sheet.objects.filter(results__accepted=True).distinct().count()
    assert (verified.draws, verified.sheets) == (2, accepted)


@pytest.mark.django_db
def test_a_correction_after_the_next_draw_of_a_knockout_is_right() -> None:
    """Who goes on was decided by the sheet as it was. The control is a draw after the correction."""
    tournament = TournamentFactory.create(slug="knockout", ruleset=preset("knockout").to_dict())
    ParticipantFactory.create_batch(10, tournament=tournament)
    first = a_played_round(tournament).tables.order_by("number")[0]
    a_round(tournament, 2)
    ranked = SheetEntry.objects.get(sheet__table=first, kind="ranked")
    turned = {"ranks": {str(seat): 6 - seat for seat in range(1, 6)}}
    correction: list[Draft] = [
        ("reopened", {"reason": "x"}),
        ("corrected", {"entry": str(ranked.entry_id), "data": turned, "reason": "x"}),
        ("accepted", {"reason": "x"}),
    ]
    sheets.write(first, correction, by="x", at=LATER)
    text = record_text(tournament)
    assert verify_record(text).sheets == 2
    record = json.loads(text)
    record["rounds"][1]["draw"]["made_at"] = "2026-11-21T20:00:00Z"
    contradiction = contradiction_of(record)
    assert contradiction is not None
    assert contradiction.path == "$.rounds[1].draw.players"


@pytest.mark.django_db
def test_private_wishes_hide_the_draws_of_rounds_drawn_ahead() -> None:
    tournament = TournamentFactory.create(slug="schafkopf", ruleset=preset("schafkopf").to_dict())
    ParticipantFactory.create_batch(8, tournament=tournament)
    for number in (1, 2):
        a_round(tournament, number, released=False)
    draw_settings.add_wish(tournament, KeepApart(1, 2, "x", private=True))
    draw_again(tournament, 1, options=DrawOptions(), reason="x", by="x", at=AT)
    pair = [
        table.seats.get(seat_number=1).participant.start_number
        for table in Table.objects.filter(round__number=1)
    ]
    rounds.swap(tournament, 1, a=pair[0], b=pair[1], reason="x", by="x", at=AT)
    rounds.release(tournament, 1, reason="x", at=AT)
    of_paper(tournament, 1)
    close(tournament, 1, at=AT)
    rounds.release(tournament, 2, reason="x", at=AT)
    verified = verify_record(record_text(tournament))
    assert (verified.draws, verified.sheets, len(verified.unchecked)) == (2, 2, 2)


# --- what is private -----------------------------------------------------------------------------------------------


def test_nothing_private_is_in_a_record(texts: dict[str, str]) -> None:
    """The control is the tournament document: what was planted is there."""
    assert texts["document"].count(PRIVATE) > 20
    assert texts["document"].count(f'"{INITIALS}"') > 3
    for name in texts.keys() - {"document"}:
        assert PRIVATE not in texts[name]
        assert INITIALS not in texts[name]


# --- the command ---------------------------------------------------------------------------------------------------


def run(*arguments: str) -> str:
    output = StringIO()
    call_command("verify_record", *arguments, stdout=output)
    return output.getvalue()


def test_the_command_says_how_much_is_right(texts: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(texts["placing"], encoding="utf-8")
    assert run(str(file)) == "Everything is right: 4 draws, 4 sheets, 22 entries.\n"
    file.write_text(texts["schafkopf"], encoding="utf-8")
    assert run(str(file)) == "Everything is right: 2 draws, 1 lot, 4 sheets, 8 entries.\n"
    file.write_text(texts["wish"], encoding="utf-8")
    assert run(str(file)) == (
        "Cannot be repeated: round 1, attempt 1, since a wish is private and so the seed is not public.\n"
        "Everything else is right: 0 draws, 0 sheets, 0 entries.\n"
    )


def test_the_command_needs_no_database_and_ends_with_1_and_one_line(texts: dict[str, str]) -> None:
    """It is started as in a terminal, with a database that does not exist, and reads standard input."""
    environment = {**os.environ, "DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing"}
    command = [sys.executable, str(ROOT / "manage.py"), "verify_record", "-"]

    text = texts["knockout"].replace('"final": true', '"final": false')
    wrong = subprocess.run(
        command, input=text, capture_output=True, text=True, env=environment, check=False, cwd=ROOT
    )
    assert (wrong.returncode, wrong.stdout) == (1, "")
    line = "CommandError: $.standings.final (the standings): It is false. It should be true.\n"
    assert wrong.stderr == line


@pytest.fixture
def server(texts: dict[str, str]) -> Iterator[str]:
    """Serve a record, a redirect to it and to a file, an endless answer, and 404; yield the address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            goals = {"/moved": "/record.json", "/file": "file:///etc/hostname", "/ftp": "ftp://127.0.0.1/x"}
            if self.path in goals:
                self.send_response(302)
                self.send_header("Location", goals[self.path])
                self.end_headers()
                return
            self.send_response(200 if self.path in ("/record.json", "/endless") else 404)
            self.end_headers()
            if self.path == "/record.json":
                self.wfile.write(texts["schafkopf"].encode())
            with suppress(OSError):
                while self.path == "/endless":
                    self.wfile.write(b" ")

        def log_message(self, *args: Any) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as served:
        thread = Thread(target=served.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}"
        served.shutdown()
        thread.join()


@pytest.mark.parametrize("path", ["/record.json", "/moved"])
def test_the_command_reads_a_record_from_the_web(server: str, path: str) -> None:
    assert run(f"{server}{path}").startswith("Everything is right: 2 draws")


@pytest.mark.parametrize(
    ("path", "told"), [("/none", "404"), ("/file", "file"), ("/ftp", "ftp"), ("/endless", "200 bytes")]
)
def test_the_command_reads_nothing_else(server: str, settings: Any, path: str, told: str) -> None:
    settings.DOCUMENT_CHARACTERS = 200
    with pytest.raises(CommandError, match=told):
        run(f"{server}{path}")


def test_the_command_does_not_wait_for_ever(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "SECONDS", 0.2)
    with pytest.raises(CommandError, match=r"takes longer than 0\.2 seconds"):
        run(f"{server}/endless")


@pytest.mark.parametrize(
    "source", ["file:///etc/hostname", "ftp://127.0.0.1/x", "nothing.json", "http://[", "http://"]
)
def test_another_source_is_refused(source: str) -> None:
    with pytest.raises(CommandError):
        run(source)
