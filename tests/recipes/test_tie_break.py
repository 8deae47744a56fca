"""Another tie-break: `scoring/core/hand_points.py`, `tournaments/rulesets/words/tie_breaks.toml`, `tournaments/rulesets/fce.toml`,
`static/js/sheet/hand_points.js`, `docs/protocol.md`, `locale/en/LC_MESSAGES/django.po`.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import replace

import pytest
from django.test import Client

from scoring.core.hand_points import HandPoints, HandPointsKind
from scoring.core.registry import kind_of
from scoring.core.sheet_kind import SeatScore
from scoring.models import SeatResult
from scoring.services.projection import fill_in_counts, rebuild_results
from scoring.services.sheets import write
from tests.check.node import computed
from tests.factories import AT
from tests.recipes.recipe import ROOT, check_recipe
from tests.scoring.pages import Staff
from tournaments.organiser.ruleset_form import RulesForm
from tournaments.rulesets.loader import PRESETS, preset
from tournaments.rulesets.schema import Ruleset
from tournaments.rulesets.tie_breaks import TIE_BREAKS, TieBreak, counted_for, tie_breaks_of

GALA = TieBreak(
    "gala",
    frozenset({"hand_points"}),
    name="Gala",
    choice="die Gala",
    head="Gala",
    clause="wer mehr Gala hat",
)
COUNTED = HandPointsKind.results


def counted_with_gala(kind: HandPointsKind, state: HandPoints) -> Sequence[SeatScore]:
    """Return the results with one more count: two for a Feuer, one for a Schnauz."""
    return tuple(
        replace(score, counts={**score.counts, "gala": 2 * score.counts["feuer"] + score.counts["schnauz"]})
        for score in COUNTED(kind, state)
    )


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TIE_BREAKS, GALA.key, GALA)
    monkeypatch.setattr(HandPointsKind, "results", counted_with_gala)


def by_gala() -> Ruleset:
    written = (ROOT / "tournaments/rulesets/fce.toml").read_text(encoding="utf-8")
    return Ruleset.from_dict(tomllib.loads(written.replace('["schnauz", "feuer"]', '["gala"]')))


def played(rules: Ruleset) -> Staff:
    """Return a tournament with a table at which all have the same points: seat 1 a Schnauz more, seat 2 a Feuer more."""
    desk = Staff(5, ruleset=rules)
    table = desk.draw().tables.get()
    seats = [str(seat) for seat in range(1, 6)]
    totals = {
        "points": dict.fromkeys(seats, 500),
        "schnauz": {**dict.fromkeys(seats, 0), "1": 1},
        "feuer": {**dict.fromkeys(seats, 0), "2": 1},
    }
    write(table, [("totalled", totals), ("submitted", {}), ("accepted", {})], by="x", at=AT)
    return desk


def test_the_recipe_names_its_files() -> None:
    check_recipe("Another tie-break", __doc__, at_most=6)


@pytest.mark.django_db
def test_it_breaks_the_tie_and_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)
    desk = played(by_gala())
    first, second, *others = Client().get(f"/t/{desk.tournament.slug}/leaderboard.json").json()["rows"]
    assert (first["rank"], first["tie_break"], second["rank"], second["tie_break"]) == (1, [2], 2, [1])
    assert [row["rank"] for row in others] == [3, 3, 3]
    page = Client().get(f"/t/{desk.tournament.slug}/standings/").content.decode()
    assert "punktgleich – es entscheidet: Gala" in page
    assert ">Gala</th>" in page
    assert "wer mehr Gala hat" in Client().get(f"/t/{desk.tournament.slug}/rules/").content.decode()
    for address in (desk.url("standings"), desk.url("print_standings")):
        assert "Gala" in desk.client.get(address).content.decode()


def test_the_form_of_the_rules_offers_it_where_the_sheet_counts_it(monkeypatch: pytest.MonkeyPatch) -> None:
    register(monkeypatch)
    offering = [name for name in PRESETS if "die Gala" in str(RulesForm(base=preset(name))["tie_break"])]
    assert offering == [name for name in PRESETS if preset(name).sheet.kind == "hand_points"]


@pytest.mark.django_db
def test_results_of_an_earlier_version_are_counted_anew_from_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    desk = played(preset("fce"))
    assert fill_in_counts() == 0
    register(monkeypatch)
    assert fill_in_counts() == 1
    counted = SeatResult.objects.order_by("seat__seat_number").values_list("counts__gala", flat=True)
    assert list(counted) == [1, 2, 0, 0, 0]
    assert rebuild_results(desk.tournament) == []
    assert fill_in_counts() == 0


@pytest.mark.parametrize("name", PRESETS)
def test_a_kind_of_sheet_counts_what_the_table_of_tie_breaks_says(name: str) -> None:
    kind = kind_of(preset(name))
    scores = kind.results(kind.start([1, 2, 3, 4]))
    assert {frozenset(score.counts) for score in scores} == {frozenset(counted_for(preset(name).sheet.kind))}


CHECKED = """
  const { readRuleset } = await load("check/ruleset");
  return given.map((rules) => {
    try {
      return readRuleset(rules).tie_break;
    } catch ({ params }) {
      return params.path;
    }
  });
"""


@pytest.mark.parametrize("name", PRESETS)
def test_the_checker_knows_the_same_ones(name: str) -> None:
    rules = preset(name)
    keys = tie_breaks_of(rules.sheet.kind, in_knockout=rules.qualifying is not None)
    given = [rules.to_dict() | {"tie_break": chain} for chain in (keys, ["gala"], list(TIE_BREAKS))]
    assert computed(CHECKED, given) == [keys, "tie_break[0]", "tie_break"]
