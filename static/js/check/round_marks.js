/* The marks of closed rounds: "Rounds" in docs/protocol.md. Each is over the one before, of whatever round. */

import { digestOfValue } from "./digests.js";

const KEYS = ["round", "draw", "sheets", "tables", "digest", "made_at"];

/** Checks the marks, and returns how many there are. commitments: as they are read. */
export function checkRoundMarks({ reader, rounds, frozenAt }, sheets, commitments) {
  const place = reader.key("marks");
  const [last, vouching] = [new Map(), new Map()]; // by round; those after a freeze are over more than is in the record
  let before = "";
  for (const item of place.items()) {
    const mark = readMark(item, rounds);
    before = digestOfValue({ round: mark.round, draw: mark.draw, sheets: mark.sheets }, before);
    item.key("digest").mustBe(before);
    item.key("tables").mustBe(changedSince(last.get(mark.round), mark));
    last.set(mark.round, mark);
    if (frozenAt === null || mark.madeAt <= frozenAt) vouching.set(mark.round, mark);
  }
  for (const [round, mark] of vouching) checkLast(rounds[round - 1], mark, sheets, commitments);
  if (frozenAt === null) checkNoneIsMissing(place, rounds, vouching);
  return place.value.length;
}

function readMark(reader, rounds) {
  reader.fields(KEYS);
  const [round, draw] = [reader.key("round"), reader.key("draw")];
  if (!rounds[round.whole(1) - 1]?.isClosed) throw round.wrong("mark_too_early");
  const sheets = reader.key("sheets").items().map((item) => {
    item.fields(["table", "digest"]);
    return { table: item.key("table").whole(1), digest: item.key("digest").digest() };
  });
  return {
    reader,
    round: round.value,
    draw: draw.isNull ? null : draw.digest(),
    sheets,
    madeAt: reader.key("made_at").moment(),
  };
}

/** The tables whose sheets changed since the mark of the round before; none in its first one. */
function changedSince(before, { sheets }) {
  const [then, now] = [before?.sheets ?? sheets, sheets].map((list) => new Map(list.map(({ table, digest }) => [table, digest])));
  const tables = [...new Set([...then.keys(), ...now.keys()])].filter((table) => now.get(table) !== then.get(table));
  return tables.sort((a, b) => a - b);
}

/** The last mark of a round vouches for its draw and its sheets. */
function checkLast(round, { reader }, sheets, commitments) {
  const own = sheets.filter((sheet) => sheet.round === round.number).sort((a, b) => a.table - b.table);
  reader.key("sheets").mustBe(own.map(({ table, digest }) => ({ table, digest })));
  if (round.attempts.some(({ seed }) => seed === null)) return;
  reader.key("draw").mustBe(round.attempts.length ? digestOfDraw(round, commitments) : null);
}

/** Rounds that were imported before the first mark have none. */
function checkNoneIsMissing(place, rounds, marks) {
  const first = Math.min(...marks.keys());
  const missing = rounds.find(({ number, isClosed }) => isClosed && number > first && !marks.has(number));
  if (missing) throw place.wrong("mark_missing", { round: missing.number });
}

/** The digest of all attempts of a draw. */
function digestOfDraw({ attempts }, commitments) {
  return digestOfValue(
    attempts.map(({ number, version, mode, seed, players, sizes, history, wishes, changes, isAbandoned, commitment }) => ({
      attempt: number,
      version,
      mode,
      seed,
      players,
      sizes,
      history,
      wishes,
      changes: changes.map(({ step }) => step),
      abandoned: isAbandoned,
      ...(commitment === null ? {} : { commitment: commitments[commitment - 1].digest }),
    })),
  );
}
