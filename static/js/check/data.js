/* The form of an entry's data: "Form of the data" in docs/protocol.md. Nothing in it is trusted. */

import { refuse } from "./refusal.js";

const LARGEST = 1_000_000;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object with exactly these keys; one of those in `optional` may be missing. */
export function exactKeys(data, needed, optional = []) {
  if (!isObject(data)) refuse("bad_entry");
  const known = (key) => needed.includes(key) || optional.includes(key);
  if (!needed.every((key) => Object.hasOwn(data, key)) || !Object.keys(data).every(known)) refuse("bad_entry");
  return data;
}

/** The id of an entry, in lower case. */
export function entryId(value) {
  const id = typeof value === "string" ? value.toLowerCase() : "";
  if (!UUID.test(id)) refuse("bad_entry");
  return id;
}

/** A seat of the table. */
export function knownSeat(value, seatCount) {
  if (!Number.isInteger(value)) refuse("bad_entry");
  if (value < 1 || value > seatCount) refuse("unknown_seat");
  return value;
}

/** A whole number for each seat, as a list in the order of the seats. missing: the code if seats are not those of the table. */
export function wholeBySeat(values, seatCount, missing = "seats_incomplete") {
  if (!isObject(values) || !Object.values(values).every(Number.isInteger)) refuse("bad_entry");
  const seats = seatsOf(seatCount);
  const isComplete = seats.every((seat) => Object.hasOwn(values, seat));
  if (!isComplete || Object.keys(values).length !== seatCount) refuse(missing);
  return seats.map((seat) => values[seat]);
}

/** The same, none of them beyond a million. */
export function sumsBySeat(values, seatCount) {
  const numbers = wholeBySeat(values, seatCount);
  if (numbers.some((number) => Math.abs(number) > LARGEST)) refuse("bad_entry");
  return numbers;
}

export function seatsOf(seatCount) {
  return Array.from({ length: seatCount }, (_, index) => index + 1);
}

export function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

/** The ranks of numbers, the greatest first: 1 and the number of greater ones. */
export function ranksOf(numbers) {
  return numbers.map((own) => 1 + numbers.filter((other) => other > own).length);
}
