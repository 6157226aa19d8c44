// The words of a random result in the second verifier, and what is drawn from them, written from docs/proof.md alone.

import { createHmac } from "node:crypto";

export const hmac = (key, message) => createHmac("sha256", key).update(message).digest();

/** The words of one random result. */
export function* words(key) {
  for (let i = 0; ; i++) {
    const message = Buffer.alloc(4);
    message.writeUInt32BE(i);
    const block = hmac(key, message);
    for (let at = 0; at < 32; at += 4) yield block.readUInt32BE(at);
  }
}

export function below(stream, bound) {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const word = stream.next().value;
    if (word < limit) return word % bound;
  }
}

export function shuffle(stream, items) {
  const cards = [...items];
  for (let i = cards.length - 1; i > 0; i--) {
    const j = below(stream, i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}
