/* The page of the scribe: what is described here from the state of `sync` is drawn after every change.

   What is the same for every kind of sheet stands here and in the modules named below; what a deal is and how it is tapped,
   in a module of the kind. */

import { Bar } from "./view/bar.js";
import { openBeside } from "./beside.js";
import { draw, h } from "./dom.js";
import { Header } from "./view/header.js";
import { barsOf, Height } from "./view/height.js";
import { Loading } from "./view/loading.js";
import { openObjections } from "./view/objections.js";
import { Reading } from "./view/reading.js";
import { openResult } from "./view/result.js";
import { Writing } from "./view/writing.js";

/** `parts`: the elements header, main, actions, announcer, ruler, probe.
    page: what stands on the sheet (see reading.js); null while none is shown. message: why the last tap did nothing.
    tools: what the modules that describe parts of the page are made of. */
export class View {
  constructor(parts, sync, words, { icons, urls, limits, words: texts }) {
    const refuse = (refusal, nameOf = this.page?.nameOf) => words.refuse(refusal, nameOf);
    Object.assign(this, { parts, sync, urls, words: { ...words, refuse }, page: null, message: "", beside: [], width: 0 });
    this.reading = new Reading(sync, words, () => (this.message = words.say("page_too_old")));
    this.writing = new Writing(this);
    this.bar = new Bar(this);
    this.height = new Height(this);
    this.header = new Header(this);
    this.loading = new Loading(this, texts);
    this.tools = this.toolsWith(icons, limits);
    const objections = openObjections(this.tools);
    this.tools.objecting = objections.objecting;
    this.result = openResult(this.tools, objections).result;
    this.around = openBeside(this.tools, sync, urls);
    for (const part of [parts.header, parts.main, parts.actions]) part.replaceChildren();
    this.watch();
  }

  get kind() {
    return this.loading.kind;
  }

  get isShown() {
    return this.sync.sheet && !this.sync.isMoving;
  }

  toolsWith(icons, limits) {
    const { bar, writing, words, sync } = this;
    const inTurn = (tap) => writing.inTurn(tap);
    return {
      words, sync, limits, inTurn, barsOf,
      icon: (name) => h("svg", { class: "icon", "aria-hidden": "true" }, h("use", { href: `${icons}#${name}` })),
      button: (text, kind, tap, more = {}) => h("button", { type: "button", class: `button ${kind}`, onclick: inTurn(tap), ...more }, text),
      barOf: (...described) => bar.of(...described),
      ...bound(bar, "undoButton", "cancelButton", "lastWords", "onlyWatch"),
      ...bound(writing, "write", "refusalOf", "takeBack", "takeBackLabel"),
      ...bound(this, "complain", "changed", "redraw", "announce", "tally"),
    };
  }

  tally(strokes) {
    if (!strokes) return null;
    const label = this.words.say("strokes", { count: strokes });
    return h("span", { class: "tally", role: "img", "aria-label": label }, Array.from({ length: strokes }, () => h("i")));
  }

  /* -- What changes --------------------------------------------------------------------------------------------------- */

  announce(text) {
    this.parts.announcer.textContent = text;
  }

  complain(text) {
    this.message = text;
    this.redraw();
  }

  clear() {
    this.message = "";
    this.kind.clear();
  }

  changed(how) {
    this.message = "";
    this.redraw(how);
  }

  /* -- The whole ------------------------------------------------------------------------------------------------------ */

  see() {
    const { sync, words: { say } } = this;
    this.loading.ask();
    this.page = this.isShown && this.kind.see ? this.reading.look() : null;
    const { page } = this;
    document.body.toggleAttribute("data-opening", sync.link === "opening" || (!page && sync.link === "good"));
    document.title = page ? say("title", { table: page.sheet.table, round: this.header.roundName(page.sheet) }) : say("sheet");
    this.header.draw();
    if (!page) return;
    this.kind.see(page);
    this.loading.askForMore();
    this.beside = this.besideOf(page);
  }

  /** What stands before the players, and on both sides of what is below them. */
  besideOf(page) {
    const { kind, loading: { extras, tray }, around } = this;
    return [
      [extras?.above(page), around.notices(page), tray?.tray(page)],
      [kind.record(), tray?.parked(page), around.history(page)],
      [kind.office?.(page), ...(extras ? extras.below(page) : this.loading.buttonsBelow()), ...around.pages(page), tray?.others()],
    ];
  }

  /** isDraft: a tap has changed nothing but what the kind of sheet has drafted. All else stays as it was described last. */
  redraw({ isDraft = false } = {}) {
    const { parts } = this;
    const focused = document.activeElement;
    if (!isDraft || !this.page) this.see();
    draw(parts.main, this.page ? this.sheet(this.page) : this.closedDoor());
    const actions = this.bar.described();
    parts.actions.hidden = !actions;
    if (actions) this.height.reserve();
    draw(parts.actions, actions ?? []);
    requestAnimationFrame(() => this.openHint()); // which measures: once for all that has been drawn until then
    if (focused && !focused.isConnected) parts.main.focus({ preventScroll: true });
  }

  sheet(page) {
    const { kind, beside: [above, written, below] } = this;
    return [above, page.isDecided ? this.result(page, kind) : kind.rows(), written, kind.below(), below];
  }

  closedDoor() {
    const { sync, urls, words: { say } } = this;
    const texts = { opening: say("opening"), good: say("opening"), foreign: say("foreign_answer"), busy: say("busy_answer") };
    const text = sync.error || texts[sync.link] || say("no_network_yet");
    const players = () => h("a", { key: "players", class: "button button--primary button--wide", href: urls.players.replace("SLUG", sync.tournament) }, say("players"));
    return [
      h("div", { key: "door", class: "notice", "data-kind": sync.link === "dead" ? "error" : "info" }, h("p", {}, text)),
      sync.tournament ? players() : sync.link === "dead" ? h("p", {}, say("scan")) : null,
    ];
  }

  /** What does not fit is scrolled, with keys as well. */
  openHint() {
    const hint = this.parts.actions.firstChild;
    if (hint?.scrollHeight > hint?.clientHeight) hint.tabIndex = 0;
    else hint?.removeAttribute("tabindex");
  }

  /* -- What needs another height -------------------------------------------------------------------------------------- */

  watch() {
    new ResizeObserver(([{ contentRect }]) => { // another width, or another size of text
      if (this.width) this.measureAnew();
      this.width = contentRect.width;
    }).observe(this.parts.ruler);
    document.addEventListener("has:ready", () => this.measureAnew());
  }

  measureAnew() {
    if (!this.page) return;
    this.height.reserved = "";
    this.redraw();
  }
}

/** These functions of `one`, to be called without it. */
function bound(one, ...names) {
  return Object.fromEntries(names.map((name) => [name, one[name].bind(one)]));
}
