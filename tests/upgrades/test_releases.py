"""What every release has left behind, brought to the program of today: database, backup and documents.

tests/journeys/test_upgraded_phone.py does the same with what a phone keeps.
"""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from pytest_django.plugin import DjangoDbBlocker

from scoring.documents import dump, export_tournament, import_tournament
from scoring.documents.club import export_club, holds_club, import_club
from scoring.models import EveningResult, SheetEntry
from tests.databases import another_database, create_database, drop_database
from tests.factories import AT
from tests.scoring.a_club import a_club, everything, forget_club
from tests.security.addresses import all_routes, ids_of
from tests.upgrades.dumps import load
from tests.upgrades.releases import (
    BACKUP,
    CLUB,
    DATABASE,
    DOCUMENTS,
    FILES,
    HERE,
    kept_releases,
    missing_files,
)
from tournaments.models import Tournament

CHANGELOG = HERE.parents[1] / "CHANGELOG.md"
EVERYTHING = "everything"


@pytest.fixture(scope="module", params=kept_releases())
def release(
    request: pytest.FixtureRequest, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[Path]:
    """Yield the folder of a release. The database is filled from its dump, and migrated."""
    folder: Path = HERE / request.param
    with django_db_blocker.unblock(), another_database():
        load(folder / DATABASE)
        call_command("migrate", verbosity=0, interactive=False)
        yield folder


@pytest.fixture(scope="module")
def restored(release: Path) -> Iterator[str]:
    """Yield the name of a database into which its backup was restored, to be copied."""
    with another_database():
        call_command("restore", str(release / BACKUP), stdout=io.StringIO())
        connection.close()
        name = create_database(connection.settings_dict["NAME"])
    yield name
    drop_database(name)


def slugs(**of: object) -> list[str]:
    return sorted(Tournament.objects.filter(**of).values_list("slug", flat=True))


def exported(slug: str) -> str:
    return dump(export_tournament(Tournament.objects.get(slug=slug)))


def said(command: str, *arguments: str) -> str:
    out = io.StringIO()
    call_command(command, *arguments, stdout=out)
    return out.getvalue()


def test_nothing_is_left_to_migrate_and_every_evening_is_there(release: Path) -> None:
    call_command("migrate", check=True, verbosity=0)
    assert len(slugs()) >= 7
    assert SheetEntry.objects.count() > 100


def test_every_page_can_be_looked_at(release: Path) -> None:
    """Of the evening in which everything was used, each address; of the others, those without a number."""
    organiser = User.objects.get(username="organiser")
    organiser.is_superuser = True
    organiser.save()
    client = Client()
    client.force_login(organiser)
    seen = []
    with transaction.atomic():  # so that all requests share a connection
        for slug in slugs(rounds__number=1):
            ids = ids_of(Tournament.objects.get(slug=slug))
            for route in all_routes():
                parameters = set(route.parameters.values())
                is_looked_at = (
                    "slug" in parameters and "GET" in route.methods and not route.pattern.endswith("/live")
                )
                if not is_looked_at or (slug != EVERYTHING and parameters - {"slug", "round"}):
                    continue
                answer = client.get(route.address(next(route.values(ids))))
                assert answer.status_code < 500, route
                seen.append(answer.status_code)
    assert seen.count(200) > 200


def test_its_results_are_those_of_its_logs_and_its_draws_can_be_verified(
    release: Path, tmp_path: Path
) -> None:
    for slug in slugs():
        assert said("rebuild_results", slug).strip() == "no differences"
        file = tmp_path / f"{slug}.json"
        file.write_text(exported(slug), encoding="utf-8")
        said("verify_draw", str(file))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_its_documents_are_imported(release: Path, name: str) -> None:
    document = json.loads((release / name).read_text(encoding="utf-8"))
    slug, other = document["tournament"]["slug"], "imported-again"
    document["tournament"]["slug"] = other
    with transaction.atomic():
        import_tournament(json.dumps(document), at=AT)
        connection.check_constraints()
        assert said("rebuild_results", other).strip() == "no differences"
        if slug in slugs():
            assert exported(other) == exported(slug).replace(f'"slug": "{slug}"', f'"slug": "{other}"')
        transaction.set_rollback(True)


def test_its_backup_is_restored_and_holds_the_same(release: Path, restored: str) -> None:
    before = {slug: exported(slug) for slug in slugs()}
    with another_database(restored):
        assert {slug: exported(slug) for slug in slugs()} == before
        assert User.objects.filter(username="organiser").exists()


def test_results_that_it_did_not_keep_are_filled_in(release: Path, restored: str) -> None:
    """Of its evenings that are over; those of its restored backup are the same."""
    before = results()
    assert {slug for slug, *_ in before} >= {"schafkopf", "knockout"}
    assert EVERYTHING not in {slug for slug, *_ in before}
    with another_database(restored):
        assert results() == before


def results() -> list[tuple[Any, ...]]:
    columns = ("participant__start_number", "rank", "shared", "points", "strokes", "table_wins")
    of_tournaments = EveningResult.objects.exclude(participant=None)
    return sorted(of_tournaments.values_list("evening__tournament__slug", *columns))


def test_its_club_goes_on(release: Path, restored: str) -> None:
    """Of the first release, which knew of no club, it is one that begins on what is there."""
    with another_database(restored):
        document = release / CLUB
        assert holds_club() is document.exists()
        if not document.exists():
            assert set(map(len, filter(None, export_club().values()))) == {len("schnauz-club/1")}
            a_club()
        before = everything()
        text = document.read_text(encoding="utf-8") if document.exists() else before["club"]
        with transaction.atomic():
            forget_club()
            import_club(text, at=AT)
            assert everything() == before


# --- the files themselves ------------------------------------------------------------------------------------------


def test_every_release_has_left_its_files() -> None:
    assert missing_files(CHANGELOG.read_text(encoding="utf-8")) == []
    assert kept_releases()


def test_a_release_without_files_and_a_missing_file_are_found(tmp_path: Path) -> None:
    for name in FILES:
        file = tmp_path / "1.0.0" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    changelog = "# Changelog\n\n## Unreleased\n\n## 1.0.0 – 2026-12-01\n"
    assert missing_files(changelog, tmp_path) == []
    assert missing_files(changelog + "## 0.9.10\n", tmp_path) == [f"0.9.10/{name}" for name in FILES]
    assert missing_files(changelog + "## 1.1.0\n", tmp_path)[-1] == f"1.1.0/{CLUB}"
    (tmp_path / "1.0.0" / BACKUP).unlink()
    assert missing_files("", tmp_path) == [f"1.0.0/{BACKUP}"]
