/** Checks receipts of nonces (docs/proof.md, "Receipts of nonces"). */

import { hex, isHex64, sha256 } from "./bytes.mjs";
import { isInteger, isText, must } from "./deals.mjs";
import { isSignature } from "./keys.mjs";

/**
 * @typedef {{server: string, kind: string, id: string, stage: string, seat: number | null, player: string | null,
 *   epoch: number, hash: string, version: number, head: string, key: string, signature: string}} Receipt
 */
/** @typedef {Pick<import("./record.mjs").Linked, "type" | "data" | "digest">} Event */
/** @typedef {{skipped: string}} Skipped */

const USELESS = "A receipt belongs to another record, or its signature is invalid: it proves nothing.";

/**
 * Check that the record contains every nonce that a server acknowledged.
 * @param {string} kind @param {string} id the id of the record's subject
 * @param {Event[]} events @param {Receipt[]} receipts
 * @param {{key: string}[]} keys the keys given to the verifier
 */
export async function acknowledged(kind, id, events, receipts, keys) {
  /** @type {Skipped | null} */
  let unsure = null;
  for (const receipt of receipts) {
    const skipped = receipt.kind === kind && receipt.id === id ? await found(events, receipt, keys)
      : { skipped: USELESS };
    unsure ??= skipped;
  }
  return unsure ?? "Every acknowledged nonce is in the record.";
}

/**
 * @param {Event[]} events @param {Receipt} receipt @param {{key: string}[]} keys
 * @returns {Promise<Skipped | null>}
 */
async function found(events, receipt, keys) {
  const { version, head, key } = receipt;
  if (!await isSound(receipt)) return { skipped: USELESS };
  if (!keys.some((one) => one.key === key)) return { skipped:
    `A receipt is signed with a key that you did not name: ${key}.` };
  if (version > events.length && !events.some(({ type }) => ENDS.includes(type)))
    return { skipped: `The record ends before version ${version} of a receipt.` };
  must(version <= events.length, events.length,
    `A nonce was acknowledged at version ${version}, which the record does not have.`);
  must(events[version - 1]?.digest === head, version, "A nonce was acknowledged in a history other than this one.");
  must(events.slice(0, version).some((event) => isOf(receipt, event)), version,
    "A nonce was acknowledged, but it is not in the record.");
  return null;
}

/** No nonce is accepted after these events. */
const ENDS = ["MatchEnded", "TournamentEnded", "TournamentCancelled"];

/** @param {Receipt} receipt */
async function isSound(receipt) {
  const { server, kind, id, stage, seat, player, epoch, hash, version, head, key, signature } = receipt;
  const sound = /^[0-9A-Za-z.:_/-]{1,100}$/.test(server) && isId(id) && hasGiver(receipt)
    && [hash, head, key].every(isHex64) && isInteger(version) && version >= 1;
  const giver = `${kind}|${id}|${stage}|${seat ?? ""}|${player ?? ""}|${epoch}`;
  const text = `dealt-nonce/1|${server}|${giver}|${hash}|${version}|${head}`;
  return sound && isSignature(key, text, signature);
}

/** Return whether giver, stage and epoch suit the kind. @param {Receipt} receipt */
function hasGiver({ kind, stage, seat, player, epoch }) {
  if (!isInteger(epoch) || epoch < 1) return false;
  if (kind === "match")
    return ["hashes", "nonces"].includes(stage) && isInteger(seat) && seat >= 0 && player === null;
  if (stage !== "nonces" || seat !== null) return false;
  return kind === "tournament" ? isId(player) && epoch === 1 : kind === "collection" && player === null;
}

/** @param {unknown} x */
const isId = (x) => isText(x) && /^[0-9A-Za-z_-]{1,64}$/.test(x);

/** Return whether an event contains the nonce of a receipt. @param {Receipt} receipt @param {Event} event */
function isOf({ kind, stage, seat, player, epoch, hash }, { type, data }) {
  const here = data["epoch"] === epoch;
  if (stage === "hashes") return type === "NonceCommitted" && here && data["seat"] === seat && data["hash"] === hash;
  const isGiven = kind === "match" ? type === "NonceSubmitted" && here && data["seat"] === seat
    : kind === "collection" ? type === "PackOpened" && here
      : ["PlayerEntered", "PlayerWaits"].includes(type) && data["player"] === player;
  return isGiven && isAscii(data["nonce"]) && hex(sha256(data["nonce"])) === hash;
}

/** @param {unknown} x @returns {x is string} */
const isAscii = (x) => isText(x) && /^[\x00-\x7f]*$/.test(x);
