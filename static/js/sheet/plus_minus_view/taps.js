/* What is drafted by taps: who plays, with whom or what. */

const TWICE_MS = 500;

/** `at`: {page, draft}, as they are now. Answers with what a tap does, and what it stands for. */
export function openTaps({ words: { refuse }, write, refusalOf, complain, changed }, at) {
  const { draft } = at;
  let writtenAt = -Infinity;

  function clear() {
    Object.assign(draft, { declarer: null, partner: null, game: null });
  }

  const see = (next) => (at.page = next);
  const number = () => at.page.log.state.deals.length + 1;
  /** Nothing more to write, though a Tout may still wait. */
  const isFull = () => number() > at.page.rules.deals;

  /** First who plays, then whom that player calls; after a game only who plays. */
  function tapName(seat) {
    if (draft.declarer === null) draft.declarer = seat;
    else if (draft.declarer === seat) clear();
    else Object.assign(draft, { game: "ruf", partner: seat });
    changed();
  }

  /** Who plays comes before or after it; the second tap of two that wrote a game finds the next one's bar. */
  function tapGame(game) {
    if (draft.declarer === null && performance.now() - writtenAt < TWICE_MS) return;
    Object.assign(draft, { game: game === draft.game ? null : game, partner: null });
    changed();
  }

  function tapOutcome(won, level) {
    const { game, declarer, partner } = draft;
    if (game === null) return;
    const refusal = refusalOf("deal", { game, declarer, partner, won, level });
    if (refusal) complain(refuse(refusal));
    else {
      write("deal", { game, declarer, partner, won, level });
      writtenAt = performance.now();
    }
  }

  return { clear, see, number, isFull, tapName, tapGame, tapOutcome };
}
