/* Plus and minus on the phone: who plays, with whom or what, and how it came out. Three taps write a deal.

   The list below has the form of the rule sheet's own sample: for every player a column of plus and one of minus. */

import { h } from "./dom.js";

const LEVELS = ["normal", "schneider", "durch", "tout"];
const LATEST = 5;
const TWICE_MS = 500;
const DASH = "–"; // in a column where nothing stands

/** Answers as every kind of sheet does (see `open` in view/loading.js). */
export function openKind({ words, icon, button, inTurn, barOf, undoButton, cancelButton, lastWords, write, refusalOf, complain, objecting, changed, redraw, barsOf }) {
  const { say, refuse, signed } = words;
  const draft = {};
  let page = null;
  let isWhole = false;
  let writtenAt = -Infinity;
  clear();

  function clear() {
    Object.assign(draft, { declarer: null, partner: null, game: null });
  }

  const see = (next) => (page = next);
  const number = () => page.log.state.deals.length + 1;
  /** Nothing more to write, though a Tout may still wait. */
  const isFull = () => number() > page.rules.deals;

  /* -- Taps --------------------------------------------------------------------------------------------------------- */

  /** First who plays, then whom that player calls; after a game only who plays. */
  function tapName(seat) {
    if (draft.declarer === null) draft.declarer = seat;
    else if (draft.declarer === seat) clear();
    else Object.assign(draft, { game: "ruf", partner: seat });
    changed();
  }

  /** Who plays comes before or after it; the second tap of two that wrote a game finds the next one's bar. */
  function tapGame(game) {
    if (draft.declarer === null && performance.now() - writtenAt < TWICE_MS) return;
    Object.assign(draft, { game: game === draft.game ? null : game, partner: null });
    changed();
  }

  function tapOutcome(won, level) {
    const { game, declarer, partner } = draft;
    if (game === null) return;
    const refusal = refusalOf("deal", { game, declarer, partner, won, level });
    if (refusal) complain(refuse(refusal));
    else {
      write("deal", { game, declarer, partner, won, level });
      writtenAt = performance.now();
    }
  }

  /* -- Rows of players ------------------------------------------------------------------------------------------------ */

  function row(seat) {
    const { points } = page.log.results.find((score) => score.seat_number === seat);
    const isIn = seat === draft.declarer || seat === draft.partner;
    const part = seat === draft.declarer ? say("plays") : seat === draft.partner ? say("is_called") : "";
    const cells = [
      h("span", { class: "seat-row__seat" }, String(seat)),
      h("span", { class: "seat-row__who" }, page.nameOf(seat)),
      h("span", { class: "seat-row__life" }, part ? h("strong", {}, part) : columns(seat)),
      h("span", { class: "seat-row__value" }, signed(points)),
    ];
    if (!page.mayWrite || isFull()) return h("div", { class: "seat-row__name seat-row__name--value" }, cells);
    const props = { type: "button", class: "seat-row__name seat-row__name--value", onclick: inTurn(() => tapName(seat)) };
    return h("button", { ...props, "aria-pressed": String(isIn), "data-chosen": String(isIn) }, cells);
  }

  const columns = (seat) => {
    const { plus, minus } = page.log.state;
    return h("span", {}, say("plus_and_minus", { plus: plus[seat], minus: minus[seat] }));
  };

  function rows() {
    const { deals } = page.rules;
    const text = isFull() ? say("all_deals", { deals }) : say("deal_count", { number: number(), deals });
    return [
      h("p", { key: "deal of", class: "deal-of" }, text),
      h("ul", { key: "rows", class: "seat-rows" },
        page.seats.map((seat) => h("li", { key: `seat ${seat}`, class: "seat-row", "data-cells": 1 }, row(seat)))),
      waiting(),
    ];
  }

  function aboutWaiting(key) {
    const numbers = page.log.state.waiting;
    return say(key, { numbers: numbers.join(", "), count: numbers.length });
  }

  /** A Tout is written and does not count yet. */
  function waiting() {
    return page.log.state.waiting.length
      ? h("div", { key: "waiting", class: "notice", "data-kind": "warning" },
        h("p", {}, icon("clock"), " ", aboutWaiting("waits_for_mark")))
      : null;
  }

  /* -- The bar under the thumb ---------------------------------------------------------------------------------------- */

  function bar() {
    if (isFull()) return barOf(aboutWaiting("mark_missing"), lastWords(), undoButton());
    if (draft.declarer === null) {
      const back = draft.game === null ? undoButton() : cancelButton();
      return barOf(say("who_plays", { number: number() }), lastWords(), back, games());
    }
    if (draft.game === null) return barOf(say("whom_or_what", { name: page.nameOf(draft.declarer) }), "", games(cancelButton()));
    return barOf(whatIsPlayed(), whatIsBarred(), cancelButton(), outcomes(true), outcomes(false));
  }

  function bars() {
    const [declarer, partner] = page.seats;
    return barsOf(draft, clear, bar, [{}, { declarer }, { declarer, partner, game: "ruf" }, { declarer, game: page.rules.solos[0] ?? "ruf", partner }]);
  }

  function games(back = null) {
    const game = (name) => button(say(`game_${name}`), "", () => tapGame(name), { key: name, "aria-pressed": String(draft.game === name) });
    return h("div", { key: "games", class: "action-bar__games" }, page.rules.solos.map(game), back);
  }

  function whatIsPlayed() {
    const name = page.nameOf(draft.declarer);
    if (draft.game !== "ruf") return say("plays_game", { name, game: say(`game_${draft.game}`) });
    return say("calls", { name, partner: page.nameOf(draft.partner) });
  }

  /** Why levels are dimmed: the first deal has none of them. */
  function whatIsBarred() {
    const { game, declarer, partner } = draft;
    const barred = LEVELS.filter((level) => refusalOf("deal", { game, declarer, partner, won: true, level })?.code === "not_in_first_deal");
    return barred.length ? say("not_in_first_deal", { levels: barred.map((level) => say(`level_${level}`)).join(", ") }) : "";
  }

  function outcomes(won) {
    const isRuf = draft.game === "ruf";
    const worth = isRuf ? page.rules.ruf : page.rules.solo;
    const outcome = (level) => {
      const deal = { game: draft.game, declarer: draft.declarer, partner: draft.partner, won, level };
      const points = (won ? 1 : -1) * worth[level] * (isRuf ? 1 : page.seats.length - 1);
      const label = `${say(won ? "won" : "lost")}, ${say(`level_${level}`)}: ${signed(points)}`;
      return h("button", {
        type: "button", class: won ? "pad__key pad__key--named" : "pad__key pad__key--named pad__key--minus",
        onclick: inTurn(() => tapOutcome(won, level)), "aria-disabled": refusalOf("deal", deal) ? "true" : null, "aria-label": label,
      }, h("span", {}, say(`level_${level}`)), " ", signed(points));
    };
    return h("div", { key: String(won), class: "pad", role: "group", "aria-label": say(won ? "won" : "lost") },
      h("p", { class: "pad__title" }, say(won ? "won" : "lost")),
      h("div", { class: "pad__row pad__row--words" }, LEVELS.filter((level) => worth[level]).map(outcome)));
  }

  /* -- The list of deals ---------------------------------------------------------------------------------------------- */

  /** The columns of the rule sheet's sample: plus and minus of each player, their sums, deduction and result. */
  function list() {
    const { deals, totals } = page.log.state;
    if (!deals.length || totals) return null;
    const shown = isWhole || page.isDecided ? deals : deals.slice(-LATEST);
    const first = deals.length - shown.length + 1;
    const toggle = () => {
      isWhole = !isWhole;
      redraw();
    };
    return h("section", { key: "list", class: "block" },
      h("h2", {}, say("deal_list")),
      page.sheet.ruleset.confirmation === "required" ? h("p", {}, say("all_check")) : null,
      h("div", { class: "deal-list__frame" }, h("table", { class: "deal-list" },
        h("thead", {}, heading()),
        h("tbody", {}, shown.map((deal, index) => dealRow(deal, first + index))),
        h("tfoot", {}, footing()))),
      !page.isDecided && deals.length > LATEST
        ? button(say(isWhole ? "latest_deals" : "every_deal", { count: deals.length }), "button--quiet button--wide", toggle,
          { "aria-expanded": String(isWhole) })
        : null);
  }

  const unseen = (...text) => h("span", { class: "visually-hidden" }, text);

  function heading() {
    return [
      h("tr", { key: "names" }, h("th", { scope: "col", rowspan: 2 }, unseen(say("deal"))),
        page.seats.map((seat) => h("th", { key: seat, scope: "colgroup", colspan: 2 }, h("span", { class: "deal-list__name" }, page.nameOf(seat))))),
      h("tr", { key: "signs" }, page.seats.flatMap((seat) =>
        [["+", "plus"], ["−", "minus"]].map(([sign, name]) =>
          h("th", { key: `${seat}${sign}`, scope: "col" }, h("span", { "aria-hidden": "true" }, sign), unseen(say(name)))))),
    ];
  }

  function dealRow(deal, index) {
    const cells = page.seats.flatMap((seat) => {
      const points = deal.points[seat];
      return [points, -points].map((one) => (one > 0 ? String(one) : DASH));
    });
    const { game } = page.log.facts.find((fact) => fact.entry_id === deal.entry_id).data;
    const number = game === "ruf" ? `${index}.` : [h("span", { class: "circled" }, String(index)), unseen(" ", say(`game_${game}`))];
    return h("tr", { key: deal.entry_id, "data-waits": deal.waits || null },
      h("th", { scope: "row" }, number, deal.waits ? [" ", icon("clock"), unseen(say("waits"))] : null), cells.map((text, place) => h("td", { key: place }, text)));
  }

  /** Sums, the deduction below the greater of the two (of equal ones below plus), and what is left; as on paper. */
  function footing() {
    const { plus, minus, deduction } = page.log.state;
    const pairs = (of) => page.seats.flatMap((seat) => of(seat).map((text, side) => h("td", { key: `${seat}${side}` }, text)));
    const whole = (of) => page.seats.map((seat) => h("td", { key: seat, colspan: 2 }, of(seat)));
    const points = new Map(page.log.results.map((score) => [score.seat_number, score.points]));
    const less = (seat) => (plus[seat] >= minus[seat] ? [String(deduction[seat]), DASH] : [DASH, String(deduction[seat])]);
    return [
      h("tr", { key: "sum" }, h("th", { scope: "row" }, say("sum_short")), pairs((seat) => [String(plus[seat]), String(minus[seat])])),
      h("tr", { key: "less" }, h("th", { scope: "row" }, say("deduction_short")), pairs(less)),
      h("tr", { key: "result" }, h("th", { scope: "row" }, say("result_short")), whole((seat) => h("strong", {}, signed(points.get(seat))))),
    ];
  }

  const points = (score) => signed(score.points);

  /** What ties are broken by. */
  function detail(seat) {
    const { counts } = page.log.results.find((score) => score.seat_number === seat);
    const { tout_won, tout_played, solo_won, solo_played } = counts;
    return [
      columns(seat),
      solo_played ? h("span", {}, say("solos", { won: solo_won, played: solo_played })) : null,
      tout_played ? h("span", {}, say("touts", { won: tout_won, played: tout_played })) : null,
    ];
  }

  return { see, clear, rows, bar, bars, record: list, below: () => (page.isDecided ? null : objecting(page)), points, detail };
}
