/* After the end of the round: what comes next for the owner of this phone, as far as it is known who that is. */

import { h } from "./dom.js";
import { me } from "./me_here.js";

const EVERY_MS = 15_000;

/** Answers with the function that describes this part of a `page` (see view.js). */
export function openAfter({ words, redraw }, urls) {
  const { say } = words;
  let next = null; // {key, seat}: of the sheet that was asked about
  let askedAt = -Infinity;

  /** Looks for the owner's seat in the round after this one, not too often. A round that is not released has no tables. */
  async function look({ key, tournament, round }, mine) {
    if (!mine || performance.now() - askedAt < EVERY_MS) return;
    askedAt = performance.now();
    const address = urls.round.replace("SLUG", tournament).replace("/0.json", `/${round + 1}.json`);
    try {
      const { tables = [] } = await (await fetch(address, { cache: "no-cache" })).json();
      for (const table of tables) {
        const seat = table.seats.find(({ start_number }) => start_number === mine);
        if (seat) next = { key, round: round + 1, table: table.number, seat: seat.seat_number };
      }
      redraw();
    } catch {
      // no network, or no such round yet
    }
  }

  function after(page) {
    const { sheet, log } = page;
    const isOver = sheet.round_state === "closed";
    if (!isOver && log.phase !== "accepted") return null;
    const mine = me(urls, sheet.tournament);
    const found = next?.key === sheet.key ? next : null;
    if (!found) look(sheet, mine);
    const name = sheet.seats.find(({ start_number }) => start_number === mine)?.name;
    const ahead = found
      ? h("p", { key: "next" }, h("strong", {}, say(name ? "next_seat_of" : "next_seat", { ...found, name })))
      : h("p", { key: "next" }, say(mine ? "next_seat_later" : "next_seat_there"));
    return h("section", { key: "after", class: "block" },
      h("h2", {}, say(isOver ? "round_is_over" : "sheet_is_accepted")), ahead,
      h("a", { class: "button button--wide", href: urls.players.replace("SLUG", sheet.tournament) }, say("players")));
  }

  return { after };
}
