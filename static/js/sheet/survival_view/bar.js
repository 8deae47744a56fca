/* The bar under the thumb of survival: what the drafted deal means, before it is written. */

import { h } from "../dom.js";

/** `at` and `taps`: see taps.js. */
export function openBar(tools, at, { clear, mode, isSpared, isWhole, draftedDeal, writeDeal, tapEnding, tapNobody, tappedRanks }) {
  const { words: { say, refuse }, button, barOf, undoButton, cancelButton, lastWords, write, refusalOf, changed, barsOf } = tools;
  const { draft } = at;

  function bar() {
    if (draft.ranking) return rankingBar();
    return mode() === "deals" ? dealBar() : strokesBar();
  }

  function bars() {
    const [seat] = at.page.seats;
    const ended = at.page.rules.endings.includes("feuer") ? "feuer" : "schnauz";
    return barsOf(draft, clear, dealBar, [
      {}, { finisher: seat, ending: "schnauz" }, { finisher: seat, ending: ended, losers: new Set(at.page.seats.slice(1)) },
      ...(at.page.rules.three_of_a_kind_spared.length ? [{ nobody: true }, { finisher: seat, ending: "handschnauz", losers: new Set(at.page.seats.slice(1)) }] : []),
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
    const isAsked = ended_by === "schnauz" && at.page.rules.endings.includes("handschnauz");
    const label = say(isSpared("handschnauz") ? "spared_handschnauz" : "all_handschnauz");
    const handschnauz = () => tapEnding(finisher, "handschnauz");
    const found = [
      isSpared(ended_by) ? button(say("nobody_button"), "action-bar__no", tapNobody, { key: "nobody", "aria-label": say("nobody_loses") }) : null,
      isAsked ? button(say("handschnauz"), "action-bar__no", handschnauz, { key: "handschnauz", "aria-label": label }) : null,
    ].filter(Boolean);
    return found.length ? found : null;
  }

  function dealQuestion({ losers, ended_by, finisher }) {
    const number = at.page.log.state.deals + 1;
    const ended = finisher === null ? "" : say(`ended_${ended_by}`, { name: at.page.callName(finisher) });
    if (!losers.length) {
      if (draft.nobody) return ended ? `${ended} ${say("ended_nobody")}` : say("knocked_nobody", { number });
      return finisher === null ? say("who_lost", { number }) : say(`who_lost_${ended_by}`, { name: at.page.callName(finisher) });
    }
    const drowning = losers.filter((seat) => at.page.log.state.lives_left[seat] === 0);
    const paying = losers.filter((seat) => !drowning.includes(seat));
    const isAll = draft.isMarked && !drowning.length && losers.length === at.page.log.state.still_in.length - 1 && losers.length > 1;
    return [
      ended,
      isAll ? say("all_others_pay") : "",
      paying.length && !isAll ? say("gives_life", { names: at.page.names(paying, at.page.callName), count: paying.length }) : "",
      drowning.length ? say("goes_under", { names: at.page.names(drowning, at.page.callName), count: drowning.length }) : "",
    ].filter(Boolean).join(" ");
  }

  function strokesBar() {
    const begin = () => { clear(); draft.ranking = { order: [], shared: new Set() }; changed(); };
    return barOf(say(at.page.rules.marks.length > 1 ? "strokes_hint" : "strokes_hint_schnauz"), lastWords(), undoButton(),
      button(say("enter_ranks"), "button--primary action-bar__go", begin, { key: "ranks" }));
  }

  function rankingBar() {
    const { order } = draft.ranking;
    const isFull = order.length === at.page.seats.length;
    const question = isFull ? say("ranks_full") : order.length ? say("who_next", { rank: order.length + 1 }) : say("who_won");
    const record = () => draft.ranking && write("ranked", { ranks: tappedRanks() });
    return barOf(question, isFull ? say("tie_hint") : say("rank_hint"), cancelButton(),
      button(say("record_ranks"), "button--primary action-bar__go", record, { key: "go", disabled: !isFull }));
  }

  return { bar, bars };
}
