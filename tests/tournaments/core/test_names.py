"""Names: cleaning, refusals, sorting, comparison."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.names import (
    MOST_IN_A_NAME,
    clean_name,
    clean_person_name,
    clean_text,
    in_capitals,
    public_name,
    same_name_key,
    sort_key,
)
from tournaments.core.refusal import Refusal


def refused(text: str) -> tuple[str, dict[str, object]]:
    with pytest.raises(Refusal) as caught:
        clean_name(text)
    return caught.value.code, caught.value.params


@pytest.mark.parametrize("text", ["78910111213", "12 13", "17 1,50", "1.-3.", "٣٤"])
def test_a_number_is_no_name_of_a_person(text: str) -> None:
    assert clean_name(text)  # of a tournament it may be
    with pytest.raises(Refusal) as caught:
        clean_person_name(text)
    assert caught.value.code == "name_is_number"


@pytest.mark.parametrize("text", ["Huber Sepp 2", "2. Huber", "=1+1", "Sepp 🍺", "山田太郎"])
def test_a_name_with_a_number_is_a_name(text: str) -> None:
    assert clean_person_name(text) == text


@pytest.mark.parametrize(
    ("typed", "cleaned"),
    [
        ("Huber", "Huber"),
        ("  Huber \t Sepp\r\n", "Huber Sepp"),
        ("Huber\u00a0\u2003Sepp", "Huber Sepp"),
        ("Mu\u0308ller", "Müller"),
        ("<b>Huber</b>", "<b>Huber</b>"),
        ("=1+1", "=1+1"),
        ("O\u2019Neill-Weiß", "O\u2019Neill-Weiß"),
        ("Παπαδόπουλος", "Παπαδόπουλος"),
        ("山田太郎", "山田太郎"),
        ("محمد", "محمد"),
        ("राम", "राम"),
        ("Sepp 🍺", "Sepp 🍺"),
    ],
)
def test_a_name_is_kept_but_for_its_spacing(typed: str, cleaned: str) -> None:
    assert clean_name(typed) == cleaned


@pytest.mark.parametrize("text", ["", " ", "\t\n", "\u00a0\u3000", "\u0301", "\ufe0f"])
def test_a_blank_name_is_empty(text: str) -> None:
    assert refused(text) == ("name_empty", {})


@pytest.mark.parametrize(
    "character",
    [
        "\0",
        "\x07",
        "\x1b",
        "\x7f",
        "\x85",
        "\u00ad",
        "\u200b",
        "\u200d",
        "\u200e",
        "\u202e",
        "\u2066",
        "\u2069",
        "\u061c",
        "\ufeff",
        chr(0xD800),
        chr(0xDFFF),
        "\ue000",
        "\ufffe",
        "\u3164",
        "\u2800",
        "\U000e0041",
    ],
    ids=lambda character: f"U+{ord(character):04X}",
)
def test_characters_that_cannot_be_seen_are_refused_and_named(character: str) -> None:
    named = ("name_bad_characters", {"character": f"U+{ord(character):04X}"})
    assert refused(f"Hu{character}ber") == named
    assert refused(character) == named


def test_a_name_has_a_longest_length_counted_after_cleaning() -> None:
    assert clean_name(" " * 100 + "x" * MOST_IN_A_NAME) == "x" * 80
    assert clean_name("u\u0308" * 80) == "ü" * 80
    assert refused("x" * 81) == ("name_too_long", {"most": 80})
    assert refused("x" * 10_000) == ("name_too_long", {"most": 80})
    assert clean_name("Sepp", most=4) == "Sepp"


def test_other_texts_are_cleaned_alike_and_may_be_empty() -> None:
    assert clean_text("  SV \n Bach ", most=80) == "SV Bach"
    assert clean_text(" ", most=80) == ""
    for text, most, code in [
        ("", 9, "text_empty"),
        ("abc", 2, "text_too_long"),
        ("\0", 9, "text_bad_characters"),
    ]:
        with pytest.raises(Refusal) as caught:
            clean_text(text, most=most, required=True)
        assert caught.value.code == code


@given(st.text())
def test_cleaning_a_clean_name_changes_nothing(text: str) -> None:
    try:
        cleaned = clean_name(text)
    except Refusal:
        return
    assert clean_name(cleaned) == cleaned
    assert unicodedata.is_normalized("NFC", cleaned)
    assert cleaned.isprintable()
    assert 0 < len(cleaned) <= MOST_IN_A_NAME
    cleaned.encode()


def test_names_are_sorted_as_in_a_german_dictionary() -> None:
    in_order = [
        "Aal",
        "Äpfel",
        "apfelbaum",
        "Ärger",
        "Muller",
        "Müller",
        "Mulles",
        "Østergaard",
        "Otto",
        "Strasse",
        "Straße",
        "Strassen",
        "Zagreb",
        "Žalud",
        "Ziegler",
        "Łukasz",
    ]
    expected = [name for name in in_order if name != "Łukasz"]
    expected.insert(expected.index("Muller"), "Łukasz")
    assert sorted(set(in_order), key=sort_key) == expected


@given(st.lists(st.text(), unique=True))
def test_the_order_does_not_depend_on_the_order_before(names: list[str]) -> None:
    backwards = names[::-1]
    assert sorted(names, key=sort_key) == sorted(backwards, key=sort_key)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Jörg Müller", "jörg müller"),
        ("Jörg Müller", "MUELLER, JOERG"),
        ("Jörg Müller", "Jo\u0308rg  Mu\u0308ller"),
        ("Karl-Heinz Weiß", "Weiss Karl Heinz"),
        ("René Huber", "Rene Huber"),
        ("???", "???"),
    ],
)
def test_spellings_of_one_name(a: str, b: str) -> None:
    assert same_name_key(a) == same_name_key(b)


@pytest.mark.parametrize(
    ("a", "b"),
    [("Sepp Huber", "Sepp Hubert"), ("Bauer", "Baur"), ("Sepp Huber", "Sepp Sepp Huber"), ("?", "!")],
)
def test_names_of_two_people(a: str, b: str) -> None:
    assert same_name_key(a) != same_name_key(b)


@pytest.mark.parametrize(
    ("name", "names", "shown"),
    [
        ("Sepp Huber", "full", "Sepp Huber"),
        ("Sepp Huber", "short", "Sepp H."),
        ("Anna Maria Huber", "short", "Anna H."),
        ("Sepp", "short", "Sepp"),
        ("Prof. Dr. Anna Huber B.A.", "short", "Anna H."),
        ("Sepp Huber jun.", "short", "Sepp H."),
        ("S. Huber", "short", "S. H."),
        ("Hans-P. Huber", "short", "Hans-P. H."),
        ("Dr. Huber", "short", "Dr. H."),
        ("Sepp Huber", "number", "Nr. 7"),
    ],
)
def test_a_name_is_shown_as_the_tournament_wants_it(name: str, names: str, shown: str) -> None:
    assert public_name(name, 7, names) == shown


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("sepp huber", "Sepp Huber"),
        ("huber, anna-lena", "Huber, Anna-Lena"),
        ("örni von der au (kommt später)", "Örni von der Au (kommt später)"),
        ("Sepp huber", ""),
        ("SEPP", ""),
        ("17", ""),
        ("阮", ""),
    ],
)
def test_a_name_in_small_letters_gets_capitals_and_no_other_does(typed: str, written: str) -> None:
    assert in_capitals(typed) == written
