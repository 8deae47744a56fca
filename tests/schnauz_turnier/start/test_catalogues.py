"""Catalogues of translations: compiled at the start of a checkout, when they have changed."""

import gettext
import os
from pathlib import Path

from schnauz_turnier.start.catalogues import compile_catalogues

WRITTEN = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "Tisch"\nmsgstr "{}"\n'


def test_a_catalogue_is_compiled_when_it_has_changed(tmp_path: Path) -> None:
    folder = tmp_path / "en" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    written = folder / "django.po"

    written.write_text(WRITTEN.format("Desk"))
    [compiled] = compile_catalogues(tmp_path)
    assert said(compiled) == "Desk"

    made_at = compiled.stat().st_mtime_ns
    assert compile_catalogues(tmp_path) == [compiled]
    assert compiled.stat().st_mtime_ns == made_at

    written.write_text(WRITTEN.format("Table"))
    os.utime(written, ns=(made_at + 1, made_at + 1))
    compile_catalogues(tmp_path)
    assert said(compiled) == "Table"
    assert sorted(path.name for path in folder.iterdir()) == ["django.mo", "django.po"]


def test_a_folder_without_sources_is_left_as_it_is(tmp_path: Path) -> None:
    assert compile_catalogues(tmp_path) == []


def said(compiled: Path) -> str:
    with compiled.open("rb") as opened:
        return gettext.GNUTranslations(opened).gettext("Tisch")
