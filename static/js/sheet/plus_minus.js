/* Plus and minus, as in scoring/core/plus_minus.py; see `KINDS` in replay.js for what a kind answers. */

import { bySeat, canonicalId, competitionRanks, exactKeys, knownSeat, refuse, wholeBySeat } from "./checks.js";

const TABLE = 4;
const COUNTS = ["tout_won", "tout_played", "solo_won", "solo_played"];
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

function worthOf(rules, game, level) {
  const points = game === "ruf" ? rules.ruf : rules.solo;
  return Object.hasOwn(points, level) ? points[level] : null;
}

function normalised({ sheet: rules }, seats, kind, data) {
  if (kind === "approved") return { entry: canonicalId(exactKeys(data, ["entry"]).entry, "data.entry") };
  return kind === "deal" ? normalisedDeal(rules, seats, data) : normalisedTotals(rules, seats, data);
}

function normalisedDeal(rules, seats, data) {
  const { game, won, level, ...given } = exactKeys(data, ["game", "declarer", "partner", "won", "level"]);
  if (seats.length !== TABLE) refuse("four_at_the_table", { seats: seats.length });
  if (game !== "ruf" && !rules.solos.includes(game)) refuse("unknown_game");
  const declarer = knownSeat(given.declarer, seats, "data.declarer");
  const partner = normalisedPartner(seats, game, declarer, given.partner);
  if (typeof won !== "boolean") refuse("bad_entry", { field: "data.won" });
  if (typeof level !== "string" || worthOf(rules, game, level) === null) refuse("unknown_level");
  return { game, declarer, partner, won, level };
}

function normalisedPartner(seats, game, declarer, partner) {
  if (partner === null) return game === "ruf" ? refuse("partner_needed") : null;
  const seat = knownSeat(partner, seats, "data.partner");
  if (game !== "ruf") refuse("no_partner_in_a_solo");
  if (seat === declarer) refuse("partner_is_declarer", { seat });
  return seat;
}

function normalisedTotals(rules, seats, data) {
  const names = ["points", ...COUNTS];
  const given = exactKeys(data, names);
  const sums = Object.fromEntries(names.map((name) => [name, wholeBySeat(given[name], seats, `data.${name}`)]));
  if (seats.length !== TABLE) refuse("four_at_the_table", { seats: seats.length });
  const total = sum(Object.values(sums.points));
  if (total !== 0) refuse("points_do_not_balance", { sum: total });
  const most = (TABLE - 1) * rules.deals * Math.max(...Object.values(rules.solo).map((points) => points ?? 0));
  for (const seat of seats) {
    if (Math.abs(sums.points[seat]) > most) refuse("impossible_total", { seat });
    const [tout_won, tout_played, solo_won, solo_played] = COUNTS.map((name) => sums[name][seat]);
    const [other_won, other_played] = [solo_won - tout_won, solo_played - tout_played];
    const fits = tout_won >= 0 && tout_won <= tout_played && other_won >= 0 && other_won <= other_played;
    if (!fits) refuse("impossible_total", { seat });
  }
  if (sum(Object.values(sums.solo_played)) > rules.deals) refuse("too_many_solos", { deals: rules.deals });
  return sums;
}

const start = (_ruleset, seats) => derived({ seats, deals: [], totals: null });

/** Adds what follows from the rest: waiting, and by seat the columns plus and minus and the deduction. */
function derived(state) {
  const counting = state.deals.filter((deal) => !deal.waits);
  const column = (sign) => bySeat(state.seats, (seat) => sum(counting.map((deal) => Math.max(sign * deal.points[seat], 0))));
  const [plus, minus] = [column(1), column(-1)];
  return {
    ...state,
    waiting: state.deals.flatMap((deal, index) => (deal.waits ? [index + 1] : [])),
    plus,
    minus,
    deduction: bySeat(state.seats, (seat) => Math.min(plus[seat], minus[seat])),
  };
}

function check({ sheet: rules }, state, { kind, data }) {
  if (kind === "approved") {
    if (!state.deals.some((deal) => deal.entry_id === data.entry && deal.waits)) refuse("nothing_to_approve");
    return;
  }
  if (state.totals !== null) refuse("already_totalled");
  if (kind === "totalled" && state.deals.length) refuse("deals_written", { deals: state.deals.length });
  if (kind !== "deal") return;
  if (state.deals.length === rules.deals) refuse("all_deals_written", { deals: rules.deals });
  const isFirst = !state.deals.length && data.game !== "ruf";
  if (isFirst && rules.not_in_first_deal.includes(data.level)) refuse("not_in_first_deal");
}

function apply({ sheet: rules }, state, fact) {
  if (fact.kind === "totalled") return derived({ ...state, totals: fact.data });
  if (fact.kind === "deal") return derived({ ...state, deals: [...state.deals, played(rules, state.seats, fact)] });
  const marked = (deal) => (deal.entry_id === fact.data.entry ? { ...deal, waits: false } : deal);
  return derived({ ...state, deals: state.deals.map(marked) });
}

/** What a deal gives: the declarer's side and the other take the same from each other. */
function played(rules, seats, { entry_id, data: { game, declarer, partner, won, level } }) {
  const isSolo = game !== "ruf";
  const worth = (won ? 1 : -1) * worthOf(rules, game, level);
  const share = isSolo ? (TABLE - 1) * worth : worth;
  return {
    entry_id,
    points: bySeat(seats, (seat) => (seat === declarer || seat === partner ? share : -worth)),
    declarer,
    counts: rules.tie_solo_games.includes(game) ? countsOf(won, level) : [],
    waits: isSolo && rules.needs_approval.includes(level),
  };
}

/** What a game is counted as that breaks ties; a Tout is a Solo as well. */
function countsOf(won, level) {
  const names = won ? ["solo_played", "solo_won"] : ["solo_played"];
  if (level !== "tout") return names;
  return won ? [...names, "tout_played", "tout_won"] : [...names, "tout_played"];
}

function missing({ sheet: { deals } }, state) {
  if (state.waiting.length) return { code: "approval_missing", params: { numbers: state.waiting } };
  if (state.totals !== null || state.deals.length === deals) return null;
  return { code: "deals_missing", params: { played: state.deals.length, deals } };
}

function unacceptable(ruleset, state) {
  return ruleset.sheet.early_acceptance && !state.waiting.length ? null : missing(ruleset, state);
}

function results(_ruleset, seats, { deals, totals, plus, minus }) {
  const points = seats.map((seat) => (totals ? totals.points[seat] : plus[seat] - minus[seat]));
  const ranks = competitionRanks(points);
  const counted = (seat, name) =>
    totals ? totals[name][seat] : deals.filter((deal) => !deal.waits && deal.declarer === seat && deal.counts.includes(name)).length;
  return seats.map((seat_number, index) => ({
    seat_number,
    rank: ranks[index],
    points: points[index],
    strokes: 0,
    counts: Object.fromEntries(COUNTS.map((name) => [name, counted(seat_number, name)])),
  }));
}

export const kind = {
  tie_breaks: COUNTS,
  facts: ["deal", "approved", "totalled"],
  approvals: ["approved"],
  normalised,
  start,
  check,
  apply,
  missing,
  unacceptable,
  results,
};
