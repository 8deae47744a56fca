/* A table sheet, folded from its entries: "Table sheets: the fold" in docs/protocol.md.

   Entries are those of a record, without free text. The first one that is impossible is thrown as {code, params, index}. */

import { entryId, exactKeys, isObject, knownSeat } from "./data.js";
import { handPoints } from "./hand_points.js";
import { plusMinus } from "./plus_minus.js";
import { refuse } from "./refusal.js";
import { survival } from "./survival.js";

const KINDS = new Map([["survival", survival], ["hand_points", handPoints], ["plus_minus", plusMinus]]);
const OF_THE_ORGANISER = ["accepted", "reopened", "corrected", "approved"];

/** The sheet after all entries: its `phase`, the `results` of the seats, and in `steps` the results after each entry.

   The result of a seat has `points`, `rank` (both null until they are decided), `strokes` and `counts`; where players have
   lives, also `lives_left`. ruleset: as `readRuleset` gives it. */
export function fold(ruleset, seatCount, entries) {
  const sheet = empty(ruleset, seatCount);
  const steps = entries.map((entry, index) => {
    try {
      append(sheet, entry);
    } catch (refusal) {
      throw refusal.code ? { ...refusal, index } : refusal;
    }
    return resultsOf(sheet);
  });
  return { phase: sheet.phase, results: resultsOf(sheet), steps };
}

/** The sheet as it was after its first entries. */
export function foldFirst(ruleset, seatCount, entries, count) {
  return fold(ruleset, seatCount, entries.slice(0, count));
}

/** states: before the first fact that counts, and after each. voided: ids of what was taken back. objections: ids of those that stand. */
function empty(ruleset, seatCount) {
  const kind = KINDS.get(ruleset.sheet.kind)(ruleset, seatCount);
  return {
    ruleset,
    seatCount,
    kind,
    entries: new Map(),
    facts: [],
    states: [kind.start],
    voided: new Set(),
    confirmed: new Set(),
    objections: new Set(),
    phase: "open",
  };
}

function resultsOf({ kind, states }) {
  return kind.results(states.at(-1));
}

function append(sheet, given) {
  if (!isObject(given) || !["scribe", "organiser"].includes(given.by)) refuse("bad_entry");
  const id = entryId(given.id);
  if (sheet.entries.has(id)) refuse("duplicate_id");
  const data = readData(sheet, given.kind, given.data);
  const isOrganiser = given.by === "organiser";
  if (OF_THE_ORGANISER.includes(given.kind) && !isOrganiser) refuse("organiser_only");
  const entry = { id, kind: given.kind, data, isOrganiser };
  (STEPS.get(given.kind) ?? addFact)(sheet, entry);
  sheet.entries.set(id, entry);
}

/* -- Form ------------------------------------------------------------------------------------------------------------- */

const FORMS = new Map([
  ["confirmed", (data, { seatCount }) => knownSeat(exactKeys(data, ["seat_number"]).seat_number, seatCount)],
  ["objected", (data, { seatCount }) => knownSeat(exactKeys(data, ["seat_number"]).seat_number, seatCount)],
  ["submitted", (data) => exactKeys(data, [])],
  ["accepted", (data) => exactKeys(data, [])],
  ["reopened", (data) => exactKeys(data, [])],
  ["voided", (data) => entryId(exactKeys(data, ["entry"]).entry)],
  ["corrected", readCorrection],
]);

function readData(sheet, kind, data) {
  const form = FORMS.get(kind) ?? sheet.kind.facts.get(kind);
  if (!form) refuse(typeof kind === "string" ? "unknown_kind" : "bad_entry");
  return form(data, sheet);
}

function readCorrection(given, sheet) {
  const { entry, data } = exactKeys(given, ["entry", "data"]);
  const target = known(sheet, entryId(entry));
  const form = sheet.kind.facts.get(target.kind);
  if (!form) refuse("cannot_be_corrected");
  return { target: target.id, data: form(data, sheet) };
}

function known(sheet, id) {
  return sheet.entries.get(id) ?? refuse("unknown_entry");
}

/* -- Effect ----------------------------------------------------------------------------------------------------------- */

const STEPS = new Map([
  ["confirmed", confirm],
  ["objected", object],
  ["submitted", submit],
  ["accepted", accept],
  ["reopened", reopen],
  ["voided", takeBack],
  ["corrected", correct],
]);

