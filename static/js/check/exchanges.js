/* Step 6 of a draw: players exchange their seats as long as that lowers the cost. */

import { NONE } from "./seating.js";

const MOST_LOOKED_AT = 100;
const PATIENCE = 150;
const PATIENCE_WITH_REPEATS = 600;

/** Gives a seating the lists with the lowest cost that is found. */
export function makeExchanges(seating, goal, stream) {
  const { thrice } = seating.weights;
  const search = { seating, goal, stream, cost: seating.cost(), turn: 0, barred: new Map(), trouble: firstTrouble(seating) };
  search.lowest = search.cost;
  let best = seating.tables.map((table) => [...table]);
  let reachedIn = 0;
  const isPatient = () => search.turn - reachedIn < (search.lowest - goal < thrice ? PATIENCE : PATIENCE_WITH_REPEATS);
  while (search.lowest > goal && isPatient()) {
    search.turn += 1;
    takeTurn(search);
    if (search.cost < search.lowest) {
      search.lowest = search.cost;
      reachedIn = search.turn;
      best = seating.tables.map((table) => [...table]);
    }
  }
  best.forEach((players, table) => seating.seat(table, players));
}

/** The tables in trouble before the first turn, in the order in which they are found. */
function firstTrouble({ known, tables, tableOf }) {
  const found = new Set();
  for (const { tableOf: earlier, at } of known.rounds) {
    tableOf.forEach((table, player) => {
      const companions = at[earlier[player]] ?? [];
      if (companions.some((other) => other !== player && tableOf[other] === table)) found.add(table);
    });
  }
  known.inOrder.forEach((player, place, all) => {
    if (tableOf[player] === tableOf[all[(place + 1) % all.length]]) found.add(tableOf[player]);
  });
  tables.forEach((players, table) => {
    if (players.every((player) => known.written[player] > 0)) found.add(table);
  });
  return found;
}

function takeTurn(search) {
  const { seating, stream, barred, trouble } = search;
  const p = mover(search);
  if (p === undefined) return;
  const choice = partner(search, p);
  if (!choice) return;
  for (const player of [p, choice.q]) {
    barred.set(`${player} ${seating.tableOf[player]}`, search.turn + 2 + stream.below(2));
  }
  seating.exchange(p, choice.q);
  search.cost += choice.growth;
  for (const table of [seating.tableOf[p], seating.tableOf[choice.q]]) {
    trouble.delete(table);
    if (seating.isInTrouble(table)) trouble.add(table);
  }
}

/* -- Who moves ----------------------------------------------------------------------------------------------------- */

function mover({ seating, goal, stream, cost, trouble }) {
  const { weights, known, tables } = seating;
  const excess = cost - goal;
  const onlySizes = weights.size <= excess && excess < weights.scribe;
  let candidates;
  if (onlySizes && (!trouble.size || stream.below(2) === 1)) {
    candidates = misplaced(seating);
  } else {
    const table = trouble.size ? [...trouble][stream.below(trouble.size)] : stream.below(tables.length);
    const strained = seating.strained(table);
    candidates = strained.length ? strained : tables[table];
  }
  const free = candidates.filter((player) => !known.fixed.has(player));
  return free.length ? free[stream.below(free.length)] : undefined;
}

/** Players for whom a table of another size would be fairer; of the two sizes that most tables have. */
function misplaced({ known, tables }) {
  const { sizes, sat } = known;
  const [y, z] = mostFrequent(sizes);
  const v = (player) => sat.get(z)[player] - sat.get(y)[player];
  const atY = tables.filter((_, table) => sizes[table] === y).flat();
  const atZ = tables.filter((_, table) => sizes[table] === z).flat();
  const [largest, smallest] = [Math.max(...atZ.map(v)), Math.min(...atY.map(v))];
  return [...atY.filter((player) => v(player) < largest), ...atZ.filter((player) => v(player) > smallest)];
}

function mostFrequent(sizes) {
  const times = (size) => sizes.filter((other) => other === size).length;
  return [...new Set(sizes)].sort((a, b) => times(b) - times(a) || a - b).slice(0, 2);
}

/* -- With whom ----------------------------------------------------------------------------------------------------- */

function partner(search, p) {
  const { seating, stream, barred, turn } = search;
  const { known, tableOf } = seating;
  const isLarge = tableOf.length > MOST_LOOKED_AT;
  const here = tableOf[p];
  const paid = seating.strainOf(p) + seating.costOfScribe(here);
  const mayReturn = (player, table) => (barred.get(`${player} ${table}`) ?? 0) <= turn;
  let choice = null;
  for (const q of partners(tableOf.length, isLarge, stream)) {
    if (tableOf[q] === here || known.fixed.has(q)) continue;
    const growth = seating.growth(p, q);
    if (choice && growth >= choice.growth) continue;
    const isRecord = search.cost + growth < search.lowest;
    if (!isRecord && !(mayReturn(p, tableOf[q]) && mayReturn(q, here))) continue;
    choice = { q, growth };
    if (isLarge && paid > NONE && growth <= -paid) break;
  }
  return choice;
}

/** The players in the order in which they are looked at. */
function* partners(players, isLarge, stream) {
  if (isLarge) {
    for (let looked = 0; looked < MOST_LOOKED_AT; looked += 1) yield stream.below(players);
  } else {
    const first = stream.below(players);
    for (let further = 0; further < players; further += 1) yield (first + further) % players;
  }
}
