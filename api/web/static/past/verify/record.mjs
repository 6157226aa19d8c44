/** Reads a record, and refuses what is none (docs/proof.md, "The record"). */

import { get, has, isObject, isText } from "./deals.mjs";

export { isObject };

export const MOST = { bytes: 16 * 1024 * 1024, events: 50_000, seats: 99, links: 65_536, depth: 32 };

export class Unreadable extends Error {}

const isNumber = (x) => typeof x === "number";
const isTextOrNull = (x) => x === null || isText(x);
const isObjectOrNull = (x) => x === null || isObject(x);
const all = (check) => (x) => isObject(x) && Object.values(x).every(check);
const maybe = (check) => (x) => x === undefined || check(x);
const list = (check) => (x) => Array.isArray(x) && x.every(check);
const fields = (checks) => (x) =>
  isObject(x) && Object.entries(checks).every(([name, check]) => check(get(x, name)));

const isEvent = fields({
  seq: isNumber, commit: isNumber, type: isText, v: isNumber, at: isText, cause: isText, data: isObject,
  seals: all(all(isText)), digest: isText, unseal: maybe(all(all(isText))), disclosed: maybe(all(isObject)),
});
const isSeat = fields({
  seat: isNumber, kind: isText, level: maybe(isTextOrNull),
  player: maybe((x) => x === null || all(isTextOrNull)(x)),
});
const isSignedHead = fields({
  server: isText, match: isText, version: isNumber, head: isText, key: isText, signature: isText,
});
const isRecord = fields({
  format: isText, events: list(isEvent), fairness: isObject, signed: maybe((x) => x === null || isSignedHead(x)),
  match: fields({
    id: isText, game: isText, rules: isText, visibility: isText, options: isObject, reader: isText,
    version: isNumber, head: isText, status: isText, seats: list(isSeat), result: maybe(isObjectOrNull),
    preset: maybe(isTextOrNull), series: maybe(isObject), clock: maybe(isObject), created_at: maybe(isText),
  }),
});

export function refuse(unless, why) {
  if (!unless) throw new Unreadable(why);
}

/** Read what a record may be: JSON, of values that a record has. */
export function parsed(bytes) {
  refuse(bytes.length <= MOST.bytes, "This is too large.");
  let text, record;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    record = JSON.parse(text);
  } catch (error) {
    throw new Unreadable(`This is not JSON: ${error instanceof Error ? error.message : error}`);
  }
  checkText(text, checkValues(record));
  return record;
}

/** Read the record of a match. */
export function read(bytes) {
  const record = parsed(bytes);
  refuse(isRecord(record), "A field is missing, or of another type.");
  const { match, events } = record;
  refuse(record.format === "dealt-record/1", "This is another format.");
  refuse(/^[0-9A-Za-z_-]{1,64}$/.test(match.id), "The match has no such id.");
  refuse(events.length >= 1 && events.length <= MOST.events, "There are no events, or too many.");
  refuse(Math.max(match.seats.length, seatsOf(events)) <= MOST.seats, "There are too many seats.");
  const readers = new Set(["spectators", ...match.seats.map((_, seat) => String(seat))]);
  refuse(readers.has(match.reader), "The reader is not one of the match.");
  for (const { data, disclosed } of events) {
    const twice = Object.entries(disclosed ?? {}).some(([name, part]) => has(data, name) && has(part, match.reader));
    refuse(!twice, "A part stands twice.");
  }
  const links = events.map((e) => get(e.data, "links")).filter((n) => Number.isInteger(n) && n > 0);
  refuse(links.reduce((a, b) => a + b, 0) <= MOST.links, "There are too many links.");
  return record;
}

/** Look at every value and name; says how many names there are. */
function checkValues(record) {
  let names = 0;
  for (let level = [record], depth = 0; level.length; depth++) {
    refuse(depth <= MOST.depth, "This is nested too deeply.");
    const below = [];
    for (const x of level) {
      if (typeof x === "number") refuse(Number.isSafeInteger(x), "A number is not whole, or too large.");
      if (typeof x === "string") refuse(!/\p{Surrogate}/u.test(x), "A text is not well-formed Unicode.");
      if (x === null || typeof x !== "object") continue;
      if (!Array.isArray(x)) {
        for (const name of Object.keys(x)) refuse(/^[\x00-\x7f]*$/.test(name), "A name is not ASCII.");
        names += Object.keys(x).length;
      }
      for (const value of Object.values(x)) below.push(value);
    }
    level = below;
  }
  return names;
}

/** What the parsed value does not show: names that stood twice, and numbers written with a fraction or an exponent. */
function checkText(text, names) {
  const bare = withoutTexts(text);
  refuse((bare.match(/:/g) ?? []).length === names, "A name stands twice.");
  refuse(!/\d[.eE]/.test(bare), "A number is written with a fraction or an exponent.");
}

/** A regular expression would run out of stack in a text of megabytes. */
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

export function seatsOf(events) {
  const seats = get(events[0].data, "seats");
  return Array.isArray(seats) ? seats.length : 0;
}

/** Split an event: its public fields, and the parts that the record holds. */
export function split(event, reader) {
  const data = {};
  const parts = {};
  for (const [name, values] of Object.entries(event.disclosed ?? {})) parts[name] = { ...values };
  for (const [name, value] of Object.entries(event.data)) {
    if (has(event.seals, name)) (parts[name] ??= {})[reader] = value;
    else data[name] = value;
  }
  return { ...event, data, parts, unseal: event.unseal ?? {} };
}

export function optionsOf(events) {
  const options = get(events[0].data, "options");
  return isObject(options) ? options : {};
}

/** Whether a match owes nobody its cards: it is not over, or ended before it began. */
export function disclosesLater(events) {
  const end = events.find((event) => event.type === "MatchEnded");
  return !end || ["cancelled", "expired"].includes(end.data.reason);
}

/** The seat that an event names; null if it names none. */
export const seatOf = ({ seat }) => (Number.isInteger(seat) ? seat : null);
