"""Every field of a ruleset is checked, and a bad one is named by its path."""

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rulesets.loader import PRESETS, preset
from tournaments.rulesets.schema import Ruleset, RulesetError, TableRules

SOURCE = preset("schnauz-placing").to_dict()


def paths_of(source: dict[str, Any], prefix: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    paths = []
    for key, value in source.items():
        paths.append((*prefix, key))
        if isinstance(value, dict):
            paths.extend(paths_of(value, (*prefix, key)))
    return paths


PATHS = paths_of(SOURCE)


def with_value(path: str, value: object) -> dict[str, Any]:
    """The preset as a dictionary, with `value` at `path` ("tables.sizes")."""
    source = copy.deepcopy(SOURCE)
    *parents, last = path.split(".")
    place = source
    for key in parents:
        place = place[key]
    place[last] = value
    return source


def error_of(source: Any) -> RulesetError:
    with pytest.raises(RulesetError) as caught:
        Ruleset.from_dict(source)
    return caught.value


def test_the_preset_holds_the_numbers_of_rule_sheet_1() -> None:
    ruleset = preset("schnauz-placing")
    assert (ruleset.rounds, ruleset.entry_fee_cents, ruleset.points) == (3, 300, (6, 4, 3, 2, 1, 1))
    assert ruleset.tables == TableRules(sizes=(5, 6), exceptions=(4, 7), prefer="smaller")
    assert ruleset.stakes is not None
    assert (ruleset.stakes.stake_cents, ruleset.stakes.returned_to_ranks) == (60, (2,))
    assert ruleset.tie_break == ("strokes",)
    assert (ruleset.sheet.kind, ruleset.sheet.lives) == ("survival", 3)
    assert ruleset.sheet.all_others_lose == ("feuer", "handschnauz")


def test_points_go_on_with_the_last_number() -> None:
    ruleset = preset("schnauz-placing")
    assert [ruleset.points_for_rank(rank) for rank in range(1, 9)] == [6, 4, 3, 2, 1, 1, 1, 1]


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_there_and_back_through_json(name: str) -> None:
    ruleset = preset(name)
    assert ruleset.name == name
    assert Ruleset.from_dict(json.loads(json.dumps(ruleset.to_dict()))) == ruleset


def test_an_unknown_preset_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        preset("../secrets")


@pytest.mark.parametrize("path", PATHS, ids=".".join)
def test_a_missing_field_is_named(path: tuple[str, ...]) -> None:
    source = copy.deepcopy(SOURCE)
    place = source
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    if path == ("stakes",):
        assert Ruleset.from_dict(source).stakes is None
    else:
        assert error_of(source).path == ".".join(path)


@pytest.mark.parametrize("path", PATHS, ids=".".join)
@pytest.mark.parametrize("value", [{"unheard": "of"}, 2.0, "\0", True], ids=repr)
def test_a_value_of_the_wrong_type_is_named(path: tuple[str, ...], value: object) -> None:
    name = ".".join(path)
    if name == "pen_needs_supervisor" and value is True:
        return
    assert error_of(with_value(name, value)).path in (name, f"{name}.unheard")


@pytest.mark.parametrize("place", ["", "tables", "stakes", "sheet"])
def test_an_unknown_field_is_named(place: str) -> None:
    path = f"{place}.colour" if place else "colour"
    assert error_of(with_value(path, 1)).path == path


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("name", ""),
        ("name", "Schnauz"),
        ("name", "a b"),
        ("name", "a" * 61),
        ("title", "   "),
        ("title", "x" * 121),
        ("title", "a\u202eb"),
        ("title_en", ""),
        ("title_en", "a\nb"),
        ("rounds", 0),
        ("rounds", 21),
        ("entry_fee_cents", -1),
        ("entry_fee_cents", 1_000_001),
        ("points", []),
        ("points", [6, 4, 5]),
        ("points", [1001]),
        ("points", [-1001]),
        ("confirmation", "sometimes"),
        ("scribe", "seat_2"),
        ("tables.sizes", []),
        ("tables.sizes", [6, 5]),
        ("tables.sizes", [5, 5]),
        ("tables.sizes", [1, 5]),
        ("tables.sizes", [5, 13]),
        ("tables.exceptions", [4, 4]),
        ("tables.exceptions", [5]),
        ("tables.exceptions", [1]),
        ("tables.prefer", "bigger"),
        ("stakes.stake_cents", 0),
        ("stakes.stake_cents", 1_000_001),
        ("stakes.returned_to_ranks", [1]),
        ("stakes.returned_to_ranks", [13]),
        ("sheet.kind", "patience"),
        ("sheet.lives", -1),
        ("sheet.lives", 21),
        ("sheet.endings", ["schnauz", "feuer", "handschnauz"]),
        ("sheet.all_others_lose", ["knock"]),
    ],
)
def test_a_value_out_of_bounds_is_named(path: str, value: object) -> None:
    assert error_of(with_value(path, value)).path == path


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        ("points", [6, True], "points[1]"),
        ("tie_break", ["strokes", "age"], "tie_break[1]"),
        ("tables.sizes", [5, "6"], "tables.sizes[1]"),
        ("tables.exceptions", [None], "tables.exceptions[0]"),
        ("stakes.returned_to_ranks", [2.0], "stakes.returned_to_ranks[0]"),
        ("sheet.endings", ["knock", "spitz"], "sheet.endings[1]"),
        ("sheet.all_others_lose", ["spitz"], "sheet.all_others_lose[0]"),
        ("sheet.marks", [["schnauz"]], "sheet.marks[0]"),
    ],
)
def test_a_bad_item_of_a_list_is_named_by_its_index(path: str, value: object, named: str) -> None:
    assert error_of(with_value(path, value)).path == named


