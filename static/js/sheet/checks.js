/* What entries of every kind are checked with: mirrors scoring/core/entries.py. */

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Cs}/u;
const BLANK = "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
const OUTER_BLANKS = new RegExp(`^${BLANK}|${BLANK}$`, "g");

let limits = null;

/** What an entry may hold, as the server says it with the page: {longest_text, largest_value}. Called once, before any check. */
export function setLimits(told) {
  limits = told;
}

export function canonicalId(value, name) {
  if (typeof value !== "string" || !UUID.test(value.toLowerCase())) refuse("bad_entry", { field: name });
  return value.toLowerCase();
}

export function exactKeys(data, needed, optional = []) {
  if (!isMapping(data)) refuse("bad_entry", { field: "data" });
  const absent = needed.find((key) => !Object.hasOwn(data, key));
  if (absent) refuse("bad_entry", { field: `data.${absent}` });
  const unknown = Object.keys(data).filter((key) => !needed.includes(key) && !optional.includes(key)).sort();
  if (unknown.length) refuse("bad_entry", { field: `data.${[...unknown[0]].slice(0, 40).join("")}` });
  return Object.fromEntries(Object.entries(data).filter(([key, value]) => value !== null || needed.includes(key)));
}

export function knownSeat(value, seats, name) {
  if (!Number.isInteger(value)) refuse("bad_entry", { field: name });
  if (!seats.includes(value)) refuse("unknown_seat", { seat: value });
  return value;
}

function stripped(text) {
  return text.replace(OUTER_BLANKS, "");
}

export function freeText(value, name) {
  if (typeof value !== "string") refuse("bad_entry", { field: name });
  const text = stripped(value);
  const length = [...text].length;
  if (length < 1 || length > limits.longest_text || UNPRINTABLE.test(text)) {
    refuse("bad_text", { field: name, longest: limits.longest_text });
  }
  return text;
}

export function reason(given) {
  const text = given.reason ?? null;
  if (text === null || (typeof text === "string" && !stripped(text))) return {};
  return { reason: freeText(text, "data.reason") };
}

export function neededReason(given) {
  const known = reason(given);
  return "reason" in known ? known : refuse("reason_needed");
}

/** A whole number for every seat of this table, in their order. */
export function wholeBySeat(values, seats, name) {
  if (!isMapping(values) || !Object.values(values).every(Number.isInteger)) refuse("bad_entry", { field: name });
  if (!isOfSeats(values, seats)) refuse("seats_incomplete");
  if (Object.values(values).some((value) => Math.abs(value) > limits.largest_value)) refuse("bad_entry", { field: name });
  return bySeat(seats, (seat) => values[seat]);
}

export function refuse(code, params = {}) {
  throw { code, params };
}

export function isMapping(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function ascending(numbers) {
  return [...numbers].sort((a, b) => a - b);
}

export function bySeat(seats, value) {
  return Object.fromEntries(seats.map((seat) => [seat, value(seat)]));
}

/** Whether these are the seats' keys, all of them and no other. */
export function isOfSeats(values, seats) {
  return Object.keys(values).length === seats.length && seats.every((seat) => Object.hasOwn(values, String(seat)));
}

/** The rank of each key, the greatest first: 1 + the number of greater ones. */
export function competitionRanks(keys) {
  return keys.map((key) => 1 + keys.filter((other) => other > key).length);
}
