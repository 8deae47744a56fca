"""Amounts in words."""

import re

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.cash import LARGEST_AMOUNT
from tournaments.text.money import euros_in_words

ANY_SUM = 10**15


GERMAN = {
    0: "null Euro",
    1: "ein Cent",
    100: "ein Euro",
    350: "drei Euro und fünfzig Cent",
    1_100: "elf Euro",
    1_600: "sechzehn Euro",
    1_700: "siebzehn Euro",
    2_100: "einundzwanzig Euro",
    3_000: "dreißig Euro",
    4_701: "siebenundvierzig Euro und ein Cent",
    10_100: "einhundertein Euro",
    14_100: "einhunderteinundvierzig Euro",
    99_999: "neunhundertneunundneunzig Euro und neunundneunzig Cent",
    123_450: "eintausendzweihundertvierunddreißig Euro und fünfzig Cent",
    LARGEST_AMOUNT: "neunhundertneunundneunzigtausendneunhundertneunundneunzig Euro und neunundneunzig Cent",
    100_000_000: "eine Million Euro",
    200_000_101: "zwei Millionen ein Euro und ein Cent",
    107_374_182_350: "eintausenddreiundsiebzig Millionen siebenhunderteinundvierzigtausendachthundertdreiundzwanzig Euro "
    "und fünfzig Cent",
}
ENGLISH = {
    1: "one cent",
    100: "one euro",
    350: "three euros and fifty cents",
    2_100: "twenty-one euros",
    10_100: "one hundred and one euros",
    100_500: "one thousand and five euros",
    123_450: "one thousand two hundred and thirty-four euros and fifty cents",
    200_000_100: "two million and one euros",
}


@pytest.mark.parametrize(("cents", "words"), GERMAN.items())
def test_in_german(cents: int, words: str) -> None:
    with override("de"):
        assert euros_in_words(cents) == words


@pytest.mark.parametrize(("cents", "words"), ENGLISH.items())
def test_in_english(cents: int, words: str) -> None:
    with override("en"):
        assert euros_in_words(cents) == words


@given(st.integers(0, ANY_SUM), st.integers(0, ANY_SUM), st.sampled_from(["de", "en"]))
def test_different_amounts_have_different_words(a: int, b: int, language: str) -> None:
    with override(language):
        words = euros_in_words(a)
        assert (words == euros_in_words(b)) == (a == b)
        assert re.fullmatch(r"[A-Za-zäöüß]+([ -][A-Za-zäöüß]+)*", words)


def test_a_negative_amount_is_an_error() -> None:
    with pytest.raises(ValueError, match="no words"):
        euros_in_words(-1)