@pytest.mark.parametrize("source", [None, [], "schnauz-placing", 3])
def test_what_is_no_table_of_fields_is_no_ruleset(source: object) -> None:
    assert error_of(source).path == ""


def test_the_message_says_what_is_wrong() -> None:
    assert str(error_of(with_value("rounds", 0))) == "rounds: a tournament has 1 to 20 rounds"


@st.composite
def sources(draw: st.DrawFn) -> dict[str, Any]:
    """Any ruleset that can be, as a dictionary."""
    sizes = draw(st.lists(st.integers(2, 12), min_size=1, max_size=6, unique=True))
    cut = draw(st.integers(1, len(sizes)))
    endings = draw(st.sets(st.sampled_from(["schnauz", "feuer", "handschnauz"])))
    losing = draw(st.sets(st.sampled_from(sorted(endings)))) if endings else set()
    stakes = st.fixed_dictionaries(
        {"stake_cents": st.integers(1, 10**6), "returned_to_ranks": st.lists(st.integers(2, 12), max_size=3)}
    )
    return {
        **SOURCE,
        "name": draw(st.from_regex(r"[a-z0-9-]{1,60}", fullmatch=True)),
        "title": draw(st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=120)),
        "rounds": draw(st.integers(1, 20)),
        "entry_fee_cents": draw(st.integers(0, 10**6)),
        "tables": {
            "sizes": sorted(sizes[:cut]),
            "exceptions": sizes[cut:],
            "prefer": draw(st.sampled_from(["smaller", "larger"])),
        },
        "points": sorted(draw(st.lists(st.integers(-1000, 1000), min_size=1, max_size=9)), reverse=True),
        "stakes": draw(st.none() | stakes),
        "confirmation": draw(st.sampled_from(["required", "optional", "paper"])),
        "pen_needs_supervisor": draw(st.booleans()),
        "sheet": {
            **SOURCE["sheet"],
            "lives": draw(st.integers(0, 20)),
            "endings": ["knock", *sorted(endings)],
            "all_others_lose": sorted(losing),
        },
    }


@given(sources())
def test_any_ruleset_is_there_and_back_unchanged(source: dict[str, Any]) -> None:
    assert Ruleset.from_dict(source).to_dict() == source
