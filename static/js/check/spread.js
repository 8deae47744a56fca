/* Step 5 of a draw: players who sat together are spread over the tables as evenly as possible. */

/** Splits tables of a seating until the groups of the last two earlier rounds are spread. */
export function spreadEvenly(seating) {
  const earlier = seating.known.rounds.slice(-2).map((round) => round.tableOf);
  let crowded = false;
  for (const tables of earlier) {
    for (const group of groupsTogether(tables, seating.tableOf)) crowded = spread(group, seating, earlier) || crowded;
  }
  if (crowded && earlier.length === 2) {
    for (const group of groupsTogether(inBoth(earlier), seating.tableOf)) spread(group, seating, earlier);
  }
}

/** All players of each earlier table of which some share a table now. earlier: the table of each player, -1 for none. */
function groupsTogether(earlier, tableOf) {
  const pair = (player) => `${earlier[player]} ${tableOf[player]}`;
  const players = [...earlier.keys()].filter((player) => earlier[player] >= 0);
  const together = new Map();
  for (const player of players) together.set(pair(player), (together.get(pair(player)) ?? 0) + 1);
  const groups = new Map();
  for (const player of players) if (together.get(pair(player)) > 1) groups.set(earlier[player], []);
  for (const player of players) groups.get(earlier[player])?.push(player);
  return [...groups.values()];
}

/** A number for each pair of tables in two rounds; -1 for players who missed one. */
function inBoth([one, other]) {
  const width = Math.max(...other) + 1;
  return one.map((table, player) => (table >= 0 && other[player] >= 0 ? table * width + other[player] : -1));
}

/** Splits tables until a group is spread. Returns whether some of it share a table all the same. */
function spread(group, seating, earlier) {
  for (;;) {
    const seats = seating.tables.map(() => 0);
    for (const player of group) seats[seating.tableOf[player]] += 1;
    const fullest = seats.indexOf(Math.max(...seats));
    if (seats[fullest] === 1) return false;
    const emptiest = emptiestFrom(fullest, seats, seating.known.sizes);
    if (seats[fullest] <= seats[emptiest] + 1) return true;
    const halves = split(seating.tables[fullest], seating.tables[emptiest], earlier);
    seating.seat(fullest, halves[0]);
    seating.seat(emptiest, halves[1]);
  }
}

function emptiestFrom(fullest, seats, sizes) {
  const least = Math.min(...seats);
  const following = seats.map((_, step) => (fullest + 1 + step) % seats.length);
  const candidates = following.filter((table) => seats[table] === least);
  return candidates.find((table) => sizes[table] === sizes[fullest]) ?? candidates[0];
}

/* -- Splitting two tables ------------------------------------------------------------------------------------------ */

function split(first, second, earlier) {
  const halves = [[], []];
  const singles = new Map(); // by their ends
  for (const player of [...first, ...second]) {
    const key = endsOf(player, earlier).join();
    if (singles.has(key)) {
      halves[0].push(singles.get(key));
      halves[1].push(player);
      singles.delete(key);
    } else {
      singles.set(key, player);
    }
  }
  let start = first.length >= second.length ? 0 : 1;
  for (const trail of trailsOf([...singles.values()], earlier)) {
    trail.forEach((player, place) => halves[(start + place) % 2].push(player));
    start = (start + trail.length) % 2;
  }
  return halves;
}

/** The two nodes that a player joins: the earlier tables, or nodes of the player alone. */
function endsOf(player, earlier) {
  return [0, 1].map((round) => {
    const table = earlier[round]?.[player] ?? -1;
    return table >= 0 ? `${round} table ${table}` : `${round} player ${player}`;
  });
}

function trailsOf(singles, earlier) {
  const nodes = new Map(); // each with the other end of each remaining player
  for (const player of singles) {
    const [one, other] = endsOf(player, earlier);
    for (const [end, far] of [[one, other], [other, one]]) {
      if (!nodes.has(end)) nodes.set(end, new Map());
      nodes.get(end).set(player, far);
    }
  }
  const trails = [];
  for (const node of nodes.keys()) if (nodes.get(node).size % 2) trails.push(trailFrom(node, nodes));
  for (const node of nodes.keys()) if (nodes.get(node).size) trails.push(trailFrom(node, nodes));
  return trails;
}

function trailFrom(start, nodes) {
  const trail = [];
  let node = start;
  while (nodes.get(node).size) {
    const [player, far] = nodes.get(node).entries().next().value;
    nodes.get(node).delete(player);
    nodes.get(far).delete(player);
    trail.push(player);
    node = far;
  }
  return trail;
}
