/* Plus and minus on the phone: who plays, with whom or what, and how it came out. Three taps write a deal. */

import { h } from "./dom.js";
import { openBar } from "./plus_minus_view/bar.js";
import { openList } from "./plus_minus_view/list.js";
import { openTaps } from "./plus_minus_view/taps.js";

/** Answers as every kind of sheet does (see `open` in view/loading.js). */
export function openKind(tools) {
  const { words: { say, signed }, icon, inTurn, objecting } = tools;
  const at = { page: null, draft: {} };
  const { draft } = at;
  const taps = openTaps(tools, at);
  const { see, clear, number, isFull, tapName } = taps;
  clear();

  function row(seat) {
    const { points } = at.page.log.results.find((score) => score.seat_number === seat);
    const isIn = seat === draft.declarer || seat === draft.partner;
    const part = seat === draft.declarer ? say("plays") : seat === draft.partner ? say("is_called") : "";
    const cells = [
      h("span", { class: "seat-row__seat" }, String(seat)),
      h("span", { class: "seat-row__who" }, at.page.nameOf(seat)),
      h("span", { class: "seat-row__life" }, part ? h("strong", {}, part) : columns(seat)),
      h("span", { class: "seat-row__value" }, signed(points)),
    ];
    if (!at.page.mayWrite || isFull()) return h("div", { class: "seat-row__name seat-row__name--value" }, cells);
    const props = { type: "button", class: "seat-row__name seat-row__name--value", onclick: inTurn(() => tapName(seat)) };
    return h("button", { ...props, "aria-pressed": String(isIn), "data-chosen": String(isIn) }, cells);
  }

  const columns = (seat) => {
    const { plus, minus } = at.page.log.state;
    return h("span", {}, say("plus_and_minus", { plus: plus[seat], minus: minus[seat] }));
  };

  function rows() {
    const { deals } = at.page.rules;
    const text = isFull() ? say("all_deals", { deals }) : say("deal_count", { number: number(), deals });
    return [
      h("p", { key: "deal of", class: "deal-of" }, text),
      h("ul", { key: "rows", class: "seat-rows" },
        at.page.seats.map((seat) => h("li", { key: `seat ${seat}`, class: "seat-row", "data-cells": 1 }, row(seat)))),
      waiting(),
    ];
  }

  function aboutWaiting(key) {
    const numbers = at.page.log.state.waiting;
    return say(key, { numbers: numbers.join(", "), count: numbers.length });
  }

  /** A Tout is written and does not count yet. */
  function waiting() {
    return at.page.log.state.waiting.length
      ? h("div", { key: "waiting", class: "notice", "data-kind": "warning" },
        h("p", {}, icon("clock"), " ", aboutWaiting("waits_for_mark")))
      : null;
  }

  const points = (score) => signed(score.points);

  /** What ties are broken by. */
  function detail(seat) {
    const { counts } = at.page.log.results.find((score) => score.seat_number === seat);
    const { tout_won, tout_played, solo_won, solo_played } = counts;
    return [
      columns(seat),
      solo_played ? h("span", {}, say("solos", { won: solo_won, played: solo_played })) : null,
      tout_played ? h("span", {}, say("touts", { won: tout_won, played: tout_played })) : null,
    ];
  }

  return { see, clear, rows, ...openBar(tools, at, taps, aboutWaiting), record: openList(tools, at).list, below: () => (at.page.isDecided ? null : objecting(at.page)), points, detail };
}
