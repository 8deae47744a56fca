"""The visitor's browser folds sheets, computes standings and reads rulesets as the server does, and refuses the same entries."""

import json
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.templatetags.static import static
from playwright.sync_api import Browser, Page

from tests.journeys.checking import UNPACK, alter, opened, packed
from tests.scoring.core.folds import a_ruleset, sheet_of, standings_of, table_of_a_knockout
from tests.scoring.core.vectors import entry_id

pytestmark = pytest.mark.usefixtures("committed", "live_url")

JSON = dict[str, Any]
FEW = 20  # tell most altered scripts from the right one
PROTOCOL = Path(__file__).parents[2] / "docs/protocol.md"

UNLESS_EQUAL = """async ([address, packed, digest]) => {
  const unpacked = UNPACK;
  const text = await (SCRIPT)([address, packed]);
  const found = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return [...found].map((byte) => byte.toString(16).padStart(2, "0")).join("") === digest ? null : text;
}"""
FOLDED = """async ([address, packed]) => {
  const { fold } = await import(address);
  const folded = (await unpacked(packed)).map(({ ruleset, seats, attempts }) => {
    const written = [...attempts];
    const refusals = [];
    const past = (count) => { while (refusals.length < count) refusals.push(null); };
    for (;;) {
      try {
        const found = fold(ruleset, seats, written);
        past(attempts.length);
        return { refusals, fold: found };
      } catch (refusal) {
        const place = refusal.index + attempts.length - written.length;
        if (!refusal.code || !(place >= refusals.length)) throw refusal;
        past(place);
        refusals.push(refusal.code);
        written.splice(refusal.index, 1);
      }
    }
  });
  return JSON.stringify(folded);
}"""
"""Folds all attempts of each sheet; without the first that is refused once more, until none is."""
RANKED = """async ([address, packed]) => {
  const { standings } = await import(address);
  return JSON.stringify((await unpacked(packed)).map(({ ruleset, players, scores, rounds, decisions }) =>
    ({ rows: standings(ruleset, players, scores, rounds, decisions) })));
}"""
WENT_ON = """async ([address, packed]) => {
  const { goingOn } = await import(address);
  return JSON.stringify((await unpacked(packed)).map(({ ranks, qualifying }) =>
    ({ on: [...goingOn(new Map(ranks), qualifying)].sort((a, b) => a - b) })));
}"""
READ = """async ([address, packed]) => {
  const { readRuleset } = await import(address);
  return JSON.stringify((await unpacked(packed)).map(({ given }) => {
    try {
      return { read: readRuleset(given) };
    } catch (refusal) {
      if (refusal.code !== "ruleset_impossible" || typeof refusal.params.path !== "string") throw refusal;
      return { read: null };
    }
  }));
}"""
FOLDED_FIRST = """async ([address, given]) => {
  const { fold, foldFirst } = await import(address);
  return JSON.parse(given).map(({ ruleset, seats, attempts, refusals }) => {
    const written = attempts.filter((_, index) => refusals[index] === null);
    const { steps } = fold(ruleset, seats, written);
    return steps.every((step, index) =>
      JSON.stringify(step) === JSON.stringify(foldFirst(ruleset, seats, written, index + 1).results));
  });
}"""
REFUSED = """async ([address, ruleset, entries]) => {
  const { fold } = await import(address);
  return JSON.parse(entries).map((entry) => {
    try {
      return fold(ruleset, 4, [entry]).phase;
    } catch (refusal) {
      return [refusal.index, refusal.code];
    }
  });
}"""

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
def visitor(browser: Browser, live_url: str) -> Iterator[Page]:
    with opened(browser, live_url) as page:
        yield page


@pytest.fixture(scope="module")
def other_visitor(browser: Browser, live_url: str) -> Iterator[Page]:
    """Open another page, for altered scripts: the text of a script, which is quickly loaded."""
    with opened(browser, f"{live_url}{static('js/check/sheet.js')}") as page:
        yield page


def computed(page: Page, script: str, module: str, vectors: list[JSON], *keys: str) -> Any:
    """Return what a module below js/check/ makes of the vectors, of which `keys` are the answers of the server.

    Many megabytes that are the same to the letter do not come back from the browser: their digest tells.
    """
    expected = answers(vectors, *keys)
    text = json.dumps(expected, ensure_ascii=False, separators=(",", ":"))
    given = [{key: vector[key] for key in vector if key not in keys} for vector in vectors]
    found: str | None = page.evaluate(
        UNLESS_EQUAL.replace("SCRIPT", script).replace("UNPACK", UNPACK),
        [static(f"js/check/{module}.js"), packed(given), sha256(text.encode()).hexdigest()],
    )
    return expected if found is None else json.loads(found)


def answers(vectors: list[JSON], *keys: str) -> list[JSON]:
    return [{key: vector[key] for key in keys} for vector in vectors]


