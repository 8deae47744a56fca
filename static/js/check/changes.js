/* Changes by hand to drawn tables: "Changes by hand" in docs/protocol.md. */

import { refuse } from "./refusal.js";

const MOST_SEATS = 12;
const NUMBERS = new Map([
  ["swap", ["a", "b"]],
  ["left", ["player"]],
  ["joined", ["player", "table"]],
  ["moved", ["player", "table"]],
  ["replaced", ["player", "substitute"]],
  ["taken_back", ["changes"]],
]);

/** The tables after all changes. Throws {code, params} of the first impossible one; nothing given is changed. */
export function applyChanges(tables, changes) {
  return standing(changes).reduce((before, change) => EFFECTS[change.kind](before, change), tables);
}

/** The changes that have not been taken back. */
function standing(changes) {
  for (const change of changes) {
    const known = NUMBERS.get(change.kind)?.every((key) => Number.isInteger(change[key]));
    if (!known) refuse("unknown_change", { kind: change.kind ?? null });
  }
  const stand = [];
  for (const change of changes) {
    if (change.kind !== "taken_back") {
      stand.push(change);
    } else {
      if (change.changes < 1 || change.changes > stand.length) refuse("nothing_to_take_back");
      stand.length -= change.changes;
    }
  }
  return stand;
}

const EFFECTS = {
  swap(tables, { a, b }) {
    if (a === b) refuse("same_player");
    mustSit(tables, a);
    mustSit(tables, b);
    const inPlaceOf = new Map([[a, b], [b, a]]);
    return tables.map((table) => table.map((player) => inPlaceOf.get(player) ?? player));
  },

  left(tables, { player }) {
    mustSit(tables, player);
    return tables.map((table) => table.filter((other) => other !== player));
  },

  joined(tables, { player, table }) {
    mustNotSit(tables, player);
    const joined = tables[table - 1];
    if (!joined) refuse("unknown_table", { table });
    if (joined.length >= MOST_SEATS) refuse("table_full", { table });
    return tables.map((seats) => (seats === joined ? [...seats, player] : seats));
  },

  moved(tables, { player, table }) {
    mustSit(tables, player);
    if (tables[table - 1]?.includes(player)) refuse("same_table", { table });
    return EFFECTS.joined(EFFECTS.left(tables, { player }), { player, table });
  },

  replaced(tables, { player, substitute }) {
    mustSit(tables, player);
    mustNotSit(tables, substitute);
    return tables.map((table) => table.map((other) => (other === player ? substitute : other)));
  },
};

function mustSit(tables, player) {
  if (!tables.some((table) => table.includes(player))) refuse("not_at_a_table", { start_number: player });
}

function mustNotSit(tables, player) {
  if (tables.some((table) => table.includes(player))) refuse("already_at_a_table", { start_number: player });
}
