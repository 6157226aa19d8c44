/** Reads records, and refuses anything else (docs/proof.md, "The record"). */

import { get, has, isInteger, isObject, isText } from "./deals.mjs";

export { isObject };

/** @typedef {Record<string, unknown>} Data untrusted data, with unknown fields */

/**
 * An event in a record; `disclosed` has other seats' parts that the reader may see.
 * @typedef {object} Linked
 * @property {number} seq @property {number} commit @property {string} type @property {number} v
 * @property {string} at @property {string} cause @property {Data} data @property {string} digest
 * @property {Record<string, Record<string, string>>} seals
 * @property {Record<string, Record<string, string>>} [unseal]
 * @property {Record<string, Data>} [disclosed]
 */

/**
 * @typedef {Linked & {parts: Record<string, Data>, unseal: Record<string, Record<string, string>>}} Event a split
 *   event
 */

/**
 * A record's description of its match.
 * @typedef {object} Match
 * @property {string} id @property {string} game @property {string} rules @property {string} visibility @property {Data}
 *   options
 * @property {string} reader @property {number} version @property {string} head @property {string} status @property
 *   {Seat[]} seats
 * @property {Data | null} result @property {string | null} preset @property {Data} series @property {Data} clock
 * @property {string} created_at
 */

/**
 * @typedef {{seat: number, kind: string, level: string | null, player: {id: string, name: string | null} | null}} Seat
 */
/**
 * @typedef {{server: string, kind: string, id: string, version: number, head: string, key: string,
 *   signature: string, logged?: string | null}} SignedHead
 */
/**
 * @typedef {{format: string, events: Linked[], fairness: Data, signed?: SignedHead | null, match: Match}} MatchRecord
 */

export const MOST = { bytes: 16 * 1024 * 1024, events: 50_000, seats: 99, links: 65_536, depth: 32 };

export class Unreadable extends Error {}

/** @typedef {(x: unknown) => boolean} Check */

/** @type {Check} */
const isNumber = (x) => typeof x === "number";
/** @type {Check} */
const isTextOrNull = (x) => x === null || isText(x);
/** @type {Check} */
const isObjectOrNull = (x) => x === null || isObject(x);
/** @type {(check: Check) => Check} */
const all = (check) => (x) => isObject(x) && Object.values(x).every(check);
/** @type {(check: Check) => Check} */
const maybe = (check) => (x) => x === undefined || check(x);
/** @type {(check: Check) => Check} */
const list = (check) => (x) => Array.isArray(x) && x.every(check);
/** @type {(checks: Record<string, Check>) => Check} */
const fields = (checks) => (x) =>
  isObject(x) && Object.entries(checks).every(([name, check]) => check(get(x, name)));

const isEvent = fields({
  seq: isNumber, commit: isNumber, type: isText, v: isNumber, at: isText, cause: isText, data: isObject,
  seals: all(all(isText)), digest: isText, unseal: maybe(all(all(isText))), disclosed: maybe(all(isObject)),
});
const isPlayer = fields({ id: isText, name: isTextOrNull });
const isSeat = fields({
  seat: isNumber, kind: isText, level: isTextOrNull, player: (x) => x === null || isPlayer(x),
});
const hasHeadsFields = fields({
  server: isText, kind: isText, id: isText, version: isNumber, head: isText, key: isText, signature: isText,
  logged: maybe(isTextOrNull),
});
/** @param {unknown} x @returns {x is SignedHead} */
export const isSignedHead = (x) => hasHeadsFields(x);
const hasItsFields = fields({
  format: isText, events: list(isEvent), fairness: isObject, signed: maybe((x) => x === null || isSignedHead(x)),
  match: fields({
    id: isText, game: isText, rules: isText, visibility: isText, options: isObject, reader: isText,
    version: isNumber, head: isText, status: isText, seats: list(isSeat), result: isObjectOrNull,
    preset: isTextOrNull, series: isObject, clock: isObject, created_at: isText,
  }),
});

/** @param {unknown} x @returns {x is MatchRecord} */
const isRecord = (x) => hasItsFields(x);

/** @param {unknown} unless @param {string} why @returns {asserts unless} */
export function refuse(unless, why) {
  if (!unless) throw new Unreadable(why);
}

/** Parse JSON with only the values that records may have. @param {Uint8Array} bytes @returns {unknown} */
export function parsed(bytes) {
  refuse(bytes.length <= MOST.bytes, `A record may have at most ${MOST.bytes} bytes.`);
  /** @type {string} */
  let text;
  /** @type {unknown} */
  let record;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    record = JSON.parse(text);
  } catch (error) {
    throw new Unreadable(`This is not a record: ${error instanceof Error ? error.message : error}`);
  }
  checkText(text, checkValues(record));
  return record;
}

