/** Checks the proof that a signed head is in the transparency log (docs/proof.md, "The transparency log"). */

import { bytesOf, hex, sha256, unhex } from "./bytes.mjs";
import { Wrong, must } from "./deals.mjs";
import { isSignature } from "./keys.mjs";

/** @typedef {import("./bytes.mjs").Bytes} Bytes */
/** @typedef {{name: string, id: string, signature: Bytes}} Line a signature line; the id is in hex */
/** @typedef {{name: string, type: number, key: string, id: string}} NoteKey a key that signs notes, in hex */
/** @typedef {{extra: Bytes, place: number, hashes: Bytes[], text: string, lines: Line[], origin: string,
 *   size: number, root: Bytes}} Proof */

const PROOF = "c2sp.org/tlog-proof@v1", MOST_HASHES = 63, MOST_LINES = 64, MOST_NOTE = 16384;
export const LOG_KEY = 1, WITNESS_KEY = 4;

/** The note is malformed. */
export class BadNote extends Error {}

/** @param {unknown} holds @param {string} why @returns {asserts holds} */
function needs(holds, why) {
  if (!holds) throw new BadNote(why);
}

/** Decode Base64 in its canonical form only. @param {string} said @returns {Bytes} */
export function fromBase64(said) {
  try {
    const text = atob(said);
    if (btoa(text) === said) return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
  } catch { /* not Base64 */ }
  throw new BadNote("This is not Base 64.");
}

/** @param {string} said */
function readHash(said) {
  const found = fromBase64(said);
  needs(found.length === 32, "A hash is 32 bytes in Base 64.");
  return found;
}

/** @param {string} said */
function readNumber(said) {
  needs(/^(0|[1-9][0-9]{0,15})$/.test(said) && Number.isSafeInteger(Number(said)),
    "A size or a place is a whole number without leading zeros, at most 2^53 - 1.");
  return Number(said);
}

/** @param {Bytes} left @param {Bytes} right */
const node = (left, right) => sha256(Uint8Array.of(1), left, right);
/** @param {Bytes} entry */
export const leafOf = (entry) => sha256(Uint8Array.of(0), entry);
/** @param {Bytes} one @param {Bytes} other */
const same = (one, other) => hex(one) === hex(other);

/** Halve a number that may exceed 32 bits. @param {number} n */
const half = (n) => Math.floor(n / 2);

/**
 * Return whether a proof leads from a leaf at its place to a tree's root (RFC 9162, 2.1.3.2).
 * @param {Bytes} leaf @param {number} place @param {number} size @param {Bytes[]} proof @param {Bytes} root
 */
export function isIncluded(leaf, place, size, proof, root) {
  if (place < 0 || place >= size || proof.length > MOST_HASHES) return false;
  let at = place, last = size - 1, found = leaf;
  for (const one of proof) {
    if (!last) return false;
    if (at % 2 || at === last) {
      found = node(one, found);
      while (at % 2 === 0 && at) [at, last] = [half(at), half(last)];
    } else found = node(found, one);
    [at, last] = [half(at), half(last)];
  }
  return !last && same(found, root);
}

/**
 * Return whether a tree only grew from one size and root to another (RFC 9162, 2.1.4.2).
 * @param {number} old @param {number} size @param {Bytes[]} proof @param {Bytes} oldRoot @param {Bytes} root
 */
export function isConsistent(old, size, proof, oldRoot, root) {
  if (old < 1 || old > size || proof.length > MOST_HASHES) return false;
  if (old === size) return !proof.length && same(oldRoot, root);
  const isPower = Number.isInteger(Math.log2(old)) && 2 ** Math.log2(old) === old;
  const [first, ...path] = isPower ? [oldRoot, ...proof] : proof;
  if (!first) return false;
  let at = old - 1, last = size - 1, older = first, newer = first;
  while (at % 2) [at, last] = [half(at), half(last)];
  for (const one of path) {
    if (!last) return false;
    if (at % 2 || at === last) {
      [older, newer] = [node(one, older), node(one, newer)];
      while (at % 2 === 0 && at) [at, last] = [half(at), half(last)];
    } else newer = node(newer, one);
    [at, last] = [half(at), half(last)];
  }
  return !last && same(older, oldRoot) && same(newer, root);
}

/** Read a signed note as a checkpoint. @param {string} note */
export function readCheckpoint(note) {
  needs(bytesOf(note).length <= MOST_NOTE, `A signed note has at most ${MOST_NOTE} bytes.`);
  needs(!/[\x00-\x09\x0b-\x1f]/.test(note), "A signed note has no control characters except line feeds.");
  const end = note.lastIndexOf("\n\n");
  needs(end >= 0 && note.endsWith("\n"), "A signed note is a text, an empty line and lines of signatures.");
  const text = note.slice(0, end + 1), signed = note.slice(end + 2).split("\n").slice(0, -1);
  needs(signed.length >= 1 && signed.length <= MOST_LINES,
    `A signed note has 1 to ${MOST_LINES} lines of signatures, each with its end.`);
  const [origin = "", size = "", root = "", ...rest] = text.split("\n");
  needs(origin && rest.length >= 1 && rest.slice(0, -1).every(Boolean),
    "A checkpoint has the lines origin, size and root.");
  return { text, lines: signed.map(readLine), origin, size: readNumber(size), root: readHash(root) };
}

