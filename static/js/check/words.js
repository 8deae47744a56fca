/* Sentences of the page: the words come with it in the reader's language, here they get their numbers. */

const PLACEHOLDER = /%\((\w+)\)s/g;
const BETWEEN = /([.!?]) /g; // sentences

/** words: key -> sentence, or [one, several]. reasons: code -> sentences. */
export function openWords({ words, reasons }, language) {
  const numbers = new Intl.NumberFormat(language);
  const number = (value) => (typeof value === "number" ? numbers.format(value) : Array.isArray(value) ? value.join(", ") : value);

  /** The sentence for a key; of two forms the one for params.count. */
  function say(key, params = {}) {
    const forms = words[key] ?? key;
    const sentence = Array.isArray(forms) ? forms[params.count === 1 ? 0 : 1] : forms;
    return sentence.replace(PLACEHOLDER, (_, name) => number(params[name] ?? ""));
  }

  /** Why something is impossible; a sentence that names what is not known is left out. */
  function reason({ why, ...params }) {
    const isKnown = (sentence) => [...sentence.matchAll(PLACEHOLDER)].every(([, name]) => name in params);
    const sentences = Object.hasOwn(reasons, why) ? reasons[why].replace(BETWEEN, "$1\n").split("\n") : [];
    return sentences.filter(isKnown).join(" ").replace(PLACEHOLDER, (_, name) => number(params[name]));
  }

  /** A contradiction as a sentence, with why. */
  const explain = ({ code, params = {} }) => [say(code, params), params.why ? reason(params) : ""].filter(Boolean).join(" ");

  /** A place in words, such as "2. Spielrunde, Tisch 3, 4. Eintrag". */
  const place = (parts) => parts.map(({ key, number }) => say(`place_${key}`, { number })).join(", ");

  return { say, explain, place };
}
