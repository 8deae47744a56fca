"""The checker finds the records of whole evenings right, and every forgery where it is."""

import json
import re
import subprocess
from collections.abc import Iterator
from copy import deepcopy
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.utils.translation import override
from factory.random import reseed_random
from pytest_django.plugin import DjangoDbBlocker

from scoring.models import SheetEntry
from scoring.practice.evenings import create_practice_tournament
from scoring.services import sheets
from scoring.services.purge import erase_person
from scoring.services.rounds import DrawOptions, close, draw_again
from scoring.text.record_words import record_words
from tests.check.checking import COUNTS, checked
from tests.check.node import JS, NODE, computed
from tests.compared_evenings import evening as compared_evening
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_played_round, a_round
from tests.scoring import forgeries_of_the_ceremony as forgeries_of_the_ceremony
from tests.scoring.forgeries import FORGERIES, Forgery
from tests.scoring.records import INITIALS, LATER, PRIVATE, Draft, all_records, of_paper, record_text
from tests.security.installation import rolled_back
from tournaments.core.wishes import KeepApart
from tournaments.models import Table, Tournament
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.services import draw_settings, rounds

CHECKED_EVERYWHERE = """
  const { checkRecord } = await load("check/record");
  const { text, places, values } = given;
  const mark = "\\uFFFD";
  const record = JSON.parse(text);
  const around = (path) => {
    const last = path.at(-1);
    const parent = path.slice(0, -1).reduce((part, key) => part[key], record);
    const before = parent[last];
    parent[last] = mark;
    const parts = JSON.stringify(record).split(JSON.stringify(mark));
    parent[last] = before;
    if (parts.length !== 2) throw new Error(path);
    return parts;
  };
  let checked = 0;
  for (const path of places) {
    const parts = around(path);
    for (const value of values) {
      try {
        checkRecord(parts.join(value));
      } catch (wrong) {
        if (!wrong.path) throw wrong;
      }
      checked += 1;
    }
  }
  return checked;
"""
SAID = """
  const { checkRecord } = await load("check/record");
  const { explain, place } = (await load("check/words")).openWords(given.words, "en");
  return given.texts.map((text) => {
    try {
      return checkRecord(text) && null;
    } catch (wrong) {
      return { path: wrong.path, place: place(wrong.place), sentence: explain(wrong) };
    }
  });
"""
PLACES = """
  const { placeOf } = await load("check/places");
  const { place } = (await load("check/words")).openWords(given.words, "en");
  return given.paths.map((path) => place(placeOf(path, given.record)));
"""