def parts(vectors: list[JSON], size: int = 100) -> Iterator[list[JSON]]:
    return (vectors[start : start + size] for start in range(0, len(vectors), size))


def samples(vectors: list[JSON]) -> Iterator[list[JSON]]:
    """Yield all vectors, a few at a time from all places: malformed ones, which are the last, are in each sample."""
    step = len(vectors) // FEW
    return (vectors[start::step] for start in range(step))


def test_the_browser_folds_every_sheet_as_the_server(visitor: Page, sheets: list[JSON]) -> None:
    for part in parts(sheets):
        assert computed(visitor, FOLDED, "sheet", part, "refusals", "fold") == answers(
            part, "refusals", "fold"
        )


def test_the_browser_ranks_as_the_server(visitor: Page, tables: list[JSON]) -> None:
    assert computed(visitor, RANKED, "ranking", tables, "rows") == answers(tables, "rows")


def test_the_same_players_go_on(visitor: Page, knockouts: list[JSON]) -> None:
    assert computed(visitor, WENT_ON, "ranking", knockouts, "on") == answers(knockouts, "on")


def test_the_browser_reads_the_same_rulesets_as_the_server(visitor: Page, rulesets: list[JSON]) -> None:
    assert computed(visitor, READ, "ruleset", rulesets, "read") == answers(rulesets, "read")


def test_the_first_entries_give_the_results_of_their_step(visitor: Page, sheets: list[JSON]) -> None:
    few = sheets[:60]
    right = visitor.evaluate(FOLDED_FIRST, [static("js/check/sheet.js"), json.dumps(few)])
    assert right == [True] * len(few)


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


def test_what_no_program_writes_is_refused(visitor: Page, rulesets: list[JSON]) -> None:
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

    assert visitor.evaluate(REFUSED, [static("js/check/sheet.js"), ruleset, text]) == [
        *[[0, "bad_entry"]] * len(entries),
        *[[0, "unknown_seat"]] * len(odd),
        *[[0, "unknown_kind"]] * len(kinds),
        "open",
    ]


@pytest.mark.parametrize(
    ("module", "is_", "becomes"),
    [
        ("data", "value.toLowerCase()", "value"),
        ("data", "!isComplete || ", ""),
        ("survival", "lost[index] > rules.lives", "lost[index] >= rules.lives"),
        ("survival", "number > own", "number >= own"),
        ("survival", '["handschnauz", "schnauz"]', '["handschnauz", "feuer"]'),
        ("survival", "points.length) - 1", "points.length - 1) - 1"),
        ("survival", "losers.every(isLast)", "losers.some(isLast)"),
        ("hand_values", 'hands.schnauz === "any_31"', "true"),
        ("hand_values", '["unter", 10]', '["unter", 2]'),
        ("hand_points", '["table_schnauz", "table_feuer"]', '["table_schnauz"]'),
        ("plus_minus", "worth * (TABLE - 1)", "worth * TABLE"),
        ("plus_minus", "isWonOf(soloWon - toutWon, soloPlayed - toutPlayed)", "isWonOf(soloWon, soloPlayed)"),
        ("plus_minus", "return waits ? after : counted(after, data)", "return counted(after, data)"),
        ("sheet", 'if (kind !== "approved") sheet.confirmed.clear()', "sheet.confirmed.clear()"),
        ("sheet", "if (latest.isCorrected)", "if (false)"),
        ("sheet", "!sheet.voided.has(entry.id)", "true"),
        ("sheet", 'if (kind === "deal" && sheet', "if (sheet"),
    ],
)
def test_an_altered_fold_gives_other_results(
    other_visitor: Page, sheets: list[JSON], module: str, is_: str, becomes: str
) -> None:
    """Control: some sheet tells the altered script from the right one."""
    alter(other_visitor, module, is_, becomes)
    assert any(
        computed(other_visitor, FOLDED, "sheet", part, "refusals", "fold")
        != answers(part, "refusals", "fold")
        for part in samples(sheets)
    )


@pytest.mark.parametrize(
    ("is_", "becomes"),
    [
        ("findLast", "find"),
        ("equal.every(", "equal.some("),
        ("sign * last.rank", "last.rank"),
        ("!order && equal.length > 1", "equal.length > 1"),
        ("score.round_number > latest.round_number", "score.round_number < latest.round_number"),
        ("score.points ?? 0", "score.points ?? 1"),
    ],
)
def test_an_altered_ranking_gives_other_standings(
    other_visitor: Page, tables: list[JSON], is_: str, becomes: str
) -> None:
    """Control: some standings tell the altered script from the right one."""
    alter(other_visitor, "ranking", is_, becomes)
    assert any(
        computed(other_visitor, RANKED, "ranking", part, "rows") != answers(part, "rows")
        for part in samples(tables)
    )
