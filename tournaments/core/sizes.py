"""Numbers and sizes of tables, from the head count and the table rules of a ruleset.

Terms: a *regular* table has a size of `TableRules.sizes`; an *exceptional* one a size of
`TableRules.exceptions`, and needs the organiser's consent. A *split* is the list of table sizes.

Source: rule sheet 1, TA 2 (tables of 5 or 6). The sheet is silent on head counts that these cannot seat; their
split is our choice (see `exceptions` in the preset).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Literal, NamedTuple

from tournaments.core.refusal import Refusal
from tournaments.rulesets.schema import LARGEST_TABLE, Prefer, Qualifying, TableRules

Choice = Literal["smaller", "larger", "equal"]
"""More smaller tables, more larger ones, or all of one size if possible."""

# From this many players on, a best split always has a table of the main size (see `_best_split`).
_PEEL_ABOVE = LARGEST_TABLE * LARGEST_TABLE

SMALLEST_FINAL = 2


@dataclass(frozen=True, slots=True)
class Sizes:
    """The tables of a round: `sizes` in players, larger first; `exceptional` those that are not regular."""

    sizes: tuple[int, ...]
    exceptional: tuple[int, ...] = ()

    @property
    def is_regular(self) -> bool:
        """Whether every table has a regular size, so that no consent is needed."""
        return not self.exceptional

    @property
    def players(self) -> int:
        return sum(self.sizes)


def table_sizes(players: int, rules: TableRules, choice: Choice | None = None) -> Sizes:
    """Return the tables for `players`.

    Regular tables alone if possible: as many as possible if smaller tables are preferred, as few as possible if
    larger ones are, and as even as that number of tables allows. Otherwise as few exceptional tables as possible,
    of the first size of `rules.exceptions` that helps, then of two sizes, and so on.

    choice: overrides the preference of the rules. With "equal" all tables have one regular size if possible, the
    preferred one if there are several; otherwise the preference of the rules applies.

    Raises Refusal `too_few_players` (players, needed) below the smallest table, and `head_count_does_not_fit`
    (players, sizes, missing, surplus) if no split exists: sizes are the regular ones, missing and surplus
    count the players to the next head counts above and below that have a split.
    """
    if players < rules.smallest:
        raise Refusal("too_few_players", players=players, needed=rules.smallest)
    if choice == "equal":
        equal = _equal_sizes(players, rules)
        if equal is not None:
            return equal
    elif choice is not None:
        rules = replace(rules, prefer=choice)
    split = _split(players, rules)
    if split is None:
        raise Refusal(
            "head_count_does_not_fit",
            players=players,
            sizes=rules.sizes,
            missing=next(more for more in range(1, players) if _split(players + more, rules) is not None),
            surplus=next(fewer for fewer in range(1, players) if _split(players - fewer, rules) is not None),
        )
    return split


def _equal_sizes(players: int, rules: TableRules) -> Sizes | None:
    in_order = rules.sizes if rules.prefer == "smaller" else rules.sizes[::-1]
    size = next((size for size in in_order if players % size == 0), None)
    return None if size is None else Sizes((size,) * (players // size))


def sizes_of_round(
    players: int, tables: TableRules, qualifying: Qualifying | None, choice: Choice | None = None
) -> Sizes:
    """Return the tables of a round for so many players; in a knockout, players few enough for the final share one.

    Source: RULES 4.2. Raises Refusal as `table_sizes` does; a final needs two players.
    """
    if qualifying is None or players > qualifying.final:
        return table_sizes(players, tables, choice)
    if players < SMALLEST_FINAL:
        raise Refusal("too_few_players", players=players, needed=SMALLEST_FINAL)
    return Sizes((players,))


def possible_sizes(tables: TableRules, qualifying: Qualifying | None) -> range:
    """Return the sizes at which a table can have been played, drawn here or elsewhere.

    If tables have only one size, it is that one (RULES 5.1). Otherwise the players who are left play on, with the
    organiser's consent down to two. In a knockout, the final may be larger than any other table, and its players play
    on however few are left (RULES 4.2).
    """
    if qualifying is not None:
        return range(1, max(tables.largest, qualifying.final) + 1)
    return range(
        min(tables.smallest, 2) if tables.smallest < tables.largest else tables.smallest, tables.largest + 1
    )


def fewest(tables: TableRules, qualifying: Qualifying | None) -> int:
    """Return the least number of players for a round."""
    return tables.smallest if qualifying is None else SMALLEST_FINAL


def outlook(
    players: int, tables: TableRules, qualifying: Qualifying | None = None, *, span: int = 3
) -> tuple[tuple[int, Sizes | Refusal], ...]:
    """Return (head count, split or the Refusal) for up to `span` players fewer or more."""
    return tuple(
        (count, _sizes_or_refusal(count, tables, qualifying))
        for count in range(max(0, players - span), players + span + 1)
    )


def to_regular(
    players: int, tables: TableRules, qualifying: Qualifying | None = None
) -> tuple[int, int | None]:
    """Return how many more players, and how many fewer, give the next head counts with regular tables only.

    The final counts as regular. The second is None if no smaller head count has regular tables. Both are 0 if this
    one has.
    """
    smallest = tables.sizes[0] if qualifying is None else SMALLEST_FINAL
    up, down = range(max(players, tables.sizes[0]) + 1), range(max(0, players - smallest + 1))
    more = next(more for more in up if _is_regular(players + more, tables, qualifying))
    fewer = next((fewer for fewer in down if _is_regular(players - fewer, tables, qualifying)), None)
    return more, fewer


def _sizes_or_refusal(players: int, tables: TableRules, qualifying: Qualifying | None) -> Sizes | Refusal:
    try:
        return sizes_of_round(players, tables, qualifying)
    except Refusal as refusal:
        return refusal


def _is_regular(players: int, tables: TableRules, qualifying: Qualifying | None) -> bool:
    if qualifying is not None and SMALLEST_FINAL <= players <= qualifying.final:
        return True
    return players > 0 and _best_split(players, tables.sizes, (), tables.prefer) is not None


def _split(players: int, rules: TableRules) -> Sizes | None:
    """Return the split of `table_sizes`, None if there is none."""
    if players < rules.smallest or _best_split(players, rules.sizes, rules.exceptions, rules.prefer) is None:
        return None
    for exceptions in _in_order_of_trial(rules.exceptions):
        sizes = _best_split(players, rules.sizes, exceptions, rules.prefer)
        if sizes is not None:
            return Sizes(sizes, tuple(size for size in sizes if size in rules.exceptions))
    return None  # pragma: no cover  (the last choice tried is all the exceptions, which has a split)


def _in_order_of_trial(exceptions: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Yield no exception; each alone, in the order of the rules; each two; ...; all."""
    for count in range(len(exceptions) + 1):
        yield from combinations(exceptions, count)


