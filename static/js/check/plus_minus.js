/* Sheets of kind `plus_minus`: "Plus and minus" in docs/protocol.md. Lists have an item for each seat, in their order. */

import { entryId, exactKeys, knownSeat, ranksOf, seatsOf, sum, sumsBySeat } from "./data.js";
import { refuse } from "./refusal.js";

const TABLE = 4;
const LEVELS = ["normal", "schneider", "durch", "tout"];
const COUNTS = ["tout_won", "tout_played", "solo_won", "solo_played"];

export function plusMinus({ sheet: rules }, seatCount) {
  const seats = seatsOf(seatCount);
  const none = seats.map(() => 0);

  /* -- Form ---------------------------------------------------------------------------------------------------------- */

  function deal(data) {
    const { game, declarer, partner, won, level } = exactKeys(data, ["game", "declarer", "partner", "won", "level"]);
    if (seatCount !== TABLE) refuse("four_at_the_table");
    if (game !== "ruf" && !rules.solos.includes(game)) refuse("unknown_game");
    knownSeat(declarer, seatCount);
    checkPartner(game, declarer, partner);
    if (typeof won !== "boolean") refuse("bad_entry");
    if (!worthOf(game, level)) refuse("unknown_level");
    return { game, declarer, partner, won, level };
  }

  function checkPartner(game, declarer, partner) {
    if (partner === null) {
      if (game === "ruf") refuse("partner_needed");
      return;
    }
    knownSeat(partner, seatCount);
    if (game !== "ruf") refuse("no_partner_in_a_solo");
    if (partner === declarer) refuse("partner_is_declarer");
  }

  function worthOf(game, level) {
    return LEVELS.includes(level) ? (game === "ruf" ? rules.ruf : rules.solo)[level] : null;
  }

  function approved(data) {
    return { entry: entryId(exactKeys(data, ["entry"]).entry) };
  }

  function totalled(data) {
    const given = exactKeys(data, ["points", ...COUNTS]);
    const [points, ...counts] = ["points", ...COUNTS].map((name) => sumsBySeat(given[name], seatCount));
    if (seatCount !== TABLE) refuse("four_at_the_table");
    if (sum(points) !== 0) refuse("points_do_not_balance");
    const most = (TABLE - 1) * rules.deals * Math.max(...LEVELS.map((level) => rules.solo[level] ?? 0));
    const fits = (own, [toutWon, toutPlayed, soloWon, soloPlayed]) =>
      Math.abs(own) <= most && isWonOf(toutWon, toutPlayed) && isWonOf(soloWon - toutWon, soloPlayed - toutPlayed);
    if (!points.every((own, index) => fits(own, counts.map((count) => count[index])))) refuse("impossible_total");
    if (sum(counts[3]) > rules.deals) refuse("too_many_solos");
    return { points, counts: Object.fromEntries(COUNTS.map((name, index) => [name, counts[index]])) };
  }

  function isWonOf(won, played) {
    return 0 <= won && won <= played;
  }

  /* -- Order --------------------------------------------------------------------------------------------------------- */

  function check(state, { kind, data }) {
    if (kind === "approved") {
      if (!state.deals.some(({ id, waits }) => waits && id === data.entry)) refuse("nothing_to_approve");
      return;
    }
    if (state.isTotalled) refuse("already_totalled");
    if (kind === "totalled" && state.deals.length) refuse("deals_written");
    if (kind === "deal") checkDeal(state, data);
  }

  function checkDeal({ deals }, { game, level }) {
    if (deals.length === rules.deals) refuse("all_deals_written");
    if (!deals.length && game !== "ruf" && rules.not_in_first_deal.includes(level)) refuse("not_in_first_deal");
  }

  /* -- Effect -------------------------------------------------------------------------------------------------------- */

  function apply(state, { id, kind, data }) {
    if (kind === "totalled") return { ...state, ...data, isTotalled: true };
    if (kind === "deal") {
      const waits = data.game !== "ruf" && rules.needs_approval.includes(data.level);
      const after = { ...state, deals: [...state.deals, { id, data, waits }] };
      return waits ? after : counted(after, data);
    }
    const marked = state.deals.find((other) => other.id === data.entry);
    const deals = state.deals.map((other) => (other === marked ? { ...other, waits: false } : other));
    return counted({ ...state, deals }, marked.data);
  }

  /** The state with the points of a deal, and what the declarer's game counts for tie-breaks. */
  function counted(state, data) {
    const given = pointsOf(data);
    const names = namesOf(data);
    const counts = COUNTS.map((name) => [
      name,
      state.counts[name].map((count, index) => count + (names.includes(name) && index + 1 === data.declarer ? 1 : 0)),
    ]);
    return { ...state, points: state.points.map((points, index) => points + given[index]), counts: Object.fromEntries(counts) };
  }

  function pointsOf({ game, declarer, partner, won, level }) {
    const worth = worthOf(game, level) * (won ? 1 : -1);
    const share = game === "ruf" ? worth : worth * (TABLE - 1);
    return seats.map((seat) => (seat === declarer || seat === partner ? share : -worth));
  }

  function namesOf({ game, won, level }) {
    if (!rules.tie_solo_games.includes(game)) return [];
    const sorts = level === "tout" ? ["solo", "tout"] : ["solo"];
    return sorts.flatMap((sort) => (won ? [`${sort}_played`, `${sort}_won`] : [`${sort}_played`]));
  }

  function waits({ deals }) {
    return deals.some((one) => one.waits);
  }

  function missing(state) {
    return waits(state) || (!state.isTotalled && state.deals.length !== rules.deals);
  }

  function results(state) {
    return ranksOf(state.points).map((rank, index) => ({
      rank,
      points: state.points[index],
      strokes: 0,
      counts: Object.fromEntries(COUNTS.map((name) => [name, state.counts[name][index]])),
    }));
  }

  return {
    facts: new Map([["deal", deal], ["approved", approved], ["totalled", totalled]]),
    start: { deals: [], points: none, counts: Object.fromEntries(COUNTS.map((name) => [name, none])), isTotalled: false },
    check,
    apply,
    missing,
    unacceptable: (state) => waits(state) || (!rules.early_acceptance && missing(state)),
    results,
  };
}
