// Building blocks of the games' parts of the verifier: values, readers of seals, and dealing by docs/proof.md.

/** @typedef {import("./record.mjs").Data} Data @typedef {import("./record.mjs").Event} Event */

/**
 * The table that a game's part keeps while deals are recomputed.
 * @typedef {object} Table
 * @property {number} seats
 * @property {Data} options
 * @property {Data[]} cuts the cards cut for the deal
 * @property {Data} started the data of the hand's start
 * @property {<T>(purpose: string, n: number, items: readonly T[], link?: number) => T[] | null} shuffled null if no
 *   seed is known
 * @property {<T>(purpose: string, n: number, draw: (words: import("./words.mjs").Draw) => T) => T | null} drawn
 * @property {() => string[] | null} cutPack
 * @property {(purpose: string, bound: number) => number | null} number
 */

/** @typedef {(data: Data, seats: number) => string[]} Readers returns the readers of a sealed field */

/** @typedef {{gameStarts: string, gameEnds: string, handStarts: string, handNo: string}} Lifecycle */
/** @typedef {Required<Part<object>>} Known a game's part, with defaults filled in */

/**
 * A game's part of the verifier; `Own` is its own state on the table.
 * @template Own
 * @typedef {object} Part
 * @property {number[]} seats the allowed numbers of seats
 * @property {Record<string, string>} events the fields of each event type; `name:Kind` is an object of this kind, or a
 *   list of such objects
 * @property {Record<string, string>} [records] the fields of each kind of object in events; a field with `?` is
 *   omitted if it has no value
 * @property {string | null} [options] its options; null to accept any
 * @property {Record<string, Record<string, Readers>>} seals
 * @property {Record<string, (table: Table & Own, event: Event) => unknown>} deals
 * @property {import("./versions.mjs").Added} [added] fields added by later versions of its events
 * @property {string} [reveal]
 * @property {boolean} [handHistory]
 * @property {string[]} [brought] event types by which a seat brings something, in their sealed field
 * @property {string[]} [gained] event types by which a seat gains something for other matches, in their sealed
 *   field
 * @property {Lifecycle} [lifecycle] the event types that begin and end games and hands, and the field of a hand's
 *   number
 * @property {() => Partial<Own>} [newGame]
 * @property {() => Partial<Own>} [newHand]
 */

export class Wrong extends Error {
  /** @param {number | null} seq the event at fault @param {string} why */
  constructor(seq, why) {
    super(why);
    this.seq = seq;
  }
}

/** @param {unknown} holds @param {number | null} seq @param {string} why @returns {asserts holds} */
export function must(holds, seq, why) {
  if (!holds) throw new Wrong(seq, why);
}

// --- Values -------------------------------------------------------------------------------------

/** @param {unknown} x a JSON value @returns {string} */
export function canonical(x) {
  if (Array.isArray(x)) return `[${x.map(canonical).join(",")}]`;
  if (!isObject(x)) return JSON.stringify(x);
  const names = Object.keys(x).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(x[name])}`).join(",")}}`;
}

/** @param {unknown} a @param {unknown} b */
export const same = (a, b) => canonical(a ?? null) === canonical(b ?? null);
/** @param {unknown} x @returns {x is number} */
export const isInteger = (x) => Number.isInteger(x);
/** @param {unknown} x @param {number} below @returns {x is number} */
export const whole = (x, below) => isInteger(x) && x >= 0 && x < below;
/** @param {object} x @param {string} name */
export const has = (x, name) => Object.hasOwn(x, name);
/** @template T @param {Record<string, T> | undefined} x @param {string} name @returns {T | undefined} */
export const get = (x, name) => (x !== undefined && has(x, name) ? x[name] : undefined);
/** @param {unknown} x @returns {x is Data} */
export const isObject = (x) => x !== null && typeof x === "object" && !Array.isArray(x);
/** @param {unknown} x @returns {x is string} */
export const isText = (x) => typeof x === "string";

// --- Readers of seals ---------------------------------------------------------------------------

