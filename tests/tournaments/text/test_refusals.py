"""Every refusal has a sentence, in the club's German."""

import re
from dataclasses import fields, is_dataclass
from typing import Any, get_args, get_type_hints

import pytest
from django.utils import translation

from tournaments.core.refusal import Refusal
from tournaments.core.sizes import table_sizes
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Ruleset, TableRules
from tournaments.text import refusals as wording
from tournaments.text.ruleset_fields import FIELDS, expected_value
from tournaments.text.table_sizes import explain_sizes, list_tables

SHEET_1 = preset("schnauz-placing").tables
FOURS = TableRules(sizes=(4,), exceptions=(), prefer="smaller")


@pytest.fixture(autouse=True)
def in_german() -> Any:
    with translation.override("de"):
        yield


def test_no_code_is_worded_twice() -> None:
    assert set(wording._SENTENCES) & set(wording._MADE) == set()


@pytest.mark.parametrize("code", sorted(wording._SENTENCES))
def test_a_sentence_takes_its_params_and_ends_like_one(code: str) -> None:
    placeholders = re.findall(r"%\((\w+)\)s", str(wording._SENTENCES[code]))
    sentence = wording.message(Refusal(code, **dict.fromkeys(placeholders, "7")))
    assert "%" not in sentence
    assert sentence[-1] == "."
    assert not re.search(r"submit|sync|token|user|server", sentence, re.IGNORECASE)


def test_a_refusal_code_without_a_text_raises() -> None:
    with pytest.raises(KeyError):
        wording.message(Refusal("no_such_reason"))


@pytest.mark.parametrize(
    ("players", "ways_out"),
    [
        (4, "Ein Spieler mehr, oder ein Vierertisch."),
        (7, "Drei Spieler mehr, einer weniger, oder ein Siebenertisch."),
        (8, "Zwei Spieler mehr, zwei weniger, oder zwei Vierertische."),
        (9, "Ein Spieler mehr, drei weniger, oder ein Vierertisch."),
        (13, "Zwei Spieler mehr, einer weniger, oder zwei Vierertische."),
        (14, "Ein Spieler mehr, zwei weniger, oder ein Vierertisch."),
        (19, "Ein Spieler mehr, einer weniger, oder ein Vierertisch."),
    ],
)
def test_sizes_that_do_not_divide_are_explained(players: int, ways_out: str) -> None:
    why = f"Mit {players} Spielern gehen Fünfer- und Sechsertische nicht auf."
    assert explain_sizes(players, table_sizes(players, SHEET_1), SHEET_1) == f"{why} {ways_out}"


def test_regular_sizes_need_no_explanation() -> None:
    assert explain_sizes(20, table_sizes(20, SHEET_1), SHEET_1) == ""


def test_tables_are_listed_in_words() -> None:
    assert list_tables(table_sizes(47, SHEET_1).sizes) == "zwei Sechsertische und sieben Fünfertische"
    assert list_tables([5]) == "ein Fünfertisch"
    assert list_tables([5] * 13 + [4, 7]) == "ein Siebenertisch, 13 Fünfertische und ein Vierertisch"


@pytest.mark.parametrize("size", range(2, 13))
def test_every_table_size_has_its_words(size: int) -> None:
    single, double = list_tables([size]), list_tables([size, size])
    assert double == f"zwei {single.removeprefix('ein ')}e"


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        (0, "Ausgelost werden kann ab vier Spielern. Noch ist niemand da."),
        (1, "Ausgelost werden kann ab vier Spielern. Bisher ist einer da."),
        (3, "Ausgelost werden kann ab vier Spielern. Bisher sind drei da."),
    ],
)
def test_too_few_players(players: int, sentence: str) -> None:
    with pytest.raises(Refusal) as caught:
        table_sizes(players, SHEET_1)
    assert wording.message(caught.value) == sentence


