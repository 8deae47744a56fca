/* Sheets of kind `survival`: "Survival" in docs/protocol.md. Lists have an item for each seat, in their order. */

import { exactKeys, knownSeat, seatsOf, wholeBySeat } from "./data.js";
import { refuse } from "./refusal.js";

const STROKES = new Map([["schnauz", "schnauz"], ["handschnauz", "schnauz"], ["feuer", "feuer"]]);

export function survival({ points, sheet: rules }, seatCount) {
  const seats = seatsOf(seatCount);
  const stillIn = ({ drownedIn }) => seats.filter((seat) => drownedIn[seat - 1] === null);

  /* -- Form ---------------------------------------------------------------------------------------------------------- */

  function deal(data) {
    const { losers, ended_by, finisher } = exactKeys(data, ["losers", "ended_by", "finisher"]);
    if (!Array.isArray(losers)) refuse("bad_entry");
    for (const seat of losers) knownSeat(seat, seatCount);
    if (new Set(losers).size !== losers.length) refuse("bad_entry");
    if (!rules.endings.includes(ended_by)) refuse("unknown_ending");
    if (finisher === null && ended_by !== "knock") refuse("finisher_needed");
    if (finisher !== null) knownSeat(finisher, seatCount);
    if (finisher !== null && ended_by === "knock") refuse("finisher_on_knock");
    if (!losers.length && !rules.three_of_a_kind_spared.includes(ended_by)) refuse("no_losers");
    if (losers.includes(finisher)) refuse("finisher_cannot_lose");
    return { losers, ended_by, finisher };
  }

  function stroke(data) {
    const { seat_number, mark } = exactKeys(data, ["seat_number", "mark"]);
    knownSeat(seat_number, seatCount);
    if (!rules.marks.includes(mark)) refuse("unknown_mark");
    return { seat_number, mark };
  }

  function ranked(data) {
    const ranks = wholeBySeat(exactKeys(data, ["ranks"]).ranks, seatCount, "ranks_incomplete");
    if (ranks.filter((rank) => rank === 1).length > 1) refuse("ranks_two_winners");
    const isCompetition = ranks.every((rank) => rank === 1 + ranks.filter((other) => other < rank).length);
    if (!isCompetition) refuse("ranks_no_competition_ranking");
    return { ranks };
  }

  /* -- Order --------------------------------------------------------------------------------------------------------- */

  function check(state, { kind, data }) {
    if (kind === "stroke") return;
    if (state.ranked) refuse("already_ranked");
    if (kind === "deal") checkDeal(state, data);
  }

  function checkDeal(state, { losers, ended_by, finisher }) {
    const left = stillIn(state);
    if (left.length === 1) refuse("table_decided");
    const named = finisher === null ? losers : [...losers, finisher];
    if (!named.every((seat) => left.includes(seat))) refuse("already_drowned");
    const others = left.filter((seat) => seat !== finisher);
    const allLose = rules.all_others_lose.includes(ended_by) && !rules.three_of_a_kind_spared.includes(ended_by);
    if (allLose && losers.length !== others.length) refuse("all_others_lose");
    const isLast = (seat) => state.lost[seat - 1] === rules.lives;
    if (losers.length === left.length && losers.every(isLast)) refuse("would_drown_everybody");
  }

  /* -- Effect -------------------------------------------------------------------------------------------------------- */

  function apply(state, { kind, data }) {
    if (kind === "deal") return played(state, data);
    if (kind === "stroke") return withStroke(state, data.seat_number, data.mark);
    return { ...state, ranked: data.ranks };
  }

  function played(state, { losers, ended_by, finisher }) {
    const deals = state.deals + 1;
    const lost = state.lost.map((times, index) => times + (losers.includes(index + 1) ? 1 : 0));
    const drownedIn = state.drownedIn.map((number, index) => number ?? (lost[index] > rules.lives ? deals : null));
    const after = { ...state, deals, lost, drownedIn };
    return finisher === null ? after : withStroke(after, finisher, STROKES.get(ended_by));
  }

  function withStroke(state, seat, mark) {
    return { ...state, [mark]: state[mark].map((count, index) => count + (index + 1 === seat ? 1 : 0)) };
  }

  function missing(state) {
    return !state.ranked && stillIn(state).length !== 1;
  }

  function rankOf(state, seat) {
    if (state.ranked) return state.ranked[seat - 1];
    const left = stillIn(state).length;
    const own = state.drownedIn[seat - 1];
    if (own === null) return left === 1 ? 1 : null;
    return 1 + left + state.drownedIn.filter((number) => number > own).length;
  }

  function results(state) {
    return seats.map((seat) => {
      const rank = rankOf(state, seat);
      const [schnauz, feuer] = [state.schnauz[seat - 1], state.feuer[seat - 1]];
      return {
        rank,
        points: rank === null || !points.length ? null : points[Math.min(rank, points.length) - 1],
        strokes: schnauz + feuer,
        counts: { schnauz, feuer },
        lives_left: Math.max(rules.lives - state.lost[seat - 1], 0),
      };
    });
  }

  const none = seats.map(() => 0);
  return {
    facts: new Map([["deal", deal], ["stroke", stroke], ["ranked", ranked]]),
    start: { deals: 0, lost: none, drownedIn: seats.map(() => null), schnauz: none, feuer: none, ranked: null },
    check,
    apply,
    missing,
    unacceptable: missing,
    results,
  };
}
