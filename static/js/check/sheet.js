/* The fold of a sheet from the entries of a record, which are without free text. The phone shows its sheet by the same one. */

import { isMapping, refuse, setLimits } from "../sheet/checks.js";
import { kind as handPoints } from "../sheet/hand_points.js";
import { kind as plusMinus } from "../sheet/plus_minus.js";
import { KINDS, append, emptySheet } from "../sheet/replay.js";
import { kind as survival } from "../sheet/survival.js";
import { possibleValues } from "./hand_values.js";

Object.assign(KINDS, { survival, hand_points: handPoints, plus_minus: plusMinus });
setLimits({ longest_text: 500, largest_value: 1_000_000 });

/** The key of the free text of each kind of entry that may have some. */
export const FREE_TEXT = new Map([
  ["objected", "note"],
  ["accepted", "reason"],
  ["reopened", "reason"],
  ["voided", "reason"],
  ["corrected", "reason"],
]);

/** The sheet after all entries: its `phase`, the `results` of the seats, and in `steps` the results after each entry.

   The result of a seat has `points`, `rank` (both null until they are decided), `strokes` and `counts`; where players have
   lives, also `lives_left`. ruleset: as `readRuleset` gives it. The first entry that is impossible is thrown as {code, params, index}. */
export function fold(ruleset, seatCount, entries) {
  let sheet = startSheet(ruleset, seatCount);
  const steps = entries.map((entry, index) => {
    try {
      sheet = addEntry(sheet, entry);
    } catch (refusal) {
      throw refusal.code ? { ...refusal, index } : refusal;
    }
    return resultsOf(sheet);
  });
  return { phase: sheet.phase, results: resultsOf(sheet), steps };
}

/** The sheet before its first entry. */
export function startSheet(ruleset, seatCount) {
  const { sheet, hands } = ruleset;
  const seats = Array.from({ length: seatCount }, (_, index) => index + 1);
  return emptySheet(sheet.kind === "hand_points" ? { ...ruleset, hand_values: [...possibleValues(hands)] } : ruleset, seats);
}

/** The sheet after one entry more, of which it gets some text where its kind may have any: the fold asks for one, and never for which. */
export function addEntry(sheet, entry) {
  if (!isMapping(entry) || !["scribe", "organiser"].includes(entry.by)) refuse("bad_entry");
  const text = FREE_TEXT.get(entry.kind);
  return append(sheet, text && isMapping(entry.data) ? { ...entry, data: { ...entry.data, [text]: "–" } } : entry);
}

export function resultsOf({ results, state: { lives_left: lives } }) {
  return results.map(({ seat_number: seat, ...result }) => (lives ? { ...result, lives_left: lives[seat] } : result));
}
