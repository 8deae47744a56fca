"""A club is made from a backup that somebody has changed: no other club and no catalogue is touched."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection

from schnauz_turnier.clubs import catalogue
from scoring.services import restore
from scoring.services.dump_file import UnfitDump
from tests.clubs.test_engine import NewClub
from tests.factories import TournamentFactory
from tests.security.tampered import BACKUP, NO_RIGHT, Dump
from tournaments.current_club import in_club
from tournaments.models import Tournament

pytestmark = pytest.mark.usefixtures("hosting")
PICTURE = "tournaments_clubpicture"


def test_a_table_that_is_sql_writes_into_no_other_club(new_club: NewClub, tmp_path: Path) -> None:
    other = new_club("other")
    with in_club(other):
        TournamentFactory.create(slug="herbst", name="Herbst")
    dump = Dump.read(BACKUP)
    theirs = f"{other.schema}.tournaments_tournament"
    dump.rename(
        PICTURE,
        f'{PICTURE}" IN SHARE MODE; SET LOCAL ROLE NONE; SET LOCAL ROLE {other.role}; '
        f"UPDATE {theirs} SET name = 'stolen'; COMMIT; --",
    )
    with pytest.raises((CommandError, DatabaseError)) as refused:
        call_command("create_club", "mine", "--from", str(dump.write(tmp_path / "dump.zip")))
    with in_club(other):
        assert [row.name for row in Tournament.objects.all()] == ["Herbst"]
    assert isinstance(refused.value, CommandError)
    assert [entry.slug for entry in catalogue.all_clubs()] == ["other"]


@pytest.mark.parametrize("schema", ["catalogue", "other"])
def test_a_table_of_another_schema_is_refused(new_club: NewClub, tmp_path: Path, schema: str) -> None:
    other = new_club("other")
    dump = Dump.read(BACKUP)
    dump.rename(PICTURE, f'{other.schema if schema == "other" else schema}"."club')
    with pytest.raises(CommandError, match=r"manifest\.json: \$\.tables\[\d+\]\.name"):
        call_command("create_club", "mine", "--from", str(dump.write(tmp_path / "dump.zip")))
    assert [entry.slug for entry in catalogue.all_clubs()] == ["other"]


def test_a_key_that_is_too_long_for_the_catalogue_is_refused(new_club: NewClub, tmp_path: Path) -> None:
    dump = Dump.read(BACKUP)
    dump.manifest |= {"key": "k" * 201, "key_fingerprint": "05a38b109210ad98"}
    with pytest.raises(CommandError, match=r"The key in the backup has more than 200 characters"):
        call_command("create_club", "mine", "--from", str(dump.write(tmp_path / "dump.zip")))
    assert catalogue.all_clubs() == []


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT * FROM {other}.tournaments_tournament",
        "SELECT * FROM catalogue.club",
        "CREATE TABLE mine (id int)",
        "ALTER TABLE tournaments_clubpicture DISABLE TRIGGER ALL",
        "COPY tournaments_clubpicture FROM PROGRAM 'true'",
    ],
)
def test_an_injected_statement_may_only_change_rows(new_club: NewClub, statement: str) -> None:
    mine, other = new_club("mine"), new_club("other")
    tables = [table["name"] for table in Dump.read(BACKUP).manifest["tables"]]
    with (
        pytest.raises(UnfitDump, match=NO_RIGHT),
        in_club(mine),
        restore.all_or_nothing(BACKUP),
        connection.cursor() as cursor,
        restore.only_rows_of(cursor, tables),
    ):
        cursor.execute(statement.format(other=other.schema))
