"""Names that may be of one person."""

from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.alike import Namesakes, are_alike

NAMES = st.sampled_from(
    [
        "Huber Sepp",
        "Sepp Huber",
        "Hubber Sepp",
        "Müller Jörg",
        "Joerg Mueller",
        "Maier Anna",
        "Mayer Anna",
        "Sepp",
        "Huber",
    ]
)


def test_spelling_order_and_one_error_do_not_matter() -> None:
    alike = [("Huber Sepp", "SEPP HUBER"), ("Müller Jörg", "Joerg Mueller"), ("Hubber Sepp", "Huber Sepp")]
    assert all(are_alike(one, other) and are_alike(other, one) for one, other in alike)


def test_a_part_of_a_name_or_another_short_word_is_another_person() -> None:
    other = [("Huber Sepp", "Huber"), ("Huber Sepp", "Huber Hans"), ("Maier Eva", "Maier Ida")]
    assert not any(are_alike(one, name) for one, name in other)


@given(st.lists(NAMES, max_size=8), NAMES)
def test_those_found_by_a_word_are_those_of_all_that_share_one(names: list[str], name: str) -> None:
    found = Namesakes((one, place) for place, one in enumerate(names)).of(name)
    assert found == [place for place, one in enumerate(names) if are_alike(name, one)]