/** Read a match record. @param {Uint8Array} bytes */
export function read(bytes) {
  const record = parsed(bytes);
  refuse(isRecord(record), "This is not a record: a field is missing or has the wrong type.");
  const { match, events } = record;
  refuse(record.format === "dealt-record/1", "The format must be dealt-record/1.");
  refuse(/^[0-9A-Za-z_-]{1,64}$/.test(match.id), "The id of a match has 1 to 64 letters and digits.");
  refuse(events.length >= 1 && events.length <= MOST.events,
    `A record has 1 to ${MOST.events} events; this one has ${events.length}.`);
  refuse(Math.max(match.seats.length, seatsOf(events)) <= MOST.seats, `A match has at most ${MOST.seats} seats.`);
  const readers = new Set(["spectators", ...match.seats.map((_, seat) => String(seat))]);
  refuse(readers.has(match.reader), "The reader must be a seat of the match, or spectators.");
  for (const { data, disclosed } of events) {
    const twice = Object.entries(disclosed ?? {}).some(([name, part]) => has(data, name) && has(part, match.reader));
    refuse(!twice, "A part is in both the reader's data and the disclosed data.");
  }
  const links = events.map((e) => get(e.data, "links")).filter(isInteger).filter((n) => n > 0);
  refuse(links.reduce((a, b) => a + b, 0) <= MOST.links, `A record has at most ${MOST.links} links.`);
  return record;
}

/** Check every value and name; return the number of names. @param {unknown} record */
function checkValues(record) {
  let names = 0;
  for (let level = [record], depth = 0; level.length; depth++) {
    refuse(depth <= MOST.depth, "This is nested too deeply to be a record.");
    /** @type {unknown[]} */
    const below = [];
    for (const x of level) {
      if (typeof x === "number") refuse(Number.isSafeInteger(x), "Numbers in a record must be whole and within 2^53.");
      if (typeof x === "string") refuse(!/\p{Surrogate}/u.test(x), "Texts in a record must be well-formed Unicode.");
      if (x === null || typeof x !== "object") continue;
      if (!Array.isArray(x)) {
        for (const name of Object.keys(x)) refuse(/^[\x00-\x7f]*$/.test(name), "Names in a record must be ASCII.");
        names += Object.keys(x).length;
      }
      for (const value of Object.values(x)) below.push(value);
    }
    level = below;
  }
  return names;
}

/**
 * Check what parsing hides: repeated names, and numbers with a fraction or an exponent.
 * @param {string} text @param {number} names
 */
function checkText(text, names) {
  const bare = withoutTexts(text);
  refuse((bare.match(/:/g) ?? []).length === names, "An object has the same name twice.");
  refuse(!/\d[.eE]/.test(bare), "Numbers in a record must be whole and within 2^53.");
}

/** Remove strings. A regular expression would overflow the stack on megabytes of text. @param {string} text */
function withoutTexts(text) {
  const bare = [];
  for (let at = 0; ; ) {
    const open = text.indexOf('"', at);
    if (open < 0) return bare.join("") + text.slice(at);
    bare.push(text.slice(at, open), '""');
    for (at = open + 1; text[at] !== '"'; ) at += text[at] === "\\" ? 2 : 1;
    at += 1;
  }
}

/** Return the first event; a record has at least one. @template {Linked} T @param {T[]} events */
export function firstOf([first]) {
  refuse(first, "A record must have at least one event.");
  return first;
}

/** Return the last event. @template {Linked} T @param {T[]} events */
export function lastOf(events) {
  const last = events.at(-1);
  refuse(last, "A record must have at least one event.");
  return last;
}

/** @param {Linked[]} events */
export function seatsOf(events) {
  const seats = get(firstOf(events).data, "seats");
  return Array.isArray(seats) ? seats.length : 0;
}

/**
 * Split an event into public fields and disclosed parts. The names are untrusted, so they go into objects without a
 * prototype: `__proto__` would otherwise set another object.
 * @param {Linked} event @param {string} reader @returns {Event}
 */
export function split(event, reader) {
  /** @type {Data} */
  const data = Object.create(null);
  /** @type {Record<string, Data>} */
  const parts = Object.create(null);
  for (const [name, values] of Object.entries(event.disclosed ?? {})) parts[name] = { ...values };
  for (const [name, value] of Object.entries(event.data)) {
    if (has(event.seals, name)) (parts[name] ??= Object.create(null))[reader] = value;
    else data[name] = value;
  }
  return { ...event, data, parts, unseal: event.unseal ?? {} };
}

/** @param {Linked[]} events @returns {Data} */
export function optionsOf(events) {
  const options = get(firstOf(events).data, "options");
  return isObject(options) ? options : {};
}

/** Return the seat that an event names; null if none. @param {Data} data */
export const seatOf = ({ seat }) => (isInteger(seat) ? seat : null);
