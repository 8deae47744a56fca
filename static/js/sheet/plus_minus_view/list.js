/* The list of deals in the form of the rule sheet's own sample: for every player a column of plus and one of minus. */

import { h } from "../dom.js";

const LATEST = 5;
const DASH = "–"; // in a column where nothing stands

/** `at`: see taps.js. */
export function openList({ words: { say, signed }, icon, button, redraw }, at) {
  let isWhole = false;

  /** The columns of the rule sheet's sample: plus and minus of each player, their sums, deduction and result. */
  function list() {
    const { deals, totals } = at.page.log.state;
    if (!deals.length || totals) return null;
    const shown = isWhole || at.page.isDecided ? deals : deals.slice(-LATEST);
    const first = deals.length - shown.length + 1;
    const toggle = () => {
      isWhole = !isWhole;
      redraw();
    };
    return h("section", { key: "list", class: "block" },
      h("h2", {}, say("deal_list")),
      at.page.sheet.ruleset.confirmation === "required" ? h("p", {}, say("all_check")) : null,
      h("div", { class: "deal-list__frame" }, h("table", { class: "deal-list" },
        h("thead", {}, heading()),
        h("tbody", {}, shown.map((deal, index) => dealRow(deal, first + index))),
        h("tfoot", {}, footing()))),
      !at.page.isDecided && deals.length > LATEST
        ? button(say(isWhole ? "latest_deals" : "every_deal", { count: deals.length }), "button--quiet button--wide", toggle,
          { "aria-expanded": String(isWhole) })
        : null);
  }

  const unseen = (...text) => h("span", { class: "visually-hidden" }, text);

  function heading() {
    return [
      h("tr", { key: "names" }, h("th", { scope: "col", rowspan: 2 }, unseen(say("deal"))),
        at.page.seats.map((seat) => h("th", { key: seat, scope: "colgroup", colspan: 2 }, h("span", { class: "deal-list__name" }, at.page.nameOf(seat))))),
      h("tr", { key: "signs" }, at.page.seats.flatMap((seat) =>
        [["+", "plus"], ["−", "minus"]].map(([sign, name]) =>
          h("th", { key: `${seat}${sign}`, scope: "col" }, h("span", { "aria-hidden": "true" }, sign), unseen(say(name)))))),
    ];
  }

  function dealRow(deal, index) {
    const cells = at.page.seats.flatMap((seat) => {
      const points = deal.points[seat];
      return [points, -points].map((one) => (one > 0 ? String(one) : DASH));
    });
    const { game } = at.page.log.facts.find((fact) => fact.entry_id === deal.entry_id).data;
    const number = game === "ruf" ? `${index}.` : [h("span", { class: "circled" }, String(index)), unseen(" ", say(`game_${game}`))];
    return h("tr", { key: deal.entry_id, "data-waits": deal.waits || null },
      h("th", { scope: "row" }, number, deal.waits ? [" ", icon("clock"), unseen(say("waits"))] : null), cells.map((text, place) => h("td", { key: place }, text)));
  }

  /** Sums, the deduction below the greater of the two (of equal ones below plus), and what is left; as on paper. */
  function footing() {
    const { plus, minus, deduction } = at.page.log.state;
    const pairs = (of) => at.page.seats.flatMap((seat) => of(seat).map((text, side) => h("td", { key: `${seat}${side}` }, text)));
    const whole = (of) => at.page.seats.map((seat) => h("td", { key: seat, colspan: 2 }, of(seat)));
    const points = new Map(at.page.log.results.map((score) => [score.seat_number, score.points]));
    const less = (seat) => (plus[seat] >= minus[seat] ? [String(deduction[seat]), DASH] : [DASH, String(deduction[seat])]);
    return [
      h("tr", { key: "sum" }, h("th", { scope: "row" }, say("sum_short")), pairs((seat) => [String(plus[seat]), String(minus[seat])])),
      h("tr", { key: "less" }, h("th", { scope: "row" }, say("deduction_short")), pairs(less)),
      h("tr", { key: "result" }, h("th", { scope: "row" }, say("result_short")), whole((seat) => h("strong", {}, signed(points.get(seat))))),
    ];
  }

  return { list };
}
