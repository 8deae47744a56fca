/* What is not on the sheet: entries of this phone that were not taken, parked ones, and those that another sheet never got. */

import { h } from "./dom.js";
import { STUCK } from "./light.js";
import { openReader } from "./words.js";

/** Answers with the functions that describe these parts of a `page` (see view.js). */
export function openTray({ words, button }, sync) {
  const { say, refuse } = words;

  const line = (entry, state, label, what, why, ...buttons) =>
    h("li", { key: entry.id, class: "entry", "data-state": state },
      h("p", {}, h("strong", {}, label, " ", what), why ? h("span", {}, " ", why) : null), buttons);

  const section = (key, title, hint, lines, ...more) =>
    lines.length
      ? h("section", { key, class: "block" },
        h("h2", {}, title), hint ? h("p", { key: "hint" }, hint) : null, h("ol", { class: "entries" }, lines), more)
      : null;

  /** Entries of this phone that the server has not taken. While the whole link is refused, all that wait are among them. */
  function tray(page) {
    const isStuck = STUCK.has(sync.link);
    const aside = sync.entries.filter((entry) => isStuck || entry.state !== "waiting");
    const again = isStuck && sync.link !== "elsewhere" && aside.some((entry) => entry.state === "waiting");
    return section("tray", say("tray"), isStuck ? say(sync.link === "dead" ? "stuck_until_scanned" : "stuck") : "",
      aside.map((entry) => trayLine(page, entry)),
      again ? button(say("try_again"), "button--wide", () => sync.wake(), { key: "again" }) : null);
  }

  function trayLine(page, entry) {
    const what = page.read(entry);
    if (entry.state === "waiting") return line(entry, "stuck", say("state_stuck"), what, "");
    const why = refuse(entry) || say("too_large");
    return entry.state === "held"
      ? line(entry, "refused", say("state_held"), what, why, button(say("try_again"), "button--small", () => sync.tryAgain(entry)))
      : line(entry, "refused", say("state_refused"), what, why, button(say("have_read"), "button--small", () => sync.dismiss(entry)));
  }

  /** What was written under an older pen, on whichever phone, and what was decided about it. */
  function parked(page) {
    const all = page.sheet.parked;
    const isOpen = all.some((entry) => !entry.outcome);
    return section("parked", say("parked"), isOpen ? say("parked_why") : "", all.map((entry) => {
      const outcome = entry.outcome || "parked";
      const why = entry.outcome ? say("decided", { reason: entry.reason }) : "";
      return line(entry, outcome, say(`state_${outcome}`), page.read(entry), why);
    }));
  }

  function others() {
    return sync.others.map(({ sheet, entries }) => {
      const names = new Map(sheet.seats.map((seat) => [seat.seat_number, seat.name]));
      const nameOf = (seat) => names.get(seat) ?? String(seat);
      const read = openReader(words, nameOf, sheet.ruleset.sheet);
      const title = say("other_sheet", { table: sheet.table, round: sheet.round });
      return section(`other ${sheet.key}`, title, say("other_sheet_why"),
        entries.map((entry) => line(entry, "refused", say(`state_${entry.state === "waiting" ? "stuck" : entry.state}`),
          read(entry), refuse(entry, nameOf))),
        button(say("put_away"), "button--wide", () => sync.dismiss(...entries), { key: "away" }));
    });
  }

  return { tray, parked, others };
}
