/* Hand points on the phone: for every deal a value for every player, from a pad of the values that exist.

   A tap on the pad goes to the next player without a value; a tap on a name chooses that player. The pad covers the rows
   on a small phone, so a strip above it shows the deal that is being written. */

import { h } from "./dom.js";

/** Answers as every kind of sheet does (see `open` in view/loading.js). */
export function openKind({ words, button, inTurn, tally, barOf, undoButton, cancelButton, write, complain, changed, barsOf }) {
  const { say, refuse } = words;
  const draft = {};
  let page = null;
  clear();

  function clear() {
    Object.assign(draft, { points: {}, seat: null, ended_by: null });
  }

  const see = (next) => (page = next);
  const number = () => page.log.state.deals + 1;
  const dealer = () => page.seats[page.log.state.deals % page.seats.length];
  const open = () => page.seats.filter((seat) => !(seat in draft.points));
  const chosen = () => draft.seat ?? open()[0] ?? null;

  /* -- Taps --------------------------------------------------------------------------------------------------------- */

  function tapValue(value) {
    const seat = chosen();
    if (seat === null) return;
    const others = page.seats.filter((other) => other !== seat).map((other) => draft.points[other]);
    if (value === page.sheet.ruleset.hands.feuer_points && others.includes(value)) {
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

  /** What a value is called: the hands that have a name by it. */
  function called(value) {
    const { hands } = page.sheet.ruleset;
    if (value === hands.schnauz_points) return say("schnauz");
    if (value === hands.feuer_points) return say("feuer");
    const isThree = value * 2 === hands.three_of_a_kind_half_points;
    return isThree ? hands.three_of_a_kind_name ?? say("three_of_a_kind") : "";
  }

  function row(seat) {
    const { points, strokes } = page.log.results.find((score) => score.seat_number === seat);
    const value = draft.points[seat];
    const cells = [
      h("span", { class: "seat-row__seat" }, String(seat)),
      h("span", { class: "seat-row__who" }, page.nameOf(seat)),
      h("span", { class: "seat-row__life" }, h("span", {}, say("points", { count: points })), tally(strokes)),
      page.mayWrite ? h("span", { class: "seat-row__value" }, value === undefined ? "–" : String(value)) : null,
    ];
    if (!page.mayWrite) return h("div", { class: "seat-row__name" }, cells);
    const tap = inTurn(() => tapName(seat));
    const props = { type: "button", class: "seat-row__name seat-row__name--value", onclick: tap };
    return h("button", { ...props, "aria-pressed": String(chosen() === seat), "data-chosen": String(chosen() === seat) }, cells);
  }

  function rows() {
    const { deals } = page.rules;
    const played = page.log.state.deals;
    const text = played < deals
      ? say("deal_of", { number: number(), deals, name: page.nameOf(dealer()) }) : say("all_deals", { deals });
    return [
      h("p", { key: "deal of", class: "deal-of" }, text),
      h("ul", { key: "rows", class: "seat-rows seat-rows--close" },
        page.seats.map((seat) => h("li", { key: `seat ${seat}`, class: "seat-row", "data-cells": 1 }, row(seat)))),
      page.mayWrite ? onTheTable() : null,
    ];
  }

  /** A Schnauz or Feuer on the table ends the deal, and is nobody's. */
  function onTheTable() {
    const endings = page.rules.endings.filter((ending) => ending.startsWith("table_"));
    if (!endings.length) return null;
    const choices = endings.map((ending) =>
      button(say(ending), "choice__one", () => tapTable(ending), { "aria-pressed": String(draft.ended_by === ending) }));
    return h("div", { key: "table", class: "choice" }, choices);
  }

  /* -- The bar under the thumb ---------------------------------------------------------------------------------------- */

  /** The first name, as words; with the last word of the name where it is another's, too. */
  function callName(seat) {
    const [first, ...others] = page.nameOf(seat).split(" ");
    const isShared = page.seats.some((other) => other !== seat && page.nameOf(other).split(" ")[0] === first);
    return isShared ? [first, ...others.slice(-1)] : [first];
  }

  function strip() {
    const chip = (seat) => h("button", {
      key: seat, type: "button", class: "chip", onclick: inTurn(() => tapName(seat)), "aria-pressed": String(chosen() === seat),
    }, callName(seat).flatMap((word) => [h("span", { class: "chip__word" }, word), " "]), h("strong", {}, String(draft.points[seat] ?? "–")));
    return h("div", { key: "strip", class: "chips", "data-count": page.seats.length, role: "group", "aria-label": say("value_strip") },
      page.seats.map(chip));
  }

  function pad() {
    const values = page.sheet.hand_values ?? []; // none in a sheet that an older page has stored, until the server answers
    const named = values.filter((value) => called(value));
    const key = (value) => h("button", {
      type: "button", class: called(value) ? "pad__key pad__key--named" : "pad__key", onclick: inTurn(() => tapValue(value)),
      "aria-pressed": String(draft.points[chosen()] === value),
    }, called(value) ? [h("span", {}, called(value)), " "] : null, String(value));
    return h("div", { key: "pad", class: "pad", role: "group", "aria-label": say("value_pad") },
      h("div", { class: "pad__row" }, named.map(key)),
      h("div", { class: "pad__row" }, values.filter((value) => !called(value)).map(key)));
  }

  const isDrafted = () => Object.keys(draft.points).length > 0 || draft.ended_by !== null;
  const back = () => (isDrafted() ? cancelButton() : undoButton());

  function bar() {
    const seat = chosen();
    if (seat !== null) return barOf(say("value_of", { name: page.nameOf(seat) }), "", back(), strip(), pad());
    const record = button(say("record_deal", { number: number() }), "button--primary action-bar__go", writeDeal, { key: "go" });
    return barOf(say("values_full"), "", strip(), back(), record);
  }

  const bars = () => barsOf(draft, clear, bar, [{}, { points: Object.fromEntries(page.seats.map((seat) => [seat, 0])) }]);
  const points = (score) => say("points", { count: score.points });

  return { see, clear, rows, bar, bars, record: () => null, below: () => null, points, detail: () => null };
}
