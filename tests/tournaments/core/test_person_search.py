"""One rule finds a player wherever somebody looks for one."""

import pytest

from tournaments.core.person_search import name_fits, start_number_in


@pytest.mark.parametrize("query", ["17", " 17 ", "Nr. 17", "nr 17", "Nummer 17", "No. 17", "#17"])
def test_a_start_number_is_a_number_however_it_is_typed(query: str) -> None:
    assert start_number_in(query) == 17


@pytest.mark.parametrize("query", ["", "17a", "Sepp", "-17", "1234567890", "١٧"])
def test_other_texts_are_no_start_number(query: str) -> None:
    assert start_number_in(query) is None


@pytest.mark.parametrize(
    "query", ["mül", "mue", "MUL", "jörg mü", "müller, jö", "strauss", "strauß", "weiss m"]
)
def test_words_begin_the_words_of_the_name(query: str) -> None:
    names = ("Müller, Jörg", "Anna Strauß", "Anna-Lena Weiß-Müller")
    assert any(name_fits(name, query) for name in names)


@pytest.mark.parametrize("query", ["", "-", "üller", "müller müller", "jörgen", "\x00"])
def test_text_that_begins_no_word_has_no_matches(query: str) -> None:
    assert not name_fits("Müller, Jörg", query)
