"""The public record: what the standings shown are made of, and nothing of a sheet that they do not count."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.core.marks import mark_of
from scoring.documents import export_tournament
from scoring.models import SheetEntry
from scoring.public.record import record_of
from scoring.queries.standings import tied_groups
from scoring.services import sheets, standings
from scoring.services.purge import erase_person
from scoring.services.rounds import close
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_paper_sheet, a_played_round, a_round
from tests.races import at_once
from tournaments.core.wishes import KeepApart
from tournaments.models import Participant, Tournament
from tournaments.page_cache import page_cache
from tournaments.rulesets.loader import preset
from tournaments.services import exclusion, rounds
from tournaments.services.draw_settings import add_wish

LATER = AT + timedelta(hours=1)
Draft = tuple[str, dict[str, Any]]


@pytest.fixture
def tournament(db: None) -> Tournament:
    made = TournamentFactory.create()
    ParticipantFactory.create_batch(10, tournament=made)
    return made


def record(tournament: Tournament) -> dict[str, Any]:
    answer = Client().get(f"/t/{tournament.slug}/record.json")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    found: dict[str, Any] = answer.json()
    return found


def sheet(tournament: Tournament, round_number: int = 1, table: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = record(tournament)["rounds"][round_number - 1]["tables"][table - 1]
    return found


def numbers(found: dict[str, Any]) -> list[int]:
    return [person["start_number"] for person in found["participants"]]


# --- content -------------------------------------------------------------------------------------------------------


def test_it_names_its_schema_and_has_these_parts(tournament: Tournament) -> None:
    a_played_round(tournament)
    found = record(tournament)
    assert list(found) == [
        *("schema", "tournament", "participants", "rounds", "commitments", "decisions", "marks"),
        "standings",
    ]
    assert found["schema"] == "schnauz-record/1"
    assert found["tournament"] == {
        "slug": tournament.slug,
        "name": "Preisschnauzen",
        "date": "2026-11-21",
        "ended_at": None,
        "frozen_at": None,
        "ruleset": tournament.rules.to_dict(),
    }
    public = Client()
    assert found["standings"] == public.get(f"/t/{tournament.slug}/leaderboard.json").json()
    [only] = found["rounds"]
    for table in only["tables"]:
        del table["entries"], table["mark"]
    assert (
        only | {"commitments": [], "is_final": False}
        == public.get(f"/t/{tournament.slug}/rounds/1.json").json()
    )


def test_an_accepted_sheet_has_the_entries_of_the_document_without_text_and_authors(
    tournament: Tournament,
) -> None:
    played = a_played_round(tournament)
    exported = export_tournament(tournament)["rounds"][0]["tables"][0]["entries"]
    for entry, digest in zip(
        exported, SheetEntry.objects.filter(sheet__table__number=1).order_by("sequence"), strict=True
    ):
        for private in ("initials", "author", "recorded_at", "pen_epoch"):
            del entry[private]
        entry["data"].pop("reason", None)
        entry["digest"] = digest.digest
    found = sheet(tournament)
    assert found["entries"] == json.loads(json.dumps(exported))
    assert found["mark"] == mark_of(exported[-1]["digest"])
    assert played.tables.count() == 2


def test_a_sheet_that_does_not_count_is_left_out(tournament: Tournament) -> None:
    table = a_round(tournament).tables.get(number=1)
    sheets.write(table, [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
    assert (sheet(tournament)["entries"], sheet(tournament)["mark"]) == ([], None)
    a_paper_sheet(table)
    assert [entry["kind"] for entry in sheet(tournament)["entries"]] == ["stroke", "ranked", "accepted"]
    sheets.write(table, [("reopened", {"reason": "verlesen"})], by="x", at=AT)
    assert (sheet(tournament)["entries"], sheet(tournament)["mark"]) == ([], None)
    corrected = {"entry": ranked(table), "data": turned(5), "reason": "verlesen"}
    sheets.write(table, [("corrected", corrected), ("accepted", {"reason": "gut"})], by="x", at=AT)
    assert [entry["kind"] for entry in sheet(tournament)["entries"]][3:] == [
        "reopened",
        "corrected",
        "accepted",
    ]


def ranked(table: Any) -> str:
    return str(SheetEntry.objects.get(sheet__table=table, kind="ranked").entry_id)


def turned(seats: int) -> dict[str, Any]:
    return {"ranks": {str(seat): seats + 1 - seat for seat in range(1, seats + 1)}}


def test_a_round_that_is_not_released_is_not_there(tournament: Tournament) -> None:
    a_round(tournament, released=False)
    assert record(tournament)["rounds"] == []
    rounds.release(tournament, 1, at=AT)
    assert [found["number"] for found in record(tournament)["rounds"]] == [1]
    drawn_again: Any = {"players": range(1, 11), "sizes": [5, 5], "mode": "random"}
    rounds.redraw(tournament, 1, **drawn_again, reason="neu", by="x", at=AT)
    assert record(tournament)["rounds"] == []
    rounds.release(tournament, 1, at=AT)
    draw = record(tournament)["rounds"][0]["draw"]
    assert [draw["attempt"], *(one["attempt"] for one in draw["abandoned"])] == [2, 1]


def test_players_are_those_of_the_standings_and_the_excluded_who_have_a_seat(tournament: Tournament) -> None:
    announced = ParticipantFactory.create(
        tournament=tournament, presence=Participant.Presence.ANNOUNCED, name="Kommt Nie"
    )
    gone = ParticipantFactory.create(tournament=tournament, withdrawn_at=AT)
    a_round(tournament)
    exclusion.exclude(tournament, 4, reason="falsch gespielt", by="x", at=LATER)
    tournament.participants.filter(start_number=5).update(withdrawn_at=LATER)
    found = record(tournament)
    assert numbers(found) == list(range(1, 11))
    assert not {announced.start_number, gone.start_number} & set(numbers(found))
    assert [person["excluded_at"] for person in found["participants"][2:5]] == [
        None,
        "2026-11-21T19:30:00Z",
        None,
    ]
    assert [person["withdrawn_at"] for person in found["participants"][3:6]] == [
        None,
        "2026-11-21T19:30:00Z",
        None,
    ]


def test_decisions_have_order_and_seed_and_revoked_ones_stay(db: None) -> None:
    made = TournamentFactory.create(ruleset=preset("schafkopf").to_dict())
    ParticipantFactory.create_batch(4, tournament=made)
    table = a_round(made).tables.get()
    nothing = dict.fromkeys(map(str, range(1, 5)), 0)
    totals = dict.fromkeys(("points", "tout_won", "tout_played", "solo_won", "solo_played"), nothing)
    sheets.write(table, [("totalled", totals), ("accepted", {"reason": "Papier"})], by="x", at=AT)
    [tied] = tied_groups(made)
    first = standings.draw_lot(made, tied, by="x", at=AT, seed="1b" * 32)
    standings.revoke_decision(made, first.pk, by="x", at=LATER)
    second = standings.draw_lot(made, tied, by="x", at=LATER, seed="2c" * 32)
    assert record(made)["decisions"] == [
        {
            "kind": "lot",
            "order": first.order,
            "seed": "1b" * 32,
            "commitment": None,
            "at": "2026-11-21T18:30:00Z",
            "revoked_at": "2026-11-21T19:30:00Z",
        },
        {
            "kind": "lot",
            "order": second.order,
            "seed": "2c" * 32,
            "commitment": None,
            "at": "2026-11-21T19:30:00Z",
            "revoked_at": None,
        },
    ]


def test_a_private_wish_is_a_number_and_takes_the_seed_with_it(tournament: Tournament) -> None:
    add_wish(tournament, KeepApart(1, 2, "streiten", private=True))
    add_wish(tournament, KeepApart(3, 4, "Eheleute"))
    a_round(tournament)
    draw = record(tournament)["rounds"][0]["draw"]
    assert (draw["seed"], draw["private_wishes"]) == (None, 1)
    assert draw["wishes"] == [{"kind": "keep_apart", "a": 3, "b": 4}]


# --- the freeze ----------------------------------------------------------------------------------------------------


def test_the_freeze_holds_back_every_entry_and_decision_after_it(tournament: Tournament) -> None:
    first = a_round(tournament).tables.get(number=1)
    a_paper_sheet(first)
    standings.freeze(tournament, by="x", at=AT)
    before = record(tournament)
    assert before["tournament"]["frozen_at"] == "2026-11-21T18:30:00Z"
    a_paper_sheet(first.round.tables.get(number=2))
    correction: list[Draft] = [
        ("reopened", {"reason": "x"}),
        ("corrected", {"entry": ranked(first), "data": turned(5), "reason": "x"}),
        ("accepted", {"reason": "x"}),
    ]
    sheets.write(first, correction, by="x", at=LATER)
    for group in tied_groups(tournament)[:1]:
        standings.decide(tournament, kind="playoff", order=group, reason="x", by="x", at=LATER)
    assert record(tournament) == before
    assert len(before["rounds"][0]["tables"][0]["entries"]) == 2
    assert before["rounds"][0]["tables"][1]["entries"] == []
    standings.release(tournament, by="x", at=LATER)
    after = record(tournament)
    assert [len(table["entries"]) for table in after["rounds"][0]["tables"]] == [5, 2]
    assert (len(after["decisions"]), after["tournament"]["frozen_at"]) == (1, None)


def test_a_decision_that_a_frozen_standing_counts_stays_when_it_is_revoked(tournament: Tournament) -> None:
    a_played_round(tournament)
    group = tied_groups(tournament)[0]
    made = standings.decide(tournament, kind="playoff", order=group, reason="x", by="x", at=AT)
    standings.freeze(tournament, by="x", at=AT)
    before = record(tournament)
    assert [decision["order"] for decision in before["decisions"]] == [group]
    standings.revoke_decision(tournament, made.pk, by="x", at=LATER)
    standings.decide(tournament, kind="playoff", order=group[::-1], reason="x", by="x", at=LATER)
    assert record(tournament) == before


def test_a_sheet_that_was_open_at_the_freeze_shows_nothing(tournament: Tournament) -> None:
    table = a_round(tournament).tables.get(number=1)
    sheets.write(table, [("stroke", {"seat_number": 1, "mark": "schnauz"})], by="x", at=AT)
    standings.freeze(tournament, by="x", at=AT)
    a_paper_sheet(table)
    assert (sheet(tournament)["entries"], sheet(tournament)["mark"]) == ([], None)


# --- people --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "shown"), [("full", "Anton Oberhuber"), ("short", "Anton O."), ("number", "Nr. 1")]
)
def test_players_are_named_as_on_the_web(db: None, names: str, shown: str) -> None:
    made = TournamentFactory.create(names=names)
    ParticipantFactory.create(tournament=made, name="Anton Oberhuber")
    ParticipantFactory.create_batch(4, tournament=made)
    a_played_round(made)
    exclusion.exclude(made, 1, reason="x", by="x", at=AT)
    assert record(made)["participants"][0]["name"] == shown


def test_an_erased_person_is_a_number_and_all_digests_stay(tournament: Tournament) -> None:
    a_played_round(tournament)
    before = record(tournament)
    erase_person(tournament, 3, by="leitung", at=AT)
    after = record(tournament)
    assert after["participants"][2]["name"] == "Nr. 3"
    assert after["rounds"] == before["rounds"]


def test_it_ends_with_the_public_pages(tournament: Tournament) -> None:
    tournament.public_until_on = timezone.localdate()
    tournament.save()
    address = f"/t/{tournament.slug}/record.json"
    assert Client().get(address).status_code == 200
    tournament.public_until_on -= timedelta(days=1)
    tournament.save()
    assert Client().get(address).status_code == 410
    tournament.public_until_on, tournament.played_on = None, timezone.localdate() - timedelta(days=31)
    tournament.save()
    assert Client().get(address).status_code == 410


# --- reading -------------------------------------------------------------------------------------------------------


def test_as_many_queries_for_an_evening_as_for_a_beginning(db: None) -> None:
    counts = []
    for players, played in ((5, 0), (5, 1), (15, 3)):
        made = TournamentFactory.create()
        ParticipantFactory.create_batch(players, tournament=made)
        for number in range(1, played + 1):
            a_played_round(made, number)
        a_round(made) if not played else None
        with CaptureQueriesContext(connection) as queries:
            record_of(made.slug)
        counts.append(len(queries))
    assert counts == [12, 12, 12]


def test_an_entry_in_play_leaves_it_as_it_is_and_an_accepted_sheet_does_not(committed: None) -> None:
    made = TournamentFactory.create(slug=f"record-{uuid4().hex}")
    ParticipantFactory.create_batch(5, tournament=made)
    table = a_round(made).tables.get()
    page_cache.is_enabled = True

    def queries_after(*entries: Draft) -> int:
        sheets.write(table, list(entries), by="x", at=AT)
        with CaptureQueriesContext(connection) as queries:
            record(made)
        return len(queries)

    try:
        stroke = ("stroke", {"seat_number": 1, "mark": "schnauz"})
        assert queries_after(stroke) > 0
        assert queries_after(stroke) == 0
        assert queries_after(("ranked", turned(5)), ("accepted", {"reason": "x"})) > 0
        assert len(sheet(made)["entries"]) == 4
    finally:
        page_cache.is_enabled = False
        page_cache.clear()


def overtaken(made: Tournament, change: Callable[[], object]) -> dict[str, Any]:
    """Return the record, while another connection commits a change after the first query."""
    waiting = [change]

    def overtake(execute: Any, *arguments: Any) -> Any:
        result = execute(*arguments)
        if waiting and "FROM" in arguments[0]:
            [outcome] = at_once(waiting.pop())
            assert not isinstance(outcome, Exception), outcome
        return result

    with connection.execute_wrapper(overtake):
        return record_of(made.slug)[0]


@pytest.mark.parametrize("is_one_moment", [True, False])
def test_all_of_it_is_read_at_one_moment(committed: None, is_one_moment: bool) -> None:
    """The control reads in a transaction of the usual kind: the sheet is there, and the standings do not count it."""
    made = TournamentFactory.create(slug=f"record-{uuid4().hex}")
    ParticipantFactory.create_batch(5, tournament=made)
    table = a_round(made).tables.get()
    if is_one_moment:
        found = overtaken(made, lambda: a_paper_sheet(table))
    else:
        with transaction.atomic():
            found = overtaken(made, lambda: a_paper_sheet(table))
    is_counted = any(row["points"] for row in found["standings"]["rows"])
    assert not is_counted
    assert bool(found["rounds"][0]["tables"][0]["entries"]) is not is_one_moment
    close(made, 1, at=AT)
