"""Every field of a ruleset is checked, and a bad one is named by its path."""

import copy
import json
from operator import attrgetter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rulesets.languages import field_of
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.rulesets.reading import RulesetError
from tournaments.rulesets.schema import Ruleset

SOURCE = preset("schnauz-placing").to_dict()


def paths_of(source: dict[str, Any], prefix: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    paths = []
    for key, value in source.items():
        paths.append((*prefix, key))
        if isinstance(value, dict):
            paths.extend(paths_of(value, (*prefix, key)))
    return paths


PATHS = paths_of(SOURCE)
MAY_BE_MISSING = {
    "drawn_ahead": False,
    "starts_at_sign": False,
    "lot_by_program": False,
    "volunteer_scribe": False,
    "towns_on_sheet": False,
    "scribe_takes_back": "any",
    "objections_end": "voided",
    "last_instance": "organiser",
    "sheet.three_of_a_kind_spared": (),
    "qualifying": None,
    "stakes": None,
    "hands": None,
    "manners": (),
    "manners_en": (),
    "hands.feuer_points": None,
    "hands.three_of_a_kind_name": None,
    "hands.three_of_a_kind_half_points": None,
}
"""Fields that older rulesets do not have, and those that mean nothing where they are left out."""


def source_of(name: str) -> dict[str, Any]:
    """A preset as a dictionary."""
    return preset(name).to_dict()


OTHER_PATHS = [
    (name, path) for name in PRESETS if name != SOURCE["name"] for path in paths_of(source_of(name))
]


def value_at(ruleset: Ruleset, path: str) -> object:
    """Return the value at a path; of a text by language that of the language ("title_en")."""
    field, language = field_of(path)
    value: object = attrgetter(field)(ruleset)
    return value[language] if isinstance(value, dict) else value


def with_value(path: str, value: object, *, name: str = "schnauz-placing") -> dict[str, Any]:
    """A preset as a dictionary, with `value` at `path` ("tables.sizes")."""
    source = source_of(name)
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
    name = ".".join(path)
    if name in MAY_BE_MISSING:
        assert value_at(Ruleset.from_dict(source), name) == MAY_BE_MISSING[name]
    else:
        assert error_of(source).path == name


@pytest.mark.parametrize("path", PATHS, ids=".".join)
@pytest.mark.parametrize("value", [{"unheard": "of"}, 2.0, "\0", True], ids=repr)
def test_a_value_of_the_wrong_type_is_named(path: tuple[str, ...], value: object) -> None:
    name = ".".join(path)
    if isinstance(value_at(preset("schnauz-placing"), name), bool) and value is True:
        return
    assert error_of(with_value(name, value)).path in (name, f"{name}.unheard", f"{name}.kind")


@pytest.mark.parametrize(("name", "path"), OTHER_PATHS, ids=str)
@pytest.mark.parametrize("value", [{"unheard": "of"}, 2.0, "\0"], ids=repr)
def test_a_value_of_the_wrong_type_is_named_in_the_other_presets(
    name: str, path: tuple[str, ...], value: object
) -> None:
    place = ".".join(path)
    assert error_of(with_value(place, value, name=name)).path in (place, f"{place}.unheard", f"{place}.kind")


@pytest.mark.parametrize("place", ["", "tables", "stakes", "hands", "sheet"])
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
        ("sheet.three_of_a_kind_spared", ["knock", "feuer", "gong"]),
        ("scribe_takes_back", "nothing"),
        ("objections_end", "at midnight"),
        ("hands.lowest_card", "5"),
        ("hands.card_names", "swiss"),
        ("hands.schnauz", "any_30"),
        ("hands.schnauz_points", 30),
        ("hands.schnauz_points", 100),
        ("hands.feuer", "above_everything"),
        ("hands.feuer_points", 31),
        ("hands.feuer_points", 30),
        ("hands.feuer_points", 100),
        ("hands.three_of_a_kind_name", " "),
        ("hands.three_of_a_kind_name", "x" * 31),
        ("hands.three_of_a_kind_half_points", 60),
        ("hands.three_of_a_kind_half_points", 62),
        ("hands.threes", "higher"),
    ],
)
def test_a_value_out_of_bounds_is_named(path: str, value: object) -> None:
    assert error_of(with_value(path, value)).path.partition("[")[0] == path


