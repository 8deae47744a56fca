"""Phone and checker fold sheets as the server does, and refuse the same entries; the checker ranks and reads rulesets as the server."""

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.check.node import Alteration, compared, computed
from tests.scoring.core.folds import a_ruleset, sheet_of, standings_of, table_of_a_knockout
from tests.scoring.core.vectors import entry_id

JSON = dict[str, Any]
PROTOCOL = Path(__file__).parents[2] / "docs/protocol.md"

FOLDED = """
  const { startSheet, addEntry, resultsOf } = await load("check/sheet");
  return given.map(({ ruleset, seats, attempts }) => {
    let sheet = startSheet(ruleset, seats);
    const steps = [];
    const refusals = attempts.map((attempt) => {
      try {
        sheet = addEntry(sheet, attempt);
      } catch (refusal) {
        if (!refusal.code) throw refusal;
        return refusal.code;
      }
      steps.push(resultsOf(sheet));
      return null;
    });
    return { refusals, fold: { phase: sheet.phase, results: resultsOf(sheet), steps } };
  });
"""
RANKED = """
  const { standings } = await load("check/ranking");
  return given.map(({ ruleset, players, scores, rounds, decisions }) =>
    ({ rows: standings(ruleset, players, scores, rounds, decisions) }));
"""
WENT_ON = """
  const { goingOn } = await load("check/ranking");
  return given.map(({ ranks, qualifying }) => ({ on: [...goingOn(new Map(ranks), qualifying)].sort((a, b) => a - b) }));
"""
READ = """
  const { readRuleset } = await load("check/ruleset");
  return given.map(({ given }) => {
    try {
      return { read: readRuleset(given) };
    } catch (refusal) {
      if (refusal.code !== "ruleset_impossible" || typeof refusal.params.path !== "string") throw refusal;
      return { read: null };
    }
  });
"""
REFUSED = """
  const { fold } = await load("check/sheet");
  return JSON.parse(given.entries).map((entry) => {
    try {
      return fold(given.ruleset, 4, [entry]).phase;
    } catch (refusal) {
      return [refusal.index, refusal.code];
    }
  });
"""

REFUSALS = {
    *("all_deals_written", "all_others_lose", "already_accepted", "already_drowned", "already_ranked"),
    *("already_totalled", "already_voided", "bad_entry", "cannot_be_corrected", "cannot_be_voided"),
    *(
        "confirmations_missing",
        "corrected_by_supervisor",
        "deals_written",
        "duplicate_id",
        "finisher_cannot_lose",
    ),
    *("finisher_needed", "finisher_on_knock", "four_at_the_table", "impossible_hand", "impossible_total"),
    *("later_entry_impossible", "latest_deal_only", "no_losers", "no_partner_in_a_solo", "not_complete"),
    *("not_in_first_deal", "nothing_to_approve", "objection_is_closed", "objection_stands", "organiser_only"),
    *("partner_is_declarer", "partner_needed", "points_do_not_balance", "ranks_incomplete"),
    *("ranks_no_competition_ranking", "ranks_two_winners", "seats_incomplete", "sheet_is_accepted"),
    *("sheet_is_open", "sheet_is_submitted", "supervisor_takes_back", "table_decided", "too_many_solos"),
    *("two_feuer", "unknown_ending", "unknown_entry", "unknown_game", "unknown_kind", "unknown_level"),
    *("unknown_mark", "unknown_seat", "would_drown_everybody"),
}
OTHER_FOLDS = [
    Alteration("sheet/checks", "  return value.toLowerCase();", "  return value;"),
    Alteration("sheet/checks", "Object.keys(values).length === seats.length && ", ""),
    Alteration("sheet/survival", "lost[seat] > state.lives", "lost[seat] >= state.lives"),
    Alteration("sheet/survival", "deal > state.drowned_in[seat]", "deal >= state.drowned_in[seat]"),
    Alteration("sheet/survival", 'handschnauz: "schnauz"', 'handschnauz: "feuer"'),
    Alteration("sheet/survival", "points.length) - 1", "points.length - 1) - 1"),
    Alteration("sheet/survival", "losers.every((seat) =>", "losers.some((seat) =>"),
    Alteration("check/hand_values", 'hands.schnauz === "any_31"', "true"),
    Alteration("check/hand_values", '["unter", 10]', '["unter", 2]'),
    Alteration("sheet/hand_points", 'startsWith("table_")', 'startsWith("table_s")'),
    Alteration("sheet/plus_minus", "(TABLE - 1) * worth", "TABLE * worth"),
    Alteration(
        "sheet/plus_minus", "[solo_won - tout_won, solo_played - tout_played]", "[solo_won, solo_played]"
    ),
    Alteration("sheet/plus_minus", "state.deals.filter((deal) => !deal.waits)", "state.deals"),
    Alteration(
        "sheet/replay",
        "approvals.includes(kind) ? sheet.confirmed : []",
        "approvals.includes(kind) ? [] : []",
    ),
    Alteration("sheet/replay", "if (latest.corrected)", "if (false)"),
    Alteration("sheet/replay", "!(earlier.id in sheet.voided)", "true"),
    Alteration("sheet/replay", 'kind === "deal" && sheet.ruleset', "sheet.ruleset"),
    Alteration("check/sheet", "largest_value: 1_000_000", "largest_value: 999_999"),
]
OTHER_RANKINGS = [
    Alteration("check/ranking", "findLast", "find"),
    Alteration("check/ranking", "equal.every(", "equal.some("),
    Alteration("check/ranking", "sign * last.rank", "last.rank"),
    Alteration("check/ranking", "!order && equal.length > 1", "equal.length > 1"),
    Alteration(
        "check/ranking",
        "score.round_number > latest.round_number",
        "score.round_number < latest.round_number",
    ),
    Alteration("check/ranking", "score.points ?? 0", "score.points ?? 1"),
]
Apart = tuple[Any, dict[Alteration, str]]
"""The answers of the checker, and whether those of alterations differ."""


