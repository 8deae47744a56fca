"""Table sizes: the head counts of rule sheet 1 by name, every head count against a search of all splits."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.refusal import Refusal
from tournaments.core.sizes import Sizes, outlook, possible_sizes, table_sizes, to_regular
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Prefer, Qualifying, TableRules

SHEET_1 = preset("schnauz-placing").tables
MORE_SIXES = TableRules(sizes=(5, 6), exceptions=(4, 7), prefer="larger")
FOURS = TableRules(sizes=(4,), exceptions=(), prefer="smaller")
MANY_EXCEPTIONS = TableRules(sizes=(5, 6), exceptions=(4, 7, 3, 2), prefer="smaller")
GAPS = TableRules(sizes=(3, 7), exceptions=(10, 4), prefer="larger")


@pytest.mark.parametrize(
    ("ruleset", "sizes"),
    [
        ("schnauz-placing", [2, 3, 4, 5, 6, 7]),
        ("konradsreuth", [2, 3, 4, 5, 6, 7]),
        ("fce", [2, 3, 4, 5, 6, 7]),
        ("knockout", [1, 2, 3, 4, 5, 6, 7]),
        ("schafkopf", [4]),
    ],
)
def test_the_sizes_that_a_table_can_come_to_have(ruleset: str, sizes: list[int]) -> None:
    """RULES 1.1, 2.1, 3.1, 4.2 and 5.1; in a knockout the remaining players of the last table play on."""
    rules = preset(ruleset)
    assert list(possible_sizes(rules.tables, rules.qualifying)) == sizes


def test_a_table_plays_on_between_two_sizes_and_a_final_may_be_the_largest() -> None:
    assert possible_sizes(TableRules(sizes=(5, 7), exceptions=(), prefer="larger"), None) == range(2, 8)
    assert possible_sizes(SHEET_1, Qualifying(go_on=2, final=10))[-1] == 10


@pytest.mark.parametrize(
    ("players", "sizes", "exceptional"),
    [
        (4, (4,), (4,)),
        (7, (7,), (7,)),
        (8, (4, 4), (4, 4)),
        (9, (5, 4), (4,)),
        (13, (5, 4, 4), (4, 4)),
        (14, (5, 5, 4), (4,)),
        (19, (5, 5, 5, 4), (4,)),
    ],
)
@pytest.mark.parametrize("rules", [SHEET_1, MORE_SIXES], ids=["more fives", "more sixes"])
def test_rules_1_1_head_counts_that_do_not_divide_get_as_few_fours_as_possible(
    players: int, sizes: tuple[int, ...], exceptional: tuple[int, ...], rules: TableRules
) -> None:
    assert table_sizes(players, rules) == Sizes(sizes, exceptional)


def test_rules_1_1_only_these_head_counts_need_the_organisers_yes() -> None:
    needing = [players for players in range(4, 1000) if not table_sizes(players, SHEET_1).is_regular]
    assert needing == [4, 7, 8, 9, 13, 14, 19]


def test_more_fives_and_more_sixes() -> None:
    assert table_sizes(30, SHEET_1).sizes == (5, 5, 5, 5, 5, 5)
    assert table_sizes(30, MORE_SIXES).sizes == (6, 6, 6, 6, 6)
    assert table_sizes(47, SHEET_1).sizes == (6, 6, 5, 5, 5, 5, 5, 5, 5)
    assert table_sizes(47, MORE_SIXES).sizes == (6, 6, 6, 6, 6, 6, 6, 5)


@pytest.mark.parametrize("players", [0, 1, 2, 3])
def test_rules_1_1_under_the_smallest_table_there_is_no_draw(players: int) -> None:
    with pytest.raises(Refusal) as caught:
        table_sizes(players, SHEET_1)
    assert (caught.value.code, caught.value.params) == ("too_few_players", {"players": players, "needed": 4})


@pytest.mark.parametrize(("players", "missing", "surplus"), [(10, 2, 2), (5, 3, 1), (10_003, 1, 3)])
def test_a_head_count_without_a_split_says_how_many_are_missing(
    players: int, missing: int, surplus: int
) -> None:
    with pytest.raises(Refusal) as caught:
        table_sizes(players, FOURS)
    assert caught.value.code == "head_count_does_not_fit"
    assert caught.value.params == {"players": players, "sizes": (4,), "missing": missing, "surplus": surplus}


@pytest.mark.parametrize(
    ("players", "sizes"),
    [
        (24, (6, 6, 6, 6)),
        (25, (5, 5, 5, 5, 5)),
        (30, (5,) * 6),
        (36, (6,) * 6),
        (47, (6, 6, *(5,) * 7)),
        (13, (5, 4, 4)),
    ],
)
def test_all_tables_are_equal_where_that_works_out(players: int, sizes: tuple[int, ...]) -> None:
    assert table_sizes(players, SHEET_1, "equal").sizes == sizes


def test_the_organisers_choice_of_sizes_overrides_the_rules() -> None:
    assert table_sizes(60, SHEET_1, "larger").sizes == (6,) * 10
    assert table_sizes(60, SHEET_1, "smaller").sizes == (5,) * 12
    assert table_sizes(60, replace(SHEET_1, prefer="larger"), "equal").sizes == (6,) * 10


def test_the_way_to_regular_tables() -> None:
    assert to_regular(13, SHEET_1) == (2, 1)
    assert to_regular(19, SHEET_1) == (1, 1)
    assert to_regular(4, SHEET_1) == (1, None)
    assert to_regular(0, SHEET_1) == (5, None)
    assert to_regular(47, SHEET_1) == (0, 0)


def test_the_outlook_is_the_three_head_counts_on_both_sides() -> None:
    assert [count for count, _ in outlook(47, SHEET_1)] == [44, 45, 46, 47, 48, 49, 50]
    assert dict(outlook(47, SHEET_1))[50] == table_sizes(50, SHEET_1)
    assert [count for count, _ in outlook(1, SHEET_1)] == [0, 1, 2, 3, 4]
    assert [type(sizes) for _, sizes in outlook(3, SHEET_1, span=1)] == [Refusal, Refusal, Sizes]


def splits(players: int, allowed: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield every way to seat the players, larger tables first."""
    if players == 0:
        yield ()
    for index, size in enumerate(allowed):
        if size <= players:
            for rest in splits(players - size, allowed[index:]):
                yield (size, *rest)


