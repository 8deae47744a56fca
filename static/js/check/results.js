/* The results of a record: lots, who goes on in a knockout, and the standings shown. */

import { isSame, shouldBe, shown } from "./contradiction.js";
import { lot } from "./draw.js";
import { ranksAt, scoresOf } from "./logs.js";
import { goingOn, standings } from "./ranking.js";
import { mostRounds } from "./reading.js";

const ROW_KEYS = ["start_number", "name", "by_round", "points", "strokes", "tie_break", "rank", "tied"];
const OWN_KEYS = ROW_KEYS.slice(1, 6); // those that follow from the player's own sheets

/* -- Decisions and lots -------------------------------------------------------------------------------------------- */

/** The decisions as {reader, kind, order, seed, at, isRevoked, commitment}. Each lot with a seed is drawn again. */
export function checkDecisions(reader, rules) {
  return reader.items().map((item) => {
    item.fields(["kind", "order", "seed", "commitment", "at", "revoked_at"]);
    const [place, seed] = [item.key("order"), item.key("seed")];
    const kind = item.key("kind").choice(["playoff", "lot"]);
    const order = place.wholes();
    if (new Set(order).size < order.length) throw place.wrong("decided_twice", { found: shown(order) });
    if (kind === "lot" && (rules.lot_by_program || !seed.isNull)) place.mustBe(lot(seed.seed(), order));
    else seed.mustBe(null);
    return {
      reader: item,
      order,
      seed: seed.value,
      at: item.key("at").moment(),
      isRevoked: item.key("revoked_at").momentOrNull() !== null,
      commitment: item.key("commitment").wholeOrNull(1),
    };
  });
}

/* -- Who goes on --------------------------------------------------------------------------------------------------- */

/** Checks that nobody was put into a round of a knockout who had not qualified in the one before, by the sheet as it was then. */
export function checkWhoGoesOn(rounds, sheets, rules, frozenAt) {
  const sheetOf = new Map(sheets.map((sheet) => [`${sheet.round} ${sheet.table}`, sheet]));
  rounds.slice(1).forEach((round, index) => {
    const before = rounds[index];
    const tableOf = new Map(before.tables.flatMap(({ number, players }) => players.map((player) => [player, number])));
    for (const { player, at, reader } of coming(round)) {
      const table = tableOf.get(player);
      const about = { player, before: before.number, round: round.number };
      if (table === undefined) throw reader.wrong("did_not_play", about);
      const sheet = sheetOf.get(`${before.number} ${table}`);
      if (!sheet || (frozenAt !== null && at > frozenAt)) continue;
      const ranks = ranksAt(sheet, at);
      if (ranks.size && !goingOn(ranks, rules.qualifying).has(player)) {
        throw reader.wrong("does_not_go_on", { ...about, table, rank: ranks.get(player) ?? null });
      }
    }
  });
}

/** All who were put into a round, when, and where the record says so. */
function coming({ attempts }) {
  return attempts.flatMap(({ reader, players, changes, madeAt }) => [
    ...players.map((player) => ({ player, at: madeAt, reader: reader.key("players") })),
    ...changes
      .filter(({ step }) => step.kind === "joined")
      .map((change) => ({ player: change.step.player, at: change.at, reader: change.reader })),
  ]);
}

/* -- The standings ------------------------------------------------------------------------------------------------- */

/** Computes the standings, compares them with those shown, and returns the rows. */
export function checkStandings(reader, people, rounds, sheets, orders, rules) {
  const items = reader.items();
  for (const item of items) item.fields(ROW_KEYS);
  const players = [...people].filter(([, person]) => !person.isExcluded).map(([number]) => number);
  const ranked = standings(rules, players, sheets.flatMap(scoresOf), roundsDrawn(items, rounds, rules), orders);
  const expected = new Map(ranked.map((row) => [row.start_number, { ...row, name: people.get(row.start_number).name }]));
  for (const item of items) {
    const number = item.key("start_number");
    const own = expected.get(number.whole(1));
    if (!own) throw number.wrong("no_ranked_participant", { found: number.value });
    checkRow(item, own, OWN_KEYS);
  }
  [...expected.values()].slice(0, items.length).forEach((row, place) => checkRow(items[place], row, ROW_KEYS));
  if (items.length !== expected.size) throw reader.wrong("rows", { found: items.length, expected: expected.size });
  return [...expected.values()];
}

/** Compares values of a row, of those by round the first that differs. */
function checkRow(item, expected, keys) {
  for (const key of keys) {
    const [found, right] = [item.key(key), expected[key]];
    if (isSame(found.value, right)) continue;
    if (key === "by_round" && found.items().length === right.length) {
      found.items().forEach((place, round) => place.mustBe(right[round]));
    }
    throw shouldBe(found, right);
  }
}

/** The number of places by round. Each round that is drawn has one, also before its release. */
function roundsDrawn(items, rounds, rules) {
  if (!items.length) return rounds.length;
  const place = items[0].key("by_round");
  const drawn = place.items().length;
  if (drawn < rounds.length || drawn > mostRounds(rules)) {
    throw place.wrong("rounds_drawn", { found: drawn, expected: rounds.length });
  }
  return drawn;
}
