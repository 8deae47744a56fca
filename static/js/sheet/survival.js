/* Survival, as in scoring/core/survival.py; see `KINDS` in replay.js for what a kind answers. */

import { ascending, bySeat, exactKeys, isMapping, isOfSeats, knownSeat, refuse } from "./checks.js";

const MARK_OF_ENDING = { schnauz: "schnauz", handschnauz: "schnauz", feuer: "feuer" };

const FACTS = {
  __proto__: null,

  deal(rules, seats, data) {
    const { losers, ended_by, finisher } = exactKeys(data, ["losers", "ended_by", "finisher"]);
    if (!Array.isArray(losers)) refuse("bad_entry", { field: "data.losers" });
    const known = ascending(losers.map((seat) => knownSeat(seat, seats, "data.losers")));
    if (new Set(known).size !== known.length) refuse("bad_entry", { field: "data.losers" });
    if (!rules.endings.includes(ended_by)) refuse("unknown_ending");
    const finishing = knownFinisher(seats, ended_by, finisher);
    if (!known.length && !rules.three_of_a_kind_spared.includes(ended_by)) refuse("no_losers");
    if (known.includes(finishing)) refuse("finisher_cannot_lose", { seat: finishing });
    return { losers: known, ended_by, finisher: finishing };
  },

  stroke(rules, seats, data) {
    const given = exactKeys(data, ["seat_number", "mark"]);
    const seat_number = knownSeat(given.seat_number, seats, "data.seat_number");
    if (!rules.marks.includes(given.mark)) refuse("unknown_mark");
    return { seat_number, mark: given.mark };
  },

  ranked(_rules, seats, data) {
    const { ranks } = exactKeys(data, ["ranks"]);
    if (!isMapping(ranks) || !Object.values(ranks).every(Number.isInteger)) {
      refuse("bad_entry", { field: "data.ranks" });
    }
    if (!isOfSeats(ranks, seats)) refuse("ranks_incomplete");
    checkRanking(Object.values(ranks));
    return { ranks: bySeat(seats, (seat) => ranks[seat]) };
  },
};

function knownFinisher(seats, ended_by, finisher) {
  if (finisher === null) {
    if (ended_by !== "knock") refuse("finisher_needed");
    return null;
  }
  const seat = knownSeat(finisher, seats, "data.finisher");
  if (ended_by === "knock") refuse("finisher_on_knock");
  return seat;
}

function checkRanking(ranks) {
  if (ranks.filter((rank) => rank === 1).length > 1) refuse("ranks_two_winners");
  const follows = (rank) => rank === 1 + ranks.filter((other) => other < rank).length;
  if (!ranks.every(follows)) refuse("ranks_no_competition_ranking");
}

function start({ sheet: rules }, seats) {
  const nothing = bySeat(seats, () => 0);
  return derived(seats, {
    lives: rules.lives,
    lost: nothing,
    drowned_in: {},
    deals: 0,
    schnauz: nothing,
    feuer: nothing,
    ranked: null,
  });
}

/** Adds what follows from the rest: lives_left, still_in, swimming, winner. */
function derived(seats, state) {
  const still_in = seats.filter((seat) => !(seat in state.drowned_in));
  return {
    ...state,
    still_in,
    swimming: still_in.filter((seat) => state.lost[seat] === state.lives),
    lives_left: bySeat(seats, (seat) => Math.max(state.lives - state.lost[seat], 0)),
    winner: seats.find((seat) => rankOf({ ...state, still_in }, seat) === 1) ?? null,
  };
}

function check({ sheet: rules }, state, fact) {
  if (fact.kind === "stroke") return;
  if (state.ranked !== null) refuse("already_ranked");
  if (fact.kind === "deal") checkDeal(rules, state, fact.data);
}

function checkDeal(rules, state, { losers, ended_by, finisher }) {
  const { still_in } = state;
  if (still_in.length === 1) refuse("table_decided", { seat: still_in[0] });
  for (const seat of finisher === null ? losers : [...losers, finisher]) {
    if (seat in state.drowned_in) refuse("already_drowned", { seat });
  }
  const others = still_in.filter((seat) => seat !== finisher);
  const mustAllLose = rules.all_others_lose.includes(ended_by) && !rules.three_of_a_kind_spared.includes(ended_by);
  if (mustAllLose && losers.length !== others.length) {
    refuse("all_others_lose", { seats: ascending(others) });
  }
  if (losers.length === still_in.length && losers.every((seat) => state.lost[seat] === state.lives)) {
    refuse("would_drown_everybody");
  }
}

function apply(_ruleset, state, fact) {
  const seats = Object.keys(state.lost).map(Number);
  if (fact.kind === "deal") return derived(seats, dealPlayed(state, fact.data));
  if (fact.kind === "stroke") return strokeDrawn(state, fact.data.seat_number, fact.data.mark);
  return derived(seats, { ...state, ranked: { ...fact.data.ranks } });
}

function dealPlayed(state, { losers, ended_by, finisher }) {
  const deals = state.deals + 1;
  const lost = { ...state.lost };
  const drowned_in = { ...state.drowned_in };
  for (const seat of losers) {
    lost[seat] += 1;
    if (lost[seat] > state.lives) drowned_in[seat] = deals;
  }
  const after = { ...state, deals, lost, drowned_in };
  return finisher === null ? after : strokeDrawn(after, finisher, MARK_OF_ENDING[ended_by]);
}

function strokeDrawn(state, seat, mark) {
  return { ...state, [mark]: { ...state[mark], [seat]: state[mark][seat] + 1 } };
}

/** 1 + the number of players who stayed in longer; null for who may still drown. */
function rankOf(state, seat) {
  if (state.ranked !== null) return state.ranked[seat];
  if (!(seat in state.drowned_in)) return state.still_in.length === 1 ? 1 : null;
  const drownedLater = Object.values(state.drowned_in).filter((deal) => deal > state.drowned_in[seat]);
  return 1 + state.still_in.length + drownedLater.length;
}

function missing(_ruleset, state) {
  if (state.still_in.length === 1 || state.ranked !== null) return null;
  return { code: "no_winner_yet", params: { left: state.still_in.length } };
}

function results(ruleset, seats, state) {
  return seats.map((seat_number) => {
    const rank = rankOf(state, seat_number);
    const counts = { schnauz: state.schnauz[seat_number], feuer: state.feuer[seat_number] };
    return {
      seat_number,
      rank,
      points: rank === null ? null : ruleset.points[Math.min(rank, ruleset.points.length) - 1] ?? null,
      strokes: counts.schnauz + counts.feuer,
      counts,
    };
  });
}

export const kind = {
  tie_breaks: ["strokes", "schnauz", "feuer"],
  facts: Object.keys(FACTS),
  approvals: [],
  normalised: ({ sheet: rules }, seats, kind, data) => FACTS[kind](rules, seats, data),
  start,
  check,
  apply,
  missing,
  unacceptable: missing,
  results,
};