/** @param {string} said @returns {Line} */
function readLine(said) {
  const [, name = "", encoded = ""] = /^— ([^\s+]{1,200}) ([0-9A-Za-z+/]+={0,2})$/u.exec(said) ?? [];
  const bytes = fromBase64(encoded);
  needs(name && bytes.length >= 5,
    "A line of signatures is a dash, the name of a key, and at least five bytes in Base 64.");
  return { name, id: hex(bytes.subarray(0, 4)), signature: bytes.slice(4) };
}

/** Read a proof of inclusion in a log. @param {string} said @returns {Proof} */
export function readProof(said) {
  const end = said.indexOf("\n\n");
  const [first, ...lines] = said.slice(0, Math.max(end, 0)).split("\n");
  needs(end >= 0 && first === PROOF,
    `A proof begins with the line ${PROOF}, and ends with a checkpoint after an empty line.`);
  const extra = lines[0]?.startsWith("extra ") ? fromBase64(String(lines.shift()).slice(6)) : new Uint8Array();
  const index = lines.shift() ?? "";
  needs(index.startsWith("index ") && lines.length <= MOST_HASHES,
    `A proof has the line index after that, and at most ${MOST_HASHES} hashes.`);
  const checkpoint = readCheckpoint(said.slice(end + 2));
  return { extra, place: readNumber(index.slice(6)), hashes: lines.map(readHash), ...checkpoint };
}

/**
 * Return a key with the id that signature lines use.
 * @param {string} name @param {number} type @param {string} key in hex
 */
export const noteKey = (name, type, key) =>
  ({ name, type, key, id: hex(sha256(`${name}\n`, Uint8Array.of(type), unhex(key)).subarray(0, 4)) });

/** Read a verifier key. @param {string} said @returns {NoteKey} */
export function readNoteKey(said) {
  const [name = "", id = "", ...encoded] = said.split("+");
  const material = fromBase64(encoded.join("+")), [type = 0] = material;
  needs(/^[^\s]{1,200}$/u.test(name) && material.length === 33 && [LOG_KEY, WITNESS_KEY].includes(type),
    "A verifier key is written NAME+ID+BASE64, and its type is Ed25519.");
  const key = noteKey(name, type, hex(material.subarray(1)));
  needs(key.id === id, `The id in the verifier key of ${name} is not that of its key.`);
  return key;
}

/**
 * Return the keys that signed a checkpoint; throw BadNote if one of their signatures is invalid.
 * @param {{text: string, lines: Line[]}} note @param {NoteKey[]} keys
 */
export async function signersOf({ text, lines }, keys) {
  /** @type {NoteKey[]} */
  const found = [];
  for (const line of lines)
    for (const key of keys.filter(({ name, id }) => name === line.name && id === line.id)) {
      const isCosigned = key.type === WITNESS_KEY;
      needs(!isCosigned || (line.signature.length === 72 && (line.signature[0] ?? 0) < 128),
        `The cosignature of ${key.name} has the wrong length, or no possible time.`);
      const seconds = new DataView(line.signature.buffer).getBigUint64(0);
      const message = isCosigned ? `cosignature/v1\ntime ${seconds}\n${text}` : text;
      const signature = hex(isCosigned ? line.signature.subarray(8) : line.signature);
      needs(await isSignature(key.key, message, signature), `The signature of ${key.name} is invalid.`);
      found.push(key);
    }
  return found;
}

/**
 * Check a record's proof that its signed head is in the log; call `witnessed` if a quorum has cosigned.
 * @param {import("./record.mjs").SignedHead | null | undefined} head
 * @param {{keys: import("./signatures.mjs").Known[], witnesses: NoteKey[], quorum: number}} held
 * @param {() => void} witnessed
 */
export async function inLog(head, { keys, witnesses, quorum }, witnessed) {
  if (!head || (head.logged ?? null) === null)
    return { skipped:
      "The record has no proof that its head is in the transparency log. Export it again in a minute." };
  const { kind, id, version, head: digest } = head;
  try {
    const proof = readProof(head.logged ?? "");
    const entry = sha256("dealt-leaf/1|", proof.extra, `|head|${kind}|${id}|${version}|${digest}`);
    const { place, size, hashes, root, origin } = proof;
    must(proof.extra.length === 32 && isIncluded(leafOf(entry), place, size, hashes, root), version,
      "The proof does not lead to the root of its checkpoint.");
    const its = [...new Set([head.key, ...keys.map(({ key }) => key)])].filter((key) => key.length === 64);
    const signers = await signersOf(proof, [...its.map((key) => noteKey(origin, LOG_KEY, key)), ...witnesses]);
    const seen = `It is entry ${place} of the log ${origin}, which had ${size} entries then`;
    const isTheirs = signers.some((key) => key.type === LOG_KEY);
    const cosigned = signers.filter((key) => key.type === WITNESS_KEY);
    const count = new Set(cosigned.map(({ name, id }) => `${name}+${id}`)).size;
    if (!isTheirs) return { skipped: `${seen}, but none of the keys that you named signed the checkpoint.` };
    if (!witnesses.length) return `${seen}. No witness was named.`;
    if (count < quorum) return { skipped:
      `${seen}. ${count} of the named witnesses cosigned, but ${quorum} are required.` };
    witnessed();
    return `${seen}. ${count} of the named witnesses cosigned.`;
  } catch (error) {
    if (!(error instanceof BadNote)) throw error;
    throw new Wrong(version, `The proof cannot be read, or its checkpoint is invalid. ${error.message}`);
  }
}
