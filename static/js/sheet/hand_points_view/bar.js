/* The bar under the thumb of hand points: the deal that is being written as a strip, and the pad of values. */

import { h } from "../dom.js";

/** `at`: {page, draft}, as they are now; with it what a tap does, and what it stands for. */
export function openBar(tools, at, { clear, number, chosen, tapValue, tapName, writeDeal }) {
  const { words: { say }, button, inTurn, barOf, undoButton, cancelButton, barsOf } = tools;
  const { draft } = at;

  /** What a value is called: the hands that have a name by it. */
  function called(value) {
    const { hands } = at.page.sheet.ruleset;
    if (value === hands.schnauz_points) return say("schnauz");
    if (value === hands.feuer_points) return say("feuer");
    const isThree = value * 2 === hands.three_of_a_kind_half_points;
    return isThree ? hands.three_of_a_kind_name ?? say("three_of_a_kind") : "";
  }

  function strip() {
    const chip = (seat) => h("button", {
      key: seat, type: "button", class: "chip", onclick: inTurn(() => tapName(seat)), "aria-pressed": String(chosen() === seat),
    }, at.page.callName(seat), " ", h("strong", {}, String(draft.points[seat] ?? "–")));
    return h("div", { key: "strip", class: "chips", "data-count": at.page.seats.length, role: "group", "aria-label": say("value_strip") },
      at.page.seats.map(chip));
  }

  function pad() {
    const values = at.page.sheet.hand_values ?? []; // none in a sheet that an older at.page has stored, until the server answers
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
    if (seat !== null) return barOf(say("value_of", { name: at.page.callName(seat) }), "", back(), strip(), pad());
    const record = button(say("record_deal", { number: number() }), "button--primary action-bar__go", writeDeal, { key: "go" });
    return barOf(say("values_full"), "", strip(), back(), record);
  }

  const bars = () => barsOf(draft, clear, bar, [{}, { points: Object.fromEntries(at.page.seats.map((seat) => [seat, 0])) }]);

  return { bar, bars };
}
