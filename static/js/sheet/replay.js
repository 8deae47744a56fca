/* How a table sheet stands after its log of entries: the fold of scoring/core, for display without a network.

   Mirrors scoring/core/{entries,survival,sheet}.py in the same order and with the same names; what is refused is
   thrown as {code, params}. The server alone decides. Pure: nothing given is ever changed, no DOM, no clock. */

const LONGEST_TEXT = 500;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Cs}/u;
const BLANK = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
const OUTER_BLANKS = new RegExp(`^${BLANK}|${BLANK}$`, "g");
const ORGANISER_ONLY = new Set(["accepted", "reopened", "corrected"]);
const MARK_OF_ENDING = { schnauz: "schnauz", handschnauz: "schnauz", feuer: "feuer" };

/* -- The sheet ---------------------------------------------------------------------------------------------------- */

/** The sheet of a table before the first entry. `seats`: seat numbers in their order. */
export function emptySheet(ruleset, seats) {
  return seen({
    ruleset,
    seats: [...seats],
    entries: [],
    facts: [],
    voided: {},
    state: start(ruleset.sheet, seats),
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
  if (ORGANISER_ONLY.has(next.kind) && next.by !== "organiser") refuse("organiser_only", { kind: next.kind });
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

/** Adds what follows from the rest: status, is_complete, results. */
function seen(sheet) {
  return {
    ...sheet,
    status: sheet.phase === "open" && sheet.objections.length ? "objected" : sheet.phase,
    is_complete: missing(sheet.state) === null,
    results: results(sheet.ruleset, sheet.seats, sheet.state),
  };
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
    checkComplete(sheet);
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
    checkComplete(sheet);
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
      return { ...after, objections: sheet.objections.filter((objection) => objection.entry_id !== target.id) };
    }
    if (target.kind === "corrected") return correctionTakenBack(after, entry, target);
    if (!(target.kind in FACTS)) refuse("cannot_be_voided", { kind: target.kind });
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
  check(sheet.ruleset.sheet, stateAfter(sheet, before), fact);
  return refolded(sheet, [...before, fact], sheet.facts.slice(index + 1));
}

function factAdded(sheet, entry) {
  checkOpen(sheet);
  const { id: entry_id, kind, data } = entry;
  const fact = { entry_id, kind, data, deal_number: dealNumber(kind, sheet.facts), corrected: false };
  check(sheet.ruleset.sheet, sheet.state, fact);
  return { ...sheet, facts: [...sheet.facts, fact], state: apply(sheet.state, fact), confirmed: [] };
}

/** The sheet with other facts: those known to be `sound`, and `later` ones if they are still possible. */
function refolded(sheet, sound, later) {
  const facts = [...sound];
  let state = stateAfter(sheet, sound);
  for (const earlier of later) {
    const fact = { ...earlier, deal_number: dealNumber(earlier.kind, facts) };
    try {
      check(sheet.ruleset.sheet, state, fact);
    } catch (refusal) {
      if (!refusal.code) throw refusal;
      refuse("later_entry_impossible", { entry: fact.entry_id, why: refusal.code });
    }
    state = apply(state, fact);
    facts.push(fact);
  }
  return { ...sheet, facts, state, confirmed: [] };
}

function stateAfter(sheet, facts) {
  return facts.reduce(apply, start(sheet.ruleset.sheet, sheet.seats));
}

function dealNumber(kind, before) {
  return kind === "deal" ? 1 + before.filter((fact) => fact.kind === "deal").length : null;
}

function checkOpen(sheet) {
  if (sheet.phase !== "open") refuse(sheet.phase === "submitted" ? "sheet_is_submitted" : "sheet_is_accepted");
}

function checkComplete(sheet) {
  const why = missing(sheet.state);
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
  if (!(target.kind in FACTS)) refuse("cannot_be_corrected", { kind: target.kind });
  return { ...known, data: normalisedFact(sheet, target.kind, known.data) };
}

function normalisedFact(sheet, kind, data) {
  if (!(kind in FACTS)) refuse("unknown_kind", { kind: [...kind].slice(0, 40).join("") });
  return FACTS[kind](sheet.ruleset.sheet, sheet.seats, data);
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

const FACTS = {
  __proto__: null,

  deal(rules, seats, data) {
    const { losers, ended_by, finisher } = exactKeys(data, ["losers", "ended_by", "finisher"]);
    if (!Array.isArray(losers)) refuse("bad_entry", { field: "data.losers" });
    const known = ascending(losers.map((seat) => knownSeat(seat, seats, "data.losers")));
    if (new Set(known).size !== known.length) refuse("bad_entry", { field: "data.losers" });
    if (!rules.endings.includes(ended_by)) refuse("unknown_ending");
    const finishing = knownFinisher(seats, ended_by, finisher);
    if (!known.length && !rules.three_of_a_kind_spared.includes(ended_by)) refuse("no_losers");
    if (known.includes(finishing)) refuse("finisher_cannot_lose", { seat: finishing });
    return { losers: known, ended_by, finisher: finishing };
  },

  stroke(rules, seats, data) {
    const given = exactKeys(data, ["seat_number", "mark"]);
    const seat_number = knownSeat(given.seat_number, seats, "data.seat_number");
    if (!rules.marks.includes(given.mark)) refuse("unknown_mark");
    return { seat_number, mark: given.mark };
  },

  ranked(_rules, seats, data) {
    const { ranks } = exactKeys(data, ["ranks"]);
    if (!isMapping(ranks) || !Object.values(ranks).every(Number.isInteger)) {
      refuse("bad_entry", { field: "data.ranks" });
    }
    if (Object.keys(ranks).length !== seats.length || !seats.every((seat) => Object.hasOwn(ranks, String(seat)))) {
      refuse("ranks_incomplete");
    }
    checkRanking(Object.values(ranks));
    return { ranks: bySeat(seats, (seat) => ranks[seat]) };
  },
};

function knownFinisher(seats, ended_by, finisher) {
  if (finisher === null) {
    if (ended_by !== "knock") refuse("finisher_needed");
    return null;
  }
  const seat = knownSeat(finisher, seats, "data.finisher");
  if (ended_by === "knock") refuse("finisher_on_knock");
  return seat;
}

function checkRanking(ranks) {
  if (ranks.filter((rank) => rank === 1).length > 1) refuse("ranks_two_winners");
  const follows = (rank) => rank === 1 + ranks.filter((other) => other < rank).length;
  if (!ranks.every(follows)) refuse("ranks_no_competition_ranking");
}

function canonicalId(value, name) {
  if (typeof value !== "string" || !UUID.test(value.toLowerCase())) refuse("bad_entry", { field: name });
  return value.toLowerCase();
}

function exactKeys(data, needed, optional = []) {
  if (!isMapping(data)) refuse("bad_entry", { field: "data" });
  const absent = needed.find((key) => !Object.hasOwn(data, key));
  if (absent) refuse("bad_entry", { field: `data.${absent}` });
  const unknown = Object.keys(data).filter((key) => !needed.includes(key) && !optional.includes(key)).sort();
  if (unknown.length) refuse("bad_entry", { field: `data.${[...unknown[0]].slice(0, 40).join("")}` });
  return Object.fromEntries(Object.entries(data).filter(([key, value]) => value !== null || needed.includes(key)));
}

function knownSeat(value, seats, name) {
  if (!Number.isInteger(value)) refuse("bad_entry", { field: name });
  if (!seats.includes(value)) refuse("unknown_seat", { seat: value });
  return value;
}

function stripped(text) {
  return text.replace(OUTER_BLANKS, "");
}

function freeText(value, name) {
  if (typeof value !== "string") refuse("bad_entry", { field: name });
  const text = stripped(value);
  const length = [...text].length;
  if (length < 1 || length > LONGEST_TEXT || UNPRINTABLE.test(text)) {
    refuse("bad_text", { field: name, longest: LONGEST_TEXT });
  }
  return text;
}

function reason(given) {
  const text = given.reason ?? null;
  if (text === null || (typeof text === "string" && !stripped(text))) return {};
  return { reason: freeText(text, "data.reason") };
}

function neededReason(given) {
  const known = reason(given);
  return "reason" in known ? known : refuse("reason_needed");
}

/* -- Survival ----------------------------------------------------------------------------------------------------- */

function start(rules, seats) {
  const nothing = bySeat(seats, () => 0);
  return derived(seats, {
    lives: rules.lives,
    lost: nothing,
    drowned_in: {},
    deals: 0,
    schnauz: nothing,
    feuer: nothing,
    ranked: null,
  });
}

/** Adds what follows from the rest: lives_left, still_in, swimming, winner. */
function derived(seats, state) {
  const still_in = seats.filter((seat) => !(seat in state.drowned_in));
  return {
    ...state,
    still_in,
    swimming: still_in.filter((seat) => state.lost[seat] === state.lives),
    lives_left: bySeat(seats, (seat) => Math.max(state.lives - state.lost[seat], 0)),
    winner: seats.find((seat) => rankOf({ ...state, still_in }, seat) === 1) ?? null,
  };
}

function check(rules, state, fact) {
  if (fact.kind === "stroke") return;
  if (state.ranked !== null) refuse("already_ranked");
  if (fact.kind === "deal") checkDeal(rules, state, fact.data);
}

function checkDeal(rules, state, { losers, ended_by, finisher }) {
  const { still_in } = state;
  if (still_in.length === 1) refuse("table_decided", { seat: still_in[0] });
  for (const seat of finisher === null ? losers : [...losers, finisher]) {
    if (seat in state.drowned_in) refuse("already_drowned", { seat });
  }
  const others = still_in.filter((seat) => seat !== finisher);
  const mustAllLose = rules.all_others_lose.includes(ended_by) && !rules.three_of_a_kind_spared.includes(ended_by);
  if (mustAllLose && losers.length !== others.length) {
    refuse("all_others_lose", { seats: ascending(others) });
  }
  if (losers.length === still_in.length && losers.every((seat) => state.lost[seat] === state.lives)) {
    refuse("would_drown_everybody");
  }
}

function apply(state, fact) {
  const seats = Object.keys(state.lost).map(Number);
  if (fact.kind === "deal") return derived(seats, dealPlayed(state, fact.data));
  if (fact.kind === "stroke") return strokeDrawn(state, fact.data.seat_number, fact.data.mark);
  return derived(seats, { ...state, ranked: { ...fact.data.ranks } });
}

function dealPlayed(state, { losers, ended_by, finisher }) {
  const deals = state.deals + 1;
  const lost = { ...state.lost };
  const drowned_in = { ...state.drowned_in };
  for (const seat of losers) {
    lost[seat] += 1;
    if (lost[seat] > state.lives) drowned_in[seat] = deals;
  }
  const after = { ...state, deals, lost, drowned_in };
  return finisher === null ? after : strokeDrawn(after, finisher, MARK_OF_ENDING[ended_by]);
}

function strokeDrawn(state, seat, mark) {
  return { ...state, [mark]: { ...state[mark], [seat]: state[mark][seat] + 1 } };
}

/** 1 + the number of players who stayed in longer; null for who may still drown. */
function rankOf(state, seat) {
  if (state.ranked !== null) return state.ranked[seat];
  if (!(seat in state.drowned_in)) return state.still_in.length === 1 ? 1 : null;
  const drownedLater = Object.values(state.drowned_in).filter((deal) => deal > state.drowned_in[seat]);
  return 1 + state.still_in.length + drownedLater.length;
}

function missing(state) {
  if (state.still_in.length === 1 || state.ranked !== null) return null;
  return { code: "no_winner_yet", params: { left: state.still_in.length } };
}

function results(ruleset, seats, state) {
  return seats.map((seat_number) => {
    const rank = rankOf(state, seat_number);
    const counts = { schnauz: state.schnauz[seat_number], feuer: state.feuer[seat_number] };
    return {
      seat_number,
      rank,
      points: rank === null ? null : ruleset.points[Math.min(rank, ruleset.points.length) - 1],
      strokes: counts.schnauz + counts.feuer,
      counts,
    };
  });
}

/* -- Small things ------------------------------------------------------------------------------------------------- */

function refuse(code, params = {}) {
  throw { code, params };
}

function isMapping(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function ascending(numbers) {
  return [...numbers].sort((a, b) => a - b);
}

function bySeat(seats, value) {
  return Object.fromEntries(seats.map((seat) => [seat, value(seat)]));
}
