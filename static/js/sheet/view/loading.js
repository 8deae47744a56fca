/* What comes on demand: the kind of this sheet, what few pages need, and what describes entries that are not on the sheet. */

import { h } from "../dom.js";
import { STUCK } from "../light.js";
import { learn } from "../replay.js";

const MORE_MS = 5_000;
const KINDS = {
  survival: () => import("../survival_view.js"),
  hand_points: () => import("../hand_points_view.js"),
  plus_minus: () => import("../plus_minus_view.js"),
};

/** {kind, extras, tray}: without functions, or null, until they have come. `view`: see view.js; `texts` takes the words of `extras`. */
export class Loading {
  constructor(view, texts) {
    Object.assign(this, { view, texts, kind: { name: "" }, extras: null, tray: null, isOpening: false, waiting: "" });
  }

  /** Asks for what the sheet that is shown needs and is not here. */
  ask() {
    const { sync, isShown } = this.view;
    if (!this.tray && this.needsTray()) this.openTray();
    if (isShown && this.kind.name !== sync.sheet.ruleset.sheet.kind) this.open(sync.sheet.ruleset.sheet.kind);
  }

  /** Whether there are entries that are not on the sheet; the server has said so. */
  needsTray() {
    const { link, others, sheet, entries } = this.view.sync;
    return STUCK.has(link) || others.length || sheet?.parked.length || entries.some(({ state }) => state !== "waiting");
  }

  openTray() {
    const { view } = this;
    import("../tray.js").then(({ openTray }) => {
      this.tray = this.tray ?? openTray(view.tools, view.sync);
      view.redraw();
    }, () => {}); // the network lost it; the next redraw asks again
  }

  /** Loads the kind of this sheet: the players while nothing is decided (`rows`), the bar under the thumb while the
      sheet can be written (`bar`), the written sheet (`record`), what stands below (`below`), and the
      tallest bars (`bars`), and what a player's row in the result says (`points`, `detail`); with them, where a volunteer may write, the scribe's
      `office` and `officeBar`. `see` tells it of every change, `clear` that nothing is drafted. */
  async open(name) {
    const { view, view: { sync, tools } } = this;
    this.kind = { name };
    try {
      const officeOf = sync.sheet.ruleset.volunteer_scribe ? import("../office.js") : {};
      const loads = [KINDS[name](), officeOf, learn(name), this.needsMore() && this.openMore()];
      const [{ openKind }, { openOffice }] = await Promise.all(loads);
      if (this.kind.name === name) this.kind = { name, ...openKind({ ...tools, changed: () => view.changed({ isDraft: true }) }), ...openOffice?.(tools, sync) };
    } catch {
      this.kind = { name: "" }; // the network lost it; the next redraw asks again
      return;
    }
    view.redraw();
  }

  /* -- What few pages need -------------------------------------------------------------------------------------------- */

  /** Whoever only reads, or has called, is told what stands there. */
  needsMore() {
    const { page, sync: { sheet } } = this.view;
    return (page ? !page.mayWrite : !sheet.pen.mine) || sheet.called_at;
  }

  askForMore() {
    if (!this.extras && this.view.sync.link !== "opening" && this.needsMore()) this.openMore();
  }

  /** Loads what few pages need, with its words; then it is drawn, and does what the button `tapped` stands for. */
  async openMore(tapped = "") {
    this.waiting = tapped || this.waiting; // a tap while they come is done when they are there
    if (this.isOpening) return;
    this.isOpening = true;
    const hasCome = await this.fetchMore();
    const wanted = this.waiting;
    this.waiting = "";
    if (!hasCome && wanted) this.view.complain(this.view.words.say(`${wanted}_needs_network`));
    this.isOpening = false; // after the redraw, which would ask again
    if (!hasCome) return;
    await this.extras.taps[wanted]?.();
    this.view.redraw();
  }

  /** Whether it has come. */
  async fetchMore() {
    const { tools, sync, urls } = this.view;
    try {
      const [{ openExtras }, answer] = await Promise.all([import("../extras.js"), fetch(urls.words, { signal: AbortSignal.timeout(MORE_MS) })]);
      Object.assign(this.texts, await answer.json());
      this.extras = this.extras ?? openExtras(tools, sync, urls);
      return true;
    } catch {
      return false;
    }
  }

  /** Buttons in place of what they load. */
  buttonsBelow() {
    const { page, words: { say }, tools: { button, icon } } = this.view;
    const isInPlay = page.isLetIn && page.sheet.round_state === "released";
    const names = [page.mayWrite && ["moving", "phone"], isInPlay && ["missing", "person"]].filter(Boolean);
    return names.map(([name, sign]) => h("section", { key: name, class: "block" },
      button([icon(sign), say(name)], "button--quiet button--wide", () => this.openMore(name))));
  }
}
