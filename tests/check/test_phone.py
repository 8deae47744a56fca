"""The phone folds a sheet, divides the pot and asks for confirmations as the server does."""

import json
from dataclasses import asdict
from random import Random

from scoring.core.reopening import standing_confirmations, to_confirm_anew
from scoring.core.stakes import payout
from scoring.phone.payload import LIMITS, hand_values
from tests.check.node import computed
from tests.scoring.core.vectors import PLAYS, log_of, steps, vector
from tournaments.rulesets.schema import Stakes

REPLAYED = """
  const { setLimits } = await load("sheet/checks");
  const { append, emptySheet, learn } = await load("sheet/replay");
  setLimits(given.limits);
  await Promise.all(given.vectors.map(({ ruleset }) => learn(ruleset.sheet.kind)));
  const isInJson = (value) => value !== undefined && (typeof value !== "number" || Number.isFinite(value));
  return given.vectors.map(({ ruleset, seats, attempts }) => {
    let sheet = emptySheet(ruleset, seats);
    const refusals = attempts.map((attempt) => {
      try {
        sheet = append(sheet, attempt);
        return null;
      } catch (refusal) {
        if (!refusal.code) throw refusal;
        return refusal;
      }
    });
    const { ruleset: _, ...display } = sheet;
    const text = JSON.stringify(display, (_key, value) => (isInJson(value) ? value : `not in JSON: ${value}`));
    return { refusals, sheet: JSON.parse(text) };
  });
"""
DIVIDED = """
  const { payout } = await load("sheet/view/result");
  return given.map(([ranks, stakes]) => payout(ranks, stakes));
"""
CONFIRMED = """
  const { confirmedAnew } = await load("sheet/replay");
  return given.map(confirmedAnew).map(({ confirmed, to_confirm }) => [confirmed, to_confirm]);
"""


def test_the_phone_replays_like_the_server() -> None:
    """Random logs give the same result in replay.js and in the core."""
    logs = [log_of(Random(seed), 60, kind) for kind in PLAYS for seed in range(40)]
    vectors = [vector(log) for log in logs]
    for log, told in zip(logs, vectors, strict=True):
        told["ruleset"] |= hand_values(log.ruleset)  # view.js adds them from the sheet

    shown = computed(REPLAYED, {"limits": LIMITS, "vectors": vectors})
    expected = json.loads(json.dumps(vectors))  # tuples become lists

    seen = {refusal["code"] for log in vectors for refusal in log["refusals"] if refusal}
    assert seen >= {"latest_deal_only", "corrected_by_supervisor", "supervisor_takes_back"}
    assert [log["refusals"] for log in shown] == [log["refusals"] for log in expected]
    assert [log["sheet"] for log in shown] == [log["sheet"] for log in expected]


def test_the_phone_divides_the_pot_like_the_server() -> None:
    rankings = [{1: 1, 2: 2, 3: 2, 4: 4, 5: 5, 6: 6}, {1: 3, 2: 1, 3: 2, 4: 4}, {1: 1, 2: 1, 3: 3}]
    stakes = [Stakes(60, (2,)), Stakes(60, ()), Stakes(25, (2, 3))]
    pots = [payout(ranking, one) for ranking in rankings for one in stakes]
    assert computed(DIVIDED, [(ranking, asdict(one)) for ranking in rankings for one in stakes]) == [
        {"pot_cents": pot.pot_cents, "by_seat": {str(seat): cents for seat, cents in pot.by_seat.items()}}
        for pot in pots
    ]


def test_the_phone_asks_for_new_confirmations_like_the_server() -> None:
    logs = [steps(log_of(Random(seed), 40, kind))[0] for kind in PLAYS for seed in range(40)]
    given = [
        {
            "ruleset": {"confirmation": sheet.ruleset.confirmation},
            "seats": sheet.seats,
            "entries": [{"kind": one.kind, "data": dict(one.data)} for one in sheet.entries],
            "confirmed": sorted(sheet.confirmed),
            "last_reopened": sheet.last_reopened,
        }
        for sheet in logs
    ]
    assert computed(CONFIRMED, given) == [
        [sorted(standing_confirmations(sheet)), to_confirm_anew(sheet)] for sheet in logs
    ]
    assert any(to_confirm_anew(sheet) for sheet in logs)
