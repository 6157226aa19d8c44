/** Checks receipts of nonces (docs/proof.md, "Receipts of nonces"). */

import { hex, isHex64, sha256 } from "./bytes.mjs";
import { isInteger, isText, must, same } from "./deals.mjs";
import { isSignature } from "./keys.mjs";

/**
 * @typedef {{server: string, match: string, stage: string, seat: number, epoch: number, hash: string, version: number,
 *   head: string, key: string, signature: string}} Receipt
 */
/** @typedef {import("./record.mjs").Event} Event */
/** @typedef {{skipped: string}} Skipped */

/**
 * Every nonce that a server has acknowledged is in the record.
 * @param {string} match @param {Event[]} events @param {Receipt[]} receipts
 * @param {{key: string}[]} keys those that were given
 */
export async function acknowledged(match, events, receipts, keys) {
  /** @type {Skipped | null} */
  let unsure = null;
  for (const receipt of receipts) unsure ??= await found(match, events, receipt, keys);
  return unsure ?? "Every nonce that was acknowledged is in the record.";
}

/**
 * @param {string} match @param {Event[]} events @param {Receipt} receipt @param {{key: string}[]} keys
 * @returns {Promise<Skipped | null>}
 */
async function found(match, events, receipt, keys) {
  const { version, head, key } = receipt;
  if (receipt.match !== match || !await isSound(receipt)) return { skipped: "A receipt proves nothing." };
  if (!keys.some((one) => one.key === key)) return { skipped: "A receipt is signed with another key." };
  if (version > events.length && !events.some(({ type }) => type === "MatchEnded"))
    return { skipped: "The record ends before a receipt." };
  must(version <= events.length, events.length, "A nonce was acknowledged at a version that is not here.");
  must(events[version - 1]?.digest === head, version, "A nonce was acknowledged in another history.");
  must(events.slice(0, version).some((event) => isOf(receipt, event)), version,
    "A nonce that was acknowledged is not in the record.");
  return null;
}

/** @param {Receipt} receipt */
async function isSound({ server, match, stage, seat, epoch, hash, version, head, key, signature }) {
  const named = /^[0-9A-Za-z.:_\/-]{1,100}$/.test(server) && ["hashes", "nonces"].includes(stage)
    && [hash, head, key].every(isHex64) && [seat, epoch, version].every(isInteger) && version >= 1;
  const text = `dealt-nonce/1|${server}|${match}|${stage}|${seat}|${epoch}|${hash}|${version}|${head}`;
  return named && isSignature(key, text, signature);
}

/** @param {Receipt} receipt @param {Event} event */
function isOf({ stage, seat, epoch, hash }, { type, data }) {
  if (!same([data.seat, data.epoch], [seat, epoch])) return false;
  return stage === "hashes" ? type === "NonceCommitted" && data.hash === hash
    : type === "NonceSubmitted" && isText(data.nonce) && hex(sha256(data.nonce)) === hash;
}
