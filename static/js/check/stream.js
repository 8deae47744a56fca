/* The random stream of a seed: "Random stream" in docs/protocol.md. */

import { refuse } from "./refusal.js";
import { bytesOf, sha256 } from "./sha256.js";

const SEED = /^[0-9a-f]{64}$/i;
const SEED_BYTES = 32;
const WORD_BYTES = 8;
const TWO_32 = 2 ** 32;

/** A stream from its beginning. Throws `seed_bad`. */
export function streamOf(seed) {
  if (typeof seed !== "string" || !SEED.test(seed)) refuse("seed_bad");
  return new Stream(bytesOf(seed));
}

class Stream {
  constructor(seed) {
    this.input = new DataView(new ArrayBuffer(SEED_BYTES + WORD_BYTES));
    this.block = new DataView(new ArrayBuffer(0));
    this.blocks = 0;
    this.used = 0;
    new Uint8Array(this.input.buffer).set(seed);
  }

  /** A number from 0 to n - 1. n: at most 2^26, so that no product of two numbers below n exceeds what a number holds exactly. */
  below(n) {
    const range = TWO_32 % n;
    const favouring = (range * range) % n; // so many words, the largest ones, would favour small numbers
    for (;;) {
      this.advance();
      const high = this.block.getUint32(this.used - WORD_BYTES);
      const low = this.block.getUint32(this.used - WORD_BYTES / 2);
      if (high < TWO_32 - 1 || low < TWO_32 - favouring) return ((high % n) * range + low) % n;
    }
  }

  /** A copy of a list in random order. */
  shuffled(items) {
    const list = [...items];
    for (let i = list.length - 1; i > 0; i -= 1) {
      const j = this.below(i + 1);
      [list[i], list[j]] = [list[j], list[i]];
    }
    return list;
  }

  advance() {
    if (this.used === this.block.byteLength) {
      this.input.setUint32(SEED_BYTES + WORD_BYTES / 2, this.blocks);
      this.block = new DataView(sha256(new Uint8Array(this.input.buffer)).buffer);
      this.blocks += 1;
      this.used = 0;
    }
    this.used += WORD_BYTES;
  }
}
