/* People, rounds, tables and draws of a record, as they are read. Each has its place in the record as `reader`. */

import { Contradiction, shouldBe, shown } from "./contradiction.js";

const ROUND_KEYS = ["number", "state", "drawn_at", "released_at", "started_at", "closed_at", "draw", "tables"];
const TABLE_KEYS = ["number", "seats", "scribe", "mark", "entries"];
const ATTEMPT_KEYS = [
  ...["version", "mode", "seed", "attempt", "commitment"],
  ...["players", "sizes", "history", "wishes", "changes", "made_at"],
];
const OPTIONAL_KEYS = ["private_wishes"];
const MOST_ROUNDS = 20; // where players drop out
const WISHES = new Map([["keep_apart", ["a", "b"]], ["fixed_table", ["player", "table"]]]);
const CHANGES = new Map([
  ["swap", ["a", "b"]],
  ["left", ["player"]],
  ["joined", ["player", "table"]],
  ["moved", ["player", "table"]],
  ["replaced", ["player", "substitute"]],
  ["taken_back", ["changes"]],
]);

/** The largest possible number of rounds. */
export function mostRounds({ rounds }) {
  return rounds ?? MOST_ROUNDS;
}

/** The participants by start number, as {name, isExcluded}. */
export function readPeople(reader) {
  const people = new Map();
  for (const item of reader.items()) {
    item.fields(["start_number", "name", "withdrawn_at", "excluded_at"]);
    const number = item.key("start_number").whole(1);
    if (people.has(number)) throw twice(item.key("start_number"));
    item.key("withdrawn_at").momentOrNull();
    people.set(number, { name: item.key("name").text(), isExcluded: item.key("excluded_at").momentOrNull() !== null });
  }
  return people;
}

/** The rounds. They are numbered from 1, and all but the last are closed. */
export function readRounds(reader, people) {
  const rounds = [];
  for (const item of reader.items()) {
    const last = rounds.at(-1);
    if (last && !last.isClosed) throw shouldBe(last.reader.key("state"), "closed");
    rounds.push(readRound(item, rounds.length + 1, people));
  }
  return rounds;
}

function readRound(reader, number, people) {
  reader.fields(ROUND_KEYS);
  reader.key("number").mustBe(number);
  reader.key("drawn_at").moment();
  for (const name of ["released_at", "started_at", "closed_at"]) reader.key(name).momentOrNull();
  const draw = reader.key("draw");
  return {
    reader,
    number,
    isClosed: reader.key("state").choice(["released", "closed"]) === "closed",
    attempts: draw.isNull ? [] : readAttempts(draw),
    tables: readTables(reader.key("tables"), people),
  };
}

/* -- Tables -------------------------------------------------------------------------------------------------------- */

function readTables(reader, people) {
  const numbers = new Set();
  const seated = new Set();
  return reader.items().map((item) => {
    item.fields(TABLE_KEYS);
    const number = item.key("number").whole(1);
    if (numbers.has(number)) throw twice(item.key("number"));
    numbers.add(number);
    const players = item.key("seats").items().map((seat, place) => readSeat(seat, place + 1, people, seated));
    checkScribe(item.key("scribe"), players.length);
    return { reader: item, number, players };
  });
}

function readSeat(reader, number, people, seated) {
  reader.fields(["seat_number", "start_number"]);
  reader.key("seat_number").mustBe(number);
  const place = reader.key("start_number");
  const player = place.whole(1);
  if (!people.has(player)) throw place.wrong("no_participant", { found: player });
  if (seated.has(player)) throw twice(place);
  seated.add(player);
  return player;
}

function checkScribe(reader, seats) {
  if (reader.isNull) return;
  reader.fields(["seat_number", "at"]).key("seat_number").whole(1, seats);
  reader.key("at").moment();
}

function twice({ path, value }) {
  return new Contradiction(path, "twice", { found: shown(value) });
}

/* -- Draws --------------------------------------------------------------------------------------------------------- */

/** The abandoned attempts and the one in force, as the last. They are numbered from 1, and none is left out. */
function readAttempts(draw) {
  draw.fields([...ATTEMPT_KEYS, "abandoned"], OPTIONAL_KEYS);
  const abandoned = draw.key("abandoned").items();
  for (const item of abandoned) item.fields([...ATTEMPT_KEYS, "abandoned_at"], OPTIONAL_KEYS).key("abandoned_at").moment();
  return [...abandoned, draw].map((item, place) => {
    const found = item.key("attempt").whole(1);
    if (found !== place + 1) throw item.key("attempt").wrong("attempt_missing", { found, expected: place + 1 });
    return readAttempt(item, found);
  });
}

function readAttempt(reader, number) {
  return {
    reader,
    number,
    version: reader.key("version").whole(1),
    mode: reader.key("mode").text(20, 1),
    seed: readSeed(reader),
    ...readGiven(reader),
    changes: reader.key("changes").items().map(readChange),
    madeAt: reader.key("made_at").moment(),
    commitment: reader.key("commitment").wholeOrNull(1),
    isAbandoned: "abandoned_at" in reader.value,
  };
}

/** What a draw is given beside its seed. */
export function readGiven(reader) {
  return {
    players: reader.key("players").wholes(),
    sizes: reader.key("sizes").wholes(),
    history: reader.key("history").items().map((tables) => tables.items().map((table) => table.wholes())),
    wishes: reader.key("wishes").items().map(readWish),
  };
}

/** The seed; null if a wish is private, and only then. */
function readSeed(reader) {
  const [seed, hidden] = [reader.key("seed"), reader.key("private_wishes")];
  if (hidden.isNull) return seed.seed();
  hidden.whole(1);
  seed.mustBe(null);
  return null;
}

function readWish(reader) {
  return readNumbers(reader, WISHES, ["reason", "private"], "unknown_wish");
}

function readChange(reader) {
  const { at, ...step } = readNumbers(reader, CHANGES, ["reason", "by"], "unknown_change", ["at"]);
  return { reader, step, at: reader.key("at").moment() };
}

/** An object with a kind and the numbers of its kind, without any of the hidden keys. */
function readNumbers(reader, kinds, hidden, code, more = []) {
  reader.object();
  for (const key of hidden) if (key in reader.value) throw reader.key(key).wrong("unknown_key", { key });
  const { kind } = reader.value;
  const keys = kinds.get(kind);
  const isKnown = keys && Object.keys(reader.value).every((key) => ["kind", ...keys, ...more].includes(key));
  if (!isKnown || !keys.every((key) => Number.isInteger(reader.value[key]))) throw reader.wrong(code, { kind: shown(kind) });
  return reader.value;
}
