"""Names that may be of one person."""

from tournaments.core.alike import are_alike, rough_keys


def test_spelling_order_and_one_error_do_not_matter() -> None:
    alike = [("Huber Sepp", "SEPP HUBER"), ("Müller Jörg", "Joerg Mueller"), ("Hubber Sepp", "Huber Sepp")]
    assert all(are_alike(a, b) and are_alike(b, a) for a, b in alike)


def test_a_part_of_a_name_or_another_short_word_is_another_person() -> None:
    other = [("Huber Sepp", "Huber"), ("Huber Sepp", "Huber Hans"), ("Maier Eva", "Maier Ida")]
    assert not any(are_alike(typed, name) for typed, name in other)


def test_alike_names_share_a_key_and_other_ones_of_the_same_first_name_do_not() -> None:
    for name, other in [
        ("Huber Sepp", "sepp huber"),
        ("Müller Jörg", "Joerg Muller"),
        ("Huber Josef", "Guber Josef"),
        ("Huber Josef", "Josef Hubre"),
        ("Schneider Katharina", "Katarina Schneidr"),
    ]:
        assert are_alike(name, other)
        assert rough_keys(name) & rough_keys(other)
    assert not rough_keys("Huber Josef") & rough_keys("Maier Josef")
