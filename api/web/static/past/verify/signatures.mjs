/** Checks who vouches for the head (docs/proof.md, "Signed heads"). */

import { isHex64 } from "./bytes.mjs";
import { must } from "./deals.mjs";
import { isSignature } from "./keys.mjs";
import { lastOf } from "./record.mjs";

/**
 * What the verifier holds: digests that were kept elsewhere, and keys of which one must have signed; null: any may.
 * @typedef {{heads: [version: number, digest: string][], keys: {key: string, until?: string | null}[] | null}} Held
 */

/**
 * Who vouches for the head: a server that signed it, or whoever kept it.
 * @param {string} kind @param {string} id @param {import("./record.mjs").SignedHead | null | undefined} signed
 * @param {import("./record.mjs").Linked[]} events @param {Held} held
 */
export async function signatures(kind, id, signed, events, { heads, keys }) {
  const { digest, at } = lastOf(events);
  const n = events.length;
  if (!signed) {
    must(!keys, n, "Nobody has signed it.");
    const held = heads.filter(([version, head]) => events[version - 1]?.digest === head);
    const vouched = Math.max(0, ...held.map(([version]) => version));
    if (vouched === n) return "No server has signed it, and you hold the head of its last event.";
    const since = vouched ? `All after event ${vouched}, whose head you hold,` : "All of it";
    return { skipped: `No server has signed it. ${since} is the word of whoever shows it.` };
  }
  const { server, version, head, key, signature } = signed;
  must(signed.kind === kind && signed.id === id && version === n && head === digest, n, "Another head was signed.");
  const named = /^[0-9A-Za-z.:_\/-]{1,100}$/.test(server) && isHex64(head) && isHex64(key);
  must(named && /^[0-9a-f]{128}$/.test(signature), n, "This is no signature.");
  must(await isSignature(key, `dealt-head/1|${server}|${kind}|${id}|${version}|${head}`, signature), n,
    "The signature does not hold.");
  const known = keys?.find((one) => one.key === key);
  must(!keys || known, n, "Another key has signed it.");
  must(!known?.until || at <= known.until, n, "The key had ended before.");
  return `${server} vouches for it by ${key}.`;
}
