/** Checks who vouches for the head (docs/proof.md, "Signed heads"). */

import { isHex64 } from "./bytes.mjs";
import { must } from "./deals.mjs";
import { isSignature } from "./keys.mjs";
import { lastOf } from "./record.mjs";

/**
 * What the verifier was given: digests kept outside the record, and servers' keys.
 * @typedef {{heads: [version: number, digest: string][], keys: Known[]}} Held
 */
/** @typedef {{key: string, until?: string | null}} Known */
/** @typedef {{server: string, key: string, known: boolean}} Signer the signer, and whether its key was given */

/**
 * Check who vouches for the head: a server that signed it with a given key, or the holder of a kept head. A signature
 * by another key counts for nothing, as anybody can make one in any name; but it must be valid.
 * @param {string} kind @param {string} id @param {import("./record.mjs").SignedHead | null | undefined} signed
 * @param {import("./record.mjs").Linked[]} events @param {Held} held
 * @param {Signer[]} signers collects the signer
 */
export async function signatures(kind, id, signed, events, { heads, keys }, signers) {
  const { digest, at } = lastOf(events);
  const n = events.length;
  if (!signed) return byHolder("No server has signed it", events, heads);
  const { server, version, head, key, signature } = signed;
  must(signed.kind === kind && signed.id === id && version === n && head === digest, n,
    `${server} has signed a different head.`);
  const named = /^[0-9A-Za-z.:_/-]{1,100}$/.test(server) && isHex64(head) && isHex64(key);
  must(named && /^[0-9a-f]{128}$/.test(signature), n, `The signature of ${server} is not valid for its key.`);
  must(await isSignature(key, `dealt-head/1|${server}|${kind}|${id}|${version}|${head}`, signature), n,
    `The signature of ${server} is not valid for its key.`);
  const known = keys.find((one) => one.key === key);
  must(!known?.until || at <= known.until, n, `The key signed until ${known?.until}, and the last event is later.`);
  signers.push({ server, key, known: Boolean(known) });
  return known ? `${server} vouches for it by a key that you named: ${key}.`
    : byHolder(`It is signed as ${server} with the key ${key}, which you did not name`, events, heads);
}

/**
 * Return how far kept heads cover events that no server vouches for.
 * @param {string} unsigned @param {import("./record.mjs").Linked[]} events @param {Held["heads"]} heads
 */
function byHolder(unsigned, events, heads) {
  const held = heads.filter(([version, head]) => events[version - 1]?.digest === head);
  const vouched = Math.max(0, ...held.map(([version]) => version));
  if (vouched === events.length) return `${unsigned}, and you hold the head of its last event.`;
  const since = vouched ? `All after event ${vouched}, whose head you hold,` : "All of it";
  return { skipped: `${unsigned}. ${since} rests on the word of the person who shows it.` };
}
