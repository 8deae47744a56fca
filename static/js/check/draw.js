/* The draw of a round and the lot between equal players, computed again: "Lots" and "Draws" in docs/protocol.md.

   What is impossible is thrown as {code, params}. Nothing given is changed. */

import { makeExchanges } from "./exchanges.js";
import { goalOf } from "./goal.js";
import { whatIsKnown } from "./known.js";
import { refuse } from "./refusal.js";
import { seatAll } from "./seats.js";
import { Seating } from "./seating.js";
import { spreadEvenly } from "./spread.js";
import { streamOf } from "./stream.js";
import { checkKinds, granted } from "./wishes.js";

export { applyChanges } from "./changes.js";

const MODES = new Map([[1, ["random"]], [2, ["random", "few_repeats"]]]);

/** The start numbers of equal players, best first. */
export function lot(seed, players) {
  return streamOf(seed).shuffled(ascending(players));
}

/** The tables of a round, each the start numbers in the order of the seats. */
export function draw({ version, mode, seed, players, sizes, history = [], wishes = [] }) {
  checkKinds(wishes);
  if (!MODES.get(version)?.includes(mode) || (version === 1 && wishes.length)) refuse("unknown_draw", { version, mode });
  const inOrder = ascending(players);
  checkSeats(inOrder, sizes);
  const { fixed, apart } = granted(wishes, inOrder, sizes);
  const stream = streamOf(seed);
  if (mode === "random" && !wishes.length) return dealt(stream.shuffled(inOrder), sizes);

  const rounds = mode === "random" ? [] : history;
  const known = whatIsKnown(stream, { players: inOrder, sizes, history: rounds, fixed, apart });
  const seating = new Seating(known, seatAll(known, stream));
  if (mode === "few_repeats" && sizes.length > 1) {
    const goal = goalOf(seating);
    if (!wishes.length && known.areEven) spreadEvenly(seating);
    makeExchanges(seating, goal, stream);
  }
  const lists = wishes.length ? seating.tables.map((table) => stream.shuffled(table)) : seating.tables;
  return lists.map((list) => scribeFirst(list, known.written).map((player) => known.startNumbers[player]));
}

function ascending(numbers) {
  return [...numbers].sort((a, b) => a - b);
}

function checkSeats(players, sizes) {
  const twice = players.find((player, place) => player === players[place + 1]);
  if (twice !== undefined) refuse("player_twice", { start_number: twice });
  const seats = sizes.reduce((sum, size) => sum + size, 0);
  if (seats !== players.length || !sizes.every((size) => Number.isInteger(size) && size >= 1)) {
    refuse("sizes_do_not_match", { players: players.length, seats });
  }
}

function dealt(players, sizes) {
  let taken = 0;
  return sizes.map((size) => players.slice(taken, (taken += size)));
}

function scribeFirst(list, written) {
  const least = Math.min(...list.map((player) => written[player]));
  const scribe = list.find((player) => written[player] === least);
  return [scribe, ...list.filter((player) => player !== scribe)];
}
