/* What the page says after a check: that all is right or what is not, what was checked, what differs from an older record. */

import { element, listOf } from "./elements.js";

const MOST_DIFFERENCES = 50;
const COUNTED = [
  ["draws", "draws"],
  ["lots", "lots"],
  ["sheets", "sheets"],
  ["entries", "entries_counted"],
  ["commitments", "commitments_counted"],
  ["marks", "marks_counted"],
];
const ALWAYS = ["draws", "sheets", "entries"];

export function notice(kind, ...inside) {
  return element("div", { class: "notice", "data-kind": kind }, element("div", {}, ...inside));
}

/** of: which record it was. */
export function rightNotice(words, { unchecked, details, ...counts }, of) {
  const counted = COUNTED.filter(([name]) => counts[name] || ALWAYS.includes(name));
  const what = counted.map(([name, key]) => words.say(key, { count: counts[name] })).join(", ");
  const title = element("p", { class: "notice__title" }, words.say(unchecked.length ? "right_else" : "right", { what }));
  const frozen = details.isFrozen ? element("p", {}, words.say("frozen")) : null;
  return notice("success", title, element("p", {}, of), frozen);
}

/** Where something is wrong and what it should be, then its path. */
export function sentencesOf(words, { failure, place, path, ...wrong }) {
  if (failure) return [words.say("failed", { what: failure })];
  const where = words.place(place);
  return [where ? `${where}: ${words.explain(wrong)}` : words.explain(wrong), path];
}

/* -- What was checked ---------------------------------------------------------------------------------------------- */

export function doneList(words, { rounds, sheets, lots }) {
  const draws = rounds.flatMap(({ number, attempts }) =>
    attempts.filter(({ seed }) => seed !== null).map((attempt) => drawLine(words, number, attempt)),
  );
  const tables = rounds
    .map(({ number }) => [number, sheets.filter(({ round }) => round === number).length])
    .filter(([, count]) => count)
    .map(([round, count]) => words.say("tables_line", { round, sheets: words.say("sheets", { count }) }));
  const ofLots = lots.map(({ order, seed }) => [
    words.say("lot_line", { players: order.join(", ") }),
    more(words.say("seed", { seed })),
  ]);
  return listOf([...draws, ...tables, ...ofLots]);
}

/** said: what the hall called out. seal: the commitment to the draw; null if there was none. */
function drawLine(words, round, { number: attempt, seed, changes, words: said, seal }) {
  const called = said ? words.say("words_said", { words: said }) : words.say("no_words");
  const ceremony = seal ? [words.say("seal", { seal }), called] : [words.say("no_seal")];
  const byHand = changes ? words.say("changed_by_hand", { count: changes }) : null;
  const parts = [...ceremony, words.say("seed", { seed }), byHand];
  return [words.say("draw_line", { round, attempt }), more(parts.filter(Boolean).join(", "))];
}

function more(text) {
  return element("small", { class: "check-more" }, text);
}

export function uncheckedList(words, unchecked) {
  return listOf(unchecked.map(({ code, ...params }) => words.say(code, params)));
}

/* -- An older record ----------------------------------------------------------------------------------------------- */

export function differencesNotice(words, found) {
  const title = (text) => element("p", { class: "notice__title" }, text);
  if (!found.length) return notice("success", title(words.say("same")));
  const lines = found.slice(0, MOST_DIFFERENCES).map(({ code, place, ...params }) => {
    const where = words.place(place);
    return where ? `${where}: ${words.say(code, params)}` : words.say(code, params);
  });
  if (found.length > MOST_DIFFERENCES) lines.push(words.say("more"));
  return notice("error", title(words.say("different", { count: found.length })), listOf(lines));
}

export function notCompared(words, wrong) {
  if (wrong.failure) return notice("warning", element("p", {}, ...sentencesOf(words, wrong)));
  return notice("error", element("p", {}, words.say("not_compared", { sentence: sentencesOf(words, wrong)[0] })));
}
