/* The commitments of a record: what was promised before a draw or a lot, and whether it was kept.

   "Commitments" in docs/protocol.md. A digest promises what a draw is given and a secret; the words that the hall says
   afterwards make the seed of the secret. */

import { Contradiction, isSame, shown } from "./contradiction.js";
import { digestOf, digestOfValue } from "./digests.js";
import { readGiven } from "./reading.js";

const KEYS = ["number", "round", "attempt", "digest", "made_at", "words", "words_at", "replaced_at", "secret", "value"];
const OF_A_LOT = ["tournament", "number", "lot", "before"];
const GIVEN = ["version", "mode", "players", "sizes", "history", "wishes"];
const OF_A_DRAW = ["tournament", "number", "round", "attempt", ...GIVEN, "before"];
const LONGEST_WORDS = 120;

/** Checks the commitments against the draws and lots that follow from them. Returns {list, unchecked}. */
export function checkCommitments({ reader, rounds, rules, frozenAt }, decisions) {
  const list = [];
  for (const item of reader.key("commitments").items()) list.push(readCommitment(item, list));
  const used = new Set();
  const draws = rounds.flatMap((round) => usesOfRound(round, rules.drawn_ahead));
  for (const use of [...draws, ...decisions.map(useOfDecision)]) {
    if (use.number !== null) checkUse(use, list, used);
  }
  for (const commitment of list) if (!used.has(commitment)) checkUnused(commitment, rounds, frozenAt !== null);
  const unopened = list.filter(({ isReplaced, secret }) => isReplaced && secret === null);
  return { list, unchecked: unopened.map(({ number }) => ({ code: "never_published", commitment: number })) };
}

/* -- One commitment ------------------------------------------------------------------------------------------------ */

/** before: the commitments read so far. */
function readCommitment(reader, before) {
  reader.fields(KEYS);
  const number = reader.key("number").whole(1);
  if (number !== before.length + 1) {
    throw reader.key("number").wrong("commitment_missing", { found: number, expected: before.length + 1 });
  }
  const round = reader.key("round").wholeOrNull(1);
  if (round === null) reader.key("attempt").mustBe(null);
  const commitment = {
    reader,
    number,
    round,
    attempt: round === null ? null : reader.key("attempt").whole(1),
    digest: reader.key("digest").digest(),
    madeAt: reader.key("made_at").moment(),
    words: reader.key("words").isNull ? null : reader.key("words").text(LONGEST_WORDS),
    wordsAt: reader.key("words_at").momentOrNull(),
    isReplaced: reader.key("replaced_at").momentOrNull() !== null,
    secret: reader.key("secret").isNull ? null : reader.key("secret").digest(),
  };
  checkWords(commitment);
  if (commitment.secret === null) reader.key("value").mustBe(null);
  else checkValue(reader.key("value"), commitment, before.at(-1));
  return commitment;
}

function checkWords({ reader, madeAt, words, wordsAt }) {
  if ((words === null) !== (wordsAt === null)) throw reader.key("words_at").wrong("words_without_time");
  if (wordsAt !== null && wordsAt < madeAt) throw reader.key("words_at").wrong("words_too_early");
}

/** last: the commitment before this one. */
function checkValue(value, { reader, number, round, attempt, secret }, last) {
  value.fields(round === null ? OF_A_LOT : OF_A_DRAW);
  value.key("tournament").text();
  value.key("number").mustBe(number);
  if (round === null) {
    value.key("lot").wholes();
  } else {
    value.key("round").mustBe(round);
    value.key("attempt").mustBe(attempt);
    value.key("version").whole(1);
    value.key("mode").text(20, 1);
    readGiven(value);
  }
  checkBefore(value.key("before"), last);
  reader.key("digest").mustBe(digestOfValue({ ...value.value, secret }), "commitment_digest");
}

/** The chain: each commitment names the one before, with its secret and its words as far as they were public then. */
function checkBefore(reader, last) {
  if (!last) {
    reader.mustBe(null);
    return;
  }
  if (!reader.isNull) reader.fields(["digest", "secret", "words"]);
  const told = (key) => (reader.isNull || reader.key(key).isNull ? null : last[key]);
  reader.mustBe({ digest: last.digest, secret: told("secret"), words: told("words") });
}

/* -- Its use ------------------------------------------------------------------------------------------------------- */

/** given: what the draw was given, by the keys of a commitment. at: when it was drawn. */
function usesOfRound({ number: round, attempts }, isDrawnAhead) {
  return attempts.map((attempt) => ({
    reader: attempt.reader,
    number: attempt.commitment,
    round,
    attempt: attempt.number,
    at: attempt.madeAt,
    seed: attempt.seed,
    given: (value) => ({
      ...Object.fromEntries(GIVEN.map((key) => [key, attempt[key]])),
      players: ascending(attempt.players),
      history: isDrawnAhead ? attempt.history.slice(0, value.history.length) : attempt.history,
    }),
  }));
}

function useOfDecision({ reader, commitment, order, seed, at }) {
  return { reader, number: commitment, round: null, attempt: null, at, seed, given: () => ({ lot: ascending(order) }) };
}

function ascending(numbers) {
  return [...numbers].sort((a, b) => a - b);
}

/** Checks a draw or lot against its commitment, which is used for nothing else. */
function checkUse(use, list, used) {
  const commitment = list[use.number - 1];
  const isOpen = commitment && !used.has(commitment) && !commitment.isReplaced && commitment.round === use.round;
  if (!isOpen) throw use.reader.key("commitment").wrong("commitment_of_another", { found: use.number });
  used.add(commitment);
  const { reader, wordsAt } = commitment;
  reader.key("attempt").mustBe(use.attempt);
  if (wordsAt === null) throw reader.key("words_at").wrong("words_missing");
  if (wordsAt > use.at) throw reader.key("words_at").wrong("words_too_late");
  if (use.round !== null && use.seed === null) reader.key("secret").mustBe(null);
  else checkOpened(use, commitment);
}

function checkOpened({ reader: drawn, seed, given }, { reader, number, secret, words }) {
  if (secret === null) throw reader.key("secret").wrong("secret_missing");
  const value = reader.key("value");
  for (const [key, expected] of Object.entries(given(value.value))) value.key(key).mustBe(expected, "not_as_drawn");
  const expected = digestOf(secret, words);
  if (isSame(seed, expected)) return;
  const params = { found: shown(seed), expected, commitment: number };
  throw new Contradiction(drawn.key("seed").path, "seed_of_commitment", params);
}

/** A commitment from which nothing was drawn is replaced, is for a later round, or waits: for its lot, or as the next attempt.
   While the standings are frozen, a lot that was revoked is not in the record. */
function checkUnused({ reader, round, attempt, isReplaced, secret }, rounds, isFrozen) {
  const drawn = rounds[round - 1];
  if (isReplaced || round > rounds.length) return;
  const waits = secret === null && (round === null || attempt === drawn.attempts.length + 1);
  if (!waits && !(round === null && isFrozen)) throw reader.wrong("commitment_unused");
}
