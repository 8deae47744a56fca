/* Canonical text, digests and marks: "Canonical text", "Table sheets", "Marks" and "Rounds" in docs/protocol.md. */

import { bytesOf, sha256 } from "./sha256.js";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BITS = 5;
const MARK = 8; // letters
const SPOKEN = 32;

const encoder = new TextEncoder();

/** The only text of a JSON value. Numbers are whole. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort(byCodePoints);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}

/* The units of UTF-16, by which texts are compared, are in another order where characters need two of them. */
function byCodePoints(one, other) {
  const [a, b] = [[...one], [...other]];
  const place = a.findIndex((character, index) => character !== b[index]);
  if (place < 0) return a.length - b.length;
  return place < b.length ? a[place].codePointAt(0) - b[place].codePointAt(0) : 1;
}

export function hexOf(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The digest of bytes, in hexadecimal digits, followed by a text. */
export function digestOf(digits, text) {
  const [before, after] = [bytesOf(digits), encoder.encode(text)];
  const bytes = new Uint8Array(before.length + after.length);
  bytes.set(before);
  bytes.set(after, before.length);
  return hexOf(sha256(bytes));
}

export function digestOfValue(value, before = "") {
  return digestOf(before, canonical(value));
}

/** The digest of a sheet before its first entry. players: start numbers, in the order of the seats. */
export function firstDigest(round, table, players) {
  return digestOfValue({ round, table, players });
}

/** The digest of an entry of a record. */
export function nextDigest(before, { by, data, id, kind, made_at }) {
  return digestOfValue({ by, data, id, kind, made_at }, before);
}

/** The mark of a digest, for people to compare. */
export function markOf(digest) {
  return lettersOf(digest, MARK);
}

/** The groups of four letters by which people compare a commitment. */
export function groupsOf(digest) {
  return lettersOf(digest, SPOKEN).match(/.{4}/g).join(" ");
}

function lettersOf(digest, letters) {
  const bits = [...digest].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
  const fives = Array.from({ length: letters }, (_, place) => bits.slice(place * BITS, (place + 1) * BITS));
  return fives.map((five) => ALPHABET[Number.parseInt(five, 2)]).join("");
}
