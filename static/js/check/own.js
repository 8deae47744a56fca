/* "Ich": the own way through a record that is right: the seat in each draw, the points entry by entry. */

import { element } from "./elements.js";

const COLUMNS = [
  ["lives", "lives_left"],
  ["points", "points"],
  ["strokes", "strokes"],
];

/** What a record says of a player. details: as `checkRecord` gives them. */
export function ownWay(details, player, words) {
  const seats = details.rounds.flatMap(({ number, tables }) =>
    tables
      .filter(({ players }) => players.includes(player))
      .map((table) => ({ round: number, table: table.number, seat: table.players.indexOf(player) + 1 })),
  );
  if (!seats.length) return [element("p", {}, words.say("my_nothing"))];
  const row = details.rows.find(({ start_number }) => start_number === player);
  return [row ? standing(row, details, words) : null, ...seats.map((seat) => wayOf(seat, details, words))].filter(Boolean);
}

function standing({ rank, points }, { isKnockout }, words) {
  const key = isKnockout ? "my_rank_round" : "my_rank";
  return element("p", { class: "check-rank" }, words.say(key, { rank, points: signed(points) }));
}

function wayOf(seat, { sheets }, words) {
  const sheet = sheets.find(({ round, table }) => round === seat.round && table === seat.table);
  const title = element("h3", {}, words.say("my_seat", seat));
  const inside = sheet ? entriesOf(sheet, seat.seat - 1, words) : element("p", { class: "soft" }, words.say("my_no_sheet"));
  return element("div", { class: "stack stack--tight" }, title, inside);
}

function entriesOf(sheet, seat, words) {
  const summary = element("summary", {}, words.say("my_entries", { mark: sheet.mark }));
  const body = element("div", { class: "disclosure__body" }, tableOf(sheet, seat, words));
  return element("details", { class: "disclosure" }, summary, body);
}

function tableOf({ entries }, seat, words) {
  const columns = COLUMNS.filter(([, key]) => entries.some(({ results }) => (results[seat][key] ?? null) !== null));
  const head = columns.map(([word]) => element("th", { class: "num", scope: "col" }, words.say(word)));
  const rows = entries.map(({ kind, results }, index) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, `${index + 1}. ${words.say(`kind_${kind}`)}`),
      columns.map(([, key]) => element("td", { class: "num" }, signed(results[seat][key] ?? "–"))),
    ),
  );
  const header = element("thead", {}, element("tr", {}, element("th", { scope: "col" }, words.say("entry")), head));
  return element("table", { class: "table table--compact" }, header, element("tbody", {}, rows));
}

function signed(value) {
  return String(value).replace("-", "−");
}
