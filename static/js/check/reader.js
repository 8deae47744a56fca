/* A strict reader of a record: each value is read with its path, and nothing is converted. */

import { Contradiction, shouldBe } from "./contradiction.js";
import { canonical } from "./digests.js";
import { pathOf } from "./json.js";
import { dayOf, momentOf } from "./moments.js";

const LARGEST_NUMBER = 10 ** 9;
const HEX = /^[0-9a-f]{64}$/;
const SEED = /^[0-9a-f]{64}$/i;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export class Reader {
  constructor(value, path = "$") {
    Object.assign(this, { value: value ?? null, path });
  }

  /** The contradiction of what is here, with what it should be as a code. */
  wrong(code, params = {}) {
    return new Contradiction(this.path, code, params);
  }

  get isNull() {
    return this.value === null;
  }

  get isObject() {
    return typeof this.value === "object" && !this.isNull && !Array.isArray(this.value);
  }

  object() {
    if (!this.isObject) throw this.wrong("object_expected");
    return this;
  }

  /** An object with exactly these keys; an optional one may be missing or null. */
  fields(needed, optional = []) {
    this.object();
    for (const key of Object.keys(this.value)) {
      if (!needed.includes(key) && !optional.includes(key)) throw this.key(key).wrong("unknown_key", { key: key.slice(0, 60) });
    }
    for (const key of needed) {
      if (!(key in this.value)) throw this.key(key).wrong("missing_key", { key });
    }
    return this;
  }

  key(name) {
    return new Reader(this.value[name], pathOf(this.path, name));
  }

  items() {
    if (!Array.isArray(this.value)) throw this.wrong("list_expected");
    return this.value.map((item, index) => new Reader(item, `${this.path}[${index}]`));
  }

  whole(least = 0, most = LARGEST_NUMBER) {
    const { value } = this;
    if (!Number.isInteger(value) || value < least || value > most) throw this.wrong("number_expected", { least, most });
    return value;
  }

  wholeOrNull(least) {
    return this.isNull ? null : this.whole(least);
  }

  wholes(least = 1) {
    return this.items().map((item) => item.whole(least));
  }

  yesOrNo() {
    if (typeof this.value !== "boolean") throw this.wrong("yes_or_no_expected");
    return this.value;
  }

  text(most = Infinity, least = 0) {
    const { value } = this;
    if (typeof value !== "string" || value.length < least || value.length > most) throw this.wrong("text_expected");
    return value;
  }

  choice(choices) {
    if (typeof this.value !== "string" || !choices.includes(this.value)) {
      throw this.wrong("choice_expected", { choices: choices.join(", ") });
    }
    return this.value;
  }

  day() {
    if (dayOf(this.value) === null) throw this.wrong("day_expected");
  }

  /** The microseconds of a moment since 1970. */
  moment() {
    const moment = momentOf(this.value);
    if (!moment) throw this.wrong("moment_expected");
    if (moment.text !== this.value) throw shouldBe(this, moment.text);
    return moment.at;
  }

  momentOrNull() {
    return this.isNull ? null : this.moment();
  }

  seed() {
    if (typeof this.value !== "string" || !SEED.test(this.value)) throw this.wrong("seed_bad");
    return this.value;
  }

  digest() {
    if (typeof this.value !== "string" || !HEX.test(this.value)) throw this.wrong("digest_bad");
    return this.value;
  }

  identifier() {
    if (typeof this.value !== "string" || !ID.test(this.value)) throw this.wrong("uuid_expected");
    return this.value;
  }

  /** Throws unless the value is that. */
  mustBe(expected, code = "should_be") {
    if (canonical(this.value) !== canonical(expected)) throw shouldBe(this, expected, code);
  }
}
