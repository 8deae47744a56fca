/* The state of a table sheet after its log of entries: "Table sheets: the fold" in docs/protocol.md.

   The phone shows it without a network, and static/js/check/ checks the sheets of a record with it. Names are those of
   scoring/core/sheet.py and of the module of each kind of sheet there; a refusal is thrown as {code, params}. The server
   alone decides. Pure: nothing given is ever changed, no DOM, no clock. */

import { ascending, canonicalId, exactKeys, freeText, knownSeat, neededReason, reason, refuse } from "./checks.js";

const MODULES = {
  survival: () => import("./survival.js"),
  hand_points: () => import("./hand_points.js"),
  plus_minus: () => import("./plus_minus.js"),
};
/** The kinds of sheets that are loaded, by name. Each answers as in scoring/core/sheet_kind.py; the ruleset is given each time. */
export const KINDS = {};
const ORGANISER_ONLY = new Set(["accepted", "reopened", "corrected"]);

/** Loads a kind of sheet; before that none of it can be replayed. */
export async function learn(name) {
  KINDS[name] = KINDS[name] ?? (await MODULES[name]()).kind;
}

/* -- The sheet ---------------------------------------------------------------------------------------------------- */

/** The sheet of a table before the first entry. `seats`: seat numbers in their order. */
export function emptySheet(ruleset, seats) {
  return seen({
    ruleset,
    seats: [...seats],
    entries: [],
    facts: [],
    voided: {},
    state: kindOf({ ruleset }).start(ruleset, seats),
    confirmed: [],
    objections: [],
    phase: "open",
    was_accepted: false,
    last_reopened: false,
  });
}

/** The sheet with one entry more, its data normalised. Throws {code, params}; the given sheet never changes. */
export function append(sheet, entry) {
  const id = canonicalId(entry.id, "id");
  if (sheet.entries.some((earlier) => earlier.id === id)) refuse("duplicate_id", { entry: id });
  const next = { ...entry, id, data: normalised(sheet, entry.kind, entry.data), by: entry.by ?? "scribe" };
  const isOrganisers = ORGANISER_ONLY.has(next.kind) || kindOf(sheet).approvals.includes(next.kind);
  if (isOrganisers && next.by !== "organiser") refuse("organiser_only", { kind: next.kind });
  const after = (STEPS[next.kind] ?? factAdded)(sheet, next);
  return seen({ ...after, entries: [...sheet.entries, next] });
}

/** The sheet after all these entries. Throws {code, params, index, entry_id} for the first that is refused. */
export function replay(ruleset, seats, entries) {
  let sheet = emptySheet(ruleset, seats);
  entries.forEach((entry, index) => {
    try {
      sheet = append(sheet, entry);
    } catch (refusal) {
      if (!refusal.code) throw refusal;
      throw { ...refusal, index, entry_id: entry.id };
    }
  });
  return sheet;
}

/** The sheet as it is handed in anew: after a reopening only confirmations given since then count. Not part of the fold;
    `to_confirm` are those who must confirm again, as in scoring/core/reopening.py. */
export function confirmedAnew(sheet) {
  if (!sheet.last_reopened) return { ...sheet, to_confirm: [] };
  const { confirmation } = sheet.ruleset;
  const last = sheet.entries.findLastIndex(({ kind }) => kind === "reopened");
  const given = sheet.entries.filter(({ kind }, index) => kind === "confirmed" && index > last);
  const since = given.map(({ data }) => data.seat_number);
  const confirmed = sheet.confirmed.filter((seat) => since.includes(seat));
  const ever = (seat) => sheet.entries.some(({ kind, data }) => kind === "confirmed" && data.seat_number === seat);
  const asked = sheet.seats.filter((seat) => confirmation === "required" || (confirmation === "optional" && ever(seat)));
  return { ...sheet, confirmed, to_confirm: ascending(asked.filter((seat) => !confirmed.includes(seat))) };
}

/** Adds what follows from the rest: status, is_complete, results. */
function seen(sheet) {
  return {
    ...sheet,
    status: sheet.phase === "open" && sheet.objections.length ? "objected" : sheet.phase,
    is_complete: kindOf(sheet).missing(sheet.ruleset, sheet.state) === null,
    results: kindOf(sheet).results(sheet.ruleset, sheet.seats, sheet.state),
  };
}

function kindOf({ ruleset }) {
  return KINDS[ruleset.sheet.kind];
}

