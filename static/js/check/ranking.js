/* The standings and who goes on in a knockout: "Standings" in docs/protocol.md. */

/** A row for each of the players, the best first.

   scores: {start_number, round_number, points, strokes, rank, counts} of each player at an accepted sheet. rounds: the number of
   places in `by_round`. decisions: the orders of equal players, as they were recorded. ruleset: as `readRuleset` gives it. */
export function standings(ruleset, startNumbers, scores, rounds, decisions) {
  const totalOf = ruleset.qualifying ? lastRound : allRounds;
  const players = [...new Set(startNumbers)].sort((a, b) => a - b);
  const totals = players.map((player) => {
    const own = scores.filter((score) => score.start_number === player && isDecided(score));
    return { start_number: player, ...totalOf(own, rounds, ruleset.tie_break) };
  });
  totals.sort((a, b) => compared(b.key, a.key));
  return totals.flatMap((total, index) => {
    const isFirst = index === 0 || compared(total.key, totals[index - 1].key) !== 0;
    return isFirst ? rowsOf(totals.filter(({ key }) => compared(key, total.key) === 0), index + 1, decisions) : [];
  });
}

/** The players of a table who play the next round. ranks: pairs of a player and their rank, such as a Map. */
export function goingOn(ranks, qualifying) {
  return new Set([...ranks].filter(([, rank]) => rank !== null && rank <= qualifying.go_on).map(([player]) => player));
}

function isDecided({ points, rank }) {
  return points !== null || rank !== null;
}

function valueOf({ strokes, counts }, name) {
  return name === "strokes" ? strokes : (counts[name] ?? 0);
}

/* -- Totals: points, strokes, tie_break, by_round of a player, and the key by which they are ranked, the greatest first --- */

function allRounds(scores, rounds, tieBreak) {
  const added = (value) => scores.reduce((total, score) => total + value(score), 0);
  const points = added((score) => score.points ?? 0);
  const tie_break = tieBreak.map((name) => added((score) => valueOf(score, name)));
  return {
    points,
    strokes: added(({ strokes }) => strokes),
    tie_break,
    by_round: byRound(scores, rounds, "points"),
    key: [points, ...tie_break],
  };
}

function lastRound(scores, rounds, tieBreak) {
  const strokes = scores.reduce((total, score) => total + score.strokes, 0);
  const by_round = byRound(scores, rounds, "rank");
  if (!scores.length) return { points: 0, strokes, tie_break: [], by_round, key: [0] };
  const last = scores.reduce((latest, score) => (score.round_number > latest.round_number ? score : latest));
  const values = (sign) => tieBreak.map((name) => (name === "rank" ? sign * last.rank : valueOf(last, name)));
  return { points: last.round_number, strokes, tie_break: values(1), by_round, key: [last.round_number, ...values(-1)] };
}

function byRound(scores, rounds, name) {
  const places = Array.from({ length: rounds }, () => null);
  for (const score of scores) places[score.round_number - 1] = score[name];
  return places;
}

/** Above 0 if the first key is greater. Keys of different lengths differ in their first number. */
function compared(one, other) {
  const index = one.findIndex((number, place) => number !== other[place]);
  return index === -1 ? 0 : one[index] - other[index];
}

/* -- Rows ------------------------------------------------------------------------------------------------------------- */

/** The rows of players who are equal in everything. rank: the best of theirs. */
function rowsOf(equal, rank, decisions) {
  const order = decidedOrder(equal, decisions);
  const inOrder = order ? [...equal].sort((a, b) => order.get(a.start_number) - order.get(b.start_number)) : equal;
  return inOrder.map(({ start_number, points, strokes, tie_break, by_round }, place) => ({
    start_number,
    rank: order ? rank + place : rank,
    tied: !order && equal.length > 1,
    points,
    strokes,
    tie_break,
    by_round,
  }));
}

/** The place of each player in the latest decision that names all of them. */
function decidedOrder(equal, decisions) {
  const orders = decisions.map((decision) => new Map(decision.map((player, place) => [player, place])));
  return orders.findLast((order) => equal.every(({ start_number }) => order.has(start_number))) ?? null;
}
