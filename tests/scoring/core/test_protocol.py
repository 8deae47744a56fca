"""The examples of sheets and standings in docs/protocol.md, from which other programs are written."""

import json
from dataclasses import asdict
from typing import Any

from scoring.core.ranking import Score, standings
from scoring.core.sheet import ReplayRefused, replay
from tests.scoring.core.folds import with_text
from tests.tournaments.core.test_protocol import examples
from tournaments.rulesets.loader import preset
from tournaments.rulesets.schema import Ruleset

SHOWN = ("rank", "points", "strokes", "counts")
PRESETS = {"survival": "schnauz-placing", "hand_points": "fce", "plus_minus": "schafkopf"}


def ruleset_of(shown: dict[str, Any]) -> Ruleset:
    """Return a ruleset with these keys, and the others of a preset of the same kind."""
    kind = shown.get("sheet", {}).get("kind", "survival")
    others = preset("knockout" if "qualifying" in shown else PRESETS[kind]).to_dict()
    return Ruleset.from_dict(others | shown)


def folded(sheet: dict[str, Any]) -> dict[str, Any]:
    ruleset, entries = ruleset_of(sheet["ruleset"]), map(with_text, sheet["entries"])
    try:
        log = replay(ruleset, range(1, sheet["seats"] + 1), entries)
    except ReplayRefused as refused:
        return {"impossible": refused.index, "code": refused.refusal.code}
    results = [{key: asdict(score)[key] for key in SHOWN} for score in log.results]
    return {"phase": log.phase, "results": results}


def test_each_sheet_gives_its_results() -> None:
    found = list(examples("sheet"))
    assert [example["sheet"]["ruleset"]["sheet"]["kind"] for example in found] == [
        "survival",
        "survival",
        "hand_points",
        "plus_minus",
    ]
    for example in found:
        assert {"sheet": example["sheet"], **folded(example["sheet"])} == example


def test_the_scores_give_the_rows_of_the_standings() -> None:
    found = list(examples("standings"))
    assert len(found) == 2
    for example in found:
        given = example["standings"]
        rows = standings(
            given["players"],
            [Score(**score) for score in given["scores"]],
            rounds=given["rounds"],
            ruleset=ruleset_of(given["ruleset"]),
            decisions=given["decisions"],
        )
        assert [json.loads(json.dumps(asdict(row))) for row in rows] == example["rows"]