const STEPS = {
  __proto__: null,

  confirmed(sheet, entry) {
    checkOpen(sheet);
    const confirmed = new Set([...sheet.confirmed, entry.data.seat_number]);
    return { ...sheet, confirmed: ascending(confirmed) };
  },

  objected(sheet, entry) {
    checkOpen(sheet);
    const { seat_number, note } = entry.data;
    return { ...sheet, objections: [...sheet.objections, { entry_id: entry.id, seat_number, note }] };
  },

  submitted(sheet) {
    checkOpen(sheet);
    checkComplete(kindOf(sheet).missing(sheet.ruleset, sheet.state));
    const objecting = ascending(new Set(sheet.objections.map((objection) => objection.seat_number)));
    if (objecting.length) refuse("objection_stands", { seats: objecting });
    const unconfirmed = sheet.seats.filter((seat) => !sheet.confirmed.includes(seat));
    if (sheet.ruleset.confirmation === "required" && unconfirmed.length) {
      refuse("confirmations_missing", { seats: unconfirmed });
    }
    return { ...sheet, phase: "submitted", last_reopened: false };
  },

  accepted(sheet, entry) {
    if (sheet.phase === "accepted") refuse("already_accepted");
    checkComplete(kindOf(sheet).unacceptable(sheet.ruleset, sheet.state));
    if (sheet.phase === "open" && !("reason" in entry.data)) refuse("reason_needed");
    return { ...sheet, phase: "accepted", was_accepted: true, last_reopened: false };
  },

  reopened(sheet) {
    if (sheet.phase === "open") refuse("sheet_is_open");
    return { ...sheet, phase: "open", last_reopened: true };
  },

  voided(sheet, entry) {
    checkOpen(sheet);
    if (entry.by === "organiser" && !("reason" in entry.data)) refuse("reason_needed");
    const target = entryOf(sheet, entry.data.entry);
    if (target.id in sheet.voided) refuse("already_voided", { entry: target.id });
    const after = { ...sheet, voided: { ...sheet.voided, [target.id]: entry.id } };
    if (target.kind === "objected") {
      if (!sheet.objections.some((stands) => stands.entry_id === target.id)) refuse("objection_is_closed", { entry: target.id });
      return { ...after, objections: sheet.objections.filter((objection) => objection.entry_id !== target.id) };
    }
    if (target.kind === "corrected") return correctionTakenBack(after, entry, target);
    if (!kindOf(sheet).facts.includes(target.kind)) refuse("cannot_be_voided", { kind: target.kind });
    checkMayTakeBack(sheet, entry, target);
    const index = indexOf(sheet.facts, target.id);
    return refolded(after, sheet.facts.slice(0, index), sheet.facts.slice(index + 1));
  },

  corrected(sheet, entry) {
    checkOpen(sheet);
    return withData(sheet, entry.data.entry, entry.data.data, true);
  },
};

/** The fact counts as before: with its last correction that still stands, or as it was first written. */
function correctionTakenBack(sheet, entry, correction) {
  if (entry.by !== "organiser") refuse("organiser_only", { kind: correction.kind });
  const target = correction.data.entry;
  const standing = sheet.entries.filter(
    (earlier) => earlier.kind === "corrected" && earlier.data.entry === target && !(earlier.id in sheet.voided),
  );
  const { data } = standing.length ? standing.at(-1).data : sheet.entries.find(({ id }) => id === target);
  return withData(sheet, target, data, standing.length > 0);
}

/** The sheet with other data for a fact that counts, at its old place in the order. */
function withData(sheet, target, data, corrected) {
  if (target in sheet.voided) refuse("already_voided", { entry: target });
  const index = indexOf(sheet.facts, target);
  const fact = { ...sheet.facts[index], data, corrected };
  const before = sheet.facts.slice(0, index);
  kindOf(sheet).check(sheet.ruleset, stateAfter(sheet, before), fact);
  return refolded(sheet, [...before, fact], sheet.facts.slice(index + 1));
}

function factAdded(sheet, entry) {
  checkOpen(sheet);
  const { id: entry_id, kind, data } = entry;
  const fact = { entry_id, kind, data, deal_number: dealNumber(kind, sheet.facts), corrected: false };
  kindOf(sheet).check(sheet.ruleset, sheet.state, fact);
  const state = kindOf(sheet).apply(sheet.ruleset, sheet.state, fact);
  const confirmed = kindOf(sheet).approvals.includes(kind) ? sheet.confirmed : [];
  const closes = kind === "deal" && sheet.ruleset.objections_end === "next_deal";
  return { ...sheet, facts: [...sheet.facts, fact], state, confirmed, objections: closes ? [] : sheet.objections };
}