def cost(sizes: tuple[int, ...], rules: TableRules) -> tuple[int, int, int]:
    """Return the rule as a sort key: few exceptional tables; then many or few tables; then even ones."""
    tables = -len(sizes) if rules.prefer == "smaller" else len(sizes)
    return sum(size in rules.exceptions for size in sizes), tables, sum(size * size for size in sizes)


@cache
def two_sizes(players: int, rules: TableRules) -> tuple[int, ...] | None:
    """Return the regular split into tables of two sizes or one, by trying all counts of the smaller."""
    small, large = rules.sizes[0], rules.sizes[-1]
    pairs = [
        (large,) * ((players - smalls * small) // large) + (small,) * smalls
        for smalls in range(players // small + 1)
        if (players - smalls * small) % large == 0
    ]
    return min(pairs, key=lambda sizes: cost(sizes, rules)) if players and pairs else None


@pytest.mark.parametrize("rules", [SHEET_1, MORE_SIXES, FOURS, MANY_EXCEPTIONS, GAPS])
def test_every_head_count_to_400_against_a_search(rules: TableRules) -> None:
    for players in range(401):
        expected = two_sizes(players, rules)
        if expected is not None:
            assert table_sizes(players, rules) == Sizes(expected), players
        else:
            assert_exceptional(players, rules)


def assert_exceptional(players: int, rules: TableRules) -> None:
    """Check a head count without a regular split: the first exception that helps, alone, or else a refusal."""
    for alone in rules.exceptions:
        allowed = tuple(sorted((*rules.sizes, alone), reverse=True))
        regular = list(splits(players, allowed)) if 0 < players <= 60 else []
        if regular:
            best = min(regular, key=lambda sizes: cost(sizes, rules))
            assert table_sizes(players, rules) == Sizes(best, tuple(s for s in best if s == alone)), players
            return
    with pytest.raises(Refusal):
        table_sizes(players, rules)


@st.composite
def table_rules(draw: st.DrawFn) -> TableRules:
    sizes = draw(st.lists(st.integers(2, 12), min_size=1, max_size=6, unique=True))
    cut = draw(st.integers(1, len(sizes)))
    prefer: Prefer = draw(st.sampled_from(["smaller", "larger"]))
    return TableRules(tuple(sorted(sizes[:cut])), tuple(sizes[cut:]), prefer)


@given(st.integers(0, 36), table_rules())
def test_any_rules_against_a_search_of_all_splits(players: int, rules: TableRules) -> None:
    every = list(splits(players, tuple(sorted(rules.sizes + rules.exceptions, reverse=True))))
    if players < rules.smallest or not every:
        with pytest.raises(Refusal):
            table_sizes(players, rules)
        return
    result = table_sizes(players, rules)
    kinds = set(result.exceptional)
    like = [split for split in every if set(split) & set(rules.exceptions) == kinds]
    assert result.sizes in every
    assert cost(result.sizes, rules) == min(cost(split, rules) for split in like)
    fewest_kinds = min(len(set(split) & set(rules.exceptions)) for split in every)
    assert len(kinds) == fewest_kinds


@given(st.integers(0, 20_000), table_rules())
def test_large_halls_are_seated_completely(players: int, rules: TableRules) -> None:
    ((_, result),) = outlook(players, rules, span=0)
    if isinstance(result, Refusal):
        if result.code == "head_count_does_not_fit":
            assert isinstance(result.params["missing"], int)
            assert table_sizes(players + result.params["missing"], rules)
        return
    assert result.players == players
    assert set(result.sizes) <= {*rules.sizes, *rules.exceptions}
    assert list(result.sizes) == sorted(result.sizes, reverse=True)


@pytest.mark.parametrize(
    ("sizes", "prefer"), [((4, 5, 6), "smaller"), ((4, 5, 6), "larger"), ((3, 8, 11), "smaller")]
)
def test_setting_tables_aside_changes_nothing(sizes: tuple[int, ...], prefer: Prefer) -> None:
    """Above 144 players the search works on a remainder: compared with a search over all of them."""
    rules = TableRules(sizes, (), prefer)
    cheapest: list[tuple[int, int] | None] = [(0, 0)]
    for players in range(1, 600):
        step = -1 if prefer == "smaller" else 1
        before = [(size, cheapest[players - size]) for size in sizes if size <= players]
        sums = [(b[0] + step, b[1] + size * size) for size, b in before if b is not None]
        cheapest.append(min(sums, default=None))
        if sums:
            assert cost(table_sizes(players, rules).sizes, rules)[1:] == cheapest[players], players
