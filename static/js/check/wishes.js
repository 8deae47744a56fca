/* The wishes of a draw: "Wishes" and "Impossible draws" in docs/protocol.md. */

import { refuse } from "./refusal.js";

const NUMBERS = new Map([["keep_apart", ["a", "b"]], ["fixed_table", ["player", "table"]]]);

/** Throws `unknown_wish` if a wish cannot be read. */
export function checkKinds(wishes) {
  for (const wish of wishes) {
    if (!NUMBERS.get(wish.kind)?.every((key) => Number.isInteger(wish[key]))) refuse("unknown_wish");
  }
}

/** The wishes in two: `fixed`, from start numbers to tables, in their order; `apart`, pairs of start numbers.

   Throws the reason if they are impossible. players: start numbers. Tables count from 0 in the answer. */
export function granted(wishes, players, sizes) {
  const here = new Set(players);
  for (const wish of wishes) checkWish(wish, here, sizes);
  const fixed = new Map();
  for (const { player, table } of ofKind(wishes, "fixed_table")) {
    if (fixed.has(player) && fixed.get(player) !== table - 1) refuse("wish_two_tables", { start_number: player });
    fixed.set(player, table - 1);
  }
  const taken = sizes.map(() => 0);
  for (const table of fixed.values()) taken[table] += 1;
  const full = taken.findIndex((players, table) => players > sizes[table]);
  if (full >= 0) refuse("wish_table_full", { table: full + 1, seats: sizes[full] });
  const apart = ofKind(wishes, "keep_apart").map(({ a, b }) => [a, b]);
  const never = apart.find(([a, b]) => fixed.has(a) && fixed.get(a) === fixed.get(b));
  if (never) refuse("wish_apart_at_one_table", { a: never[0], b: never[1], table: fixed.get(never[0]) + 1 });
  return { fixed, apart };
}

function checkWish(wish, here, sizes) {
  const players = wish.kind === "keep_apart" ? [wish.a, wish.b] : [wish.player];
  const missing = players.find((player) => !here.has(player));
  if (missing !== undefined) refuse("wish_not_playing", { start_number: missing });
  if (wish.kind === "keep_apart" && wish.a === wish.b) refuse("same_player");
  if (wish.kind === "fixed_table" && !(wish.table >= 1 && wish.table <= sizes.length)) {
    refuse("unknown_table", { table: wish.table });
  }
}

function ofKind(wishes, kind) {
  return wishes.filter((wish) => wish.kind === kind);
}
