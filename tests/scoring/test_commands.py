"""The documented management commands, as used in a terminal."""

import json
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.core.management import CommandError, call_command

from scoring.models import SeatResult
from tests.scoring.evenings import evening, simple_evening, text_of
from tournaments.models import Tournament

SEED = "5c4a" * 16

pytestmark = pytest.mark.django_db


def run(command: str, *arguments: str) -> str:
    output = StringIO()
    call_command(command, *arguments, stdout=output)
    return output.getvalue()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "abend.json"


def load(file: Path, document: dict[str, object]) -> None:
    file.write_text(text_of(document), encoding="utf-8")
    run("import_tournament", str(file))


def test_import_prints_the_slug_and_export_the_document(file: Path) -> None:
    file.write_text(text_of(simple_evening("abend")), encoding="utf-8")
    assert run("import_tournament", str(file)) == "abend\n"
    assert json.loads(run("export_tournament", "abend"))["tournament"]["slug"] == "abend"


def test_import_names_the_first_bad_place(file: Path) -> None:
    document = simple_evening("abend")
    document["participants"][2]["name"] = ""
    file.write_text(text_of(document), encoding="utf-8")
    with pytest.raises(CommandError, match=r"^\$\.participants\[2\]\.name: "):
        run("import_tournament", str(file))
    assert Tournament.objects.count() == 0


def test_import_says_which_file_is_missing(file: Path) -> None:
    with pytest.raises(CommandError, match=r"abend\.json"):
        run("import_tournament", str(file))


def test_a_document_may_have_so_many_characters_and_no_more(file: Path, settings: Any) -> None:
    text = text_of(evening(3, "abend"))
    file.write_text(text, encoding="utf-8")
    settings.DOCUMENT_CHARACTERS = len(text) - 1
    with pytest.raises(CommandError, match=f"has more than {len(text) - 1} characters"):
        run("import_tournament", str(file))
    settings.DOCUMENT_CHARACTERS = len(text)
    assert run("import_tournament", str(file)) == "abend\n"


@pytest.mark.parametrize(
    "command", ["export_tournament", "draw_round", "close_round", "sheet_links", "rebuild_results"]
)
def test_a_tournament_that_does_not_exist_is_an_error(command: str) -> None:
    with pytest.raises(CommandError, match="nirgends"):
        run(command, "nirgends")


def test_draw_round_prints_the_round_as_in_the_document(file: Path) -> None:
    load(file, {**simple_evening("abend", players=13), "rounds": []})
    drawn = json.loads(run("draw_round", "abend", "--seed", SEED))
    assert drawn["state"] == "drawn"
    assert drawn["draw"]["seed"] == SEED
    assert [len(table["seats"]) for table in drawn["tables"]] == [5, 4, 4]
    (exported,) = json.loads(run("export_tournament", "abend"))["rounds"]
    for table in exported["tables"]:
        del table["entries"], table["parked"], table["digest"]
    assert exported == drawn


def test_the_same_seed_draws_the_same_tables(file: Path) -> None:
    load(file, {**simple_evening("eins", players=23), "rounds": []})
    load(file, {**simple_evening("zwei", players=23), "rounds": []})
    one, other = (json.loads(run("draw_round", slug, "--seed", SEED)) for slug in ("eins", "zwei"))
    assert one["tables"] == other["tables"]


def test_draw_round_releases_on_request_and_links_then_exist(file: Path) -> None:
    load(file, {**simple_evening("abend", players=11), "rounds": []})
    assert json.loads(run("draw_round", "abend", "--release"))["state"] == "released"
    links = [json.loads(line) for line in run("sheet_links", "abend").splitlines()]
    assert [(link["round"], link["table"]) for link in links] == [(1, 1), (1, 2)]
    for link in links:
        url = urlsplit(link["url"])
        assert url.path == "/s/"
        assert len(url.fragment) > 26


def test_no_links_before_the_release(file: Path) -> None:
    load(file, {**simple_evening("abend"), "rounds": []})
    run("draw_round", "abend")
    with pytest.raises(CommandError):
        run("sheet_links", "abend")


def test_a_round_is_drawn_after_the_one_before_is_closed(file: Path) -> None:
    load(file, simple_evening("abend"))
    with pytest.raises(CommandError):
        run("draw_round", "abend")
    run("close_round", "abend", "--reason", "Der Wirt macht zu")
    assert json.loads(run("draw_round", "abend"))["number"] == 2


def test_close_round_needs_every_sheet_accepted_or_a_reason(file: Path) -> None:
    load(file, simple_evening("abend"))
    with pytest.raises(CommandError):
        run("close_round", "abend")
    assert run("close_round", "abend", "--reason", "Der Wirt macht zu") == "1\n"


@pytest.mark.parametrize("seed", ["", "5c4a", "x" * 64, "7" * 66, " " + "7" * 64, "İ" * 64])
def test_a_bad_seed_is_refused(file: Path, seed: str) -> None:
    load(file, {**simple_evening("abend"), "rounds": []})
    with pytest.raises(CommandError):
        run("draw_round", "abend", "--seed", seed)


def test_rebuild_results_finds_and_mends_what_the_log_does_not_say(file: Path) -> None:
    load(file, evening(3, "abend"))
    assert run("rebuild_results", "abend") == "no differences\n"
    result = SeatResult.objects.filter(seat__tournament__slug="abend").order_by("id")[0]
    SeatResult.objects.filter(pk=result.pk).update(strokes=result.strokes + 5)
    output = StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("rebuild_results", "abend", stdout=output)
    assert stopped.value.code == 1
    assert len(output.getvalue().splitlines()) == 1
    assert run("rebuild_results", "abend") == "no differences\n"


def test_verify_draw_replays_a_document(file: Path) -> None:
    file.write_text(text_of(evening(3, "abend")), encoding="utf-8")
    assert run("verify_draw", str(file)).splitlines()[-1] == "verified: 2 of 2 rounds"


def test_verify_draw_names_the_tampered_place(file: Path) -> None:
    document = evening(3, "abend")
    document["rounds"][0]["draw"]["seed"] = "0" * 64
    file.write_text(text_of(document), encoding="utf-8")
    with pytest.raises(CommandError, match=r"^\$\.rounds\[0\]\.tables\[0\]: "):
        run("verify_draw", str(file))
