/* The ruleset of a tournament: "Rulesets" in docs/protocol.md. */

import { isMapping } from "../sheet/checks.js";
import { kind as handPoints } from "../sheet/hand_points.js";
import { kind as plusMinus } from "../sheet/plus_minus.js";
import { kind as survival } from "../sheet/survival.js";
import { refuse } from "./refusal.js";

const LARGEST_TABLE = 12;
const MOST_ROUNDS = 20;
const TIE_BREAKS = new Map([
  ["survival", survival.tie_breaks],
  ["hand_points", handPoints.tie_breaks],
  ["plus_minus", plusMinus.tie_breaks],
]);
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

/** The ruleset with its defaults filled in. Throws {code: "ruleset_impossible", params: {path}} if it is not possible. */
export function readRuleset(given) {
  const rules = RULESET(given, "");
  checkRounds(rules);
  checkPoints(rules);
  const known = [...TIE_BREAKS.get(rules.sheet.kind), ...(rules.qualifying ? ["rank"] : [])];
  check(areDifferent(rules.tie_break) && rules.tie_break.every((name) => known.includes(name)), "tie_break");
  if (rules.sheet.kind === "hand_points") checkHands(rules.hands);
  if (rules.sheet.kind === "plus_minus") check(`${rules.tables.sizes}/${rules.tables.exceptions}` === "4/", "tables.sizes");
  return rules;
}

function checkRounds({ rounds, qualifying, drawn_ahead, tables }) {
  check(qualifying ? rounds === null : rounds !== null, "rounds");
  if (!qualifying) return;
  const sizes = [...tables.sizes, ...tables.exceptions];
  check(!drawn_ahead, "drawn_ahead");
  check(qualifying.go_on < Math.min(...sizes), "qualifying.go_on");
  check(qualifying.final >= Math.max(...sizes), "qualifying.final");
}

function checkPoints({ points, qualifying, sheet }) {
  check((sheet.kind === "survival" && !qualifying) === points.length > 0, "points");
  check(points.every((own, index) => index === 0 || own <= points[index - 1]), "points");
}

function checkHands(hands) {
  check(hands !== null, "hands");
  check(hands.feuer_points !== null && hands.feuer_points !== hands.schnauz_points, "hands.feuer_points");
  check(hands.three_of_a_kind_half_points !== null && hands.three_of_a_kind_half_points % 2 === 0, "hands.three_of_a_kind_half_points");
}

/* -- Values: functions that read one, or refuse it ---------------------------------------------------------------------- */

function check(holds, path) {
  if (!holds) refuse("ruleset_impossible", { path });
}

const whole = (least, most) => (value, path) => {
  check(Number.isInteger(value) && value >= least && value <= most, path);
  return value;
};

const oneOf = (...choices) => (value, path) => {
  check(choices.includes(value), path);
  return value;
};

const yesOrNo = oneOf(true, false);

const text = (longest) => (value, path) => {
  check(typeof value === "string" && !INVISIBLE.test(value), path);
  check(value.trim() && [...value.trim()].length <= longest, path);
  return value;
};

const name = (value, path) => {
  check(typeof value === "string" && /^[a-z0-9-]{1,60}$/.test(value), path);
  return value;
};

const listOf = (item, most = Infinity) => (value, path) => {
  check(Array.isArray(value) && value.length <= most, path);
  return value.map((one, index) => item(one, `${path}[${index}]`));
};

/** A value that is `missing` where it is not there. */
const or = (missing, read) => Object.assign((value, path) => read(value, path), { missing });

/** A value that may be null, and is null where it is not there. */
const orNull = (read) => or(null, (value, path) => (value === null ? null : read(value, path)));

/** An object with these keys and no others. must: what else holds, by the key to which it is put down. */
const object = (keys, must = {}) => (value, path) => {
  check(isMapping(value), path);
  const at = (key) => (path ? `${path}.${key}` : key);
  for (const key of Object.keys(value)) check(Object.hasOwn(keys, key), at(key));
  const read = Object.fromEntries(
    Object.entries(keys).map(([key, reading]) => {
      if (Object.hasOwn(value, key)) return [key, reading(value[key], at(key))];
      check(reading.missing !== undefined, at(key));
      return [key, reading.missing];
    }),
  );
  for (const [key, holds] of Object.entries(must)) check(holds(read), at(key));
  return read;
};

const areDifferent = (items) => new Set(items).size === items.length;
const ascend = (numbers) => numbers.every((number, index) => index === 0 || numbers[index - 1] < number);
const isWithin = (items, others) => items.every((item) => others.includes(item));

/* -- The parts of a ruleset --------------------------------------------------------------------------------------------- */

const TABLES = object(
  {
    sizes: listOf(whole(2, LARGEST_TABLE)),
    exceptions: listOf(whole(2, LARGEST_TABLE)),
    prefer: oneOf("smaller", "larger"),
  },
  {
    sizes: ({ sizes }) => sizes.length && ascend(sizes),
    exceptions: ({ sizes, exceptions }) => areDifferent([...sizes, ...exceptions]),
  },
);

const highestSum = ({ schnauz }) => (schnauz === "ace_king_ten" ? 31 : 30);
const FEUER_IS = new Map([
  ["above_schnauz", (feuer, schnauz) => feuer > schnauz],
  ["equal_to_schnauz", (feuer, schnauz) => feuer === schnauz],
  ["below_schnauz", (feuer, schnauz) => feuer < schnauz],
  ["none", () => false],
]);

