/* Sentences: the words come from the server in the reader's language, here they get their names and numbers. */

/** `words`: key -> sentence, or [one, several]; `refusals`: code -> sentence. Placeholders as in %(name)s. */
export function openWords({ words, refusals }, language) {
  const lists = new Intl.ListFormat(language, { type: "conjunction" });
  const euros = new Intl.NumberFormat(language, { style: "currency", currency: "EUR" });
  const filled = (sentence, params) => sentence.replace(/%\((\w+)\)s/g, (_, name) => params[name] ?? "");

  /** The sentence for `key`; of two forms the one for params.count. */
  const say = (key, params = {}) => {
    const sentence = words[key] ?? key;
    return filled(Array.isArray(sentence) ? sentence[params.count === 1 ? 0 : 1] : sentence, params);
  };

  /** What a refusal means: its seats by name, its lists with commas, a reason inside it as a sentence. A sentence of the
      server stands where the page has none. */
  const refuse = ({ code, params = {}, reason = "" }, nameOf = String) => {
    const shownAs = (name, value) => {
      if (name === "seat") return nameOf(value);
      if (!Array.isArray(value)) return value;
      return name === "seats" ? lists.format(value.map(nameOf)) : value.join(", ");
    };
    const shown = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, shownAs(name, value)]));
    const { why, ...others } = shown;
    if (!refusals[code]) return reason;
    return filled(refusals[code], why ? { ...shown, why: filled(refusals[why] ?? "", others) } : shown);
  };

  const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });
  const time = (moment) => clock.format(new Date(moment));

  const signed = (number) => (number > 0 ? `+${number}` : number < 0 ? `−${-number}` : "0");

  return { say, refuse, signed, time, list: (names) => lists.format(names), money: (cents) => euros.format(cents / 100) };
}

const DEALS = {
  hand_points({ points, ended_by }, deal, { say, nameOf }) {
    const values = Object.entries(points).map(([seat, value]) => `${nameOf(Number(seat))} ${value}`).join(", ");
    return say(ended_by?.startsWith("table_") ? `deal_${ended_by}` : "deal_values", { deal, values });
  },

  plus_minus({ game, declarer, partner, won, level }, deal, { say, nameOf }) {
    const params = { deal, name: nameOf(declarer), partner: partner === null ? "" : nameOf(partner), game: say(`game_${game}`) };
    const outcome = say(`${won ? "won" : "lost"}_${level}`);
    return say(game === "ruf" ? "deal_ruf" : "deal_solo", { ...params, outcome });
  },

  survival({ losers, ended_by, finisher }, deal, { say, nameOf, names, rules }) {
    const allOthers = rules.all_others_lose.includes(ended_by) && !rules.three_of_a_kind_spared.includes(ended_by);
    const who = allOthers ? say("all_others") : losers.length ? names(losers) : say("nobody");
    const params = { deal, losers: who, count: allOthers ? 2 : Math.max(losers.length, 1) };
    return say(`deal_${ended_by}`, finisher === null ? params : { ...params, name: nameOf(finisher) });
  },
};

/** What entries say, in words; `nameOf` gives a seat's name, `rules` are those of the kind of sheet. */
export function openReader({ say, list }, nameOf, rules) {
  const names = (seats) => list(seats.map(nameOf));

  const readers = {
    deal(data, deal_number) {
      const deal = deal_number ? say("deal_number", { number: deal_number }) : say("deal");
      return DEALS[rules.kind](data, deal, { say, nameOf, names, rules });
    },
    stroke: ({ seat_number, mark }) => say(`stroke_${mark}`, { name: nameOf(seat_number) }),
    approved: () => say("approved"),
    totalled: ({ points }) =>
      say("totalled", { values: Object.entries(points).map(([seat, value]) => `${nameOf(Number(seat))} ${value}`).join(", ") }),
    ranked({ ranks }) {
      const order = Object.keys(ranks).sort((a, b) => ranks[a] - ranks[b] || a - b);
      return say("ranked", { ranks: order.map((seat) => `${ranks[seat]}. ${nameOf(Number(seat))}`).join(", ") });
    },
    confirmed: ({ seat_number }) => say("confirmed", { name: nameOf(seat_number) }),
    objected: ({ seat_number, note }) => say("objected", { name: nameOf(seat_number), note }),
    submitted: () => say("submitted"),
    accepted: ({ reason }) => (reason ? say("accepted_because", { reason }) : say("accepted")),
    reopened: ({ reason }) => say("reopened", { reason }),
    corrected: ({ reason }) => say("corrected", { reason }),
    voided: ({ reason }) => (reason ? say("voided_because", { reason }) : say("voided")),
  };

  /** One entry as a sentence; a deal with its number where it has one. */
  return ({ kind, data }, deal_number = null) => readers[kind]?.(data, deal_number) ?? kind;
}
