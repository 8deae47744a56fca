/* The goal of step 6 of a draw: a cost below which no seating is looked for. */

import { NONE, big } from "./seating.js";

/** seating: as it is after step 4. */
export function goalOf(seating) {
  const { known, weights } = seating;
  const forced = weights.again * forcedAgain(known) + weights.thrice * forcedThrice(known);
  const fixed = costOfFixed(seating);
  return (forced > fixed ? forced : fixed) + weights.scribe * forcedToWrite(known) + seating.costOfSizes();
}

/** The least number of pairs at one table if so many players sit at so many tables. */
function pairs(players, tables) {
  const share = Math.floor(players / tables);
  const larger = players % tables;
  return (larger * (share + 1) * share + (tables - larger) * share * (share - 1)) / 2;
}

function mayBeForced({ areEven, largest, sizes }) {
  return !areEven || largest > sizes.length;
}

/** P, the pairs that meet again in any seating. */
function forcedAgain(known) {
  const { rounds, sizes, areEven } = known;
  if (!mayBeForced(known)) return NONE;
  const forced = rounds.map(({ at }) => {
    const groups = at.map((players) => players.length).filter(Boolean);
    const spread = sum(groups.map((players) => pairs(players, sizes.length)));
    return areEven || !groups.length ? spread : Math.max(spread, filled(groups, sizes));
  });
  return big(sum(forced));
}

/** The pairs of one earlier table if the tables now are filled from so many groups. */
function filled(groups, sizes) {
  const shares = sizes.flatMap((size) => Array.from({ length: size }, (_, place) => Math.floor(place / groups.length)));
  return sum(shares.sort((a, b) => a - b).slice(0, sum(groups)));
}

/** Q, the meetings for a third time in any seating. */
function forcedThrice(known) {
  const { rounds, sizes } = known;
  if (!mayBeForced(known)) return NONE;
  let forced = 0;
  rounds.forEach((later, place) => {
    for (const round of rounds.slice(0, place)) {
      for (const players of round.at) {
        const together = new Map();
        for (const table of players.map((player) => later.tableOf[player])) together.set(table, (together.get(table) ?? 0) + 1);
        together.delete(-1);
        for (const common of together.values()) forced += pairs(common, sizes.length);
      }
    }
  });
  return big(forced);
}

/** F, what players with the same fixed table cost who met before. */
function costOfFixed(seating) {
  const fixed = [...seating.known.fixed];
  let cost = NONE;
  fixed.forEach(([player, table], place) => {
    for (const [other, theirs] of fixed.slice(place + 1)) if (table === theirs) cost += seating.costOfMeeting(player, other);
  });
  return cost;
}

/** W, how many times the scribes have been scribe before in any seating. */
function forcedToWrite({ written, sizes }) {
  const least = [...written].sort((a, b) => a - b).slice(0, sizes.length);
  return big(sum(least));
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
