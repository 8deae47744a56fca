"""Marks of closed rounds: one at the end of a round, another one after each change of a sheet that counts."""

import json
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test import Client

from scoring.core.marks import mark_of, round_digest
from scoring.documents import dump, export_tournament, import_tournament
from scoring.models import RoundMark, SheetEntry
from scoring.queries.marks import public_marks
from scoring.queries.public_view import public_view
from scoring.services import purge, rounds, sheets, standings
from scoring.services.projection import wrong_digests, wrong_marks
from tests.factories import AT, ParticipantFactory, TournamentFactory, UserFactory, a_paper_sheet, a_round
from tests.races import while_uncommitted
from tests.scoring.services.test_digests import behind_the_back, told
from tournaments.core.document_reader import DocumentError
from tournaments.models import Table, Tournament


@pytest.fixture
def tournament(db: None) -> Tournament:
    """Return a tournament whose first round, of two tables, is closed."""
    made: Tournament = TournamentFactory.create(slug="herbst", owner=UserFactory.create())
    ParticipantFactory.create_batch(10, tournament=made)
    close(made, 1)
    return made


def close(tournament: Tournament, number: int) -> None:
    for table in a_round(tournament, number).tables.order_by("number"):
        a_paper_sheet(table)
    rounds.close(tournament, number, at=AT)


def table(tournament: Tournament, number: int = 1, round_number: int = 1) -> Table:
    return Table.objects.get(round__tournament=tournament, round__number=round_number, number=number)


def correct(tournament: Tournament, number: int = 1, round_number: int = 1, *, accept: bool = True) -> None:
    at = AT + timedelta(hours=1)
    place = table(tournament, number, round_number)
    sheets.write(place, [("reopened", {"reason": "doch anders"})], by="leitung", at=at)
    if accept:
        sheets.write(place, [("accepted", {"reason": "so stimmt es"})], by="leitung", at=at)


def marks(tournament: Tournament) -> list[tuple[int, int, list[int]]]:
    return [(mark.number, mark.round_number, mark.tables) for mark in tournament.marks.all()]


def last_digest(place: Table) -> str:
    return SheetEntry.objects.filter(sheet__table=place).latest("sequence").digest


# --- when there is one ---------------------------------------------------------------------------------------------


def test_a_closed_round_has_a_mark_over_its_draw_and_its_sheets(tournament: Tournament) -> None:
    [mark] = tournament.marks.all()
    assert (mark.number, mark.round_number, mark.tables, mark.made_at) == (1, 1, [], AT)
    assert mark.value["sheets"] == [
        {"table": number, "digest": last_digest(table(tournament, number))} for number in (1, 2)
    ]
    assert mark.digest == round_digest("", mark.value)


def test_the_next_round_goes_on_from_the_mark_before(tournament: Tournament) -> None:
    close(tournament, 2)
    first, second = tournament.marks.all()
    assert (second.round_number, second.digest) == (2, round_digest(first.digest, second.value))
    assert first.value["draw"] != second.value["draw"]


def test_a_correction_gives_a_new_mark_while_it_is_open_and_when_it_is_accepted_again(
    tournament: Tournament,
) -> None:
    close(tournament, 2)
    correct(tournament, 2)
    assert marks(tournament) == [(1, 1, []), (2, 2, []), (3, 1, [2]), (4, 1, [2])]
    open_again, accepted = tournament.marks.all()[2:]
    assert [sheet["table"] for sheet in open_again.value["sheets"]] == [1]
    assert [sheet["table"] for sheet in accepted.value["sheets"]] == [1, 2]
    assert wrong_marks(tournament) == []


def test_a_round_in_play_has_no_mark(tournament: Tournament) -> None:
    place = a_round(tournament, 2).tables.first()
    assert place is not None
    a_paper_sheet(place)
    assert marks(tournament) == [(1, 1, [])]


def test_changes_of_sheets_that_do_not_count_make_no_mark(tournament: Tournament) -> None:
    correct(tournament, accept=False)
    sheets.write(table(tournament), [("objected", {"seat_number": 1, "note": "nein"})], by="leitung", at=AT)
    assert len(marks(tournament)) == 2


# --- two at once ---------------------------------------------------------------------------------------------------


def test_two_corrections_at_once_are_one_chain(committed: None) -> None:
    made = TournamentFactory.create()
    ParticipantFactory.create_batch(10, tournament=made)
    close(made, 1)
    assert _both_correct(made) is None
    assert [mark.number for mark in made.marks.all()] == list(range(1, 6))
    assert wrong_marks(made) == []


