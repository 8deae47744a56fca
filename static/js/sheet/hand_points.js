/* Hand points, as in scoring/core/hand_points.py; see `KINDS` in replay.js for what a kind answers.

   The ruleset brings `hand_values`, the points that a hand can have; a sheet that was stored without them is shown as it is. */

import { bySeat, competitionRanks, exactKeys, refuse, wholeBySeat } from "./checks.js";

const SUMS = ["points", "schnauz", "feuer"];

function normalised(ruleset, seats, kind, data) {
  return kind === "deal" ? normalisedDeal(ruleset, seats, data) : normalisedTotals(ruleset, seats, data);
}

function normalisedDeal(ruleset, seats, data) {
  const { ended_by = null, ...given } = exactKeys(data, ["points"], ["ended_by"]);
  const points = wholeBySeat(given.points, seats, "data.points");
  if (ended_by !== null && !ruleset.sheet.endings.includes(ended_by)) refuse("unknown_ending");
  const isPossible = (value) => ruleset.hand_values?.includes(value) ?? true;
  for (const seat of seats) if (!isPossible(points[seat])) refuse("impossible_hand", { seat, points: points[seat] });
  const isFeuer = (value) => value === ruleset.hands.feuer_points;
  if (Object.values(points).filter(isFeuer).length > 1) refuse("two_feuer");
  return ended_by === null ? { points } : { points, ended_by };
}

function normalisedTotals({ sheet: { deals }, hands }, seats, data) {
  const given = exactKeys(data, SUMS);
  const sums = Object.fromEntries(SUMS.map((name) => [name, wholeBySeat(given[name], seats, `data.${name}`)]));
  const highest = Math.max(hands.schnauz_points, hands.feuer_points ?? 0);
  for (const seat of seats) {
    const [points, schnauz, feuer] = SUMS.map((name) => sums[name][seat]);
    const others = deals - schnauz - feuer;
    const least = schnauz * hands.schnauz_points + feuer * (hands.feuer_points ?? 0);
    const fits = Math.min(schnauz, feuer, others) >= 0 && points >= least && points <= least + others * highest;
    if (!fits) refuse("impossible_total", { seat });
  }
  if (Object.values(sums.feuer).reduce((sum, count) => sum + count, 0) > deals) refuse("two_feuer");
  return sums;
}

function start(_ruleset, seats) {
  const nothing = bySeat(seats, () => 0);
  return { seats, deals: 0, points: nothing, schnauz: nothing, feuer: nothing, is_totalled: false };
}

function check({ sheet: { deals } }, state, fact) {
  if (state.is_totalled) refuse("already_totalled");
  if (fact.kind === "totalled" && state.deals) refuse("deals_written", { deals: state.deals });
  if (fact.kind === "deal" && state.deals === deals) refuse("all_deals_written", { deals });
}

function apply({ hands }, state, { kind, data }) {
  if (kind === "totalled") return { ...state, ...data, is_totalled: true };
  const onTheTable = data.ended_by?.startsWith("table_") ?? false;
  const counted = (name, worth) =>
    bySeat(state.seats, (seat) => state[name][seat] + (!onTheTable && data.points[seat] === worth ? 1 : 0));
  return {
    ...state,
    deals: state.deals + 1,
    points: bySeat(state.seats, (seat) => state.points[seat] + data.points[seat]),
    schnauz: counted("schnauz", hands.schnauz_points),
    feuer: counted("feuer", hands.feuer_points),
  };
}

function missing({ sheet: { deals } }, state) {
  if (state.is_totalled || state.deals === deals) return null;
  return { code: "deals_missing", params: { played: state.deals, deals } };
}

function results(_ruleset, seats, state) {
  const ranks = competitionRanks(seats.map((seat) => state.points[seat]));
  return seats.map((seat_number, index) => {
    const counts = { schnauz: state.schnauz[seat_number], feuer: state.feuer[seat_number] };
    const strokes = counts.schnauz + counts.feuer;
    return { seat_number, rank: ranks[index], points: state.points[seat_number], strokes, counts };
  });
}

export const kind = {
  tie_breaks: ["strokes", "schnauz", "feuer"],
  facts: ["deal", "totalled"],
  approvals: [],
  normalised,
  start,
  check,
  apply,
  missing,
  unacceptable: (ruleset, state) => (ruleset.sheet.early_acceptance ? null : missing(ruleset, state)),
  results,
};
