"""Tests of the database's triggers and constraints, which apply to every program that writes to it."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from scoring.models import Sheet, SheetEntry
from scoring.services import sheets
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tournaments.models import Round, Seat, Table, Tournament
from tournaments.services import door

Sql = Callable[..., None]


@pytest.fixture
def tournament(db: None) -> Tournament:
    """Return a tournament with one round, one entry on a sheet, one payment, and one change of a player."""
    tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(6, tournament=tournament)
    table = a_round(tournament).tables.get()
    sheets.write(table, [("objected", {"seat_number": 1, "note": "So nicht"})], by="spielleitung", at=AT)
    door.take_fee(tournament, 1, by="kasse", at=AT)
    door.name_in_public(tournament, 1, names="number", by="kasse", at=AT)
    with connection.cursor() as cursor:  # check deferred constraints as at the end of a transaction
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    return tournament


@pytest.fixture
def run() -> Sql:
    def run_sql(statement: str, *parameters: int) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, parameters)

    return run_sql


@pytest.mark.parametrize("table", ["scoring_sheetentry", "tournaments_payment", "tournaments_personchange"])
@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE {table} SET id = id",
        "DELETE FROM {table}",
        "TRUNCATE {table} CASCADE",
        "TRUNCATE {table}",
    ],
)
def test_log_and_ledger_are_append_only(tournament: Tournament, run: Sql, table: str, statement: str) -> None:
    with pytest.raises(DatabaseError, match="append-only"):
        run(statement.format(table=table))


@pytest.mark.parametrize(
    "change",
    [
        "data = '{\"seat_number\": 2}'",
        "kind = 'confirmed'",
        "sequence = 7",
        "by = 'scribe'",
        "made_at = now()",
        "text = 'Anders'",
        "text = ''",
        "text = '–'",
    ],
)
def test_no_column_of_an_entry_can_be_changed(tournament: Tournament, run: Sql, change: str) -> None:
    with pytest.raises(DatabaseError, match="append-only"):
        run(f"UPDATE scoring_sheetentry SET {change}")


def test_the_purge_may_blank_free_text_and_nothing_else(tournament: Tournament, run: Sql) -> None:
    run("SET LOCAL schnauz.purge = 'on'")
    run("UPDATE scoring_sheetentry SET text = '–'")

    assert SheetEntry.objects.get(tournament=tournament).text == "–"
    with pytest.raises(DatabaseError, match="append-only"):
        run("UPDATE scoring_sheetentry SET text = 'Anders'")
    with pytest.raises(DatabaseError, match="append-only"):
        run("UPDATE scoring_sheetentry SET text = '–', data = '{}'")
    with pytest.raises(DatabaseError, match="append-only"):
        run("UPDATE tournaments_payment SET cents = 1")
    with pytest.raises(DatabaseError, match="append-only"):
        run("TRUNCATE scoring_sheetentry CASCADE")


def test_an_entry_id_is_there_once_in_a_tournament(tournament: Tournament) -> None:
    entry = SheetEntry.objects.get(tournament=tournament)

    with pytest.raises(DatabaseError, match="entry_once"), transaction.atomic():
        SheetEntry.objects.create(
            tournament=tournament,
            sheet=entry.sheet,
            sequence=2,
            entry_id=entry.entry_id,
            kind="submitted",
            data={},
            by="scribe",
            made_at=AT,
            recorded_at=AT,
        )


def test_two_entries_of_one_sheet_never_share_their_place(tournament: Tournament) -> None:
    entry = SheetEntry.objects.get(tournament=tournament)

    with pytest.raises(DatabaseError, match="entry_sequence_once"), transaction.atomic():
        SheetEntry.objects.create(
            tournament=tournament,
            sheet=entry.sheet,
            sequence=1,
            entry_id=uuid4(),
            kind="submitted",
            data={},
            by="scribe",
            made_at=AT,
            recorded_at=AT,
        )


def test_a_table_with_entries_cannot_be_deleted(tournament: Tournament, run: Sql) -> None:
    sheet = Sheet.objects.get(table__round__tournament=tournament)

    with pytest.raises(DatabaseError, match="violates foreign key"):
        run("DELETE FROM scoring_sheet WHERE id = %s", sheet.pk)


def test_a_player_sits_once_in_a_round(tournament: Tournament) -> None:
    seat = Seat.objects.filter(tournament=tournament).first()
    assert seat is not None

    with pytest.raises(DatabaseError, match="seat_once_a_round"), transaction.atomic():
        Seat.objects.create(
            tournament=tournament,
            round=seat.round,
            table=seat.table,
            participant=seat.participant,
            seat_number=7,
        )


def test_a_round_has_one_number(tournament: Tournament) -> None:
    with pytest.raises(DatabaseError, match="round"), transaction.atomic():
        Round.objects.create(tournament=tournament, number=1, drawn_at=AT)


def test_nobody_of_another_tournament_gets_a_seat(tournament: Tournament) -> None:
    stranger = ParticipantFactory.create()
    table = Table.objects.get(round__tournament=tournament)

    with pytest.raises(DatabaseError, match="seat_participant_of_tournament"), transaction.atomic():
        Seat.objects.create(
            tournament=tournament, round=table.round, table=table, participant=stranger, seat_number=7
        )


@pytest.mark.parametrize("foreign", ["tournament", "round", "table"])
def test_a_seat_stands_in_one_tournament_round_and_table(tournament: Tournament, foreign: str) -> None:
    other = TournamentFactory.create()
    ParticipantFactory.create_batch(6, tournament=other)
    other_table = a_round(other).tables.get()
    newcomer = ParticipantFactory.create(tournament=tournament)
    table = Table.objects.get(round__tournament=tournament)
    own = {"tournament": tournament, "round": table.round, "table": table}
    strange = {"tournament": other, "round": other_table.round, "table": other_table}

    with pytest.raises(DatabaseError, match="seat_"), transaction.atomic():
        Seat.objects.create(**{**own, foreign: strange[foreign]}, participant=newcomer, seat_number=7)
