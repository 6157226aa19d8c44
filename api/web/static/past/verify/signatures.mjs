/** Checks who vouches for the head (docs/proof.md, "Signed heads"). */

import { isHex64 } from "./bytes.mjs";
import { must } from "./deals.mjs";
import { isSignature } from "./keys.mjs";
import { lastOf } from "./record.mjs";

/**
 * Who vouches for the head. One of the keys must have signed; null: any may have, or none.
 * @param {import("./record.mjs").MatchRecord} record @param {import("./record.mjs").Event[]} events
 * @param {{key: string, until?: string | null}[] | null} keys
 */
export async function signatures({ match, signed }, events, keys) {
  const { digest, at } = lastOf(events);
  const n = events.length;
  if (!signed) {
    must(!keys, n, "Nobody has signed it.");
    return { skipped: "Unsigned: the moves are nobody's word.", excused: true };
  }
  const { server, version, head, key, signature } = signed;
  must(signed.match === match.id && version === n && head === digest, n, "Another head was signed.");
  const named = /^[0-9A-Za-z.:_\/-]{1,100}$/.test(server) && isHex64(head) && isHex64(key);
  must(named && /^[0-9a-f]{128}$/.test(signature), n, "This is no signature.");
  must(await isSignature(key, `dealt-head/1|${server}|${match.id}|${version}|${head}`, signature), n,
    "The signature does not hold.");
  const known = keys?.find((one) => one.key === key);
  must(!keys || known, n, "Another key has signed it.");
  must(!known?.until || at <= known.until, n, "The key had ended before.");
  return `${server} vouches for it by ${key}.`;
}