/** The sheet with other facts: those known to be `sound`, and `later` ones if they are still possible. */
function refolded(sheet, sound, later) {
  const facts = [...sound];
  let state = stateAfter(sheet, sound);
  for (const earlier of later) {
    const fact = { ...earlier, deal_number: dealNumber(earlier.kind, facts) };
    try {
      kindOf(sheet).check(sheet.ruleset, state, fact);
    } catch (refusal) {
      if (!refusal.code) throw refusal;
      refuse("later_entry_impossible", { entry: fact.entry_id, why: refusal.code });
    }
    state = kindOf(sheet).apply(sheet.ruleset, state, fact);
    facts.push(fact);
  }
  return { ...sheet, facts, state, confirmed: [] };
}

function stateAfter(sheet, facts) {
  const { ruleset, seats } = sheet;
  return facts.reduce((state, fact) => kindOf(sheet).apply(ruleset, state, fact), kindOf(sheet).start(ruleset, seats));
}

function dealNumber(kind, before) {
  return kind === "deal" ? 1 + before.filter((fact) => fact.kind === "deal").length : null;
}

function checkOpen(sheet) {
  if (sheet.phase !== "open") refuse(sheet.phase === "submitted" ? "sheet_is_submitted" : "sheet_is_accepted");
}

/** Where the ruleset wants it, a scribe takes back nothing, or the latest deal, unless it was corrected. */
function checkMayTakeBack(sheet, entry, target) {
  if (entry.by === "organiser" || sheet.ruleset.scribe_takes_back === "any") return;
  if (sheet.ruleset.scribe_takes_back === "none") refuse("supervisor_takes_back");
  const latest = sheet.facts.findLast((fact) => fact.kind === "deal");
  if (latest?.entry_id !== target.id) refuse("latest_deal_only");
  if (latest.corrected) refuse("corrected_by_supervisor");
}

function checkComplete(why) {
  if (why) refuse("not_complete", { why: why.code, ...why.params });
}

function entryOf(sheet, id) {
  return sheet.entries.find((entry) => entry.id === id) ?? refuse("unknown_entry", { entry: id });
}

function indexOf(facts, id) {
  return facts.findIndex((fact) => fact.entry_id === id);
}

/* -- Normalised data ---------------------------------------------------------------------------------------------- */

function normalised(sheet, kind, data) {
  if (typeof kind !== "string") refuse("bad_entry", { field: "kind" });
  if (!(kind in LIFE_CYCLE)) return normalisedFact(sheet, kind, data);
  const known = LIFE_CYCLE[kind](sheet.seats, data);
  if (kind !== "corrected") return known;
  const target = entryOf(sheet, known.entry);
  if (!kindOf(sheet).facts.includes(target.kind)) refuse("cannot_be_corrected", { kind: target.kind });
  return { ...known, data: normalisedFact(sheet, target.kind, known.data) };
}

function normalisedFact(sheet, kind, data) {
  if (!kindOf(sheet).facts.includes(kind)) refuse("unknown_kind", { kind: [...kind].slice(0, 40).join("") });
  return kindOf(sheet).normalised(sheet.ruleset, sheet.seats, kind, data);
}

const LIFE_CYCLE = {
  __proto__: null,

  confirmed(seats, data) {
    const given = exactKeys(data, ["seat_number"]);
    return { seat_number: knownSeat(given.seat_number, seats, "data.seat_number") };
  },

  objected(seats, data) {
    const given = exactKeys(data, ["seat_number", "note"]);
    const seat_number = knownSeat(given.seat_number, seats, "data.seat_number");
    return { seat_number, note: freeText(given.note, "data.note") };
  },

  submitted: (_seats, data) => exactKeys(data, []),

  accepted: (_seats, data) => reason(exactKeys(data, [], ["reason"])),

  reopened: (_seats, data) => neededReason(exactKeys(data, [], ["reason"])),

  voided(_seats, data) {
    const given = exactKeys(data, ["entry"], ["reason"]);
    return { entry: canonicalId(given.entry, "data.entry"), ...reason(given) };
  },

  corrected(_seats, data) {
    const given = exactKeys(data, ["entry", "data"], ["reason"]);
    return { entry: canonicalId(given.entry, "data.entry"), data: given.data, ...neededReason(given) };
  },
};
