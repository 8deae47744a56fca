/* Steps 2 to 4 of a draw: all players take seats. */

import { refuse } from "./refusal.js";

const MOST_STEPS = 20_000;

/** The list of players of each table. */
export function seatAll(known, stream) {
  const tables = known.sizes.map(() => []);
  for (const [player, table] of known.fixed) tables[table].push(player);
  seatApart(tables, known, stream);
  seatOthers(tables, known);
  return tables;
}

/* -- Players to be kept apart -------------------------------------------------------------------------------------- */

function seatApart(tables, { sizes, fixed, lists }, stream) {
  const players = [...lists.keys()].filter((player) => !fixed.has(player));
  players.sort((a, b) => lists.get(b).length - lists.get(a).length || a - b);
  const taken = []; // the table of each player seated so far
  const trials = []; // of each of them, and of the player whose turn it is
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const turn = taken.length;
    if (turn === players.length) return;
    trials[turn] = trials[turn] ?? possibleTables(players[turn], tables, sizes, lists, stream);
    const { value: table, done } = trials[turn].next();
    if (!done) {
      tables[table].push(players[turn]);
      taken.push(table);
    } else {
      if (turn === 0) break;
      trials.pop();
      tables[taken.pop()].pop();
    }
  }
  refuse("wishes_impossible");
}

/** The tables that a player tries, one at a time: in between, those who follow are seated and taken away again. */
function* possibleTables(player, tables, sizes, lists, stream) {
  const first = stream.below(tables.length);
  const tried = new Set();
  for (let further = 0; further < tables.length; further += 1) {
    const number = (first + further) % tables.length;
    const table = tables[number];
    if (table.length === sizes[number] || lists.get(player).some((other) => table.includes(other))) continue;
    const alike = `${sizes[number]} ${table.length}`;
    if (!table.some((other) => lists.has(other))) {
      if (tried.has(alike)) continue;
      tried.add(alike);
    }
    yield number;
  }
}

/* -- All others ---------------------------------------------------------------------------------------------------- */

function seatOthers(tables, { sizes, sat, startNumbers }) {
  const seated = new Set(tables.flat());
  let waiting = [...startNumbers.keys()].filter((player) => !seated.has(player));
  for (const size of byFrequency(sizes)) {
    const ofThisSize = tables.filter((_, number) => sizes[number] === size);
    const free = ofThisSize.reduce((sum, table) => sum + size - table.length, 0);
    if (free < waiting.length) {
      const others = [...sat].filter(([other]) => other !== size).map(([, times]) => times);
      const more = (player) => sat.get(size)[player] - Math.max(...others.map((times) => times[player]));
      waiting.sort((a, b) => more(a) - more(b));
    }
    const coming = waiting.slice(0, free).sort((a, b) => a - b);
    waiting = waiting.slice(free);
    for (const table of ofThisSize) table.push(...coming.splice(0, size - table.length));
  }
}

/** The sizes, that of the fewest tables first; among equals the smaller one. */
function byFrequency(sizes) {
  const tables = new Map();
  for (const size of sizes) tables.set(size, (tables.get(size) ?? 0) + 1);
  return [...tables.keys()].sort((a, b) => tables.get(a) - tables.get(b) || a - b);
}
