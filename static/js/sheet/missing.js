/* Who is missing at the table is looked for in the hall: on its wall and on the own phone. That needs the network, and is never stored. */

import { h } from "./dom.js";

/** Answers with the function that describes this part of a `page` (see view.js). */
export function openMissing({ words, icon, button, announce, complain, redraw }, sync) {
  const { say } = words;
  let missing = null; // the numbers of the seats, while the list is open

  async function tell(seat, isMissing) {
    const { error, seats } = await sync.missing(seat, isMissing);
    if (error !== undefined) return complain(error || say("missing_needs_network"));
    missing = seats;
    return redraw();
  }

  async function toggle() {
    if (!missing) return tell(0, false);
    missing = null;
    return redraw();
  }

  function row({ seat_number, name }) {
    const isMissing = missing.includes(seat_number);
    const label = say(isMissing ? "missing_found" : "missing_who", { name });
    const change = async () => {
      await tell(seat_number, !isMissing);
      if (!isMissing && missing?.includes(seat_number)) announce(say("missing_told", { name }));
    };
    return h("p", { key: `missing-${seat_number}` }, button(label, isMissing ? "button--wide" : "button--quiet button--wide", change));
  }

  function part(page) {
    if (!page.isLetIn || page.sheet.round_state !== "released") return null;
    return h("section", { key: "missing", class: "block" },
      button([icon("person"), say("missing")], "button--quiet button--wide", toggle, { "aria-expanded": String(Boolean(missing)) }),
      missing ? page.sheet.seats.map(row) : null);
  }

  return { missing: part, taps: { missing: toggle } };
}