@pytest.fixture(scope="module")
def sheets() -> list[JSON]:
    chance = Random(51)
    shares = [0.0] * 1300 + [0.3] * 700
    return [sheet_of(chance, 60, malformed=share) for share in shares]


@pytest.fixture(scope="module")
def tables() -> list[JSON]:
    chance = Random(52)
    return [standings_of(chance) for _ in range(1500)]


@pytest.fixture(scope="module")
def knockouts() -> list[JSON]:
    chance = Random(53)
    return [table_of_a_knockout(chance) for _ in range(300)]


@pytest.fixture(scope="module")
def rulesets() -> list[JSON]:
    chance = Random(54)
    return [a_ruleset(chance, changes=chance.choice([0, 1, 1, 1, 2])) for _ in range(4000)]


@pytest.fixture(scope="module")
def folded(sheets: list[JSON]) -> Apart:
    return compared(FOLDED, questions(sheets, "refusals", "fold"), OTHER_FOLDS)


@pytest.fixture(scope="module")
def ranked(tables: list[JSON]) -> Apart:
    return compared(RANKED, questions(tables, "rows"), OTHER_RANKINGS)


def questions(vectors: list[JSON], *keys: str) -> list[JSON]:
    """Return the vectors without the answers of the server, which are `keys`."""
    return [{key: vector[key] for key in vector if key not in keys} for vector in vectors]


def answered(body: str, vectors: list[JSON], *keys: str) -> Any:
    """Return what the checker makes of the vectors."""
    return computed(body, questions(vectors, *keys))


def answers(vectors: list[JSON], *keys: str) -> list[JSON]:
    return [{key: vector[key] for key in keys} for vector in vectors]


def test_the_checker_folds_every_sheet_as_the_server(sheets: list[JSON], folded: Apart) -> None:
    assert folded[0] == answers(sheets, "refusals", "fold")


def test_the_checker_ranks_as_the_server(tables: list[JSON], ranked: Apart) -> None:
    assert ranked[0] == answers(tables, "rows")


def test_the_same_players_go_on(knockouts: list[JSON]) -> None:
    assert answered(WENT_ON, knockouts, "on") == answers(knockouts, "on")


def test_the_checker_reads_the_same_rulesets_as_the_server(rulesets: list[JSON]) -> None:
    assert answered(READ, rulesets, "read") == answers(rulesets, "read")