@pytest.mark.parametrize(
    ("name", "path", "value", "named"),
    [
        ("knockout", "rounds", 3, "rounds"),
        ("knockout", "drawn_ahead", True, "drawn_ahead"),
        ("knockout", "points", [1], "points"),
        ("knockout", "qualifying.go_on", 0, "qualifying.go_on"),
        ("knockout", "qualifying.go_on", 4, "qualifying.go_on"),
        ("knockout", "qualifying.final", 6, "qualifying.final"),
        ("knockout", "qualifying.final", 13, "qualifying.final"),
        ("knockout", "tie_break", ["rank", "tout_won"], "tie_break[1]"),
        ("fce", "rounds", None, "rounds"),
        ("fce", "points", [6, 4], "points"),
        ("fce", "tie_break", ["schnauz", "rank"], "tie_break[1]"),
        ("fce", "tie_break", ["schnauz", "schnauz"], "tie_break[1]"),
        ("fce", "sheet.kind", "patience", "sheet.kind"),
        ("fce", "sheet.deals", 0, "sheet.deals"),
        ("fce", "sheet.deals", 201, "sheet.deals"),
        ("fce", "sheet.endings", ["schnauz"], "sheet.endings"),
        ("fce", "sheet.endings", ["knock", "handschnauz"], "sheet.endings[1]"),
        ("fce", "sheet.lives", 3, "sheet.lives"),
        ("fce", "hands", None, "hands"),
        ("fce", "hands.feuer_points", None, "hands.feuer_points"),
        ("fce", "hands.feuer_points", 35, "hands.feuer_points"),
        ("fce", "hands.three_of_a_kind_half_points", 63, "hands.three_of_a_kind_half_points"),
        ("fce", "hands.three_of_a_kind_half_points", 66, "hands.three_of_a_kind_half_points"),
        ("knockout", "hands.feuer_points", 32, "hands.feuer_points"),
        ("konradsreuth", "hands.feuer_points", 33, "hands.feuer_points"),
        ("konradsreuth", "hands.three_of_a_kind_half_points", 62, "hands.three_of_a_kind_half_points"),
        ("schafkopf", "tables.sizes", [4, 5], "tables.sizes"),
        ("schafkopf", "tables.exceptions", [5], "tables.sizes"),
        ("schafkopf", "sheet.deals", 0, "sheet.deals"),
        ("schafkopf", "sheet.solos", ["ramsch"], "sheet.solos[0]"),
        ("schafkopf", "sheet.tie_solo_games", [], "sheet.tie_solo_games"),
        ("schafkopf", "sheet.tie_solo_games", ["solo", "solo"], "sheet.tie_solo_games"),
        ("schafkopf", "sheet.tie_solo_games", ["ruf"], "sheet.tie_solo_games[0]"),
        ("schafkopf", "sheet.ruf.normal", 0, "sheet.ruf.normal"),
        ("schafkopf", "sheet.ruf.tout", 5, "sheet.ruf.tout"),
        ("schafkopf", "sheet.solo.tout", 1001, "sheet.solo.tout"),
        ("schafkopf", "sheet.solo.tout", None, "sheet.needs_approval"),
        ("schafkopf", "sheet.needs_approval", ["contra"], "sheet.needs_approval[0]"),
    ],
)
def test_contradicting_fields_are_named(name: str, path: str, value: object, named: str) -> None:
    assert error_of(with_value(path, value, name=name)).path == named


def test_ranks_give_points_in_a_survival_tournament_only() -> None:
    assert error_of(with_value("points", [])).path == "points"
    assert preset("fce").points_for_rank(1) is None


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
        ("manners", ["Abheben.", 3], "manners[1]"),
        ("manners", ["Abheben.", " "], "manners[1]"),
        ("manners", ["x" * 301], "manners[0]"),
        ("manners_en", ["a\nb"], "manners_en[0]"),
        ("manners_en", ["x"] * 41, "manners_en"),
    ],
)
def test_a_bad_item_of_a_list_is_named_by_its_index(path: str, value: object, named: str) -> None:
    assert error_of(with_value(path, value)).path == named


@pytest.mark.parametrize("source", [None, [], "schnauz-placing", 3])
def test_a_document_that_is_no_table_is_no_ruleset(source: object) -> None:
    assert error_of(source).path == ""


def test_the_message_says_what_is_wrong() -> None:
    assert str(error_of(with_value("rounds", 0))) == "rounds: a number from 1 to 20 is expected"


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


class TestTextsByLanguage:
    def test_another_language_may_be_there_and_goes_with_the_ruleset(self) -> None:
        source = SOURCE | {"title_pt-br": "Schnauz", "manners_fr": ["Couper."]}
        ruleset = Ruleset.from_dict(source)
        assert ruleset.title["pt-br"] == "Schnauz"
        assert ruleset.manners["fr"] == ("Couper.",)
        assert ruleset.to_dict() == json.loads(json.dumps(source))

    @pytest.mark.parametrize(
        "key", ["title_", "title_e", "title_EN", "title_en_gb", "rounds_fr", "manners_french-x"]
    )
    def test_what_is_no_language_is_an_unknown_field(self, key: str) -> None:
        assert error_of(SOURCE | {key: "Schnauz"}).path == key

    def test_what_is_wrong_in_another_language_is_named(self) -> None:
        assert error_of(SOURCE | {"title_fr": " "}).path == "title_fr"
        assert error_of(SOURCE | {"manners_pt-br": ["Cortar.", 3]}).path == "manners_pt-br[1]"
