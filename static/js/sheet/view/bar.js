/* The bar under the thumb: what is to be done now, and the buttons for it. */

import { h } from "../dom.js";

/** `view`: see ../view.js. While the height of the bar is measured, `isProbe`, it has every button that it can have. */
export class Bar {
  constructor(view) {
    Object.assign(this, { view, say: view.words.say, isReader: false, isProbe: false });
  }

  /** What is described; null while there is no sheet. */
  described() {
    const { page, kind } = this.view;
    if (!page) return null;
    if (!page.mayWrite) return this.watching();
    return kind.officeBar?.(page) ?? (page.isDecided ? this.decided() : kind.bar());
  }

  of(question, detail, ...buttons) {
    const { message } = this.view;
    const hint = message
      ? h("p", { key: "message", class: "action-bar__hint action-bar__hint--refused", role: "alert" }, message)
      : h("p", { key: "hint", class: "action-bar__hint" }, h("strong", { key: question }, question), detail ? h("span", {}, detail) : null);
    return [hint, ...buttons];
  }

  /* -- Buttons and words that bars have ------------------------------------------------------------------------------- */

  undoButton() {
    const { writing, tools } = this.view;
    if (this.isProbe) return tools.button(this.say("take_back_deal", { number: 88 }), "action-bar__back");
    const found = writing.newest();
    if (!found || writing.refusalOf("voided", { entry: found.entry_id })) return null;
    return tools.button(writing.takeBackLabel(found), "action-bar__back", () => writing.takeBackNewest(found.entry_id), { key: "undo" });
  }

  cancelButton({ isSmall = false } = {}) {
    const { view, say } = this;
    const { button, icon } = view.tools;
    const cancel = () => {
      view.clear();
      view.redraw({ isDraft: true });
    };
    const props = { key: "cancel", "aria-label": say("cancel"), "data-cancels": "" };
    return button([icon("cross"), isSmall ? null : say("cancel")], isSmall ? "action-bar__x" : "action-bar__back", cancel, props);
  }

  penButton(kind) {
    const { button, icon } = this.view.tools;
    return button([icon("pen"), this.say("take_pen")], `${kind} action-bar__go`, () => this.takePen(), { key: "pen" });
  }

  lastWords() {
    const { page } = this.view;
    const fact = page.log.facts.at(-1);
    return fact ? h("span", { class: "action-bar__last" }, this.say("last", { what: page.read(fact, fact.deal_number) })) : "";
  }

  markOfSheet() {
    const { isWaiting, sheet: { mark } } = this.view.page;
    if (!mark || isWaiting.size) return null;
    return h("p", { key: "mark", class: "action-bar__mark" }, `${this.say("mark")} `, h("strong", {}, mark));
  }

  /* -- Bars of a sheet that is decided, and of one that others write -------------------------------------------------- */

  decided() {
    const { say, view: { page, writing, tools, words } } = this;
    const refusal = writing.refusalOf("submitted", {});
    const hint = page.sheet.ruleset.confirmation === "paper" ? say("hand_in_paper") : say("hand_in_hint");
    // Not with the second tap of two that were meant for the last deal.
    const handIn = () => writing.last.isFact && writing.isJustWritten() || writing.write("submitted", {}, { once: "submitted" });
    return this.of(refusal ? words.refuse(refusal) : hint, "", this.undoButton(),
      tools.button(say("hand_in"), "button--primary action-bar__go", handIn, { key: "hand in", disabled: Boolean(refusal) }));
  }

  watching() {
    const { say, view: { page: { isLetIn, isWaiting, sheet, log } } } = this;
    if (!isLetIn) return this.of(sheet.round_state === "released" ? say("not_let_in") : say("round_closed"), "");
    if (log.phase === "accepted") return this.of(say("is_accepted"), "", this.markOfSheet());
    if (log.phase === "submitted" && isWaiting.size) return this.of(say("is_submitted_here"), say("is_submitted_here_hint"));
    if (log.phase === "submitted") return this.of(say("is_submitted"), say("is_submitted_hint"), this.markOfSheet());
    return sheet.pen.mine ? this.of(say("write_after_sign"), "") : this.withoutPen(sheet);
  }

  withoutPen({ pen: { taken }, ruleset }) {
    const { say, view } = this;
    if (taken && this.isReader) return this.of(say("watching"), "", this.penButton(""));
    const isHeld = taken && ruleset.pen_needs_supervisor;
    if (isHeld || view.sync.link !== "good") return this.of(isHeld ? say("pen_is_held") : say("pen_needs_network"), "");
    const watch = () => this.onlyWatch();
    return this.of(taken ? say("other_phone_writes") : say("nobody_writes"), taken ? say("watching_and_pen") : say("watching"),
      taken ? view.tools.button(say("only_watch"), "action-bar__no", watch, { key: "watch" }) : null, this.penButton("button--primary"));
  }

  onlyWatch() {
    this.isReader = true;
    this.view.redraw();
  }

  async takePen() {
    const { view } = this;
    view.message = "";
    if (!(await view.sync.takePen())) view.complain(this.say("pen_needs_network"));
  }
}
