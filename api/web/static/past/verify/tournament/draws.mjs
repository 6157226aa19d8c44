/** Repeats draws from the seeds that a tournament discloses (docs/proof.md, "Draws"). */

import { hex, hmac, isHex64, sha256, unhex } from "../bytes.mjs";
import { must } from "../deals.mjs";
import { below, shuffle, words } from "../words.mjs";

/**
 * Return the number of links in the chain of seeds for a format: one for the order, one for each possible pairing.
 * @param {import("./plan.mjs").Plan} plan
 */
export const linksOf = ({ format }) => (format === "arena" ? 1025 : format === "multi_table" ? 1001 : 61);

/**
 * Check the next link, and draw from its seed.
 * @param {import("./state.mjs").Tournament} t @param {number} seq the event that discloses it
 * @param {string} purpose @param {unknown} link @param {unknown} seed @returns {import("../words.mjs").Draw}
 */
export function drawing(t, seq, purpose, link, seed) {
  must(link === t.link + 1 && isHex64(seed) && hashed(seed, t.link + 1) === t.commitment, seq,
    "The seed does not belong to the next link.");
  t.link += 1;
  t.counted.add("draws");
  const stream = words(hmac(unhex(seed), `ct1|${t.id}|1|${t.link}|${purpose}|0|${t.nonces.join(",")}`));
  return { below: (bound) => below(stream, bound), shuffle: (items) => shuffle(stream, items) };
}

/** @param {string} seed @param {number} times */
function hashed(seed, times) {
  let known = unhex(seed);
  for (let i = 0; i < times; i++) known = sha256(known);
  return hex(known);
}
