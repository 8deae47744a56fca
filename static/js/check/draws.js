/* The recorded draws, made again: each attempt, its changes by hand, and the earlier rounds that it looked at. */

import { Contradiction, isSame, shown } from "./contradiction.js";
import { applyChanges, draw } from "./draw.js";

/** Checks the draws one after the other, and yields each attempt that is about to be made again.

    rounds: as they are read. Returns {draws, unchecked}: how many were made, and which cannot be. */
export function* checkDraws(rounds, rules) {
  const unchecked = [];
  const past = []; // of each round the seatings that it has had, the last one as it is now; null if some are not public
  let draws = 0;
  for (const round of rounds) {
    if (!round.attempts.length) unchecked.push({ code: "no_draw", round: round.number });
    let seatings = [];
    let isPublic = true;
    for (const attempt of round.attempts) {
      checkHistory(attempt, past);
      const isInForce = attempt === round.attempts.at(-1);
      if (attempt.seed === null) {
        isPublic = false;
        unchecked.push({ code: "private_wish", round: round.number, attempt: attempt.number });
        if (isInForce) checkPlayers(round, attempt);
      } else {
        yield { kind: "draw", round: round.number, attempt: attempt.number };
        draws += 1;
        seatings.push(...madeAgain(attempt));
        if (isInForce) checkTables(round, seatings.at(-1));
      }
    }
    if (!rules.drawn_ahead) [seatings, isPublic] = [[], true];
    past.push(isPublic ? [...seatings.map(laid), seatingOf(round)] : null);
  }
  return { draws, unchecked };
}

/** The tables as drawn, and after each of the changes. */
function madeAgain({ reader, version, mode, seed, players, sizes, history, wishes, changes }) {
  return attempted(reader.path, "draw_impossible", () => {
    const drawn = draw({ version, mode, seed, players, sizes, history, wishes });
    const steps = changes.map((change) => change.step);
    return [drawn, ...steps.map((_, place) => applyChanges(drawn, steps.slice(0, place + 1)))];
  });
}

/** What a function returns; what it refuses is a contradiction. */
function attempted(path, code, make) {
  try {
    return make();
  } catch (refusal) {
    if (!refusal.code) throw refusal;
    throw new Contradiction(path, code, { ...refusal.params, why: refusal.code });
  }
}

/** If rounds are drawn ahead, an earlier round may be in any state that it has had. */
function checkHistory({ reader, mode, history }, past) {
  const place = reader.key("history");
  if (mode === "random" && !history.length) return;
  if (history.length !== past.length) throw place.wrong("history_length", { found: history.length, expected: past.length });
  history.forEach((tables, index) => {
    const found = laid(tables);
    if (!past[index] || past[index].some((seating) => isSame(seating, found))) return;
    const expected = past[index].at(-1);
    const table = expected.findIndex((players, number) => !isSame(players, found[number] ?? null));
    const number = table < 0 ? expected.length : table;
    const params = { found: shown(found[number] ?? null), expected: shown(expected[number] ?? null) };
    throw new Contradiction(`${place.path}[${index}]`, "history_differs", { round: index + 1, table: number + 1, ...params });
  });
}

/** Tables without players are left out. */
function checkTables({ reader, tables }, drawn) {
  const expected = new Map(drawn.map((players, place) => [place + 1, players]).filter(([, players]) => players.length));
  for (const table of tables) {
    const players = expected.get(table.number);
    if (!players) throw table.reader.wrong("no_such_table");
    expected.delete(table.number);
    const seats = table.reader.key("seats");
    table.players.forEach((player, seat) => {
      if (seat >= players.length || player === players[seat]) return;
      const path = `${seats.path}[${seat}].start_number`;
      throw new Contradiction(path, "by_the_draw", { found: player, expected: players[seat] });
    });
    if (table.players.length !== players.length) {
      throw seats.wrong("seats_by_the_draw", { found: table.players.length, expected: shown(players) });
    }
  }
  for (const [table, players] of expected) throw reader.key("tables").wrong("table_missing", { table, expected: shown(players) });
}

/** Of a draw that cannot be made again: at least those who were drawn sit at the tables. */
function checkPlayers(round, { reader, players, changes }) {
  const steps = changes.map((change) => change.step);
  const drawn = attempted(reader.path, "changes_impossible", () => afterwards(players, steps));
  const seated = new Set(seatingOf(round).flat());
  const different = [...drawn, ...seated].filter((player) => drawn.has(player) !== seated.has(player));
  if (!different.length) return;
  throw round.reader.key("tables").wrong("players_by_the_draw", { found: shown([...new Set(different)].sort((a, b) => a - b)) });
}

/** Who plays after the changes; where they sit is not known. */
function afterwards(players, steps) {
  const stand = [];
  for (const step of steps) {
    if (step.kind !== "taken_back") stand.push(step);
    else if (step.changes >= 1 && step.changes <= stand.length) stand.length -= step.changes;
    else throw { code: "nothing_to_take_back", params: {} };
  }
  const drawn = new Set(players);
  for (const { kind, player, substitute } of stand) {
    if (kind === "left" || kind === "replaced") drawn.delete(player);
    if (kind === "joined") drawn.add(player);
    if (kind === "replaced") drawn.add(substitute);
  }
  return drawn;
}

/** The players of the tables of a round, in the order of the tables. */
export function seatingOf({ tables }) {
  return [...tables].sort((a, b) => a.number - b.number).map((table) => table.players);
}

function laid(tables) {
  return tables.filter((table) => table.length);
}
