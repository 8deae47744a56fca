/* What is drafted by taps: who lost, who ended the deal and how, or the ranks one after the other. */

/** `at`: {page, draft}, as they are now. Answers with what a tap does, and what is drafted. */
export function openTaps({ words: { refuse }, sync, write, complain, changed }, at) {
  const { draft } = at;

  function clear() {
    Object.assign(draft, { losers: new Set(), finisher: null, ending: null, nobody: false, isMarked: false, ranking: null });
  }

  function see(next) {
    at.page = next;
    if (!at.page.mayWrite || at.page.isDecided) draft.ranking = null;
  }

  /** Deals or strokes: as this phone has chosen, else as the sheet was begun. */
  function mode() {
    const kinds = at.page.log.facts.map((fact) => fact.kind);
    return sync.mode ?? (kinds.includes("deal") || !kinds.includes("stroke") ? "deals" : "strokes");
  }

  function tapName(seat) {
    if (seat === draft.finisher) return complain(refuse({ code: "finisher_cannot_lose", params: { seat } }));
    if (!draft.losers.delete(seat)) draft.losers.add(seat);
    draft.nobody = false;
    return changed();
  }

  const isSpared = (ending) => at.page.rules.three_of_a_kind_spared.includes(ending);

  /** Who ended the deal. With only one other left a Schnauz leaves nothing to ask, nor does a Handschnauz, the second step
      of a Schnauz, where all others lose. All who must lose are marked: at a Feuer to be looked at before it is written;
      where three of a kind is spared, for those who hold it to be taken out. */
  function tapEnding(seat, ending) {
    const others = at.page.log.state.still_in.filter((other) => other !== seat);
    const allLose = at.page.rules.all_others_lose.includes(ending);
    if (!isSpared(ending) && ending !== "feuer" && (allLose || others.length === 1)) {
      write("deal", { losers: others, ended_by: ending, finisher: seat }, { once: `${ending} ${seat}` });
      return;
    }
    const isOff = draft.finisher === seat && draft.ending === ending;
    if (draft.isMarked) draft.losers = new Set();
    draft.isMarked = !isOff && (allLose || (others.length === 1 && !isSpared(ending)));
    if (draft.isMarked) draft.losers = new Set(others);
    draft.losers.delete(seat);
    Object.assign(draft, { finisher: isOff ? null : seat, ending: isOff ? null : ending, nobody: false });
    changed();
  }

  /** That nobody loses is said before it is written, so that no stray tap writes it. */
  function tapNobody() {
    draft.nobody = true;
    changed();
  }

  function draftedDeal() {
    const losers = [...draft.losers].sort((a, b) => a - b);
    return { losers, ended_by: draft.ending ?? "knock", finisher: draft.finisher };
  }

  const isWhole = ({ losers, ended_by }) =>
    losers.length > 0 || (isSpared(ended_by) && draft.nobody);

  /** The second tap of two finds nothing drafted. */
  function writeDeal() {
    if (isWhole(draftedDeal())) write("deal", draftedDeal());
  }

  /** A tap gives the next rank; a tap on who has one takes it and all later ones back. The last name follows. */
  function tapRank(seat) {
    const { order, shared } = draft.ranking;
    const place = order.indexOf(seat);
    if (place >= 0) order.splice(place).forEach((gone) => shared.delete(gone));
    else order.push(seat);
    const rest = at.page.seats.filter((other) => !order.includes(other));
    if (place < 0 && rest.length === 1) order.push(rest[0]);
    changed();
  }

  function tapShared(seat) {
    const { shared } = draft.ranking;
    if (!shared.delete(seat)) shared.add(seat);
    changed();
  }

  function tappedRanks() {
    const ranks = {};
    draft.ranking.order.forEach((seat, index, order) => {
      ranks[seat] = draft.ranking.shared.has(seat) ? ranks[order[index - 1]] : index + 1;
    });
    return ranks;
  }

  return {
    clear, see, mode, isSpared, isWhole, draftedDeal, writeDeal, tappedRanks, tapName, tapEnding, tapNobody, tapRank, tapShared,
  };
}
