/* Two records of one tournament: whether what an older one says is still there, unchanged. */

import { shown } from "./contradiction.js";
import { canonical } from "./digests.js";
import { parse } from "./json.js";
import { checking } from "./record.js";

const KEPT = ["round", "attempt", "digest", "made_at"];
const OF_AN_ATTEMPT = ["version", "mode", "seed", "players", "sizes", "history", "wishes", "made_at"];
const ADDED_ONCE = ["words", "words_at", "replaced_at", "secret"];

/** The differences of a record, which is right, from an older one, which is checked: {code, place, found, expected}. */
export function* comparing(older, now) {
  yield* checking(older);
  return compared(parse(older), parse(now));
}

function compared(older, now) {
  const then = older.tournament.slug;
  if (then !== now.tournament.slug) return [{ code: "other_tournament", place: [], found: shown(then) }];
  return [...commitments(older, now), ...marks(older, now), ...rounds(older, now), ...decisions(older, now)];
}

const byKey = (list, key) => new Map(list.map((item) => [item[key], item]));
const isKept = (found, expected) => canonical(found ?? null) === canonical(expected ?? null);

/* -- What differs -------------------------------------------------------------------------------------------------- */

function gone(place, code = "gone") {
  return { code, place };
}

function changed(place, found, expected) {
  return { code: "changed", place, found: shown(found ?? null), expected: shown(expected ?? null) };
}

/* -- Part by part -------------------------------------------------------------------------------------------------- */

/** Words, secrets and the end of a commitment come later; what is there once stays. */
function* commitments(older, now) {
  const list = byKey(now.commitments ?? [], "number");
  for (const one of older.commitments ?? []) {
    const place = [{ key: "commitments", number: one.number }];
    const other = list.get(one.number);
    if (!other) yield gone(place);
    else for (const key of [...KEPT, ...ADDED_ONCE, "value"]) yield* kept(place, key, one, other);
  }
}

/** A value that was open before may be anything. */
function* kept(place, key, one, other) {
  const isOpen = !KEPT.includes(key) && (one[key] ?? null) === null;
  if (!isOpen && !isKept(other[key], one[key])) yield changed(place, one[key], other[key]);
}

function* marks(older, now) {
  for (const [index, one] of (older.marks ?? []).entries()) {
    const place = [{ key: "marks", number: index + 1 }];
    const other = (now.marks ?? [])[index];
    if (!other) yield gone(place);
    else if (!isKept(other.digest, one.digest)) yield changed(place, one.digest, other.digest);
  }
}

function* rounds(older, now) {
  const list = byKey(now.rounds, "number");
  for (const one of older.rounds) {
    const place = [{ key: "rounds", number: one.number }];
    const other = list.get(one.number);
    if (!other) {
      yield gone(place);
      continue;
    }
    yield* attempts(place, one, other);
    yield* sheets(place, one, other);
  }
}

const attemptsOf = ({ draw }) => (draw ? [...draw.abandoned, draw] : []);

function* attempts(round, one, other) {
  const list = byKey(attemptsOf(other), "attempt");
  for (const attempt of attemptsOf(one)) {
    const place = [...round, { key: "draw" }];
    const now = list.get(attempt.attempt);
    if (!now) {
      yield gone(place);
      continue;
    }
    for (const key of OF_AN_ATTEMPT) {
      if (!isKept(now[key], attempt[key])) yield changed(place, attempt[key], now[key]);
    }
    yield* goneOn(place, "changes", attempt.changes, now.changes);
  }
}

function* sheets(round, one, other) {
  const list = byKey(other.tables, "number");
  for (const table of one.tables) {
    const place = [...round, { key: "tables", number: table.number }];
    const [before, entries] = [table.entries, list.get(table.number)?.entries ?? []];
    if (before.length && !entries.length) yield gone(place, "gone_sheet");
    else yield* goneOn(place, "entries", before, entries);
  }
}

/** A list that may only grow at its end. */
function* goneOn(place, key, before, now) {
  for (const [index, item] of before.entries()) {
    const own = [...place, { key, number: index + 1 }];
    if (index >= now.length) yield gone(own);
    else if (!isKept(now[index], item)) yield changed(own, item, now[index]);
  }
}

/** Lots and playoffs; to revoke one adds a moment. A frozen record has only those that count. */
function* decisions(older, now) {
  const plain = ({ kind, order, seed, at }) => canonical({ kind, order, seed, at });
  const known = new Set(now.decisions.map(plain));
  for (const [index, one] of older.decisions.entries()) {
    const isLeftOut = one.revoked_at !== null && now.tournament.frozen_at !== null;
    if (!known.has(plain(one)) && !isLeftOut) yield gone([{ key: "decisions", number: index + 1 }]);
  }
}