const HANDS = object(
  {
    lowest_card: oneOf("6", "7", "9"),
    card_names: oneOf("german", "french"),
    schnauz: oneOf("any_31", "ace_king_ten"),
    schnauz_points: whole(31, 99),
    feuer: oneOf(...FEUER_IS.keys()),
    feuer_points: orNull(whole(31, 99)),
    three_of_a_kind_name: orNull(text(30)),
    three_of_a_kind_half_points: orNull(whole(0, 2 * 99)),
    threes: oneOf("ranked", "equal"),
  },
  {
    feuer_points: (hands) =>
      hands.feuer_points === null ||
      (hands.feuer_points > highestSum(hands) && FEUER_IS.get(hands.feuer)(hands.feuer_points, hands.schnauz_points)),
    three_of_a_kind_half_points: ({ three_of_a_kind_half_points: half, ...hands }) =>
      half === null ||
      (2 * highestSum(hands) < half && half < 2 * Math.min(hands.schnauz_points, hands.feuer_points ?? Infinity)),
  },
);

const ENDING = oneOf("knock", "schnauz", "feuer", "handschnauz");
const GAME = oneOf("solo", "wenz", "farbwenz");
const LEVEL = oneOf("normal", "schneider", "durch", "tout");
const DEALS = whole(1, 200);
const hasKnock = ({ endings }) => endings.includes("knock");

const LEVELS = (tout) => {
  const points = whole(1, 1000);
  return object({ normal: points, schneider: points, durch: points, tout });
};

const SURVIVAL = object(
  {
    kind: oneOf("survival"),
    lives: whole(0, 20),
    endings: listOf(ENDING),
    all_others_lose: listOf(ENDING),
    three_of_a_kind_spared: or([], listOf(ENDING)),
    marks: listOf(oneOf("schnauz", "feuer")),
  },
  {
    endings: hasKnock,
    all_others_lose: ({ endings, all_others_lose: all }) => isWithin(all, endings) && !all.includes("knock"),
    three_of_a_kind_spared: ({ endings, three_of_a_kind_spared: spared }) => isWithin(spared, endings),
  },
);

const HAND_POINTS = object(
  {
    kind: oneOf("hand_points"),
    deals: DEALS,
    endings: listOf(oneOf("knock", "schnauz", "feuer", "table_schnauz", "table_feuer")),
    early_acceptance: yesOrNo,
  },
  { endings: hasKnock },
);

const PLUS_MINUS = object(
  {
    kind: oneOf("plus_minus"),
    deals: DEALS,
    solos: listOf(GAME),
    tie_solo_games: or(["solo", "wenz", "farbwenz"], listOf(GAME)),
    ruf: LEVELS(or(null, oneOf(null))),
    solo: LEVELS(orNull(whole(1, 1000))),
    not_in_first_deal: listOf(LEVEL),
    needs_approval: listOf(LEVEL),
    early_acceptance: yesOrNo,
  },
  {
    tie_solo_games: ({ tie_solo_games: games }) => games.length && areDifferent(games),
    needs_approval: ({ solo, needs_approval }) => solo.tout !== null || !needs_approval.includes("tout"),
  },
);

const SHEETS = new Map([["survival", SURVIVAL], ["hand_points", HAND_POINTS], ["plus_minus", PLUS_MINUS]]);

const SHEET = (value, path) => {
  check(isMapping(value) && SHEETS.has(value.kind), path);
  return SHEETS.get(value.kind)(value, path);
};

const CENTS = 1_000_000;

const TEXTS = { title: text(120), manners: or([], listOf(text(300), 40)) };
const TRANSLATION = /^(title|manners)_[a-z]{2,3}(-[a-z0-9]{2,8})*$/;

/** The readers of the texts that a ruleset has in other languages than German, such as `title_fr`. */
function translations(given) {
  const keys = isMapping(given) ? Object.keys(given) : [];
  const found = keys.map((key) => [key, TEXTS[TRANSLATION.exec(key)?.[1]]]);
  return Object.fromEntries(found.filter(([, reading]) => reading));
}

const RULESET = (value, path) => object({ ...translations(value), ...KEYS })(value, path);

const KEYS = {
  name,
  title: TEXTS.title,
  title_en: TEXTS.title,
  rounds: orNull(whole(1, MOST_ROUNDS)),
  qualifying: orNull(object({ go_on: whole(1, LARGEST_TABLE), final: whole(2, LARGEST_TABLE) })),
  drawn_ahead: or(false, yesOrNo),
  starts_at_sign: or(false, yesOrNo),
  entry_fee_cents: whole(0, CENTS),
  tables: TABLES,
  points: listOf(whole(-1000, 1000)),
  tie_break: listOf(oneOf("rank", ...[...TIE_BREAKS.values()].flat())),
  lot_by_program: or(false, yesOrNo),
  stakes: orNull(object({ stake_cents: whole(1, CENTS), returned_to_ranks: listOf(whole(2, LARGEST_TABLE)) })),
  scribe: oneOf("seat_1", "organiser"),
  volunteer_scribe: or(false, yesOrNo),
  towns_on_sheet: or(false, yesOrNo),
  pen_needs_supervisor: yesOrNo,
  scribe_takes_back: or("any", oneOf("any", "latest_deal", "none")),
  objections_end: or("voided", oneOf("voided", "next_deal")),
  last_instance: or("organiser", oneOf("organiser", "committee")),
  confirmation: oneOf("required", "optional", "paper"),
  manners: TEXTS.manners,
  manners_en: TEXTS.manners,
  hands: orNull(HANDS),
  sheet: SHEET,
};
