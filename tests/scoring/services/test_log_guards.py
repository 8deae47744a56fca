"""Tests of the database's triggers and constraints, which apply to every program that writes to it."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from pytest_django.plugin import DjangoDbBlocker

from scoring.models import Sheet, SheetEntry
from scoring.services import sheets
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tests.scoring.pages import made_once
from tournaments.models import CashDesk, CashEntry, Round, Seat, Table, Tournament
from tournaments.services import door

Sql = Callable[..., None]


@pytest.fixture(scope="module")
def guarded(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Tournament]:
    with made_once("log guards", django_db_blocker):
        yield with_logs()


@pytest.fixture
def tournament(guarded: Tournament, db: None) -> Tournament:
    return Tournament.objects.get(pk=guarded.pk)


def with_logs() -> Tournament:
    """Return a tournament with one round, one entry on a sheet, one payment, one change of a player, one closed desk."""
    tournament: Tournament = TournamentFactory.create()
    ParticipantFactory.create_batch(6, tournament=tournament)
    table = a_round(tournament).tables.get()
    sheets.write(table, [("objected", {"seat_number": 1, "note": "So nicht"})], by="spielleitung", at=AT)
    door.take_fee(tournament, 1, by="kasse", at=AT, desk="Kasse 1")
    door.name_in_public(tournament, 1, names="number", by="kasse", at=AT)
    desk = tournament.desks.get()
    _line(desk, "out", 500, reason="Karten")
    desk.changes.create(kind="closed", by="kasse", at=AT)
    with connection.cursor() as cursor:  # check deferred constraints as at the end of a transaction
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    return tournament


def _line(desk: CashDesk, kind: str, cents: int, **more: Any) -> CashEntry:
    return CashEntry.objects.create(
        tournament=desk.tournament, desk=desk, kind=kind, cents=cents, by="kasse", at=AT, **more
    )


@pytest.fixture
def run() -> Sql:
    def run_sql(statement: str, *parameters: int) -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, parameters)

    return run_sql


@pytest.mark.parametrize(
    "table",
    [
        "scoring_sheetentry",
        "tournaments_payment",
        "tournaments_personchange",
        "tournaments_cashentry",
        "tournaments_deskchange",
    ],
)
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
    """Of a table that another one names, PostgreSQL itself refuses to truncate it alone."""
    with pytest.raises(DatabaseError, match=r"append-only|cannot truncate a table referenced"):
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


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE tournaments_cashdesk SET name = 'Kasse 9'",
        "DELETE FROM tournaments_cashdesk",
        "TRUNCATE tournaments_cashdesk CASCADE",
    ],
)
def test_a_desk_keeps_its_name(tournament: Tournament, run: Sql, statement: str) -> None:
    with pytest.raises(DatabaseError, match="append-only"):
        run(statement)


@pytest.mark.parametrize("table", ["tournaments_cashentry", "tournaments_deskchange"])
def test_the_purge_may_blank_a_reason_of_a_desk_and_nothing_else(
    tournament: Tournament, run: Sql, table: str
) -> None:
    with pytest.raises(DatabaseError, match="append-only"):
        run(f"UPDATE {table} SET reason = '–'")
    run("SET LOCAL schnauz.purge = 'on'")
    run(f"UPDATE {table} SET reason = '–'")
    for change in ("reason = 'Anders'", "reason = '–', by = 'x'"):
        with pytest.raises(DatabaseError, match="append-only"):
            run(f"UPDATE {table} SET {change}")


@pytest.mark.parametrize(
    ("guard", "kind", "cents", "more"),
    [
        ("cash_kind_known", "gift", 100, {}),
        ("cash_cents_positive", "in", 0, {"reason": "Wechselgeld"}),
        ("cash_cents_positive", "transfer", 0, {}),
        ("cents", "float", -1, {}),
        ("cash_reason_needed", "out", 100, {}),
        ("cash_reason_needed", "in", 100, {}),
        ("cash_transfer_to_another_desk", "transfer", 100, {}),
        ("cash_pieces_of_a_count", "float", 100, {"pieces": {"100": 1}}),
    ],
)
def test_no_other_line_of_a_desk_can_be_written(
    tournament: Tournament, guard: str, kind: str, cents: int, more: dict[str, Any]
) -> None:
    open_desk = CashDesk.objects.create(tournament=tournament, number=2, name="Kasse 2")
    with pytest.raises(DatabaseError, match=guard), transaction.atomic():
        _line(open_desk, kind, cents, **more)


def test_a_line_takes_back_the_same_line_once(tournament: Tournament) -> None:
    desk = CashDesk.objects.create(tournament=tournament, number=2, name="Kasse 2")
    other = CashDesk.objects.create(tournament=tournament, number=3, name="Kasse 3")
    line, counted = _line(desk, "transfer", 100, to=other), _line(desk, "count", 100)
    counter_entry = _line(desk, "transfer", 100, to=other, takes_back=line)
    second = _line(desk, "transfer", 100, to=other)
    for guard, of_desk, kind, cents, more in (
        ("takes_back_id", desk, "transfer", 100, {"to": other, "takes_back": line}),
        ("differs from line", desk, "transfer", 99, {"to": other, "takes_back": second}),
        ("differs from line", other, "transfer", 100, {"to": desk, "takes_back": second}),
        ("differs from line", desk, "transfer", 100, {"to": other, "takes_back": counter_entry}),
        ("cash_takes_back_a_movement", desk, "count", 100, {"takes_back": counted}),
    ):
        with pytest.raises(DatabaseError, match=guard), transaction.atomic():
            _line(of_desk, kind, cents, **more)


def test_a_renaming_changes_names_and_nothing_else(tournament: Tournament, run: Sql) -> None:
    run("SET LOCAL schnauz.rename = 'on'")
    run("UPDATE tournaments_cashdesk SET name = 'Theke'")
    run("UPDATE tournaments_payment SET desk = 'Theke'")
    for change in ("tournaments_cashdesk SET number = 7", "tournaments_payment SET cents = 1, desk = 'X'"):
        with pytest.raises(DatabaseError, match="append-only"):
            run(f"UPDATE {change}")
    with pytest.raises(DatabaseError, match="append-only"):
        run("DELETE FROM tournaments_payment")


def test_a_closed_desk_gets_no_name(tournament: Tournament) -> None:
    closed = tournament.desks.get(name="Kasse 1")
    with pytest.raises(DatabaseError, match="is closed already"), transaction.atomic():
        closed.changes.create(kind="named", reason="Kase 1", by="kasse", at=AT)


def test_money_is_handed_to_another_desk_of_the_same_tournament(tournament: Tournament) -> None:
    desk = CashDesk.objects.create(tournament=tournament, number=2, name="Kasse 2")
    strange = CashDesk.objects.create(tournament=TournamentFactory.create(), number=1, name="Kasse 1")
    for to, guard in ((desk, "cash_transfer_to_another_desk"), (strange, "cash_to_of_tournament")):
        with pytest.raises(DatabaseError, match=guard), transaction.atomic():
            _line(desk, "transfer", 100, to=to)
    third = CashDesk.objects.create(tournament=tournament, number=3, name="Kasse 3")
    assert _line(desk, "transfer", 100, to=third).to == third


def test_a_closed_desk_takes_nothing_until_it_is_opened_with_a_reason(tournament: Tournament) -> None:
    closed = tournament.desks.get(name="Kasse 1")
    other = CashDesk.objects.create(tournament=tournament, number=2, name="Kasse 2")
    player = tournament.participants.get(start_number=2)
    writes: list[Callable[[], object]] = [
        lambda: _line(closed, "in", 100, reason="Wechselgeld"),
        lambda: _line(closed, "count", 100),
        lambda: _line(other, "transfer", 100, to=closed),
        lambda: player.payments.create(kind="fee", cents=300, by="kasse", at=AT, desk="Kasse 1"),
        lambda: closed.changes.create(kind="closed", by="kasse", at=AT),
    ]
    for write in writes:
        with pytest.raises(DatabaseError, match=r"is closed"), transaction.atomic():
            write()
    with pytest.raises(DatabaseError, match="desk_opened_with_reason"), transaction.atomic():
        closed.changes.create(kind="opened", by="kasse", at=AT)
    closed.changes.create(kind="opened", reason="Nachzügler", by="kasse", at=AT)
    for write in writes:
        write()


def test_an_open_desk_is_not_opened(tournament: Tournament) -> None:
    desk = CashDesk.objects.create(tournament=tournament, number=2, name="Kasse 2")
    with pytest.raises(DatabaseError, match="opened already"), transaction.atomic():
        desk.changes.create(kind="opened", reason="Versehen", by="kasse", at=AT)


def test_an_entry_id_is_unique_in_a_tournament(tournament: Tournament) -> None:
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
            digest=entry.digest,
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
            digest=entry.digest,
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
