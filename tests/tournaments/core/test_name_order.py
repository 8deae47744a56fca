"""The order of first name and surname in a list, and the comma that keeps it."""

import pytest

from tournaments.core.name_order import (
    arranged_like,
    guess_order,
    surname_first,
    with_comma,
    with_initial,
)
from tournaments.core.names import public_name


@pytest.mark.parametrize(
    ("names", "order"),
    [
        (["Huber Sepp", "Meier Anna", "Kern Lena"], "last_first"),
        (["Sepp Huber", "Anna Meier", "Lena Kern"], "first_last"),
        (["Huber, Sepp", "Meier, Anna", "Lena Kern"], "comma"),
        (["Huber Sepp", "Otto Peter", "Werner Franz"], "last_first"),  # two first names tell nothing
        (["Zacherl Xyz", "Abc Def"], "first_last"),  # nothing is known: as it was read so far
        (["Huber"], "first_last"),
        ([], "first_last"),
    ],
)
def test_the_order_of_a_list_is_guessed(names: list[str], order: str) -> None:
    assert guess_order(names) == order


@pytest.mark.parametrize(
    ("name", "written", "short"),
    [
        ("Huber Sepp", "Huber, Sepp", "Sepp H."),
        ("Huber Anna Maria", "Huber, Anna Maria", "Anna H."),
        ("von der Au Lena", "von der Au, Lena", "Lena A."),
        ("Dr. Huber Sepp", "Dr. Huber, Sepp", "Sepp H."),
        ("Huber, Sepp", "Huber, Sepp", "Sepp H."),
        ("Huber", "Huber", "Huber"),
        ("von der", "von der", "von d."),
    ],
)
def test_a_surname_that_comes_first_gets_a_comma(name: str, written: str, short: str) -> None:
    assert with_comma(name) == written
    assert public_name(written, 1, "short") == short


@pytest.mark.parametrize(
    ("name", "others", "written"),
    [
        ("Kern Lena", ["Huber, Sepp", "Meier, Anna"], "Kern, Lena"),
        ("Lena Kern", ["Huber, Sepp", "Meier, Anna"], "Lena Kern"),
        ("Quirin Kern", ["Huber, Quirin"], "Quirin Kern"),  # a first name of the list
        ("Kern Lena", ["Sepp Huber", "Meier, Anna"], "Kern Lena"),
        ("Kern Lena", [], "Kern Lena"),
        ("Kern", ["Huber, Sepp"], "Kern"),
    ],
)
def test_at_the_door_the_list_decides(name: str, others: list[str], written: str) -> None:
    assert arranged_like(name, others) == written


@pytest.mark.parametrize(
    ("name", "listed"),
    [
        ("Sepp Huber", "Huber, Sepp"),
        ("Huber, Sepp", "Huber, Sepp"),
        ("Huber Sepp", "Huber, Sepp"),
        ("Anna Lena Maier-Huber", "Maier-Huber, Anna Lena"),
        ("Anna von der Au", "von der Au, Anna"),
        ("Dr. Elsa Tintzmann", "Tintzmann, Dr. Elsa"),
        ("Sepp Huber jun.", "Huber jun., Sepp"),
        ("Sepp Huber (kommt später)", "Huber, Sepp (kommt später)"),
        ("Sepp (Wirt)", "Sepp (Wirt)"),
        ("Sepp H.", "Sepp H."),
        ("Sepp", "Sepp"),
        ("Gast 3", "Gast 3"),
        ("(ohne Namen)", "(ohne Namen)"),
    ],
)
def test_lists_name_the_surname_first(name: str, listed: str) -> None:
    assert surname_first(name) == listed


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Huber, Sepp", "Huber, S."),
        ("von der Au, Dr. Anna Lena", "von der Au, A."),
        ("Maier, Karl-Heinz (kommt später)", "Maier, K."),
        ("Huber, Dr.", "Huber, Dr."),
        ("Sepp H.", "Sepp H."),
        ("Nr. 7", "Nr. 7"),
    ],
)
def test_a_long_list_has_room_for_an_initial(name: str, shown: str) -> None:
    assert with_initial(name) == shown


def test_a_remark_in_brackets_is_no_surname() -> None:
    assert public_name("Sepp Huber (kommt später)", 1, "short") == "Sepp H."