@pytest.fixture(scope="module")
def texts(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> dict[str, str]:
    """The records of `all_records`, by name. Nothing of them is left in the database."""
    reseed_random("records")  # type: ignore[no-untyped-call]
    with django_db_blocker.unblock(), rolled_back():
        return all_records()


@pytest.fixture(scope="module")
def records(texts: dict[str, str]) -> dict[str, Any]:
    return {name: json.loads(text) for name, text in texts.items()}


@pytest.fixture(scope="module")
def forged(records: dict[str, Any]) -> list[str]:
    """The records of `FORGERIES`."""
    return [forged_record(forgery, records) for forgery in FORGERIES]


def forged_record(forgery: Forgery, records: dict[str, Any]) -> str:
    record = deepcopy(records[forgery.record])
    forgery.change(record, records)
    return json.dumps(record)


def english() -> dict[str, Any]:
    with override("en"):
        words: dict[str, Any] = json.loads(json.dumps(record_words()))
    return words


# --- forgeries -----------------------------------------------------------------------------------------------------


def test_the_records_are_right_before_they_are_forged(texts: dict[str, str]) -> None:
    names = [name for name in texts if name != "document"]
    assert dict(zip(names, checked(*(texts[name] for name in names)), strict=True)) == {
        "frozen": found(draws=3, sheets=3, entries=20, marks=1),
        "placing": found(draws=4, sheets=4, entries=22, marks=2),
        "schafkopf": found(draws=2, lots=1, sheets=4, entries=8, marks=2),
        "knockout": found(draws=2, sheets=3, entries=18, marks=2),
        "wish": found(unchecked=[{"code": "private_wish", "round": 1, "attempt": 1}]),
        "sealed": found(draws=2, sheets=3, entries=8, commitments=4, marks=2),
        "ceremony": found(draws=3, sheets=3, entries=8, commitments=4, marks=2),
        "lot": found(draws=2, lots=1, sheets=4, entries=8, commitments=3, marks=2),
    }


def found(**counts: Any) -> dict[str, Any]:
    return {"unchecked": [], **dict.fromkeys(COUNTS, 0), **counts}


def test_every_forgery_is_found_where_it_is_and_told(forged: list[str]) -> None:
    told = computed(SAID, {"texts": forged, "words": english()})
    missed = [
        (forgery.name, answer)
        for forgery, answer in zip(FORGERIES, told, strict=True)
        if answer is None
        or not re.fullmatch(forgery.path, answer["path"])
        or forgery.what.lower() not in answer["sentence"].lower()
        or "%(" in answer["sentence"]
    ]
    assert missed == []


def test_every_forgery_changes_its_record(records: dict[str, Any], forged: list[str]) -> None:
    """The control: a check that checks nothing would find none of them."""
    assert len({forgery.name for forgery in FORGERIES}) == len(FORGERIES) > 80
    for forgery, text in zip(FORGERIES, forged, strict=True):
        assert text != json.dumps(records[forgery.record]), forgery.name


def test_places_are_told_in_words_with_the_numbers_of_the_record(records: dict[str, Any]) -> None:
    record = deepcopy(records["placing"])
    record["rounds"][0]["tables"][1]["number"] = 7
    told = {
        "$.rounds[0].tables[1].entries[2].digest": "Round 1, Table 7, entry 3",
        "$.rounds[0].draw.abandoned[0].wishes[0].a": "Round 1, Draw, abandoned attempt 1, wish 1",
        "$.rounds[0].draw.changes[0]": "Round 1, Draw, change 1",
        "$.rounds[1].draw.history[0]": "Round 2, Draw, history of round 1",
        "$.standings.rows[0].by_round[1]": f"Standings, row of player {record['standings']['rows'][0]['start_number']}, Round 2",
        "$.rounds[99].tables[0]": "Round 100, Table 1",
        "$.tournament.ruleset": "",
    }
    found = computed(PLACES, {"paths": list(told), "record": record, "words": english()})
    assert dict(zip(told, found, strict=True)) == told


def test_any_value_in_any_place_is_right_or_a_contradiction(texts: dict[str, str]) -> None:
    values = ["null", "true", "-1", '"x"', "[{}]", '{"toString": 1, "__proto__": {}}', "1.0", "1e9"]
    for name in ("schafkopf", "ceremony", "lot"):
        all_places = list(places(json.loads(texts[name])))
        given = {"text": texts[name], "places": all_places, "values": values}
        assert computed(CHECKED_EVERYWHERE, given) == len(all_places) * len(values)


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


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("", "$"),
        ("{", "$"),
        ("[1,]", "$"),
        ('{"a": 1,}', "$"),
        ("[] []", "$"),
        ("01", "$"),
        ("\ufeff{}", "$"),
        ("nul", "$"),
        ("null", "$"),
        ("[]", "$"),
        ('"\t"', "$"),
        ('"\\x"', "$"),
        ("[" * 99, "$" + "[0]" * 32),
        ('{"schema": "schnauz-record/1", "schema": 1}', "$.schema"),
        ('{"__proto__": 1, "__proto__": 1}', "$.__proto__"),
        ('{"schema": 1.0}', "$.schema"),
        ('{"schema": [0, 1e999]}', "$.schema[1]"),
        ('{"schema": 9007199254740993}', "$.schema"),
        ('{"schema": "\\ud800"}', "$.schema"),
        ('{"schema": "\\u0000"}', "$.schema"),
        ('{"schema": {"a b": -1e5}}', '$.schema["a b"]'),
    ],
)
def test_a_text_that_two_could_read_differently_is_refused(text: str, path: str) -> None:
    [answer] = checked(text)
    assert answer["path"] == path, answer


