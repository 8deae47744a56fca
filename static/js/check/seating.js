/* A seating and its cost: step 6 of a draw. Costs exceed what a number holds exactly, so they are BigInts. */

/** A cost of so much. Safari 13.1 has no BigInt: there it is a plain number, which is exact in the usual evening (see weightsOf). */
export const big = globalThis.BigInt ?? Number;
export const NONE = big(0);

export class Seating {
  constructor(known, tables) {
    this.bonds = new Map(); // of each player: what they pay for sharing a table with another; made when they are needed
    this.dues = new Map(); // of each player: the sum of the bonds with those at each table
    this.known = known;
    this.tables = tables;
    this.tableOf = new Array(known.startNumbers.length);
    tables.forEach((players, table) => this.seat(table, players));
    this.weights = weightsOf(known);
  }

  /** Gives a table another list of players. */
  seat(table, players) {
    this.tables[table] = players;
    for (const player of players) this.tableOf[player] = table;
    this.dues.clear();
  }

  /** Lets two players of different tables take each other's place. */
  exchange(p, q) {
    const [mine, theirs] = [this.tableOf[p], this.tableOf[q]];
    const [place, other] = [this.tables[mine].indexOf(p), this.tables[theirs].indexOf(q)];
    this.tables[mine][place] = q;
    this.tables[theirs][other] = p;
    this.tableOf[p] = theirs;
    this.tableOf[q] = mine;
    for (const player of [...this.bondsOf(p).keys(), ...this.bondsOf(q).keys()]) this.dues.delete(player);
  }

  /* -- Bonds ------------------------------------------------------------------------------------------------------- */

  /** What two players who share a table cost because they met in earlier rounds. */
  costOfMeeting(player, other) {
    const times = this.known.rounds.filter(({ tableOf }) => tableOf[player] >= 0 && tableOf[player] === tableOf[other]).length;
    return big(times) * this.weights.again + big((times * (times - 1)) / 2) * this.weights.thrice;
  }

  bondsOf(player) {
    let bonds = this.bonds.get(player);
    if (!bonds) {
      const { rounds, neighbours, lists } = this.known;
      bonds = new Map();
      const add = (other, cost) => bonds.set(other, (bonds.get(other) ?? NONE) + cost);
      const companions = new Set(rounds.flatMap(({ tableOf, at }) => at[tableOf[player]] ?? []));
      for (const other of companions) add(other, this.costOfMeeting(player, other));
      for (const other of neighbours[player]) add(other, big(1));
      for (const other of lists.get(player) ?? []) add(other, this.weights.apart);
      bonds.delete(player);
      this.bonds.set(player, bonds);
    }
    return bonds;
  }

  duesOf(player) {
    let dues = this.dues.get(player);
    if (!dues) {
      dues = new Map();
      for (const [other, cost] of this.bondsOf(player)) {
        const table = this.tableOf[other];
        dues.set(table, (dues.get(table) ?? NONE) + cost);
      }
      this.dues.set(player, dues);
    }
    return dues;
  }

  /* -- Faults ------------------------------------------------------------------------------------------------------ */

  /** What a player pays for those at their table. */
  strainOf(player) {
    return this.duesOf(player).get(this.tableOf[player]) ?? NONE;
  }

  strained(table) {
    return this.tables[table].filter((player) => this.strainOf(player) > NONE);
  }

  /** The third row of the table of costs. */
  costOfScribe(table) {
    return this.weights.scribe * big(this.leastWritten(this.tables[table]));
  }

  isInTrouble(table) {
    return this.costOfScribe(table) > NONE || this.tables[table].some((player) => this.strainOf(player) > NONE);
  }

  leastWritten(players) {
    return Math.min(...players.map((player) => this.known.written[player]));
  }

  /* -- Costs ------------------------------------------------------------------------------------------------------- */

  cost() {
    let cost = this.costOfSizes();
    let strain = NONE;
    this.tables.forEach((players, table) => {
      cost += this.costOfScribe(table);
      for (const player of players) strain += this.strainOf(player);
    });
    return cost + strain / big(2); // each pair was counted from both sides
  }

  costOfSizes() {
    const { sizes, sat } = this.known;
    if (sat.size === 1) return NONE;
    const times = this.tables.flatMap((players, table) => players.map((player) => sat.get(sizes[table])[player]));
    return this.weights.size * big(times.reduce((total, each) => total + each, 0));
  }

  /** How much the cost grows if two players of different tables exchange their seats. */
  growth(p, q) {
    const [mine, theirs] = [this.tableOf[p], this.tableOf[q]];
    const { sizes, written } = this.known;
    const ofP = this.duesOf(p);
    const ofQ = this.duesOf(q);
    let growth = (ofP.get(theirs) ?? NONE) - (ofP.get(mine) ?? NONE) + (ofQ.get(mine) ?? NONE) - (ofQ.get(theirs) ?? NONE);
    growth -= big(2) * (this.bondsOf(p).get(q) ?? NONE); // they do not meet: each leaves the table to which the other comes
    if (sizes[mine] !== sizes[theirs]) growth += this.growthOfSizes(p, q, sizes[mine], sizes[theirs]);
    if (written[p] !== written[q]) growth += this.growthOfScribes(p, q, mine, theirs);
    return growth;
  }

  growthOfSizes(p, q, mine, theirs) {
    const [atMine, atTheirs] = [this.known.sat.get(mine), this.known.sat.get(theirs)];
    return this.weights.size * big(atTheirs[p] - atMine[p] + atMine[q] - atTheirs[q]);
  }

  growthOfScribes(p, q, mine, theirs) {
    const leastAfter = (table, leaving, coming) =>
      this.leastWritten(this.tables[table].map((player) => (player === leaving ? coming : player)));
    const after = leastAfter(mine, p, q) + leastAfter(theirs, q, p);
    const before = this.leastWritten(this.tables[mine]) + this.leastWritten(this.tables[theirs]);
    return this.weights.scribe * big(after - before);
  }
}

function weightsOf({ sizes, startNumbers, rounds }) {
  const [players, tables, all] = [startNumbers.length, sizes.length, rounds.length + 1].map((count) => big(count));
  const most = players * big(Math.max(...sizes)) * all;
  const size = players + big(1);
  const scribe = size * (players * all + big(1));
  const thrice = scribe * (tables * all + big(1));
  const again = thrice * (most * all + big(1));
  const apart = again * (most + big(1));
  if (big === Number && apart * most > Number.MAX_SAFE_INTEGER) throw new Error("BigInt is missing");
  return { size, scribe, thrice, again, apart };
}
