/* JSON that two readers cannot understand differently: a key that is there twice, a number that is not whole, half of a surrogate
   pair and deep nesting are contradictions. JSON.parse keeps silent about them. */

import { Contradiction } from "./contradiction.js";

const TOKEN = /[ \t\n\r]*(?:([{}[\]:,])|("[^"\\]*(?:\\.[^"\\]*)*")|(-?[0-9][0-9.eE+-]*)|(true|false|null)|$)/sy;
const WHOLE = /^-?(?:0|[1-9][0-9]*)$/;
const NO_CHARACTER = /[\0\p{Cs}]/u;
const PLAIN = /^[\p{ID_Start}_][\p{ID_Continue}]{0,59}$/u;
const LITERALS = new Map([["true", true], ["false", false], ["null", null]]);
const DEEPEST = 32;

/** The value of a text. Its objects have no prototype, so that every key is only a key. */
export function parse(text) {
  const parser = new Parser(text);
  const value = parser.value("$", DEEPEST);
  if (parser.token) parser.refuse();
  return value;
}

/** The path of a key of an object. */
export function pathOf(path, name) {
  return PLAIN.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name.slice(0, 60))}]`;
}

class Parser {
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.advance();
  }

  refuse() {
    throw new Contradiction("$", "no_json", { at: this.at });
  }

  advance() {
    TOKEN.lastIndex = this.at;
    const match = TOKEN.exec(this.text);
    if (!match) this.refuse();
    this.at = TOKEN.lastIndex;
    [, this.sign, this.quoted, this.digits, this.literal] = match;
    this.token = this.sign ?? this.quoted ?? this.digits ?? this.literal;
  }

  take(sign) {
    if (this.sign !== sign) this.refuse();
    this.advance();
  }

  value(path, depth) {
    if (this.sign === "{" || this.sign === "[") {
      if (depth === 0) throw new Contradiction(path, "too_deep");
      return this.sign === "{" ? this.object(path, depth) : this.list(path, depth);
    }
    let value;
    if (this.quoted) value = this.string(path);
    else if (this.digits) value = this.number(path);
    else if (this.literal) value = LITERALS.get(this.literal);
    else this.refuse();
    this.advance();
    return value;
  }

  object(path, depth) {
    const object = Object.create(null);
    this.take("{");
    while (this.sign !== "}") {
      if (!this.quoted) this.refuse();
      const key = this.string(path);
      this.advance();
      this.take(":");
      const inside = pathOf(path, key);
      if (key in object) throw new Contradiction(inside, "key_twice", { key: key.slice(0, 60) });
      object[key] = this.value(inside, depth - 1);
      if (this.sign !== "}") {
        this.take(",");
        if (this.sign === "}") this.refuse();
      }
    }
    this.advance();
    return object;
  }

  list(path, depth) {
    const list = [];
    this.take("[");
    while (this.sign !== "]") {
      list.push(this.value(`${path}[${list.length}]`, depth - 1));
      if (this.sign !== "]") {
        this.take(",");
        if (this.sign === "]") this.refuse();
      }
    }
    this.advance();
    return list;
  }

  string(path) {
    let text;
    try {
      text = JSON.parse(this.quoted);
    } catch {
      this.refuse();
    }
    if (NO_CHARACTER.test(text)) throw new Contradiction(path, "no_character");
    return text;
  }

  number(path) {
    const number = Number(this.digits);
    if (!WHOLE.test(this.digits) || !Number.isSafeInteger(number)) throw new Contradiction(path, "no_whole_number");
    return number + 0; // -0 is 0
  }
}
