/* The points that three cards can have: "Hand points" in docs/protocol.md. */

const SUITS = [0, 1, 2, 3];
const FACES = new Map([
  ["6", 6], ["7", 7], ["8", 8], ["9", 9], ["10", 10], ["unter", 10], ["ober", 10], ["king", 10], ["ace", 11],
]);

const found = new WeakMap();

/** The points of every hand, found by looking at all of them; null stands for hands without points. */
export function possibleValues(hands) {
  if (!found.has(hands)) found.set(hands, valuesOf(hands));
  return found.get(hands);
}

function valuesOf(hands) {
  const faces = [...FACES.keys()];
  const inTheDeck = faces.slice(faces.indexOf(hands.lowest_card));
  const deck = SUITS.flatMap((suit) => inTheDeck.map((face) => ({ suit, face })));
  const values = new Set();
  for (let a = 0; a < deck.length; a += 1) {
    for (let b = 0; b < a; b += 1) {
      for (let c = 0; c < b; c += 1) values.add(valueOf([deck[a], deck[b], deck[c]], hands));
    }
  }
  return values;
}

function valueOf(cards, hands) {
  const faces = new Set(cards.map(({ face }) => face));
  if (faces.size === 1) {
    const isFeuer = faces.has("ace") && hands.feuer !== "none";
    if (isFeuer) return hands.feuer_points;
    return hands.three_of_a_kind_half_points === null ? null : hands.three_of_a_kind_half_points / 2;
  }
  const sums = cards.map(({ suit }) => sumOf(cards.filter((card) => card.suit === suit)));
  const isOneSuit = cards.every(({ suit }) => suit === cards[0].suit);
  const isSchnauz = hands.schnauz === "any_31" ? sums[0] === 31 : ["ace", "king", "10"].every((face) => faces.has(face));
  return isOneSuit && isSchnauz ? hands.schnauz_points : Math.max(...sums);
}

function sumOf(cards) {
  return cards.reduce((total, { face }) => total + FACES.get(face), 0);
}
