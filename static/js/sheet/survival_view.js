/* Survival on the phone: lives as coins, who lost a deal, strokes, and ranks.

   A deal is written down by tapping who lost, then one button; or who ended it by Schnauz or Feuer, and then who lost.
   What takes a life from all others is said before it is written. Tables that do
   not track deals tap strokes, and at the end the names in the order of their ranks. */

import { h } from "./dom.js";
import { openBar } from "./survival_view/bar.js";
import { openRows } from "./survival_view/rows.js";
import { openTaps } from "./survival_view/taps.js";

/** Answers as every kind of sheet does (see `open` in view/loading.js). */
export function openKind(tools) {
  const { words: { say }, sync, button, changed } = tools;
  const at = { page: null, draft: {} };
  const taps = openTaps(tools, at);
  const { see, clear, mode } = taps;
  clear();

  /** How the table is written down, unless the ranks are being tapped. */
  function below() {
    if (!at.page.mayWrite || at.page.isDecided || at.draft.ranking) return null;
    const choose = (chosen) => () => {
      clear();
      sync.keepMode(at.page.sheet.key, chosen);
      changed();
      scrollTo({ top: 0 });
    };
    const choices = ["deals", "strokes"].map((one) =>
      button([h("strong", {}, say(`mode_${one}`)), h("span", {}, say(`mode_${one}_hint`))], "choice__one", choose(one),
        { "aria-pressed": String(mode() === one) }));
    return h("section", { key: "modes", class: "block" }, h("h2", {}, say("modes")), h("div", { class: "choice" }, choices));
  }

  const points = (score) => (score.points === null ? "" : say("points", { count: score.points }));

  return { see, clear, ...openRows(tools, at, taps), ...openBar(tools, at, taps), record: () => null, below, points, detail: () => null };
}
