/** Checks that the server's transparency log continues the checkpoint that this browser kept (docs/proof.md). */

import { hex } from "../past/verify/bytes.mjs";
import { isSignature, Unjudged } from "../past/verify/keys.mjs";
import { BadNote, fromBase64, isConsistent, LOG_KEY, noteKey, readCheckpoint, signersOf } from "../past/verify/log.mjs";

/** The newest checkpoint that was checked, and the key that signed it. */
export interface KeptLog {
  note: string;
  key: string;
}

/** Why a log contradicts an earlier one; `words/guard.js` has the sentences. */
export type LogFault = "gone" | "unreadable" | "unsigned" | "renamed" | "keyReplaced" | "rolledBack" | "forked";

export type LogFinding = { kept: KeptLog } | { fault: LogFault; note: string } | null;

export interface Text {
  status: number;
  text: string;
}

/** Request a path of the API; null if there is no answer. */
export type Ask = (path: string) => Promise<Text | null>;

interface ListedKey {
  key: string;
  since: string;
  succession: string | null;
  countersignature: string | null;
}

const LOG = "/transparency",
  ABSENT = 404,
  HASH_BYTES = 32;

/** Read the newest checkpoint and compare it with the kept one. Return null if nothing can be said now. */
export async function lookAtLog(ask: Ask, kept: KeptLog | null): Promise<LogFinding> {
  const listed = await ask("/keys"),
    keys = listed?.status === 200 ? keysIn(listed) : null;
  if (!keys || !(keys.length || kept)) return null; // a server without a key signs no checkpoint
  const found = await ask(`${LOG}/checkpoint`);
  if (found?.status === ABSENT && kept) return { fault: "gone", note: found.text };
  if (found?.status !== 200) return null;
  try {
    return await compare(ask, kept, found.text, keys);
  } catch (error) {
    if (error instanceof Unjudged) return null; // this browser cannot check signatures
    if (!(error instanceof BadNote)) throw error;
    return { fault: "unreadable", note: found.text };
  }
}

/** Return the keys in an answer; null if it cannot be read. */
function keysIn({ text }: Text): ListedKey[] | null {
  try {
    return JSON.parse(text).items ?? null;
  } catch {
    return null;
  }
}

async function compare(ask: Ask, kept: KeptLog | null, note: string, keys: ListedKey[]): Promise<LogFinding> {
  const now = readCheckpoint(note),
    [signer] = await signersOf(
      now,
      keys.map(({ key }) => noteKey(now.origin, LOG_KEY, key)),
    );
  if (!signer) return { fault: "unsigned", note };
  if (kept) {
    const before = readCheckpoint(kept.note);
    if (now.origin !== before.origin) return { fault: "renamed", note };
    if (!(await areOfOneServer(kept.key, signer.key, keys))) return { fault: "keyReplaced", note };
    if (now.size < before.size) return { fault: "rolledBack", note };
    const continues = await proves(ask, before, now);
    if (continues === null) return null;
    if (!continues) return { fault: "forked", note };
  }
  return { kept: { note, key: signer.key } };
}

type Checkpoint = ReturnType<typeof readCheckpoint>;

/** Return whether the server proves that one checkpoint continues the other; null if there is no answer. */
async function proves(ask: Ask, before: Checkpoint, now: Checkpoint): Promise<boolean | null> {
  if (before.size === 0) return true;
  if (before.size === now.size) return hex(before.root) === hex(now.root);
  const answer = await ask(`${LOG}/consistency/${before.size}/${now.size}`);
  if (!answer || (answer.status !== 200 && answer.status !== ABSENT)) return null;
  if (answer.status === ABSENT) return false;
  const proof = answer.text.split("\n").slice(0, -1).map(fromBase64);
  const areHashes = proof.every(({ length }) => length === HASH_BYTES);
  return areHashes && isConsistent(before.size, now.size, proof, before.root, now.root);
}

/** Return whether two keys are the same, or linked by changes of keys that both keys of each change signed. */
async function areOfOneServer(one: string, other: string, keys: ListedKey[]): Promise<boolean> {
  if (one === other) return true;
  const places = [one, other].map((key) => keys.findIndex((listed) => listed.key === key)).sort((a, b) => a - b),
    [first = -1, last = -1] = places;
  if (first < 0) return false;
  for (let n = first + 1; n <= last; n += 1) {
    const before = keys[n - 1]?.key ?? "",
      { key = "", since = "", succession = null, countersignature = null } = keys[n] ?? {},
      step = `dealt-key/1|${before}|${key}|${since}`;
    if (!(await isSignature(before, step, succession)) || !(await isSignature(key, step, countersignature)))
      return false;
  }
  return true;
}
