/* Sheets of kind `hand_points`: "Hand points" in docs/protocol.md. Lists have an item for each seat, in their order. */

import { exactKeys, ranksOf, seatsOf, sum, sumsBySeat } from "./data.js";
import { possibleValues } from "./hand_values.js";
import { refuse } from "./refusal.js";

const ON_THE_TABLE = ["table_schnauz", "table_feuer"];

export function handPoints({ hands, sheet: rules }, seatCount) {
  const worth = { schnauz: hands.schnauz_points, feuer: hands.feuer_points };
  const possible = possibleValues(hands);

  function deal(data) {
    const { points: given, ended_by = null } = exactKeys(data, ["points"], ["ended_by"]);
    const points = sumsBySeat(given, seatCount);
    if (ended_by !== null && !rules.endings.includes(ended_by)) refuse("unknown_ending");
    if (!points.every((value) => possible.has(value))) refuse("impossible_hand");
    if (points.filter((value) => value === worth.feuer).length > 1) refuse("two_feuer");
    return { points, ended_by };
  }

  function totalled(data) {
    const given = exactKeys(data, ["points", "schnauz", "feuer"]);
    const [points, schnauz, feuer] = [given.points, given.schnauz, given.feuer].map((sums) => sumsBySeat(sums, seatCount));
    if (!points.every((own, index) => fits(own, schnauz[index], feuer[index]))) refuse("impossible_total");
    if (sum(feuer) > rules.deals) refuse("two_feuer");
    return { points, schnauz, feuer };
  }

  function fits(points, schnauz, feuer) {
    const others = rules.deals - schnauz - feuer;
    const least = schnauz * worth.schnauz + feuer * worth.feuer;
    const most = least + others * Math.max(worth.schnauz, worth.feuer);
    return Math.min(schnauz, feuer, others) >= 0 && least <= points && points <= most;
  }

  function check(state, { kind }) {
    if (state.isTotalled) refuse("already_totalled");
    if (kind === "totalled" && state.deals) refuse("deals_written");
    if (kind === "deal" && state.deals === rules.deals) refuse("all_deals_written");
  }

  function apply(state, { kind, data }) {
    if (kind === "totalled") return { ...state, ...data, isTotalled: true };
    const isTallied = !ON_THE_TABLE.includes(data.ended_by);
    const tallied = (mark) =>
      state[mark].map((count, index) => count + (isTallied && data.points[index] === worth[mark] ? 1 : 0));
    return {
      ...state,
      deals: state.deals + 1,
      points: state.points.map((points, index) => points + data.points[index]),
      schnauz: tallied("schnauz"),
      feuer: tallied("feuer"),
    };
  }

  function missing(state) {
    return !state.isTotalled && state.deals !== rules.deals;
  }

  function results({ points, schnauz, feuer }) {
    return ranksOf(points).map((rank, index) => ({
      rank,
      points: points[index],
      strokes: schnauz[index] + feuer[index],
      counts: { schnauz: schnauz[index], feuer: feuer[index] },
    }));
  }

  const none = seatsOf(seatCount).map(() => 0);
  return {
    facts: new Map([["deal", deal], ["totalled", totalled]]),
    start: { deals: 0, points: none, schnauz: none, feuer: none, isTotalled: false },
    check,
    apply,
    missing,
    unacceptable: (state) => !rules.early_acceptance && missing(state),
    results,
  };
}
