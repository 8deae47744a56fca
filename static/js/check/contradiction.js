/* A contradiction: the first thing in a record that is not right, as {path, code, params}. The page puts it into words. */

const LONGEST = 300;

/** path: as in $.rounds[0].tables[2].mark. code: of the sentence. params: what the sentence names. */
export class Contradiction {
  constructor(path, code, params = {}) {
    Object.assign(this, { path, code, params });
  }
}

/** The contradiction of a place that has another value than it should have. */
export function shouldBe({ path, value }, expected, code = "should_be") {
  return new Contradiction(path, code, { found: shown(value), expected: shown(expected) });
}

/** A value as a record writes it, cut where it is long. */
export function shown(value) {
  const text = JSON.stringify(value) ?? "null";
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)} …`;
}

/** Whether two JSON values are the same, with the keys in the same order; true is not 1. */
export function isSame(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}
