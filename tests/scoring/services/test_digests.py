"""Digests of a log: written with every entry, kept by the database, and a change behind the program's back is found."""

import json
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction

from scoring.core.marks import mark_of
from scoring.documents import dump, export_tournament, import_tournament
from scoring.models import SheetEntry
from scoring.services import parked_entries, purge, sheets
from scoring.services.projection import wrong_digests
from scoring.services.sheets import Sent
from scoring.sheet_log import empty_digest, open_sheet
from tests.factories import AT, ParticipantFactory, TournamentFactory, a_round
from tournaments.core.document_reader import DocumentError
from tournaments.models import Table, Tournament

PHONE = "f" * 32


@pytest.fixture
def table(db: None) -> Table:
    tournament = TournamentFactory.create(slug="herbst")
    ParticipantFactory.create_batch(5, tournament=tournament)
    return a_round(tournament).tables.get()


def knock(*losers: int) -> Sent:
    return Sent(str(uuid4()), "deal", {"ended_by": "knock", "finisher": None, "losers": list(losers)}, AT)


def played(table: Table) -> Tournament:
    """Write on the sheet as a phone, as a phone that has lost the pen, and as the organiser; return the tournament."""
    tournament = table.round.tournament
    epoch = sheets.take_pen(table, device=PHONE, at=AT).row.pen_epoch
    sheets.record(table, [knock(1), knock(2, 3)], device=PHONE, pen_epoch=epoch, at=AT)
    sheets.free_pen(table, at=AT)
    sheets.record(table, [knock(4)], device=PHONE, pen_epoch=epoch, at=AT)
    parked = open_sheet(table.pk).row.parked.get()
    parked_entries.adopt(tournament, parked.pk, reason="War noch auf dem Handy", by="leitung", at=AT)
    first = str(SheetEntry.objects.get(sequence=1).entry_id)
    sheets.write(table, [("voided", {"entry": first, "reason": "Falscher"})], by="leitung", at=AT)
    sheets.write(table, [("objected", {"seat_number": 2, "note": "So nicht"})], by="leitung", at=AT)
    return tournament


def digests() -> list[str]:
    return list(SheetEntry.objects.order_by("sequence").values_list("digest", flat=True))


def behind_the_back(statement: str) -> None:
    """Change the log as somebody can who has the database, and switches the triggers off first."""
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement)
        cursor.execute("SET LOCAL session_replication_role = origin")


def told(command: str) -> str:
    out = StringIO()
    try:
        call_command(command, "herbst", stdout=out)
    except SystemExit as ended:
        return f"{ended.code}: {out.getvalue()}"
    return f"0: {out.getvalue()}"


def test_every_way_to_write_chains_its_entry_to_the_one_before(table: Table) -> None:
    start = open_sheet(table.pk).digest
    assert start == empty_digest(table, table.seats.order_by("seat_number"))
    played(table)
    assert len({start, *digests()}) == 6
    assert open_sheet(table.pk).digest == digests()[-1]
    assert told("rebuild_results").startswith("0: no differences")


@pytest.mark.parametrize("purge_may", ["off", "on"])
def test_the_database_lets_nobody_change_a_digest(table: Table, purge_may: str) -> None:
    played(table)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL schnauz.purge = %s", [purge_may])
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            cursor.execute("UPDATE scoring_sheetentry SET digest = repeat('0', 64)")


def test_the_database_takes_no_entry_without_a_digest(table: Table) -> None:
    played(table)
    row = SheetEntry.objects.latest("sequence")
    row.pk, row.sequence, row.entry_id, row.digest = None, 99, uuid4(), ""
    with pytest.raises(DatabaseError, match="entry_has_digest"), transaction.atomic():
        row.save(force_insert=True)


@pytest.mark.parametrize(
    ("change", "found_at"),
    [
        (
            'UPDATE scoring_sheetentry SET data = \'{"losers": [5], "ended_by": "knock"}\' WHERE sequence = 2',
            2,
        ),
        ("UPDATE scoring_sheetentry SET made_at = made_at + interval '1 hour' WHERE sequence = 3", 3),
        ("UPDATE scoring_sheetentry SET \"by\" = 'organiser' WHERE sequence = 1", 1),
        ("DELETE FROM scoring_sheetentry WHERE sequence = 2", 3),
        ("UPDATE scoring_sheetentry SET digest = repeat('a', 64) WHERE sequence = 5", 5),
        ("UPDATE tournaments_participant SET start_number = start_number + 100", 1),
    ],
    ids=["data", "time", "author", "dropped", "digest", "seats"],
)
def test_a_change_behind_the_triggers_is_found(table: Table, change: str, found_at: int) -> None:
    tournament = played(table)
    behind_the_back(change)
    [wrong] = wrong_digests(tournament)
    assert wrong.startswith(f"round 1, table {table.number}, entry {found_at}: ")


def test_the_command_says_where_and_ends_with_1(table: Table) -> None:
    played(table)
    behind_the_back("UPDATE scoring_sheetentry SET made_at = now() WHERE sequence = 3")
    assert told("rebuild_results").startswith(
        f"1: round 1, table {table.number}, entry 3: the digest does not match"
    )


def test_erasing_a_person_leaves_all_digests_valid(table: Table) -> None:
    tournament = played(table)
    before = digests()
    purge.erase_person(tournament, 2, by="leitung", at=AT)
    assert SheetEntry.objects.get(kind="objected").text == "–"
    assert digests() == before
    assert wrong_digests(tournament) == []


# --- the document --------------------------------------------------------------------------------------------------


def document(tournament: Tournament, slug: str) -> dict[str, Any]:
    exported = export_tournament(tournament)
    exported["tournament"]["slug"] = slug
    return exported


def test_a_tournament_that_comes_back_has_the_same_marks(table: Table) -> None:
    exported = document(played(table), "zurueck")
    before = digests()
    back = import_tournament(dump(exported), at=AT)
    copied = SheetEntry.objects.filter(tournament=back).order_by("sequence")
    assert list(copied.values_list("digest", flat=True)) == before
    assert exported["rounds"][0]["tables"][0]["digest"] == copied[4].digest


def test_a_changed_entry_of_a_document_is_refused_unless_its_digest_is_left_out(table: Table) -> None:
    exported = document(played(table), "zurueck")
    [sheet] = exported["rounds"][0]["tables"]
    sheet["entries"][1]["data"]["losers"] = [5]
    with pytest.raises(DocumentError) as refused:
        import_tournament(dump(exported), at=AT)
    assert refused.value.path == "$.rounds[0].tables[0].digest"
    assert refused.value.refusal.code == "digest_does_not_match"
    del sheet["digest"]
    back = import_tournament(json.dumps(exported), at=AT)
    assert wrong_digests(back) == []


def test_a_table_without_entries_has_no_digest(table: Table) -> None:
    exported = document(table.round.tournament, "zurueck")
    assert exported["rounds"][0]["tables"][0]["digest"] is None
    import_tournament(dump(exported), at=AT)


# --- marks ---------------------------------------------------------------------------------------------------------


def test_a_correction_gives_another_mark(table: Table) -> None:
    played(table)
    before = mark_of(open_sheet(table.pk).digest)
    sheets.write(table, [("confirmed", {"seat_number": 2})], by="leitung", at=AT)
    assert mark_of(open_sheet(table.pk).digest) != before
