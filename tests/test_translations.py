"""German source texts and their catalogues, which are complete, compiled and equivalent."""

import re
from collections.abc import Iterable
from pathlib import Path

import polib
import pytest
from django.utils.translation import gettext as _
from django.utils.translation import override

from tests.messages import PLACEHOLDER, brought_up_to_date, marked

ROOT = Path(__file__).parents[1]
CATALOGUES = sorted((ROOT / "locale").glob("*/LC_MESSAGES/django.po"))


@pytest.fixture(params=CATALOGUES, ids=lambda path: path.parts[-3])
def path(request: pytest.FixtureRequest) -> Path:
    """Return each catalogue in turn."""
    catalogue: Path = request.param
    return catalogue


@pytest.fixture
def catalogue(path: Path) -> polib.POFile:
    return polib.pofile(str(path))


def test_every_marked_text_is_in_the_catalogue(catalogue: polib.POFile) -> None:
    known = {(entry.msgid, entry.msgctxt or "") for entry in catalogue}
    assert (
        sorted(
            f"{name}: {text.singular}"
            for text, name in marked()
            if (text.singular, text.context) not in known
        )
        == []
    )


def test_the_catalogue_is_as_make_messages_writes_it(path: Path, catalogue: polib.POFile) -> None:
    assert path.read_text(encoding="utf-8") == f"{brought_up_to_date(catalogue)}\n"


def test_make_messages_adds_what_is_said_and_removes_what_is_not() -> None:
    empty, other = polib.POFile(), polib.POFile()
    other.append(polib.POEntry(msgid="Nirgends gesagt", msgstr="Said nowhere"))
    assert {(entry.msgid, entry.msgstr) for entry in brought_up_to_date(other)} == {
        (entry.msgid, entry.msgstr) for entry in brought_up_to_date(empty)
    }
    assert "Spielrunden" in {entry.msgid for entry in brought_up_to_date(empty)}


def test_everything_is_translated(catalogue: polib.POFile) -> None:
    assert [entry.msgid for entry in catalogue if not entry.translated() or entry.fuzzy] == []


def test_translations_keep_the_placeholders(catalogue: polib.POFile) -> None:
    for entry in catalogue:
        wanted = set(PLACEHOLDER.findall(entry.msgid + entry.msgid_plural))
        for translation in [entry.msgstr, *entry.msgstr_plural.values()]:
            assert set(PLACEHOLDER.findall(translation)) <= wanted, entry.msgid
        if not entry.msgid_plural:
            assert set(PLACEHOLDER.findall(entry.msgstr)) == wanted, entry.msgid


def test_the_compiled_catalogue_is_the_written_one(path: Path, catalogue: polib.POFile) -> None:
    def meaning(entries: Iterable[polib.POEntry]) -> dict[object, object]:
        return {(e.msgctxt, e.msgid): (e.msgstr, e.msgstr_plural) for e in entries}

    assert meaning(polib.mofile(str(path.with_suffix(".mo")))) == meaning(catalogue)


@pytest.mark.parametrize(("language", "word"), [("de", "Spielrunden"), ("en", "Rounds")])
def test_the_screen_speaks_both_languages(language: str, word: str) -> None:
    with override(language):
        assert _("Spielrunden") == word


RANK_AS_SEAT = re.compile(r"Platz (?:%\(rank\)s|\(Rang\))|%\(rank\)s\. Platz")
AS_PEOPLE_SAY = {"%(rank)s. Platz", "geteilter %(rank)s. Platz", "Auf Platz %(rank)s kam %(names)s"}
"""On certificates and in the newspaper a rank is called "Platz"; everywhere else that is the seat."""


def test_a_seat_is_platz_and_a_rank_is_rang(catalogue: polib.POFile) -> None:
    said = {entry.msgid for entry in catalogue if RANK_AS_SEAT.search(entry.msgid)}
    assert said == AS_PEOPLE_SAY


def test_rounds_are_named_in_one_form(catalogue: polib.POFile) -> None:
    assert [entry.msgid for entry in catalogue if re.search(r"Spielrunde %\((?!stake)", entry.msgid)] == []