def test_the_sheets_have_all_that_is_possible(sheets: list[JSON]) -> None:
    kinds = [sheet["ruleset"]["sheet"]["kind"] for sheet in sheets]
    names = {sheet["ruleset"]["name"] for sheet in sheets}
    written = [
        (sheet["fold"]["phase"], attempt["kind"])
        for sheet in sheets
        for attempt, refusal in zip(sheet["attempts"], sheet["refusals"], strict=True)
        if refusal is None
    ]

    assert {code for sheet in sheets for code in sheet["refusals"]} == {None, *REFUSALS}
    assert min(kinds.count(kind) for kind in set(kinds)) > 500
    assert names == {"schnauz-placing", "konradsreuth", "fce", "knockout", "schafkopf"}
    assert {phase for phase, _kind in written} == {"open", "submitted", "accepted"}
    assert {kind for phase, kind in written if phase == "accepted"} == {
        *("deal", "stroke", "ranked", "approved", "totalled"),
        *("confirmed", "objected", "submitted", "accepted", "reopened", "voided", "corrected"),
    }


def test_the_protocol_names_every_refusal() -> None:
    fold = PROTOCOL.read_text(encoding="utf-8").split("## Table sheets: the fold")[1].split("## Standings")[0]
    assert {code for code in REFUSALS if f"`{code}`" not in fold} == set()


def test_the_standings_have_all_that_is_possible(tables: list[JSON], rulesets: list[JSON]) -> None:
    rows = [row for table in tables for row in table["rows"]]
    decided = [
        table
        for table in tables
        if any(row["rank"] != other["rank"] for row, other in equal_neighbours(table["rows"]))
    ]

    assert len(decided) > 100
    assert sum(row["tied"] for row in rows) > 1000
    assert {len(row["by_round"]) for row in rows} == {0, 1, 2, 3, 4, 5}
    assert {table["ruleset"]["qualifying"] is None for table in tables} == {True, False}
    assert 500 < sum(vector["read"] is None for vector in rulesets) < len(rulesets) - 500


def equal_neighbours(rows: list[JSON]) -> Iterator[tuple[JSON, JSON]]:
    """Yield rows that stand one after the other and are equal in points and tie-breaks."""
    for row, other in pairwise(rows):
        if (row["points"], row["tie_break"]) == (other["points"], other["tie_break"]):
            yield row, other


def test_what_no_program_writes_is_refused(rulesets: list[JSON]) -> None:
    """No forged entry ends the fold in any other way."""
    ruleset = next(vector["read"] for vector in rulesets if vector["read"])
    whole = {"id": entry_id(1), "kind": "confirmed", "data": {"seat_number": 1}, "by": "scribe"}
    prototype = '{"__proto__": {"seat_number": 1}}'
    entries = [
        *map(json.dumps, [None, 7, "entry", [], {}, whole | {"by": "nobody"}, whole | {"by": None}]),
        *(json.dumps(whole).replace('{"seat_number": 1}', data) for data in ("null", "[]", prototype)),
        json.dumps(whole).replace('"seat_number": 1', '"seat_number": 1, "__proto__": 1'),
    ]
    odd = [json.dumps(whole | {"data": {"seat_number": seat}}) for seat in (0, 5)]
    odd.append(json.dumps(whole).replace('"seat_number": 1', '"seat_number": -0'))
    kinds = [json.dumps(whole | {"kind": kind}) for kind in ("__proto__", "constructor", "toString")]
    text = f"[{','.join([*entries, *odd, *kinds, json.dumps(whole)])}]"

    assert computed(REFUSED, {"ruleset": ruleset, "entries": text}) == [
        *[[0, "bad_entry"]] * len(entries),
        *[[0, "unknown_seat"]] * len(odd),
        *[[0, "unknown_kind"]] * len(kinds),
        "open",
    ]


@pytest.mark.parametrize("alteration", OTHER_FOLDS, ids="-".join)
def test_an_altered_fold_gives_other_results(folded: Apart, alteration: Alteration) -> None:
    """Control: some sheet tells the altered script from the right one."""
    assert folded[1][alteration] == "differs"


@pytest.mark.parametrize("alteration", OTHER_RANKINGS, ids="-".join)
def test_an_altered_ranking_gives_other_standings(ranked: Apart, alteration: Alteration) -> None:
    """Control: some standings tell the altered script from the right one."""
    assert ranked[1][alteration] == "differs"