def test_without_the_lock_one_of_both_would_fail(committed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: the second one reads the last mark before the first one has made its own."""
    made = TournamentFactory.create()
    ParticipantFactory.create_batch(10, tournament=made)
    close(made, 1)
    monkeypatch.setattr("scoring.services.sheets.lock_tournament_of", lambda _table_id: None)
    assert isinstance(_both_correct(made), IntegrityError)


def _both_correct(made: Tournament) -> object:
    """Let both tables be corrected in transactions that end together; return the error of the second one."""
    (second,) = while_uncommitted(partial(correct, made, 1), partial(correct, made, 2))
    return second


# --- what the database and the command say -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "statement", ["UPDATE scoring_roundmark SET tables = '[]'", "DELETE FROM scoring_roundmark"]
)
def test_the_database_lets_nobody_change_a_mark(tournament: Tournament, statement: str) -> None:
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE scoring_roundmark SET digest = repeat('a', 64) WHERE number = 1",
        "UPDATE scoring_roundmark SET value = value || '{\"draw\": null}' WHERE number = 1",
        "UPDATE tournaments_drawattempt SET seed = repeat('b', 64)",
        "UPDATE scoring_seatresult SET accepted = false",
        "DELETE FROM scoring_roundmark WHERE number = 1",
    ],
    ids=["digest", "value", "draw", "sheet", "dropped"],
)
def test_a_change_behind_the_triggers_is_found(tournament: Tournament, change: str) -> None:
    correct(tournament)
    behind_the_back(change)
    assert wrong_marks(tournament)
    assert told("rebuild_results").startswith("1: ")


def test_a_whole_evening_is_right(tournament: Tournament) -> None:
    correct(tournament)
    assert told("rebuild_results").startswith("0: no differences")


def test_a_tournament_is_deleted_with_its_marks(tournament: Tournament) -> None:
    purge.delete_tournament(tournament, typed=tournament.name, by="leitung", at=AT)
    assert RoundMark.objects.count() == 0


def test_erasing_a_person_leaves_all_marks_valid(tournament: Tournament) -> None:
    purge.erase_person(tournament, 3, by="leitung", at=AT)
    assert (wrong_digests(tournament), wrong_marks(tournament)) == ([], [])


# --- the document --------------------------------------------------------------------------------------------------


def document(tournament: Tournament) -> dict[str, Any]:
    exported = json.loads(dump(export_tournament(tournament)))
    exported["tournament"]["slug"] = "zurueck"
    return dict(exported)


def test_marks_come_back_as_they_were(tournament: Tournament) -> None:
    correct(tournament)
    back = import_tournament(dump(document(tournament)), at=AT)
    columns = ("number", "round_number", "value", "tables", "digest", "made_at")
    assert list(back.marks.values_list(*columns)) == list(tournament.marks.values_list(*columns))
    assert wrong_marks(back) == []


@pytest.mark.parametrize("key", ["draw", "sheets", "digest", "round"])
def test_a_changed_mark_of_a_document_is_refused(tournament: Tournament, key: str) -> None:
    exported = document(tournament)
    exported["marks"][0][key] = {"draw": None, "sheets": [], "digest": "0" * 64, "round": 2}[key]
    with pytest.raises(DocumentError) as refused:
        import_tournament(dump(exported), at=AT)
    assert (refused.value.path, refused.value.refusal.code) == ("$.marks[0].digest", "mark_does_not_match")


# --- shown ---------------------------------------------------------------------------------------------------------


def shown(tournament: Tournament) -> list[str]:
    return [row.mark for row in public_marks(tournament)]


def test_hall_wall_draw_page_and_paper_show_the_latest_mark(tournament: Tournament, client: Client) -> None:
    correct(tournament)
    mark = mark_of(tournament.marks.latest("number").digest)
    for address in ("", "screen/", "rounds/1/"):
        assert mark in client.get(f"/t/herbst/{address}").content.decode(), address
    client.force_login(tournament.memberships.get().user)
    paper = client.get("/o/herbst/print/standings/").content.decode()
    assert all(text in paper for text in shown(tournament))
    assert "1. Spielrunde, Tisch 1 geändert um 20:30:" in " ".join(paper.split())


def test_a_correction_during_a_freeze_shows_no_new_mark(tournament: Tournament) -> None:
    before = shown(tournament)
    standings.freeze(tournament, by="x", at=AT + timedelta(minutes=1))
    correct(tournament)
    assert shown(tournament) == before
    view = public_view("herbst").round
    assert view is not None
    assert [view.mark] == before
    standings.release(tournament, by="x", at=AT + timedelta(hours=2))
    assert len(shown(tournament)) == 3
    released = public_view("herbst").round
    assert released is not None
    assert released.mark == shown(tournament)[-1]
