// Successions of a server's keys in the second verifier, written from docs/proof.md alone.

import { isSignature } from "../../api/web/static/past/verify/keys.mjs";

/**
 * @typedef {{key: string, until?: string | null, since?: string, succession?: string | null,
 *   countersignature?: string | null}} Listed a key as GET /v1/keys lists it
 */

/** Whether no key claims a place after another that one of the two did not sign. @param {Listed[]} items */
export async function holdTogether(items) {
  for (const [i, key] of items.entries()) {
    const before = items[i - 1];
    if (before && (key.succession ?? key.countersignature) != null && !await isStep(before, key)) return false;
  }
  return true;
}

/** Whether both keys signed the step from one to the other. @param {Listed} before @param {Listed} key */
export async function isStep(before, key) {
  const step = `dealt-key/1|${before.key}|${key.key}|${key.since}`;
  return await isSignature(before.key, step, key.succession) && isSignature(key.key, step, key.countersignature);
}