/** @type {Readers} */
export const OWN = (data) => [String(data.seat)];
/** @type {Readers} */
export const EACH = (_data, seats) => Array.from({ length: seats }, (_, seat) => String(seat));
/** @type {Readers} */
export const NOBODY = () => ["table"];
/** @type {Readers} */
export const ALL = (data, seats) => [...EACH(data, seats), "spectators"];

// --- Deals --------------------------------------------------------------------------------------

export const PACK = [..."CDHS"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));
/** @type {Map<unknown, number>} */
export const PLACE = new Map(PACK.map((card, i) => [card, i]));
/** @param {unknown} card @returns {card is string} */
export const isCard = (card) => PLACE.has(card);
/** @param {unknown} card */
const rank = (card) => (PLACE.get(card) ?? NaN) % 13;
/** Sort cards, or numbers. @template {string | number} T @param {Iterable<T>} cards */
export const sorted = (cards) => [...cards].sort((a, b) => Number(PLACE.get(a) ?? a) - Number(PLACE.get(b) ?? b));

/** @param {Table} table @param {number} seq @returns {number[]} the seats in order from the dealer's left */
export function round(table, seq) {
  const { dealer } = table.started;
  must(whole(dealer, table.seats), seq, "The dealer must be a seat of the match.");
  return Array.from({ length: table.seats }, (_, i) => (dealer + 1 + i) % table.seats);
}

/**
 * Deal cards one at a time; return each seat's hand, by reader.
 * @template {string | number} T @param {T[]} cards @param {number[]} seats @returns {Record<string, T[]>}
 */
export function dealt(cards, seats) {
  const hands = seats.map((seat, i) => [String(seat), sorted(cards.filter((_, at) => at % seats.length === i))]);
  return Object.fromEntries(hands);
}

/**
 * Compare the disclosed parts of a field with their due values.
 * @param {Event} event
 * @param {string} field
 * @param {Data} due
 * @param {string} what the cards of the field, for people
 */
export function compare(event, field, due, what) {
  for (const [reader, value] of Object.entries(event.parts[field] ?? {})) {
    must(!has(due, reader) || same(value, due[reader]), event.seq, `${what} do not follow from the seed.`);
  }
}

/** @param {Table} table @param {Event} event @param {string} purpose @param {number[]} seats */
export function drawnSeat(table, { seq, data }, purpose, seats) {
  must(seats.length, seq, "There is no seat to draw from.");
  const place = table.number(purpose, seats.length);
  must(place === null || data.seat === seats[place], seq, "The seat does not follow from the seed.");
}

/** @param {Table} table @param {Event} event */
export function firstDealer(table, event) {
  if (event.data.how === "cut") cutDealer(table, event);
  if (event.data.how === "random") drawnSeat(table, event, "first_dealer", [...Array(table.seats).keys()]);
}

/** @param {Table} table @param {Event} event */
function cutDealer(table, { seq, data }) {
  const pack = table.cutPack();
  if (!pack) return;
  /** @type {{seat: number, card: string | undefined}[]} */
  const drawn = [];
  let seats = Array.from({ length: table.seats }, (_, seat) => seat);
  while (seats.length > 1 && drawn.length < pack.length) {
    const turn = seats.slice(0, pack.length - drawn.length).map((seat, i) => ({ seat, card: pack[drawn.length + i] }));
    const highest = Math.max(...turn.map(({ card }) => rank(card)));
    seats = turn.filter(({ card }) => rank(card) === highest).map(({ seat }) => seat);
    drawn.push(...turn);
  }
  must(same(table.cuts, drawn) && same(data.seat, seats[0]), seq,
    "The cut for the first deal does not follow from the seed.");
}

/** @type {Record<string, (table: Table, event: Event) => unknown>} */
export const CUT = {
  CardCut: (table, { data }) => table.cuts.push({ seat: data.seat ?? null, card: data.card ?? null }),
  FirstDealerChosen: firstDealer,
};
