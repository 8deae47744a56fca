/* Step 1 of a draw: the numbers that the players get by lot, and what is known about them, by these numbers. */

import { refuse } from "./refusal.js";

/** players: start numbers, ascending. fixed, apart: as `granted` gives them.

   The answer: `startNumbers` of the players; `inOrder`, the players in the order of their start numbers; `neighbours` of each;
   `written`, how many times each was scribe; `sat`, for each size, how many times each sat at such a table; `rounds`, the earlier
   ones, each with the table of each player, `tableOf` (-1: none), and the players of each table, `at`, ascending; `largest`, the
   number of players at the largest table of all of them; `fixed` tables and `lists` of players with wishes. */
export function whatIsKnown(stream, { players, sizes, history, fixed, apart }) {
  const places = stream.shuffled(players.keys());
  const startNumbers = places.map((place) => players[place]);
  const numberOf = new Map(startNumbers.map((startNumber, player) => [startNumber, player]));
  const inOrder = players.map((startNumber) => numberOf.get(startNumber));
  const tables = history.flat();
  const ofSize = (size) => tables.filter((table) => table.length === size);
  return {
    sizes,
    areEven: Math.max(...sizes) - Math.min(...sizes) <= 1,
    startNumbers,
    inOrder,
    neighbours: neighboursIn(inOrder),
    rounds: history.map((tables) => earlierRound(tables, numberOf)),
    largest: tables.reduce((most, table) => Math.max(most, table.length), 0),
    written: timesAt(tables.map((table) => table.slice(0, 1)), numberOf),
    sat: new Map([...new Set(sizes)].map((size) => [size, timesAt(ofSize(size), numberOf)])),
    fixed: new Map([...fixed].map(([startNumber, table]) => [numberOf.get(startNumber), table])),
    lists: listsOf(apart, numberOf),
  };
}

function neighboursIn(inOrder) {
  const neighbours = [];
  inOrder.forEach((player, place) => {
    neighbours[player] = [inOrder.at(place - 1), inOrder[(place + 1) % inOrder.length]];
  });
  return neighbours;
}

function earlierRound(tables, numberOf) {
  const tableOf = new Array(numberOf.size).fill(-1);
  tables.forEach((table, index) => {
    for (const startNumber of table.filter((one) => numberOf.has(one))) {
      const player = numberOf.get(startNumber);
      if (tableOf[player] >= 0) refuse("player_twice", { start_number: startNumber });
      tableOf[player] = index;
    }
  });
  const at = tables.map(() => []);
  tableOf.forEach((table, player) => at[table]?.push(player));
  return { tableOf, at };
}

/** How many times each player is at one of these tables. */
function timesAt(tables, numberOf) {
  const times = new Array(numberOf.size).fill(0);
  for (const startNumber of tables.flat()) {
    if (numberOf.has(startNumber)) times[numberOf.get(startNumber)] += 1;
  }
  return times;
}

/** For each player who is to be kept apart from others: from whom. */
function listsOf(apart, numberOf) {
  const lists = new Map();
  for (const pair of apart) {
    const [one, other] = pair.map((startNumber) => numberOf.get(startNumber));
    lists.set(one, [...(lists.get(one) ?? []), other]);
    lists.set(other, [...(lists.get(other) ?? []), one]);
  }
  return lists;
}