# --- evenings ------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("name", PRESETS)
def test_an_evening_under_every_rule_sheet_is_right(name: str) -> None:
    tournament = TournamentFactory.create(slug=name, ruleset=preset(name).to_dict())
    compared_evening(tournament, name, "decided")
    [before] = checked(record_text(tournament))
    assert before["draws"] == tournament.rounds.count() >= 2
    assert before["sheets"] > 2
    erase_person(tournament, 2, by="leitung", at=AT)
    tournament.names = Tournament.Names.NUMBER
    tournament.save()
    assert checked(record_text(tournament)) == [before]


@pytest.mark.django_db
def test_the_practice_tournament_is_right() -> None:
    tournament = create_practice_tournament(slug="uebung", owner=None, at=AT)
    tournament.public_until_on = date(2199, 1, 1)
    tournament.save()
    [answer] = checked(record_text(tournament))
    assert (answer["draws"], answer["sheets"], answer["unchecked"]) == (2, 11, [])


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
    record = json.loads(text)
    record["rounds"][1]["draw"]["made_at"] = "2026-11-21T20:00:00Z"
    right, wrong = checked(text, json.dumps(record))
    assert right["sheets"] == 2
    assert wrong["path"] == "$.rounds[1].draw.players"


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
    [answer] = checked(record_text(tournament))
    assert (answer["draws"], answer["sheets"], len(answer["unchecked"])) == (2, 2, 2)


# --- what is private -----------------------------------------------------------------------------------------------


def test_nothing_private_is_in_a_record(texts: dict[str, str]) -> None:
    """The control is the tournament document: what was planted is there."""
    assert texts["document"].count(PRIVATE) > 20
    assert texts["document"].count(f'"{INITIALS}"') > 3
    for name in texts.keys() - {"document"}:
        assert PRIVATE not in texts[name]
        assert INITIALS not in texts[name]


# --- the command line ----------------------------------------------------------------------------------------------


def run(*arguments: str, text: str = "") -> tuple[int, str]:
    """Return exit status and output of the command line."""
    command = [NODE, str(JS / "check/command_line.js"), *arguments]
    done = subprocess.run(command, input=text, capture_output=True, encoding="utf-8", check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_command_line_says_how_much_is_right(texts: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "record.json"
    file.write_text(texts["schafkopf"], encoding="utf-8")
    right = "right: 2 draws, 1 lots, 4 sheets, 8 entries, 0 commitments, 2 marks\n"
    assert run(str(file)) == run("-", text=texts["schafkopf"]) == (0, right)
    wish = "cannot be repeated: private wish (round: 1, attempt: 1)\n"
    assert run("-", text=texts["wish"]) == (
        0,
        f"{wish}right: 0 draws, 0 lots, 0 sheets, 0 entries, 0 commitments, 0 marks\n",
    )


def test_the_command_line_tells_a_contradiction_in_a_printable_line(records: dict[str, Any]) -> None:
    record = deepcopy(records["placing"])
    record["standings"]["final"] = True
    wrong = "$.standings.final: should be (found: true, expected: false)\n"
    assert run("-", text=json.dumps(record)) == (1, wrong)
    record["rounds"][0]["tables"][1]["entries"][2]["digest"] = "\x9b31m\n"
    status, line = run("-", text=json.dumps(record))
    assert status == 1
    path = r"\$\.rounds\[0\]\.tables\[1\]\.entries\[2\]\.digest"
    assert re.fullmatch(rf'{path}: should be \(found: "\ufffd31m\\n", expected: "[0-9a-f]{{64}}"\)\n', line)


@pytest.mark.parametrize("arguments", [[], ["nothing.json"]])
def test_the_command_line_needs_a_file(arguments: list[str]) -> None:
    status, line = run(*arguments)
    assert status == 2
    assert len(line.splitlines()) == 1
