"""The rule of a year's standing (Jahreswertung): its fields, frozen and checked, and the presets beside this module.

A series keeps `SeriesRule.to_dict()`, so that a change of a preset never changes an old standing. `series_presets/` has a
commented TOML file for each preset, which explains every field to an organiser.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

from tournaments.core.refusal import Refusal
from tournaments.rulesets.languages import SOURCE, field_of, path_in_source, spread
from tournaments.rulesets.reading import Between, OneOf, RulesetError, Visible, read

MOST_EVENINGS = 400
MOST_POINTS = 10_000
TIES = ("best_evening", "wins", "table_wins", "strokes", "evenings", "last_evening", "lot")
"""Criteria between players of the same value. `lot` is the last one of a chain, if it has one."""
HONOURS = ("most_evenings", "best_mean_rank")

_FOLDER = Path(__file__).with_name("series_presets")
# Read at the start: later the files may be those of a newer program.
_TEXTS = {
    (path.stem.replace("_", "-"), SOURCE if path.parent == _FOLDER else path.parent.name): path.read_text(
        encoding="utf-8"
    )
    for path in _FOLDER.rglob("*.toml")
}
SERIES_PRESETS: tuple[str, ...] = tuple(sorted({name for name, _language in _TEXTS}))

Points = Annotated[int, Between(0, MOST_POINTS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesRule:
    """The rule of a series.

    title: by language, the German one is there. value: what an evening is worth. place_points: by rank at the evening, best first, later ranks get none. shared_places: each
    player of a shared rank gets all points of the rank, or the points of all ranks that they use up are divided.
    attendance_points: part of the value of each evening that a player came to. combine: sum or mean of the evenings that count.
    count_best: so many of a player's evenings count. strike_worst: all but so many of the evenings held; an evening that the
    player missed is one of them. least_evenings: fewer evenings give no rank. guests: they rank as all others ("rank"), or have
    no value, and the ranks of the others close up ("skip") or stay ("skip_with_place"). guest_fees: keys of the fees that guests
    pay. ties: see TIES. final: which players with a rank may play the final of the series: nobody, all ("came"), the first
    `final_places`, or who has won an evening ("winners") or a round at a table. honours: see HONOURS.
    """

    title: Mapping[str, Annotated[str, Visible(120)]] = field(hash=False)
    value: Literal["points", "place_points", "beaten", "strokes", "one"]
    place_points: tuple[Points, ...] = ()
    shared_places: Literal["each", "split"] = "each"
    attendance_points: Points = 0
    combine: Literal["sum", "mean"] = "sum"
    count_best: Annotated[int, Between(1, MOST_EVENINGS)] | None = None
    strike_worst: Annotated[int, Between(1, MOST_EVENINGS)] | None = None
    least_evenings: Annotated[int, Between(1, MOST_EVENINGS)] = 1
    guests: Literal["rank", "skip", "skip_with_place"] = "rank"
    guest_fees: tuple[Annotated[str, Visible(20)], ...] = ()
    ties: tuple[Annotated[str, OneOf(TIES)], ...] = ()
    final: Literal["none", "came", "first", "winners", "table_winners"] = "none"
    final_places: Annotated[int, Between(1, MOST_POINTS)] | None = None
    honours: tuple[Annotated[str, OneOf(HONOURS)], ...] = ()

    def __post_init__(self) -> None:
        if (self.value == "place_points") != bool(self.place_points):
            raise Refusal("series_place_points_missing")
        if any(better < worse for better, worse in pairwise(self.place_points)):
            raise Refusal("series_place_points_rise")
        if self.count_best is not None and self.strike_worst is not None:
            raise Refusal("series_best_and_worst")
        if len(set(self.ties)) != len(self.ties) or "lot" in self.ties[:-1]:
            raise Refusal("series_ties_bad")
        if (self.final == "first") != (self.final_places is not None):
            raise Refusal("series_final_places_missing")

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as JSON types; those without a value are left out."""
        fields = {
            key: list(value) if isinstance(value, tuple) else value
            for key, value in spread(asdict(self)).items()
        }
        return {key: value for key, value in fields.items() if value is not None}

    @classmethod
    def from_dict(cls, source: Mapping[str, Any]) -> "SeriesRule":
        """Return the rule of these fields. Refuses series_field_bad (field) and what fields contradict each other."""
        titles = {key: field_of(key)[1] for key in source if field_of(key)[0] == "title"}
        if SOURCE not in titles.values():
            raise Refusal("series_field_bad", field="title")
        fields = {key: value for key, value in source.items() if key not in titles}
        try:
            return read(cls, fields | {"title": {titles[key]: source[key] for key in titles}})
        except RulesetError as error:
            raise Refusal("series_field_bad", field=path_in_source(error.path)) from error

    @classmethod
    def from_toml(cls, text: str) -> "SeriesRule":
        """Return the rule that an organiser has written. Refuses series_no_toml, and what `from_dict` refuses."""
        try:
            return cls.from_dict(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            raise Refusal("series_no_toml") from error


def preset_text(name: str, language: str = SOURCE) -> str:
    """Return the TOML of a preset, with its comments in this language or German. Raises KeyError if there is none of this name."""
    return _TEXTS.get((name, language)) or _TEXTS[name, SOURCE]


def series_preset(name: str) -> SeriesRule:
    """Return the preset of this name. Raises KeyError if there is none."""
    return SeriesRule.from_toml(preset_text(name))
