/* Hand points on the phone: for every deal a value for every player, from a pad of the values that exist.

   A tap on the pad goes to the next player without a value; a tap on a name chooses that player. The pad covers the rows
   on a small phone, so a strip above it shows the deal that is being written. */

import { h } from "./dom.js";
import { openBar } from "./hand_points_view/bar.js";

/** Answers as every kind of sheet does (see `open` in view/loading.js). */
export function openKind(tools) {
  const { words: { say, refuse }, button, inTurn, tally, write, complain, changed } = tools;
  const at = { page: null, draft: {} };
  const { draft } = at;
  clear();

  function clear() {
    Object.assign(draft, { points: {}, seat: null, ended_by: null });
  }

  const see = (next) => (at.page = next);
  const number = () => at.page.log.state.deals + 1;
  const dealer = () => at.page.seats[at.page.log.state.deals % at.page.seats.length];
  const open = () => at.page.seats.filter((seat) => !(seat in draft.points));
  const chosen = () => draft.seat ?? open()[0] ?? null;

  /* -- Taps --------------------------------------------------------------------------------------------------------- */

  function tapValue(value) {
    const seat = chosen();
    if (seat === null) return;
    const others = at.page.seats.filter((other) => other !== seat).map((other) => draft.points[other]);
    if (value === at.page.sheet.ruleset.hands.feuer_points && others.includes(value)) {
      complain(refuse({ code: "two_feuer" }));
      return;
    }
    Object.assign(draft, { points: { ...draft.points, [seat]: value }, seat: null });
    changed();
  }

  function tapName(seat) {
    draft.seat = chosen() === seat && seat in draft.points ? null : seat;
    changed();
  }

  function tapTable(ending) {
    draft.ended_by = draft.ended_by === ending ? null : ending;
    changed();
  }

  /** The second tap of two finds nothing drafted. */
  function writeDeal() {
    if (open().length) return;
    write("deal", draft.ended_by ? { points: draft.points, ended_by: draft.ended_by } : { points: draft.points });
  }

  /* -- Rows of players ------------------------------------------------------------------------------------------------ */

  function row(seat) {
    const { points, strokes } = at.page.log.results.find((score) => score.seat_number === seat);
    const value = draft.points[seat];
    const cells = [
      h("span", { class: "seat-row__seat" }, String(seat)),
      h("span", { class: "seat-row__who" }, at.page.nameOf(seat)),
      h("span", { class: "seat-row__life" }, h("span", {}, say("points", { count: points })), tally(strokes)),
      at.page.mayWrite ? h("span", { class: "seat-row__value" }, value === undefined ? "–" : String(value)) : null,
    ];
    if (!at.page.mayWrite) return h("div", { class: "seat-row__name" }, cells);
    const tap = inTurn(() => tapName(seat));
    const props = { type: "button", class: "seat-row__name seat-row__name--value", onclick: tap };
    return h("button", { ...props, "aria-pressed": String(chosen() === seat), "data-chosen": String(chosen() === seat) }, cells);
  }

  function rows() {
    const { deals } = at.page.rules;
    const played = at.page.log.state.deals;
    const text = played < deals
      ? say("deal_of", { number: number(), deals, name: at.page.callName(dealer()) }) : say("all_deals", { deals });
    return [
      h("p", { key: "deal of", class: "deal-of" }, text),
      h("ul", { key: "rows", class: "seat-rows seat-rows--close" },
        at.page.seats.map((seat) => h("li", { key: `seat ${seat}`, class: "seat-row", "data-cells": 1 }, row(seat)))),
      at.page.mayWrite ? onTheTable() : null,
    ];
  }

  /** A Schnauz or Feuer on the table ends the deal, and is nobody's. */
  function onTheTable() {
    const endings = at.page.rules.endings.filter((ending) => ending.startsWith("table_"));
    if (!endings.length) return null;
    const choices = endings.map((ending) =>
      button(say(ending), "choice__one", () => tapTable(ending), { "aria-pressed": String(draft.ended_by === ending) }));
    return h("div", { key: "table", class: "choice" }, choices);
  }

  const points = (score) => say("points", { count: score.points });

  const taps = { clear, number, chosen, tapValue, tapName, writeDeal };
  return { see, clear, rows, ...openBar(tools, at, taps), record: () => null, below: () => null, points, detail: () => null };
}
