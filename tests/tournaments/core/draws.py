"""Generated draws, changes and lots as JSON, with what the core makes of them: tables, or a refusal.

static/js/check/ must give the same.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

from tournaments.core.draw import Tables, apply_changes, change_from_dict, draw
from tournaments.core.lot import draw_lot
from tournaments.core.refusal import Refusal
from tournaments.core.wishes import wish_from_dict

JSON = dict[str, Any]


@dataclass(frozen=True)
class Vector:
    """A call of `static/js/check/draw.js`, and the expected answer: {"result"} or {"code", "params"}."""

    call: str
    arguments: list[Any]
    answer: JSON


def evening(chance: Random, *, most: int) -> Iterator[Vector]:
    """Yield the draws and changes of up to six rounds, in which players come and go."""
    everybody = chance.sample(range(1, 3 * most), chance.randint(5, most))
    stay = chance.choice([1, 1, 0.95, 0.7])
    few_repeats = chance.random() < 0.8
    history: list[Any] = []
    for _ in range(chance.randint(1, 6)):
        players = [player for player in everybody if chance.random() < stay]
        players = players if len(players) > 4 else everybody
        drawn = a_draw(chance, players, history, few_repeats=few_repeats)
        yield drawn
        if "result" in drawn.answer:
            changed = some_changes(chance, drawn.answer["result"], everybody)
            yield changed
            history = [*history, changed.answer.get("result", drawn.answer["result"])]


def a_draw(
    chance: Random, players: Sequence[int], history: list[Any], *, few_repeats: bool, wishes: int = 5
) -> Vector:
    """Return a draw. wishes: at most so many."""
    sizes = sizes_for(chance, len(players))
    old = not few_repeats and chance.random() < 0.5
    several = [] if old or chance.random() < 0.5 else wishes_of(chance, players, len(sizes), wishes)
    return drawing(
        version=1 if old else 2,
        mode="few_repeats" if few_repeats else "random",
        seed=a_seed(chance),
        players=list(players),
        sizes=sizes,
        history=history,
        wishes=several,
    )


def a_search_for_seats(number: int, *, share: float) -> Vector:
    """Return a draw by lot with wishes to keep a share of all pairs apart, most of which are hard to grant."""
    chance = Random(number)
    pairs = [pair for pair in combinations(range(1, 31), 2) if chance.random() < share]
    return drawing(
        version=2,
        mode="random",
        seed="5c" * 32,
        players=list(range(1, 31)),
        sizes=[5] * 6,
        history=[],
        wishes=[{"kind": "keep_apart", "a": a, "b": b} for a, b in pairs],
    )


def drawing(**record: Any) -> Vector:
    def answer() -> Tables:
        wishes = [wish_from_dict(wish) for wish in record["wishes"]]
        return draw(**{**record, "wishes": wishes})

    return _vector("draw", [record], answer)


def a_seed(chance: Random) -> str:
    seed = chance.randbytes(32).hex()
    return chance.choice([seed, seed, seed.upper()])


def sizes_for(chance: Random, players: int) -> list[int]:
    """Return sizes for so many players: mostly even ones, some as different as can be."""
    if chance.random() < 0.2:
        sizes: list[int] = []
        while left := players - sum(sizes):
            sizes.append(chance.randint(1, min(left, 12)))
        return sizes
    tables = max(1, players // chance.choice([4, 5, 5, 5, 6]))
    sizes = [players // tables + (number < players % tables) for number in range(tables)]
    if chance.random() < 0.2:
        chance.shuffle(sizes)
    return sizes


def wishes_of(chance: Random, players: Sequence[int], tables: int, most: int) -> list[JSON]:
    """Return wishes: possible ones mostly, some that ask for too much, some to keep a whole group apart."""
    if chance.random() < 0.1:
        group = chance.sample(players, min(len(players), tables + chance.randint(-1, 1), 7))
        return [{"kind": "keep_apart", "a": a, "b": b} for a, b in combinations(group, 2)]
    return [_wish(chance, players, tables) for _ in range(chance.randint(1, most))]


def _wish(chance: Random, players: Sequence[int], tables: int) -> JSON:
    a, b = chance.sample(players, 2)
    if chance.random() < 0.01:
        return chance.choice(
            [
                {"kind": "keep_apart", "a": a, "b": a},
                {"kind": "keep_apart", "a": 9999, "b": a},
                {"kind": "fixed_table", "player": a, "table": tables + 1},
                {"kind": "fixed_table", "player": a},
                {"kind": "window_seat", "player": a, "table": 1},
            ]
        )
    if chance.random() < 0.5:
        return {"kind": "keep_apart", "a": a, "b": b}
    return {"kind": "fixed_table", "player": a, "table": chance.randint(1, tables)}


def some_changes(chance: Random, tables: list[list[int]], everybody: Sequence[int]) -> Vector:
    seated = [player for table in tables for player in table]
    others = [player for player in everybody if player not in seated] + [9998, 9999]
    changes: list[JSON] = []
    for _ in range(chance.choice([0, 0, 1, 2, 4])):
        a, b, new = chance.choice(seated), chance.choice(seated), chance.choice(others)
        a = new if chance.random() < 0.05 else a
        table = chance.randint(0 if chance.random() < 0.1 else 1, len(tables))
        changes.append(
            chance.choice(
                [
                    {"kind": "swap", "a": a, "b": b},
                    {"kind": "left", "player": a},
                    {"kind": "joined", "player": new, "table": table},
                    {"kind": "moved", "player": a, "table": table},
                    {"kind": "replaced", "player": a, "substitute": new},
                    {"kind": "taken_back", "changes": chance.randint(1, 2)},
                    {"kind": chance.choice(["joined", "seated"]), "player": a},
                ][: 7 if chance.random() < 0.1 else 6]
            )
        )
    return changing(tables, changes)


def changing(tables: list[list[int]], changes: list[JSON]) -> Vector:
    def answer() -> Tables:
        steps = [change_from_dict(change) for change in changes]
        return apply_changes(tuple(map(tuple, tables)), steps)

    return _vector("applyChanges", [tables, changes], answer)


def a_lot(chance: Random) -> Vector:
    seed = chance.choice([a_seed(chance)] * 9 + ["", "0" * 63, "g" * 64, "0" * 64 + "\n"])
    players = chance.sample(range(1, 400), chance.randint(0, 60))
    return _vector("lot", [seed, players], lambda: draw_lot(seed, players))


def _vector(call: str, arguments: list[Any], answer: Callable[[], Any]) -> Vector:
    try:
        return Vector(call, arguments, {"result": _lists(answer())})
    except Refusal as refusal:
        return Vector(call, arguments, {"code": refusal.code, "params": refusal.params})


def _lists(value: Any) -> Any:
    return [_lists(each) for each in value] if isinstance(value, list | tuple) else value