function addFact(sheet, { id, kind, data }) {
  checkOpen(sheet);
  const fact = { id, kind, data, isCorrected: false };
  const state = sheet.states.at(-1);
  sheet.kind.check(state, fact);
  sheet.states.push(sheet.kind.apply(state, fact));
  sheet.facts.push(fact);
  if (kind !== "approved") sheet.confirmed.clear();
  if (kind === "deal" && sheet.ruleset.objections_end === "next_deal") sheet.objections.clear();
}

function confirm(sheet, { data: seat }) {
  checkOpen(sheet);
  sheet.confirmed.add(seat);
}

function object(sheet, { id }) {
  checkOpen(sheet);
  sheet.objections.add(id);
}

function submit(sheet) {
  checkOpen(sheet);
  if (sheet.kind.missing(sheet.states.at(-1))) refuse("not_complete");
  if (sheet.objections.size) refuse("objection_stands");
  const isConfirmed = sheet.confirmed.size === sheet.seatCount;
  if (sheet.ruleset.confirmation === "required" && !isConfirmed) refuse("confirmations_missing");
  sheet.phase = "submitted";
}

function accept(sheet) {
  if (sheet.phase === "accepted") refuse("already_accepted");
  if (sheet.kind.unacceptable(sheet.states.at(-1))) refuse("not_complete");
  sheet.phase = "accepted";
}

function reopen(sheet) {
  if (sheet.phase === "open") refuse("sheet_is_open");
  sheet.phase = "open";
}

function checkOpen({ phase }) {
  if (phase !== "open") refuse(`sheet_is_${phase}`);
}

/* -- Taking back and correcting ---------------------------------------------------------------------------------------- */

function takeBack(sheet, { data: id, isOrganiser }) {
  checkOpen(sheet);
  const target = known(sheet, id);
  if (sheet.voided.has(id)) refuse("already_voided");
  if (target.kind === "objected") {
    if (!sheet.objections.delete(id)) refuse("objection_is_closed");
  } else if (target.kind === "corrected") {
    if (!isOrganiser) refuse("organiser_only");
    takeBackCorrection(sheet, target);
  } else if (sheet.kind.facts.has(target.kind)) {
    if (!isOrganiser) checkScribeTakesBack(sheet, id);
    replaceFact(sheet, id, []);
  } else {
    refuse("cannot_be_voided");
  }
  sheet.voided.add(id);
}

function checkScribeTakesBack({ ruleset, facts }, id) {
  if (ruleset.scribe_takes_back === "any") return;
  if (ruleset.scribe_takes_back === "none") refuse("supervisor_takes_back");
  const latest = facts.filter(({ kind }) => kind === "deal").at(-1);
  if (latest?.id !== id) refuse("latest_deal_only");
  if (latest.isCorrected) refuse("corrected_by_supervisor");
}

function correct(sheet, { data: { target, data } }) {
  checkOpen(sheet);
  giveData(sheet, target, data, true);
}

/** Gives a fact the data of its last correction that still stands, or else its own. */
function takeBackCorrection(sheet, correction) {
  const { target } = correction.data;
  const isStanding = (entry) => entry !== correction && entry.kind === "corrected" && !sheet.voided.has(entry.id);
  const last = [...sheet.entries.values()].filter((entry) => isStanding(entry) && entry.data.target === target).at(-1);
  giveData(sheet, target, last ? last.data.data : sheet.entries.get(target).data, last !== undefined);
}

function giveData(sheet, id, data, isCorrected) {
  if (sheet.voided.has(id)) refuse("already_voided");
  const index = sheet.facts.findIndex((fact) => fact.id === id);
  const fact = { ...sheet.facts[index], data, isCorrected };
  sheet.kind.check(sheet.states[index], fact);
  replaceFact(sheet, id, [fact]);
}

/** Puts facts, which were checked, in the place of one, and plays those after it again. */
function replaceFact(sheet, id, instead) {
  const index = sheet.facts.findIndex((fact) => fact.id === id);
  const later = sheet.facts.slice(index + 1);
  const states = sheet.states.slice(0, index + 1);
  for (const fact of instead) states.push(sheet.kind.apply(states.at(-1), fact));
  for (const fact of later) {
    try {
      sheet.kind.check(states.at(-1), fact);
    } catch (refusal) {
      throw refusal.code ? { code: "later_entry_impossible", params: { why: refusal.code } } : refusal;
    }
    states.push(sheet.kind.apply(states.at(-1), fact));
  }
  sheet.facts = [...sheet.facts.slice(0, index), ...instead, ...later];
  sheet.states = states;
  sheet.confirmed.clear();
}
