/** Generates the words of a random result, and draws from them (docs/proof.md, "Shuffles"). */

import { hmac } from "./bytes.mjs";

/** @typedef {Generator<number, never>} Words */
/**
 * @typedef {{below: (bound: number) => number, shuffle: <T>(items: readonly T[]) => T[]}} Draw draws from words
 */

/** Generate the words of one random result. @param {import("./bytes.mjs").Bytes} key @returns {Words} */
export function* words(key) {
  for (let i = 0; ; i++) {
    const message = new Uint8Array(4);
    new DataView(message.buffer).setUint32(0, i);
    const block = new DataView(hmac(key, message).buffer);
    for (let at = 0; at < 32; at += 4) yield block.getUint32(at);
  }
}

/** @param {Words} stream @param {number} bound */
export function below(stream, bound) {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const word = stream.next().value;
    if (word < limit) return word % bound;
  }
}

/** @template T @param {Words} stream @param {readonly T[]} items */
export function shuffle(stream, items) {
  const cards = [...items];
  for (let i = cards.length - 1; i > 0; i--) {
    const j = below(stream, i + 1);
    [cards[i], cards[j]] = /** @type {[T, T]} */ ([cards[j], cards[i]]);
  }
  return cards;
}
