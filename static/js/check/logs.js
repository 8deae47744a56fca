/* The recorded sheets: the digest of every entry, the mark, and what follows from the entries. */

import { Contradiction, shouldBe } from "./contradiction.js";
import { firstDigest, markOf, nextDigest } from "./digests.js";
import { FREE_TEXT, fold } from "./sheet.js";

const ENTRY_KEYS = ["id", "kind", "data", "by", "made_at", "digest"];
const OF_THE_ORGANISER = ["accepted", "reopened"];

/** Checks the sheets one after the other, and yields each that is about to be folded.

    Returns the sheets with entries, as {round, table, players, entries, moments, digest, results, steps}. */
export function* checkSheets(rounds, rules) {
  const ids = new Set();
  const sheets = [];
  for (const round of rounds) {
    for (const table of round.tables) {
      if (!isWritten(table)) continue;
      yield { kind: "sheet", round: round.number, table: table.number };
      sheets.push(checkSheet(round, table, rules, ids));
    }
  }
  return sheets;
}

/** Whether the sheet is in the record. Only then it has a mark. */
function isWritten({ reader }) {
  if (reader.key("entries").items().length) return true;
  reader.key("mark").mustBe(null);
  return false;
}

/** ids: of the entries before, to which those of this sheet are added. */
function checkSheet({ number: round }, { reader, number: table, players }, rules, ids) {
  const items = reader.key("entries").items();
  const moments = [];
  let digest = firstDigest(round, table, players);
  for (const item of items) {
    moments.push(readEntry(item));
    if (ids.has(item.value.id)) throw item.key("id").wrong("id_twice");
    ids.add(item.value.id);
    digest = nextDigest(digest, item.value);
    item.key("digest").mustBe(digest);
  }
  reader.key("mark").mustBe(markOf(digest));
  const entries = items.map((item) => item.value);
  const folded = foldedFrom(items, () => fold(rules, players.length, entries));
  if (folded.phase !== "accepted") throw reader.key("entries").wrong("not_accepted");
  return { round, table, players, entries, moments, digest, results: folded.results, steps: folded.steps };
}

function foldedFrom(items, make) {
  try {
    return make();
  } catch (refusal) {
    if (!refusal.code) throw refusal;
    throw new Contradiction(items[refusal.index].path, "entry_impossible", { ...refusal.params, why: refusal.code });
  }
}

/** Reads an entry and returns its moment. */
function readEntry(reader) {
  reader.fields(ENTRY_KEYS);
  const kind = reader.key("kind").text(20, 1);
  const data = reader.key("data").object();
  const text = FREE_TEXT.get(kind);
  if (text && text in data.value) throw data.key(text).wrong("free_text");
  reader.key("by").choice(["scribe", "organiser"]);
  const id = reader.key("id");
  if (typeof id.value === "string" && id.value !== id.value.toLowerCase()) throw shouldBe(id, id.value.toLowerCase());
  id.identifier();
  return reader.key("made_at").moment();
}

/** The ranks by player that counted at a moment; none if the sheet was not accepted then. */
export function ranksAt({ players, entries, moments, steps }, moment) {
  const last = entries.findLastIndex(({ kind }, index) => OF_THE_ORGANISER.includes(kind) && moments[index] <= moment);
  if (last < 0 || entries[last].kind !== "accepted") return new Map();
  return new Map(players.map((player, seat) => [player, steps[last][seat].rank]).filter(([, rank]) => rank !== null));
}

/** The results of a sheet by player. */
export function scoresOf({ round, players, results }) {
  return players.map((start_number, seat) => ({ ...results[seat], start_number, round_number: round }));
}
