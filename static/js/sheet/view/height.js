/* The bar keeps one height while the sheet is written, and one afterwards: of the tallest state, which is drawn to measure it. */

import { draw, h } from "../dom.js";

/** What `bar` describes for each of these drafts of a kind. */
export function barsOf(draft, clear, bar, drafts) {
  const now = { ...draft };
  const bars = drafts.map((one) => {
    clear();
    Object.assign(draft, one);
    return bar();
  });
  Object.assign(draft, now);
  return bars;
}

/** `view`: see ../view.js. */
export class Height {
  constructor(view) {
    Object.assign(this, { view, reserved: "" });
  }

  /** Sets the height, where the sheet has another state than when that was measured. */
  reserve() {
    const { page, kind, parts } = this.view;
    const isWriting = page.mayWrite && !page.isDecided;
    const isAsked = !page.mayWrite && page.log.phase === "open";
    const isOver = !page.isLetIn || page.log.phase === "accepted"; // no button comes any more
    parts.actions.toggleAttribute("data-reads", !page.mayWrite); // also where it keeps its height: a sheet that was handed in
    const what = `${kind.name} ${isWriting} ${isAsked} ${isOver} ${page.seats}`;
    if (what === this.reserved) return;
    this.reserved = what;
    const bars = () => (isWriting ? kind.bars() : isOver ? [] : [this.afterwards(isAsked)]);
    const height = `${this.tallest(bars)}px`;
    parts.actions.style.minBlockSize = height;
    document.documentElement.style.scrollPadding = `6rem 0 ${height}`; // what is focused stands between header and bar
  }

  afterwards(isAsked) {
    const { bar, words: { say } } = this.view;
    const [question, detail] = isAsked ? [say("other_phone_writes"), say("watching_and_pen")] : ["", ""];
    return bar.of(question, detail, bar.undoButton(), bar.penButton("button--primary"));
  }

  /** In pixels. */
  tallest(bars) {
    const { view } = this;
    const { message } = view;
    view.message = "";
    view.bar.isProbe = true;
    const heights = bars().map((one) => this.measured(one));
    draw(view.parts.probe);
    view.bar.isProbe = false;
    view.message = message;
    return Math.max(0, ...heights);
  }

  measured(bar) {
    const { page, parts: { probe } } = this.view;
    draw(probe, h("div", { class: "action-bar action-bar--probe", "data-reads": !page.mayWrite }, bar));
    document.dispatchEvent(new Event("has:now")); // to has.js
    return Math.ceil(probe.firstChild.getBoundingClientRect().height);
  }
}
