/** Compares matches' deals with those their tournament is bound to (docs/proof.md, "Deals at tables"). */

import { hex, hmac, sha256, unhex } from "../bytes.mjs";
import { isInteger } from "../deals.mjs";

/** @typedef {import("./state.mjs").Tournament} Tournament @typedef {import("./state.mjs").Cited} Cited */

/**
 * Return why it cannot be shown that deals follow from the tournament; null if it can, or is not due yet.
 * @param {Tournament} t
 */
export function unproved(t) {
  if (t.deals === null)
    return "The tournament is not bound to its deals: the server may have chosen them after the pairings.";
  return t.over && t.dealsSeed === null ?
    "The secret of the deals is not disclosed: the server may have chosen them." : null;
}

/**
 * Return whether a match was dealt from another root than its table's.
 * @param {Tournament} t @param {Cited} cited @param {import("../record.mjs").Linked[]} events
 */
export function isDealtOtherwise(t, { place, deals }, events) {
  if (t.dealsSeed === null) return false;
  const { round, table, attempt } = place, nonces = t.nonces.join(",");
  const own = deals === null ? table : "";
  let root = hmac(unhex(t.dealsSeed), `ct1|deals|${t.id}|${round}|${own}|${attempt}|${nonces}`);
  for (const { type, data } of events) {
    if (type !== "FairnessCommitted") continue;
    let seed = root;
    for (let i = 0; isInteger(data.links) && i < data.links; i++) seed = sha256(seed);
    if (hex(seed) !== data.commitment) return true;
    root = hmac(root, "next epoch");
  }
  return false;
}
