/* Places of a record for people: $.rounds[1].tables[2].entries[3] is round 2, table 3, entry 4. */

const STEP = /\.(\w+)(?:\[(\d+)\])?/g;
const PARTS = ["draw", "standings"];
const NUMBERS = {
  participants: "start_number",
  rounds: "number",
  abandoned: "attempt",
  tables: "number",
  seats: "seat_number",
  commitments: "number",
  rows: "start_number",
};
const LISTS = [...Object.keys(NUMBERS), "changes", "wishes", "history", "entries", "decisions", "by_round", "marks"];

/** The parts of a path as {key, number}; the number is the one that the record gives, or the place in its list. */
export function placeOf(path, record) {
  const parts = [];
  let value = record;
  for (const [, name, index] of path.matchAll(STEP)) {
    value = value?.[name];
    if (index !== undefined) value = value?.[index];
    if (PARTS.includes(name)) parts.push({ key: name });
    else if (LISTS.includes(name) && index !== undefined) {
      const given = value?.[NUMBERS[name]];
      parts.push({ key: name, number: Number.isInteger(given) ? given : Number(index) + 1 });
    }
  }
  return parts;
}