@pytest.mark.parametrize(
    ("players", "sentence"),
    [
        (10, "Mit 10 Spielern gehen Vierertische nicht auf. Zwei Spieler mehr, oder zwei setzen aus."),
        (41, "Mit 41 Spielern gehen Vierertische nicht auf. Drei Spieler mehr, oder einer setzt aus."),
    ],
)
def test_a_head_count_that_does_not_fit_names_both_ways_out(players: int, sentence: str) -> None:
    with pytest.raises(Refusal) as caught:
        table_sizes(players, FOURS)
    assert wording.message(caught.value) == sentence


def test_a_split_that_needs_a_yes() -> None:
    assert wording.message(Refusal("needs_confirmation", sizes=(5, 4, 4))) == (
        "Diese Spielerzahl geht nicht ganz auf. Die Aufteilung wäre: ein Fünfertisch und zwei Vierertische. "
        "Bitte bestätigen, oder die Spielerzahl ändern."
    )


def test_sheets_that_are_not_accepted_are_named() -> None:
    assert wording.message(Refusal("sheets_not_accepted", round=1, tables=[3])).startswith(
        "Die Tischliste von Tisch 3 ist "
    )
    assert wording.message(Refusal("sheets_not_accepted", round=1, tables=[3, 5, 8])).startswith(
        "Die Tischlisten der Tische 3, 5 und 8 sind noch nicht angenommen."
    )


def test_a_bad_password_says_why() -> None:
    assert wording.message(Refusal("password_bad", messages=["Zu kurz."])) == "Zu kurz."


def ruleset_paths(cls: Any, prefix: str = "") -> list[str]:
    paths = []
    for field in fields(cls):
        hint = get_type_hints(cls)[field.name]
        paths.append(prefix + field.name)
        for inner in (hint, *get_args(hint)):
            paths += ruleset_paths(inner, f"{prefix}{field.name}.") if is_dataclass(inner) else []
    return paths


def test_every_field_of_a_ruleset_says_what_it_expects() -> None:
    assert sorted(FIELDS) == sorted(set(ruleset_paths(Ruleset)))
    assert all(expected_value(path) for path in FIELDS)


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("", "Das ist kein Regelwerk. Bitte eine Vorlage wählen und deren Felder ändern."),
        ("colour", "Ein Regelwerk hat kein Feld „colour“. Bitte das Feld entfernen."),
        (
            "points[1]",
            "Im Regelwerk fehlt das Feld „points[1]“, oder es stimmt nicht. Erwartet: eine Liste, darin "
            "je eine ganze Zahl von -1000 bis 1000; für den besseren Rang nie weniger.",
        ),
        (
            "rounds",
            "Im Regelwerk fehlt das Feld „rounds“, oder es stimmt nicht. Erwartet: eine ganze Zahl von 1 bis 20, "
            "oder null; null, wo Spieler ausscheiden.",
        ),
        (
            "sheet.kind",
            "Im Regelwerk fehlt das Feld „sheet.kind“, oder es stimmt nicht. Erwartet: eines davon: „survival“, "
            "„hand_points“, „plus_minus“.",
        ),
        (
            "sheet.marks[0]",
            "Im Regelwerk fehlt das Feld „sheet.marks[0]“, oder es stimmt nicht. Erwartet: eine Liste, darin je "
            "eines davon: „schnauz“, „feuer“.",
        ),
        (
            "manners",
            "Im Regelwerk fehlt das Feld „manners“, oder es stimmt nicht. Erwartet: eine Liste, darin je ein Text "
            "mit höchstens 300 Zeichen; höchstens 40 Zeilen.",
        ),
        (
            "stakes",
            "Im Regelwerk fehlt das Feld „stakes“, oder es stimmt nicht. Erwartet: Felder in geschweiften Klammern, oder null.",
        ),
        (
            "drawn_ahead",
            "Im Regelwerk fehlt das Feld „drawn_ahead“, oder es stimmt nicht. Erwartet: true oder false; false, "
            "wo Spieler ausscheiden.",
        ),
    ],
)
def test_a_bad_ruleset_names_the_field(path: str, sentence: str) -> None:
    assert wording.message(Refusal("ruleset_bad", path=path, message="...")) == sentence