def _best_split(
    players: int, regular: tuple[int, ...], exceptions: tuple[int, ...], prefer: Prefer
) -> tuple[int, ...] | None:
    """Return the cheapest split (see `_Best`) into tables of these sizes, larger first; None if there is none.

    Most tables have the main size m: the smallest regular one if smaller tables are preferred, else the
    largest. Among any m other tables there are some whose players fill tables of the main size exactly
    (pigeonhole on the sums modulo m), and that is cheaper; so a best split has fewer than m other tables.
    Above 144 players (m and all sizes are at most 12) tables of the main size can therefore be set aside
    first, so the search does not grow with the number of players.
    """
    main = regular[0] if prefer == "smaller" else regular[-1]
    aside = max(0, (players - _PEEL_ABOVE) // main)
    best = _best_splits(regular, exceptions, prefer)[players - aside * main]
    return None if best is None else tuple(sorted(best.sizes + (main,) * aside, reverse=True))


class _Best(NamedTuple):
    """A split and its cost, compared left to right: exceptional tables, tables (many or few), unevenness."""

    exceptional: int
    tables: int
    unevenness: int
    sizes: tuple[int, ...]


@lru_cache(maxsize=256)
def _best_splits(
    regular: tuple[int, ...], exceptions: tuple[int, ...], prefer: Prefer
) -> tuple[_Best | None, ...]:
    """Return the cheapest split of each head count from 0 to 155, each built from a smaller one and a table."""
    step = -1 if prefer == "smaller" else 1
    best: list[_Best | None] = [_Best(0, 0, 0, ())]
    for players in range(1, _PEEL_ABOVE + LARGEST_TABLE):
        choices = [
            _Best(
                before.exceptional + (size in exceptions),
                before.tables + step,
                before.unevenness + size * size,
                (*before.sizes, size),
            )
            for size in sorted(regular + exceptions)
            if size <= players and (before := best[players - size]) is not None
        ]
        best.append(min(choices, default=None))
    return tuple(best)
