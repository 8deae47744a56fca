/* The scribe goes on with another phone: this one shows the table's link for it. */

import { h } from "./dom.js";

/** Answers with the section of a `page` (see view.js) while the link is shown, and what opens and closes it. */
export function openMoving({ words, icon, button, redraw }, sync) {
  const { say } = words;
  let link = null;

  const close = () => (link = null);

  async function toggle() {
    link = link ? null : await sync.askForLink();
    redraw();
  }

  function shown(page) {
    if (!link.picture) return h("p", { key: "error", class: "why", role: "alert" }, link.error || say("link_needs_network"));
    return [
      h("p", { key: "how" }, say("moving_how")),
      h("p", { key: "code", class: "qr" },
        h("img", { src: link.picture, alt: say("moving_code", { table: page.sheet.table }), width: 240, height: 240 })),
    ];
  }

  const section = (page) =>
    h("section", { key: "moving", class: "block" },
      button([icon("phone"), say("moving_done")], "button--quiet button--wide", toggle, { "aria-expanded": "true" }),
      shown(page));

  return { section, toggle, close, isOpen: () => link !== null };
}
