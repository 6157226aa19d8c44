/** Checks that a match continues the head that this browser kept (docs/proof.md, "Signed heads"). */

import { isSignature, Unjudged } from "../past/verify/keys.mjs";
import type { SignedHead } from "../past/verify/record.mjs";
import type { Ask, Text } from "./log_watch.ts";

/** The number of events that a match had, and the digest of the last one; with the server's signature, if it signs. */
export interface KeptHead {
  version: number;
  head: string;
  signed: SignedHead | null;
}

/** Why a match contradicts its earlier head; `words/guard.js` has the sentences. */
export type MatchFault = "matchGone" | "matchRolledBack" | "matchChanged" | "matchSignature";

export type MatchFinding = { kept: KeptHead } | { fault: MatchFault; answer: string } | null;

const ABSENT = 404,
  CONFLICT = 409;

/**
 * Read the head of a match and compare it with the kept one. Return null if nothing can be said now.
 * @param isOwn whether the player had a seat when the head was kept: such a match never disappears
 */
export async function lookAtMatch(ask: Ask, id: string, kept: KeptHead | null, isOwn: boolean): Promise<MatchFinding> {
  const found = await ask(`/matches/${id}?fields=version,head,signed`);
  if (found?.status === ABSENT && kept && isOwn) return { fault: "matchGone", answer: found.text };
  if (found?.status !== 200) return null;
  const { version, head, signed = null } = JSON.parse(found.text) as KeptHead,
    now = { version, head, signed };
  if (signed && (await isForged(id, now, signed))) return { fault: "matchSignature", answer: found.text };
  if (kept) {
    if (version < kept.version) return { fault: "matchRolledBack", answer: found.text };
    const then = version === kept.version ? head : await digestOf(ask, id, kept.version);
    if (then === null) return null;
    if (then !== kept.head) return { fault: "matchChanged", answer: found.text };
  }
  return { kept: now };
}

/** Return the digest of an event; empty if the server says that it has none, null if there is no answer. */
async function digestOf(ask: Ask, id: string, version: number): Promise<string | null> {
  const found = await ask(`/matches/${id}/events?after=${version - 1}&limit=1&fields=seq,digest`);
  if (found?.status === CONFLICT) return "";
  return found?.status === 200 ? digestIn(found) : null;
}

const digestIn = ({ text }: Text): string =>
  (JSON.parse(text) as { items: { digest: string }[] }).items[0]?.digest ?? "";

/** Return whether a signed head is another one than that of the answer, or its signature is invalid. */
async function isForged(id: string, { version, head }: KeptHead, signed: SignedHead): Promise<boolean> {
  if (signed.kind !== "match" || signed.id !== id || signed.version !== version || signed.head !== head) return true;
  const message = `dealt-head/1|${signed.server}|match|${id}|${version}|${head}`;
  try {
    return !(await isSignature(signed.key, message, signed.signature));
  } catch (error) {
    if (error instanceof Unjudged) return false; // this browser cannot check signatures
    throw error;
  }
}
