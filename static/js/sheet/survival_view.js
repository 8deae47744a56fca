/* Survival on the phone: lives as coins, who lost a deal, strokes, and ranks.

   A deal is written down by tapping who lost, then one button; or who ended it by Schnauz or Feuer, and then who lost.
   What takes a life from all others is said before it is written. Tables that do
   not track deals tap strokes, and at the end the names in the order of their ranks. */

import { h } from "./dom.js";

/** Answers as every kind of sheet does (see `open` in view/loading.js). */
export function openKind({ words, sync, icon, button, inTurn, tally, barOf, undoButton, cancelButton, lastWords, write, refusalOf, complain, changed, barsOf }) {
  const { say, refuse } = words;
  const draft = {};
  let page = null;
  clear();

  function clear() {
    Object.assign(draft, { losers: new Set(), finisher: null, ending: null, nobody: false, isMarked: false, ranking: null });
  }

  function see(next) {
    page = next;
    if (!page.mayWrite || page.isDecided) draft.ranking = null;
  }

  /** Deals or strokes: as this phone has chosen, else as the sheet was begun. */
  function mode() {
    const kinds = page.log.facts.map((fact) => fact.kind);
    return sync.mode ?? (kinds.includes("deal") || !kinds.includes("stroke") ? "deals" : "strokes");
  }

  /* -- Taps --------------------------------------------------------------------------------------------------------- */

  function tapName(seat) {
    if (seat === draft.finisher) return complain(refuse({ code: "finisher_cannot_lose", params: { seat } }));
    if (!draft.losers.delete(seat)) draft.losers.add(seat);
    draft.nobody = false;
    return changed();
  }

  const isSpared = (ending) => page.rules.three_of_a_kind_spared.includes(ending);

  /** Who ended the deal. With only one other left a Schnauz leaves nothing to ask, nor does a Handschnauz, the second step
      of a Schnauz, where all others lose. All who must lose are marked: at a Feuer to be looked at before it is written;
      where three of a kind is spared, for those who hold it to be taken out. */
  function tapEnding(seat, ending) {
    const others = page.log.state.still_in.filter((other) => other !== seat);
    const allLose = page.rules.all_others_lose.includes(ending);
    if (!isSpared(ending) && ending !== "feuer" && (allLose || others.length === 1)) {
      write("deal", { losers: others, ended_by: ending, finisher: seat }, { once: `${ending} ${seat}` });
      return;
    }
    const isOff = draft.finisher === seat && draft.ending === ending;
    if (draft.isMarked) draft.losers = new Set();
    draft.isMarked = !isOff && (allLose || (others.length === 1 && !isSpared(ending)));
    if (draft.isMarked) draft.losers = new Set(others);
    draft.losers.delete(seat);
    Object.assign(draft, { finisher: isOff ? null : seat, ending: isOff ? null : ending, nobody: false });
    changed();
  }

  /** That nobody loses is said before it is written, so that no stray tap writes it. */
  function tapNobody() {
    draft.nobody = true;
    changed();
  }

  function draftedDeal() {
    const losers = [...draft.losers].sort((a, b) => a - b);
    return { losers, ended_by: draft.ending ?? "knock", finisher: draft.finisher };
  }

  const isWhole = ({ losers, ended_by }) =>
    losers.length > 0 || (isSpared(ended_by) && draft.nobody);

  /** The second tap of two finds nothing drafted. */
  function writeDeal() {
    if (isWhole(draftedDeal())) write("deal", draftedDeal());
  }

  /** A tap gives the next rank; a tap on who has one takes it and all later ones back. The last name follows. */
  function tapRank(seat) {
    const { order, shared } = draft.ranking;
    const place = order.indexOf(seat);
    if (place >= 0) order.splice(place).forEach((gone) => shared.delete(gone));
    else order.push(seat);
    const rest = page.seats.filter((other) => !order.includes(other));
    if (place < 0 && rest.length === 1) order.push(rest[0]);
    changed();
  }

  function tapShared(seat) {
    const { shared } = draft.ranking;
    if (!shared.delete(seat)) shared.add(seat);
    changed();
  }

  function tappedRanks() {
    const ranks = {};
    draft.ranking.order.forEach((seat, index, order) => {
      ranks[seat] = draft.ranking.shared.has(seat) ? ranks[order[index - 1]] : index + 1;
    });
    return ranks;
  }

  /* -- Rows of players ------------------------------------------------------------------------------------------------ */

  function coins(lives) {
    const label = say("lives", { count: lives, of: page.rules.lives });
    const all = Array.from({ length: page.rules.lives }, (_, index) => h("i", { class: index < lives ? "" : "spent" }));
    return h("span", { class: "coins", "data-lives": lives, role: "img", "aria-label": label }, all);
  }

  function fateOf(seat) {
    const { state } = page.log;
    return seat in state.drowned_in ? "drowned" : state.swimming.includes(seat) ? "swimming" : "in";
  }

  /** Without points where ranks give none. */
  const rankText = (rank, points) => (points === null ? say("rank_only", { rank }) : say("rank_points", { rank, count: points }));

  function life(seat) {
    const fate = fateOf(seat);
    const { strokes, rank, points } = page.log.results.find((score) => score.seat_number === seat);
    const drowned = () => [icon("cross"), say("drowned"), " ", rankText(rank, points)];
    return h("span", { class: "seat-row__life" },
      fate === "drowned" ? h("span", { class: "fate", "data-fate": fate }, drowned()) : null,
      fate === "swimming" && !draft.ranking ? h("span", { class: "fate", "data-fate": fate }, icon("wave"), say("swims")) : null,
      fate !== "drowned" && !draft.ranking && (mode() === "deals" || page.log.state.deals) ? coins(page.log.state.lives_left[seat]) : null,
      tally(strokes));
  }

  function nameCell(seat, tap, props = {}, mark = String(seat)) {
    const pressed = tap ? { type: "button", onclick: inTurn(tap) } : {};
    return h(tap ? "button" : "div", { class: "seat-row__name", ...pressed, ...props },
      h("span", { class: "seat-row__seat" }, mark),
      h("span", { class: "seat-row__who" }, page.nameOf(seat)),
      life(seat));
  }

  function strokeButton(seat, mark, tap, pressed) {
    return h("button", {
      type: "button", class: mark === "feuer" ? "stroke stroke--fire" : "stroke", onclick: inTurn(tap), "aria-pressed": pressed,
      "aria-label": say("mark_for", { mark: say(mark), name: page.nameOf(seat) }),
    }, say(mark));
  }

  function dealRow(seat) {
    if (fateOf(seat) === "drowned") return [nameCell(seat, null)];
    const isLoser = draft.losers.has(seat);
    const marks = page.rules.marks.filter((mark) => page.rules.endings.includes(mark));
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
    return [nameCell(seat, null), ...page.rules.marks.map((mark) => strokeButton(seat, mark, add(mark), null))];
  }

  function rankRow(seat) {
    const { order, shared } = draft.ranking;
    const place = order.indexOf(seat);
    const name = nameCell(seat, () => tapRank(seat), {
      "aria-pressed": String(place >= 0), "data-ranked": String(place >= 0),
    }, place < 0 ? "–" : `${tappedRanks()[seat]}.`);
    if (place < 2) return [name];
    const above = page.nameOf(order[place - 1]);
    return [name, h("button", {
      type: "button", class: "stroke stroke--tie", onclick: inTurn(() => tapShared(seat)), "aria-pressed": String(shared.has(seat)),
      "aria-label": say("tie_with_name", { name: above }),
    }, say("tie"))];
  }

  function rows() {
    const row = !page.mayWrite ? (seat) => [nameCell(seat, null)]
      : draft.ranking ? rankRow : mode() === "deals" ? dealRow : strokeRow;
    const shown = draft.ranking
      ? [...draft.ranking.order, ...page.seats.filter((seat) => !draft.ranking.order.includes(seat))] : page.seats;
    return h("ul", { key: "rows", class: "seat-rows" }, shown.map((seat) => {
      const cells = row(seat);
      const state = draft.ranking ? "in" : fateOf(seat);
      return h("li", { key: `seat ${seat}`, class: "seat-row", "data-fate": state, "data-cells": cells.length }, cells);
    }));
  }

  /* -- The bar under the thumb, and how it is written down --------------------------------------------------------- */

  function bar() {
    if (draft.ranking) return rankingBar();
    return mode() === "deals" ? dealBar() : strokesBar();
  }

  function bars() {
    const [seat] = page.seats;
    const ended = page.rules.endings.includes("feuer") ? "feuer" : "schnauz";
    return barsOf(draft, clear, dealBar, [
      {}, { finisher: seat, ending: "schnauz" }, { finisher: seat, ending: ended, losers: new Set(page.seats.slice(1)) },
      ...(page.rules.three_of_a_kind_spared.length ? [{ nobody: true }, { finisher: seat, ending: "handschnauz", losers: new Set(page.seats.slice(1)) }] : []),
    ]);
  }

  function dealBar() {
    const deal = draftedDeal();
    const isDrafted = deal.losers.length > 0 || deal.finisher !== null || draft.nobody;
    const refusal = isWhole(deal) ? refusalOf("deal", deal) : null;
    const record = draft.nobody && !deal.losers.length ? say("record_nobody") : say(`record_${deal.ended_by}`);
    const hint = deal.losers.length && isSpared(deal.ended_by) ? say("spared_hint") : "";
    const colour = deal.ended_by === "feuer" ? "button--brass" : "button--primary";
    const asked = choices(deal);
    if (asked && deal.finisher !== null && isSpared(deal.ended_by)) return barOf(dealQuestion(deal), "", ...asked, cancelButton({ isSmall: true }));
    return barOf(
      dealQuestion(deal), refusal ? refuse(refusal) : isDrafted ? hint : lastWords(),
      asked && h("div", { key: "choices", class: "action-bar__choices" }, asked),
      isDrafted ? cancelButton() : undoButton(),
      button(record, `${colour} action-bar__go`, writeDeal, {
        key: "go", disabled: !isWhole(deal) || Boolean(refusal),
      }));
  }

  /** What is rarer than a loser, while nobody is marked: a Handschnauz, beside the question; where three of a kind is spared,
      below it in place of the button that has nothing to write yet. That nobody loses stands where the next bar has "cancel",
      so that the second tap of two writes nothing. */
  function choices({ losers, ended_by, finisher }) {
    if (losers.length || draft.nobody) return null;
    const isAsked = ended_by === "schnauz" && page.rules.endings.includes("handschnauz");
    const label = say(isSpared("handschnauz") ? "spared_handschnauz" : "all_handschnauz");
    const handschnauz = () => tapEnding(finisher, "handschnauz");
    const found = [
      isSpared(ended_by) ? button(say("nobody_button"), "action-bar__no", tapNobody, { key: "nobody", "aria-label": say("nobody_loses") }) : null,
      isAsked ? button(say("handschnauz"), "action-bar__no", handschnauz, { key: "handschnauz", "aria-label": label }) : null,
    ].filter(Boolean);
    return found.length ? found : null;
  }

  function dealQuestion({ losers, ended_by, finisher }) {
    const number = page.log.state.deals + 1;
    const ended = finisher === null ? "" : say(`ended_${ended_by}`, { name: page.nameOf(finisher) });
    if (!losers.length) {
      if (draft.nobody) return ended ? `${ended} ${say("ended_nobody")}` : say("knocked_nobody", { number });
      return finisher === null ? say("who_lost", { number }) : say(`who_lost_${ended_by}`, { name: page.nameOf(finisher) });
    }
    const drowning = losers.filter((seat) => page.log.state.lives_left[seat] === 0);
    const paying = losers.filter((seat) => !drowning.includes(seat));
    const isAll = draft.isMarked && !drowning.length && losers.length === page.log.state.still_in.length - 1 && losers.length > 1;
    return [
      ended,
      isAll ? say("all_others_pay") : "",
      paying.length && !isAll ? say("gives_life", { names: page.names(paying), count: paying.length }) : "",
      drowning.length ? say("goes_under", { names: page.names(drowning), count: drowning.length }) : "",
    ].filter(Boolean).join(" ");
  }

  function strokesBar() {
    const begin = () => { clear(); draft.ranking = { order: [], shared: new Set() }; changed(); };
    return barOf(say(page.rules.marks.length > 1 ? "strokes_hint" : "strokes_hint_schnauz"), lastWords(), undoButton(),
      button(say("enter_ranks"), "button--primary action-bar__go", begin, { key: "ranks" }));
  }

  function rankingBar() {
    const { order } = draft.ranking;
    const isFull = order.length === page.seats.length;
    const question = isFull ? say("ranks_full") : order.length ? say("who_next", { rank: order.length + 1 }) : say("who_won");
    const record = () => draft.ranking && write("ranked", { ranks: tappedRanks() });
    return barOf(question, isFull ? say("tie_hint") : say("rank_hint"), cancelButton(),
      button(say("record_ranks"), "button--primary action-bar__go", record, { key: "go", disabled: !isFull }));
  }


  /** How the table is written down, unless the ranks are being tapped. */
  function below() {
    if (!page.mayWrite || page.isDecided || draft.ranking) return null;
    const choose = (chosen) => () => {
      clear();
      sync.keepMode(page.sheet.key, chosen);
      changed();
      scrollTo({ top: 0 });
    };
    const choices = ["deals", "strokes"].map((one) =>
      button([h("strong", {}, say(`mode_${one}`)), h("span", {}, say(`mode_${one}_hint`))], "choice__one", choose(one),
        { "aria-pressed": String(mode() === one) }));
    return h("section", { key: "modes", class: "block" }, h("h2", {}, say("modes")), h("div", { class: "choice" }, choices));
  }

  const points = (score) => (score.points === null ? "" : say("points", { count: score.points }));

  return { see, clear, rows, bar, bars, record: () => null, below, points, detail: () => null };
}
