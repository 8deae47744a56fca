/* The players' rows: lives and strokes, and what is tapped there while deals, strokes or ranks are written down. */

import { h } from "../dom.js";

/** `at` and `taps`: see taps.js. */
export function openRows({ words: { say }, icon, inTurn, tally, write }, at, { mode, tapName, tapEnding, tapRank, tapShared, tappedRanks }) {
  const { draft } = at;

  function coins(lives) {
    const label = say("lives", { count: lives, of: at.page.rules.lives });
    const all = Array.from({ length: at.page.rules.lives }, (_, index) => h("i", { class: index < lives ? "" : "spent" }));
    return h("span", { class: "coins", "data-lives": lives, role: "img", "aria-label": label }, all);
  }

  function fateOf(seat) {
    const { state } = at.page.log;
    return seat in state.drowned_in ? "drowned" : state.swimming.includes(seat) ? "swimming" : "in";
  }

  /** Without points where ranks give none. */
  const rankText = (rank, points) => (points === null ? say("rank_only", { rank }) : say("rank_points", { rank, count: points }));

  function life(seat) {
    const fate = fateOf(seat);
    const { strokes, rank, points } = at.page.log.results.find((score) => score.seat_number === seat);
    const drowned = () => [icon("cross"), say("drowned"), " ", rankText(rank, points)];
    return h("span", { class: "seat-row__life" },
      fate === "drowned" ? h("span", { class: "fate", "data-fate": fate }, drowned()) : null,
      fate === "swimming" && !draft.ranking ? h("span", { class: "fate", "data-fate": fate }, icon("wave"), say("swims")) : null,
      fate !== "drowned" && !draft.ranking && (mode() === "deals" || at.page.log.state.deals) ? coins(at.page.log.state.lives_left[seat]) : null,
      tally(strokes));
  }

  function nameCell(seat, tap, props = {}, mark = String(seat)) {
    const pressed = tap ? { type: "button", onclick: inTurn(tap) } : {};
    return h(tap ? "button" : "div", { class: "seat-row__name", ...pressed, ...props },
      h("span", { class: "seat-row__seat" }, mark),
      h("span", { class: "seat-row__who" }, at.page.nameOf(seat)),
      life(seat));
  }

  function strokeButton(seat, mark, tap, pressed) {
    return h("button", {
      type: "button", class: mark === "feuer" ? "stroke stroke--fire" : "stroke", onclick: inTurn(tap), "aria-pressed": pressed,
      "aria-label": say("mark_for", { mark: say(mark), name: at.page.nameOf(seat) }),
    }, say(mark));
  }

  function dealRow(seat) {
    if (fateOf(seat) === "drowned") return [nameCell(seat, null)];
    const isLoser = draft.losers.has(seat);
    const marks = at.page.rules.marks.filter((mark) => at.page.rules.endings.includes(mark));
    return [
      nameCell(seat, () => tapName(seat), { "aria-pressed": String(isLoser) }),
      ...marks.map((mark) => {
        const isPressed = draft.finisher === seat && draft.ending === mark;
        return strokeButton(seat, mark, () => tapEnding(seat, mark), String(isPressed));
      }),
    ];
  }

  function strokeRow(seat) {
    const add = (mark) => () => write("stroke", { seat_number: seat, mark });
    return [nameCell(seat, null), ...at.page.rules.marks.map((mark) => strokeButton(seat, mark, add(mark), null))];
  }

  function rankRow(seat) {
    const { order, shared } = draft.ranking;
    const place = order.indexOf(seat);
    const name = nameCell(seat, () => tapRank(seat), {
      "aria-pressed": String(place >= 0), "data-ranked": String(place >= 0),
    }, place < 0 ? "–" : `${tappedRanks()[seat]}.`);
    if (place < 2) return [name];
    const above = at.page.nameOf(order[place - 1]);
    return [name, h("button", {
      type: "button", class: "stroke stroke--tie", onclick: inTurn(() => tapShared(seat)), "aria-pressed": String(shared.has(seat)),
      "aria-label": say("tie_with_name", { name: above }),
    }, say("tie"))];
  }

  function rows() {
    const row = !at.page.mayWrite ? (seat) => [nameCell(seat, null)]
      : draft.ranking ? rankRow : mode() === "deals" ? dealRow : strokeRow;
    const shown = draft.ranking
      ? [...draft.ranking.order, ...at.page.seats.filter((seat) => !draft.ranking.order.includes(seat))] : at.page.seats;
    return h("ul", { key: "rows", class: "seat-rows" }, shown.map((seat) => {
      const cells = row(seat);
      const state = draft.ranking ? "in" : fateOf(seat);
      return h("li", { key: `seat ${seat}`, class: "seat-row", "data-fate": state, "data-cells": cells.length }, cells);
    }));
  }

  return { rows };
}
