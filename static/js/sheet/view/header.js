/* The header: which sheet this is, the light, and the button that calls the supervisor. */

import { draw, h } from "../dom.js";
import { lightOf } from "../light.js";
import { TWICE_MS } from "./writing.js";

const SIGNS = { green: "check", amber: "clock", red: "warning" };

/** `view`: see ../view.js. */
export class Header {
  constructor(view) {
    Object.assign(this, { view, say: view.words.say, wasTrouble: view.sync.link === "opening", calledAt: undefined });
  }

  draw() {
    const { page, parts } = this.view;
    draw(parts.header, this.title(), this.light(),
      page?.isLetIn ? this.callButton(page.sheet.called_at) : h("span", { key: "no call", class: "phone-head__call" }));
  }

  roundName({ is_final, round }) {
    return is_final ? this.say("final") : this.say("round", { number: round });
  }

  title() {
    const { say, view: { sync } } = this;
    const sheet = sync.isMoving ? null : sync.sheet;
    return h("div", { key: sheet ? "title" : "no title", class: "phone-head__title" },
      sheet ? h("p", { class: "phone-head__where" }, this.roundName(sheet)) : null,
      h("h1", {}, sheet ? say("table", { number: sheet.table }) : say("sheet")));
  }

  /* -- The light ------------------------------------------------------------------------------------------------------ */

  light() {
    const [colour, text] = this.lit();
    const shown = [this.view.tools.icon(SIGNS[colour]), h("span", {}, text)];
    const props = { class: "link-state", "data-light": colour };
    return colour === "red"
      ? h("button", { key: "aside", type: "button", ...props, onclick: () => this.showAside() }, shown)
      : h("p", { key: "state", ...props }, shown);
  }

  /** [colour of the light, what it says]; read aloud when there is trouble, and when that is over. */
  lit() {
    const { sync } = this.view;
    const waiting = sync.waiting().length;
    const parked = sync.sheet?.parked.filter((entry) => !entry.outcome).length ?? 0;
    const { link, storing, isLasting } = sync;
    const { colour, says, isTrouble } = lightOf({ link, storing, isLasting, waiting, aside: sync.entries.length - waiting + parked });
    const text = says.map(([key, count]) => this.say(key, { count })).join(" · ");
    if (isTrouble !== null && isTrouble !== this.wasTrouble) this.view.announce(text);
    this.wasTrouble = isTrouble ?? this.wasTrouble;
    return [colour, text];
  }

  /** To the entries that are not on the sheet. */
  showAside() {
    const { main } = this.view.parts;
    const section = main.querySelector("[data-state=stuck], [data-state=refused], [data-state=parked]")?.closest("section");
    if (!section) return; // what describes them has not come yet
    section.tabIndex = -1;
    section.focus({ preventScroll: true });
    section.scrollIntoView();
  }

  /* -- The call ------------------------------------------------------------------------------------------------------- */

  callButton(called_at) {
    const { say, view: { tools, loading } } = this;
    const label = called_at && loading.extras ? `${say("supervisor")}: ${say("call_back")}` : say("call");
    const onclick = () => this.call(called_at);
    return h("button", { key: "call", type: "button", class: "phone-head__call", "aria-label": label, "data-called": Boolean(called_at), onclick },
      tools.icon(called_at ? "cross" : "flag"), h("span", { "aria-hidden": "true" }, say("supervisor")));
  }

  /** Calls the supervisor, or takes the call back; the second of two quick taps does nothing. */
  call(called_at) {
    const { loading } = this.view;
    if (called_at && performance.now() - this.calledAt < 2 * TWICE_MS) return;
    this.calledAt = performance.now();
    if (loading.extras) loading.extras.taps.call();
    else loading.openMore(called_at ? "" : "call");
  }
}
