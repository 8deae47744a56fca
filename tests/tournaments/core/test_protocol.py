"""The examples of docs/protocol.md, from which other programs are written."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tournaments.core.ceremony import commitment_digest, seed_of, spoken
from tournaments.core.draw import apply_changes, change_from_dict, draw
from tournaments.core.lot import draw_lot
from tournaments.core.wishes import wish_from_dict

PROTOCOL = (Path(__file__).parents[3] / "docs/protocol.md").read_text(encoding="utf-8")


def examples(key: str) -> Iterator[dict[str, Any]]:
    """Yield the objects of all indented blocks whose first key is this."""
    for block in re.findall(r"^(?: {4}.*\n)+", PROTOCOL, re.MULTILINE):
        if block.strip().startswith(f'{{"{key}": '):
            yield json.loads(block)


def lists(tables: Any) -> Any:
    return [list(table) for table in tables]


def test_each_draw_gives_its_tables() -> None:
    draws = list(examples("draw"))
    assert [example["draw"]["mode"] for example in draws] == [
        "random",
        "few_repeats",
        "few_repeats",
        "random",
    ]
    for example in draws:
        wishes = [wish_from_dict(wish) for wish in example["draw"].pop("wishes")]
        assert lists(draw(**example["draw"], wishes=wishes)) == example["tables"]


def test_the_changes_give_the_tables_after_them() -> None:
    (example,) = examples("tables")
    steps = [change_from_dict(change) for change in example["changes"]]
    assert lists(apply_changes(tuple(map(tuple, example["tables"])), steps)) == example["after"]


def test_the_lot_gives_its_order() -> None:
    (example,) = (example for example in examples("seed") if "order" in example)
    assert list(draw_lot(example["seed"], example["players"])) == example["order"]


def test_the_commitment_its_groups_and_the_seed_follow_from_value_secret_and_words() -> None:
    (example,) = examples("value")
    assert commitment_digest(example["value"], example["secret"]) == example["digest"]
    assert list(spoken(example["digest"])) == example["groups"]
    assert seed_of(example["secret"], example["words"]) == example["seed"]
