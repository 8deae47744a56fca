/* The bar under the thumb of plus and minus: who plays, what, and how it came out. */

import { h } from "../dom.js";

const LEVELS = ["normal", "schneider", "durch", "tout"];

/** `at` and `taps`: see taps.js. */
export function openBar(tools, at, { clear, number, isFull, tapGame, tapOutcome }, aboutWaiting) {
  const { words: { say, signed }, button, inTurn, barOf, undoButton, cancelButton, lastWords, refusalOf, barsOf } = tools;
  const { draft } = at;

  function bar() {
    if (isFull()) return barOf(aboutWaiting("mark_missing"), lastWords(), undoButton());
    if (draft.declarer === null) {
      const back = draft.game === null ? undoButton() : cancelButton();
      return barOf(say("who_plays", { number: number() }), lastWords(), back, games());
    }
    if (draft.game === null) return barOf(say("whom_or_what", { name: at.page.callName(draft.declarer) }), "", games(cancelButton()));
    return barOf(whatIsPlayed(), whatIsBarred(), cancelButton({ isSmall: true }), outcomes(true), outcomes(false));
  }

  function bars() {
    const [declarer, partner] = at.page.seats;
    return barsOf(draft, clear, bar, [{}, { declarer }, { declarer, partner, game: "ruf" }, { declarer, game: at.page.rules.solos[0] ?? "ruf", partner }]);
  }

  function games(back = null) {
    const game = (name) => button(say(`game_${name}`), "", () => tapGame(name), { key: name, "aria-pressed": String(draft.game === name) });
    return h("div", { key: "games", class: "action-bar__games" }, at.page.rules.solos.map(game), back);
  }

  function whatIsPlayed() {
    const name = at.page.callName(draft.declarer);
    if (draft.game !== "ruf") return say("plays_game", { name, game: say(`game_${draft.game}`) });
    return say("calls", { name, partner: at.page.callName(draft.partner) });
  }

  /** Why levels are dimmed: the first deal has none of them. */
  function whatIsBarred() {
    const { game, declarer, partner } = draft;
    const barred = LEVELS.filter((level) => refusalOf("deal", { game, declarer, partner, won: true, level })?.code === "not_in_first_deal");
    return barred.length ? say("not_in_first_deal", { levels: barred.map((level) => say(`level_${level}`)).join(", ") }) : "";
  }

  function outcomes(won) {
    const isRuf = draft.game === "ruf";
    const worth = isRuf ? at.page.rules.ruf : at.page.rules.solo;
    const outcome = (level) => {
      const deal = { game: draft.game, declarer: draft.declarer, partner: draft.partner, won, level };
      const points = (won ? 1 : -1) * worth[level] * (isRuf ? 1 : at.page.seats.length - 1);
      const label = `${say(won ? "won" : "lost")}, ${say(`level_${level}`)}: ${signed(points)}`;
      return h("button", {
        type: "button", class: won ? "pad__key pad__key--named" : "pad__key pad__key--named pad__key--minus",
        onclick: inTurn(() => tapOutcome(won, level)), "aria-disabled": refusalOf("deal", deal) ? "true" : null, "aria-label": label,
      }, h("span", {}, say(`level_${level}`)), " ", signed(points));
    };
    return h("div", { key: String(won), class: "pad", role: "group", "aria-label": say(won ? "won" : "lost") },
      h("p", { class: "pad__title" }, say(won ? "won" : "lost")),
      h("div", { class: "pad__row pad__row--words" }, LEVELS.filter((level) => worth[level]).map(outcome)));
  }

  return { bar, bars };
}
