/* The check of a public record, from the record alone: "The record" in docs/protocol.md says what follows from what.

   What is not right is thrown as a Contradiction: the first one in the order of this file. */

import { checkCommitments } from "./commitments.js";
import { Contradiction, shouldBe } from "./contradiction.js";
import { groupsOf } from "./digests.js";
import { checkDraws } from "./draws.js";
import { parse } from "./json.js";
import { checkSheets } from "./logs.js";
import { placeOf } from "./places.js";
import { mostRounds, readPeople, readRounds } from "./reading.js";
import { Reader } from "./reader.js";
import { checkDecisions, checkStandings, checkWhoGoesOn } from "./results.js";
import { checkRoundMarks } from "./round_marks.js";
import { readRuleset } from "./ruleset.js";

const SCHEMA = "schnauz-record/1";
const KEYS = ["schema", "tournament", "participants", "rounds", "commitments", "decisions", "marks", "standings"];
const MOST_CHARACTERS = 50_000_000;

/** Checks the text of a record and returns what was checked. onProgress: gets {kind, round, ..., done, total}. */
export function checkRecord(text, { onProgress = () => {} } = {}) {
  const steps = checking(text);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    onProgress(value);
  }
}

/** The same in steps; each yields what is about to be checked. */
export function* checking(text) {
  let value = null;
  try {
    if (text.length > MOST_CHARACTERS) throw new Contradiction("$", "too_long", { most: MOST_CHARACTERS });
    value = parse(text);
    return yield* checkingValue(value);
  } catch (wrong) {
    if (wrong instanceof Contradiction) wrong.place = placeOf(wrong.path, value);
    throw wrong;
  }
}

function* checkingValue(value) {
  const record = readRecord(new Reader(value));
  const { rounds, rules } = record;
  const count = (list) => list.reduce((sum, number) => sum + number, 0);
  const total = count(rounds.map(({ attempts, tables }) => attempts.length + tables.length)) + 1;
  const { draws, unchecked } = yield* numbered(checkDraws(rounds, rules), 0, total);
  const drawn = count(rounds.map(({ attempts }) => attempts.length));
  const sheets = yield* numbered(checkSheets(rounds, rules), drawn, total);
  yield { kind: "standings", done: total - 1, total };
  if (rules.qualifying) checkWhoGoesOn(rounds, sheets, rules, record.frozenAt);
  const decisions = checkDecisions(record.reader.key("decisions"), rules);
  const commitments = checkCommitments(record, decisions);
  checkResults(record, sheets, decisions);
  const marks = checkRoundMarks(record, sheets, commitments.list);
  return {
    draws,
    lots: decisions.filter(({ seed }) => seed !== null).length,
    sheets: sheets.length,
    entries: count(sheets.map(({ entries }) => entries.length)),
    commitments: commitments.list.length,
    marks,
    unchecked: [...unchecked, ...commitments.unchecked],
    details: detailsOf(record, sheets, decisions, commitments.list),
  };
}

function* numbered(steps, before, total) {
  for (let done = before; ; done += 1) {
    const { done: isOver, value } = steps.next();
    if (isOver) return value;
    yield { ...value, done, total };
  }
}

/** The parts of a record that are needed to check it, read in its order. */
function readRecord(reader) {
  reader.fields(KEYS);
  reader.key("schema").mustBe(SCHEMA);
  const tournament = reader.key("tournament").fields(["slug", "name", "date", "ended_at", "frozen_at", "ruleset"]);
  const name = tournament.key("name").text();
  tournament.key("date").day();
  const slug = tournament.key("slug").text();
  const rules = rulesOf(tournament.key("ruleset"));
  const endedAt = tournament.key("ended_at").momentOrNull();
  const frozenAt = tournament.key("frozen_at").momentOrNull();
  const people = readPeople(reader.key("participants"));
  const rounds = readRounds(reader.key("rounds"), people);
  if (rounds.length > mostRounds(rules)) throw reader.key("rounds").wrong("too_many_rounds", { most: mostRounds(rules) });
  return { reader, name, slug, rules, endedAt, frozenAt, people, rounds };
}

function rulesOf({ path, value }) {
  try {
    return readRuleset(value);
  } catch (refusal) {
    if (!refusal.code) throw refusal;
    throw new Contradiction([path, refusal.params.path].filter(Boolean).join("."), refusal.code);
  }
}

function checkResults({ reader, slug, rules, endedAt, frozenAt, people, rounds }, sheets, decisions) {
  const standings = reader.key("standings").fields(["tournament", "final", "rows"]);
  standings.key("tournament").mustBe(slug);
  checkFinal(standings.key("final"), { rules, rounds, endedAt, frozenAt });
  const orders = decisions.filter(({ isRevoked }) => !isRevoked).map(({ order }) => order);
  checkStandings(standings.key("rows"), people, rounds, sheets, orders, rules);
}

/** Standings that were frozen earlier may not be final yet. */
function checkFinal(final, { rules, rounds, endedAt, frozenAt }) {
  const allDrawn = rules.rounds === null ? rounds.at(-1)?.tables.length === 1 : rounds.length === rules.rounds;
  const expected = endedAt !== null || (allDrawn && rounds.every(({ isClosed }) => isClosed));
  if (final.yesOrNo() !== expected && !(frozenAt !== null && expected)) throw shouldBe(final, expected);
}

/** What the page shows of a record that is right. */
function detailsOf({ reader, name, slug, rules, frozenAt, people, rounds }, sheets, decisions, commitments) {
  return {
    name,
    slug,
    isFrozen: frozenAt !== null,
    isKnockout: rules.qualifying !== null,
    people: [...people].map(([number, person]) => ({ number, name: person.name })),
    rounds: rounds.map(({ number, tables, attempts }) => ({
      number,
      attempts: attempts.map((attempt) => ({
        number: attempt.number,
        seed: attempt.seed,
        changes: attempt.changes.length,
        words: commitments[attempt.commitment - 1]?.words,
        seal: attempt.commitment === null ? null : groupsOf(commitments[attempt.commitment - 1].digest),
      })),
      tables: tables.map((table) => ({ number: table.number, players: table.players })),
    })),
    sheets: sheets.map(({ round, table, players, entries, results, steps }) => ({
      round,
      table,
      players,
      mark: reader.value.rounds[round - 1].tables.find((one) => one.number === table).mark,
      results,
      entries: entries.map(({ kind }, index) => ({ kind, results: steps[index] })),
    })),
    lots: decisions.filter(({ seed }) => seed !== null).map(({ order, seed }) => ({ order, seed })),
    rows: reader.value.standings.rows,
  };
}
