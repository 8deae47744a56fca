/* The scribe goes on with another phone: this one shows the table's link for it. */

import { h } from "./dom.js";

/** Answers with the function that describes this part of a `page` (see view.js). */
export function openMoving({ words, icon, button, redraw }, sync) {
  const { say } = words;
  let link = null;

  async function toggle() {
    link = link ? null : await sync.askForLink();
    redraw();
  }

  function shown(page) {
    if (!link.picture) return h("p", { key: "error", class: "why", role: "alert" }, link.error || say("moving_needs_network"));
    return [
      h("p", { key: "how" }, say("moving_how")),
      h("p", { key: "code", class: "qr" },
        h("img", { src: link.picture, alt: say("moving_code", { table: page.sheet.table }), width: 240, height: 240 })),
    ];
  }

  function moving(page) {
    if (!page.mayWrite) {
      link = null;
      return null;
    }
    return h("section", { key: "moving", class: "block" },
      button([icon("phone"), say(link ? "moving_done" : "moving")], "button--quiet button--wide", toggle, { "aria-expanded": String(Boolean(link)) }),
      link ? shown(page) : null);
  }

  return { moving, taps: { moving: toggle } };
}
