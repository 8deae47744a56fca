/* The check of a record by Node.js: `node static/js/check/command_line.js FILE`, - for standard input.
   The exit status is 1 for a record that is not right, 2 for a file that cannot be read. */

import { readFileSync } from "node:fs";
import process from "node:process";

import { checkRecord } from "./record.js";

const COUNTS = ["draws", "lots", "sheets", "entries", "commitments", "marks"];
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A code and what it names, such as `should be (found: null, expected: 3)`. */
function sentence(code, params) {
  const told = Object.entries(params).map(([name, value]) => `${name}: ${value}`);
  return `${code.replaceAll("_", " ")}${told.length ? ` (${told.join(", ")})` : ""}`;
}

function verdict(text) {
  try {
    const { unchecked, details: _, ...counts } = checkRecord(text);
    const lines = unchecked.map(({ code, ...params }) => `cannot be repeated: ${sentence(code, params)}`);
    return [...lines, `right: ${COUNTS.map((name) => `${counts[name]} ${name}`).join(", ")}`];
  } catch (wrong) {
    if (!wrong.path) throw wrong;
    process.exitCode = 1;
    return [`${wrong.path}: ${sentence(wrong.code, wrong.params)}`];
  }
}

function textOf(file) {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    console.error(file ? error.message : "Which file? Say its name, or - for standard input.");
    return process.exit(2);
  }
}

for (const line of verdict(textOf(process.argv[2]))) console.log(line.replace(UNPRINTABLE, "\uFFFD"));
