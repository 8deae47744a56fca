/* A seating and its cost: step 6 of a draw. Costs exceed what a number holds exactly, so they are BigInts. */

export class Seating {
  /** The bonds of players: what each pays for sharing a table with another; made when they are needed. */
  #bonds = new Map();
  /** The dues of players: the sum of the bonds with those at each table. */
  #dues = new Map();

  constructor(known, tables) {
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
    this.#dues.clear();
  }

  /** Lets two players of different tables take each other's place. */
  exchange(p, q) {
    const [mine, theirs] = [this.tableOf[p], this.tableOf[q]];
    const [place, other] = [this.tables[mine].indexOf(p), this.tables[theirs].indexOf(q)];
    this.tables[mine][place] = q;
    this.tables[theirs][other] = p;
    this.tableOf[p] = theirs;
    this.tableOf[q] = mine;
    for (const player of [...this.#bondsOf(p).keys(), ...this.#bondsOf(q).keys()]) this.#dues.delete(player);
  }

  /* -- Bonds ------------------------------------------------------------------------------------------------------- */

  /** What two players who share a table cost because they met in earlier rounds. */
  costOfMeeting(player, other) {
    const times = this.known.rounds.filter(({ tableOf }) => tableOf[player] >= 0 && tableOf[player] === tableOf[other]).length;
    return BigInt(times) * this.weights.again + BigInt((times * (times - 1)) / 2) * this.weights.thrice;
  }

  #bondsOf(player) {
    let bonds = this.#bonds.get(player);
    if (!bonds) {
      const { rounds, neighbours, lists } = this.known;
      bonds = new Map();
      const add = (other, cost) => bonds.set(other, (bonds.get(other) ?? 0n) + cost);
      const companions = new Set(rounds.flatMap(({ tableOf, at }) => at[tableOf[player]] ?? []));
      for (const other of companions) add(other, this.costOfMeeting(player, other));
      for (const other of neighbours[player]) add(other, 1n);
      for (const other of lists.get(player) ?? []) add(other, this.weights.apart);
      bonds.delete(player);
      this.#bonds.set(player, bonds);
    }
    return bonds;
  }

  #duesOf(player) {
    let dues = this.#dues.get(player);
    if (!dues) {
      dues = new Map();
      for (const [other, cost] of this.#bondsOf(player)) {
        const table = this.tableOf[other];
        dues.set(table, (dues.get(table) ?? 0n) + cost);
      }
      this.#dues.set(player, dues);
    }
    return dues;
  }

  /* -- Faults ------------------------------------------------------------------------------------------------------ */

  /** What a player pays for those at their table. */
  strainOf(player) {
    return this.#duesOf(player).get(this.tableOf[player]) ?? 0n;
  }

  strained(table) {
    return this.tables[table].filter((player) => this.strainOf(player) > 0n);
  }

  /** The third row of the table of costs. */
  costOfScribe(table) {
    return this.weights.scribe * BigInt(this.#leastWritten(this.tables[table]));
  }

  isInTrouble(table) {
    return this.costOfScribe(table) > 0n || this.tables[table].some((player) => this.strainOf(player) > 0n);
  }

  #leastWritten(players) {
    return Math.min(...players.map((player) => this.known.written[player]));
  }

  /* -- Costs ------------------------------------------------------------------------------------------------------- */

  cost() {
    let cost = this.costOfSizes();
    let strain = 0n;
    this.tables.forEach((players, table) => {
      cost += this.costOfScribe(table);
      for (const player of players) strain += this.strainOf(player);
    });
    return cost + strain / 2n; // each pair was counted from both sides
  }

  costOfSizes() {
    const { sizes, sat } = this.known;
    if (sat.size === 1) return 0n;
    const times = this.tables.flatMap((players, table) => players.map((player) => sat.get(sizes[table])[player]));
    return this.weights.size * BigInt(times.reduce((total, each) => total + each, 0));
  }

  /** How much the cost grows if two players of different tables exchange their seats. */
  growth(p, q) {
    const [mine, theirs] = [this.tableOf[p], this.tableOf[q]];
    const { sizes, written } = this.known;
    const ofP = this.#duesOf(p);
    const ofQ = this.#duesOf(q);
    let growth = (ofP.get(theirs) ?? 0n) - (ofP.get(mine) ?? 0n) + (ofQ.get(mine) ?? 0n) - (ofQ.get(theirs) ?? 0n);
    growth -= 2n * (this.#bondsOf(p).get(q) ?? 0n); // they do not meet: each leaves the table to which the other comes
    if (sizes[mine] !== sizes[theirs]) growth += this.#growthOfSizes(p, q, sizes[mine], sizes[theirs]);
    if (written[p] !== written[q]) growth += this.#growthOfScribes(p, q, mine, theirs);
    return growth;
  }

  #growthOfSizes(p, q, mine, theirs) {
    const [atMine, atTheirs] = [this.known.sat.get(mine), this.known.sat.get(theirs)];
    return this.weights.size * BigInt(atTheirs[p] - atMine[p] + atMine[q] - atTheirs[q]);
  }

  #growthOfScribes(p, q, mine, theirs) {
    const leastAfter = (table, leaving, coming) =>
      this.#leastWritten(this.tables[table].map((player) => (player === leaving ? coming : player)));
    const after = leastAfter(mine, p, q) + leastAfter(theirs, q, p);
    const before = this.#leastWritten(this.tables[mine]) + this.#leastWritten(this.tables[theirs]);
    return this.weights.scribe * BigInt(after - before);
  }
}

function weightsOf({ sizes, startNumbers, rounds }) {
  const [players, tables, all] = [startNumbers.length, sizes.length, rounds.length + 1].map(BigInt);
  const most = players * BigInt(Math.max(...sizes)) * all;
  const size = players + 1n;
  const scribe = size * (players * all + 1n);
  const thrice = scribe * (tables * all + 1n);
  const again = thrice * (most * all + 1n);
  return { size, scribe, thrice, again, apart: again * (most + 1n) };
}
