// What the games' parts of the verifier are made of: values, readers of seals, and how docs/proof.md deals.

export class Wrong extends Error {
  constructor(seq, why) {
    super(why);
    this.seq = seq;
  }
}

export function must(holds, seq, why) {
  if (!holds) throw new Wrong(seq, why);
}

// --- Values -------------------------------------------------------------------------------------

export function canonical(x) {
  if (Array.isArray(x)) return `[${x.map(canonical).join(",")}]`;
  if (x === null || typeof x !== "object") return JSON.stringify(x);
  const names = Object.keys(x).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(x[name])}`).join(",")}}`;
}

export const same = (a, b) => canonical(a ?? null) === canonical(b ?? null);
export const whole = (x, below) => Number.isInteger(x) && x >= 0 && x < below;
export const has = (x, name) => Object.hasOwn(x, name);
export const get = (x, name) => (x !== undefined && has(x, name) ? x[name] : undefined);
export const isObject = (x) => x !== null && typeof x === "object" && !Array.isArray(x);
export const isText = (x) => typeof x === "string";

// --- Readers of seals ---------------------------------------------------------------------------

export const OWN = (data) => [String(data.seat)];
export const EACH = (_data, seats) => Array.from({ length: seats }, (_, seat) => String(seat));
export const NOBODY = () => ["table"];
export const ALL = (data, seats) => [...EACH(data, seats), "spectators"];

// --- Deals --------------------------------------------------------------------------------------

export const PACK = [..."CDHS"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));
export const PLACE = new Map(PACK.map((card, i) => [card, i]));
const rank = (card) => (PLACE.get(card) ?? NaN) % 13;
export const sorted = (cards) => [...cards].sort((a, b) => (PLACE.get(a) ?? a) - (PLACE.get(b) ?? b));

export function round(table, seq) {
  const { dealer } = table.started;
  must(whole(dealer, table.seats), seq, "The dealer is not a seat.");
  return Array.from({ length: table.seats }, (_, i) => (dealer + 1 + i) % table.seats);
}

/** Deal cards one at a time: each seat's hand, by reader. */
export function dealt(cards, seats) {
  const hands = seats.map((seat, i) => [String(seat), sorted(cards.filter((_, at) => at % seats.length === i))]);
  return Object.fromEntries(hands);
}

/** Compare the parts that the record holds of a field with what they must be. */
export function compare(event, field, due) {
  for (const [reader, value] of Object.entries(event.parts[field] ?? {})) {
    must(!has(due, reader) || same(value, due[reader]), event.seq, `${field} is not what the seed gives.`);
  }
}

export function drawnSeat(table, { seq, data }, purpose, seats) {
  must(seats.length, seq, "Nobody can be drawn.");
  const place = table.number(purpose, seats.length);
  must(place === null || data.seat === seats[place], seq, "The seat is not what the seed gives.");
}

export function firstDealer(table, event) {
  if (event.data.how === "cut") cutDealer(table, event);
  if (event.data.how === "random") drawnSeat(table, event, "first_dealer", [...Array(table.seats).keys()]);
}

function cutDealer(table, { seq, data }) {
  const pack = table.cutPack();
  if (!pack) return;
  const drawn = [];
  let seats = Array.from({ length: table.seats }, (_, seat) => seat);
  while (seats.length > 1 && drawn.length < pack.length) {
    const turn = seats.slice(0, pack.length - drawn.length).map((seat, i) => ({ seat, card: pack[drawn.length + i] }));
    const highest = Math.max(...turn.map(({ card }) => rank(card)));
    seats = turn.filter(({ card }) => rank(card) === highest).map(({ seat }) => seat);
    drawn.push(...turn);
  }
  must(same(table.cuts, drawn) && same(data.seat, seats[0]), seq, "The cut is not what the seed gives.");
}

export const CUT = {
  CardCut: (table, { data }) => table.cuts.push({ seat: data.seat ?? null, card: data.card ?? null }),
  FirstDealerChosen: firstDealer,
};
