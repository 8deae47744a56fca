/* The light in the header: what has become of the entries of this table. Pure. */

export const STUCK = new Set(["dead", "refused", "elsewhere"]);

const LINKS = {
  opening: "opening", offline: "no_network", foreign: "foreign", busy: "busy", refused: "not_taken", dead: "not_let_in",
  elsewhere: "not_let_in",
};

/** {colour, says, isTrouble}: `says` is [key, count] for each sentence, `isTrouble` is null while that is not known yet.

    Red: somebody has to be fetched. Amber: entries wait, or there is no good link. Green: all is with the tournament.
    waiting: entries that are stored and not answered for; storing: those that are not stored yet, so not safe. aside:
    those that are refused, held or parked without a decision. `link` and `isLasting` as in sync.js. */
export function lightOf({ link, waiting, storing, aside, isLasting }) {
  const isStuck = STUCK.has(link);
  const lost = aside + (isStuck ? waiting : 0);
  const kept = isLasting ? "waiting" : "waiting_not_lasting";
  const waits = waiting && !isStuck ? [[kept, waiting]] : [];
  const notes = storing ? [["storing", storing]] : [];
  if (lost) return { colour: "red", says: [["set_aside", lost], ...waits, ...notes], isTrouble: true };
  if (storing) return { colour: "amber", says: notes, isTrouble: null };
  if (waiting) return { colour: "amber", says: waits, isTrouble: link === "good" ? null : true };
  if (link === "good") return { colour: "green", says: [["all_sent", 0]], isTrouble: false };
  return { colour: "amber", says: [[LINKS[link], 0]], isTrouble: true };
}
