// How rounds are paired and entrants placed in each format, by sections 3 to 6 of the rulebook of tournaments.
//
// `t` has the plan, `rounds` (those of a Swiss), `order`, `played` (rounds with `tables` and `byes`), `left` (a map: entrant to the rounds
// that had been paired), `missed` (how many tables each has not come to) and `clubs` (a map). `draw` gives `shuffle` and `below`. A round is {stage, tables, byes}; null: there is none.

import { manyTables, placesByStack } from "./many_tables.mjs";
import { duplicatePlaces, duplicateRound } from "./duplicate.mjs";
import { pairsByRule } from "./matching.mjs";
import { searchTables } from "./search.mjs";
import { fullPoints, pointsOf, ranking } from "./standings.mjs";

const people = (table) => table.seats.filter((one) => one !== null);
const round = (stage, tables, byes) => ({ stage, tables, byes });
const range = (n) => Array.from({ length: n }, (_, i) => i);

/** Count things by their keys. */
export class Counts extends Map {
  add(key) {
    this.set(key, this.of(key) + 1);
  }
  of(key) {
    return this.get(key) ?? 0;
  }
}

function historyOf(played) {
  const met = new Counts(), sat = new Counts(), byes = new Counts(), withBots = new Counts();
  for (const each of played) {
    each.byes.forEach((one) => byes.add(one));
    for (const table of each.tables) {
      const there = people(table);
      table.seats.forEach((one, seat) => one !== null && sat.add(`${one} ${seat}`));
      if (there.length < table.seats.length) there.forEach((one) => withBots.add(one));
      for (const a of there) for (const b of there) if (a < b) met.add(`${a} ${b}`);
    }
  }
  const times = (a, b) => met.of(a < b ? `${a} ${b}` : `${b} ${a}`);
  return { times, sat, byes, withBots };
}

/** 3.6: each seat goes to who has had it least, then to the first; bots have the seats that are left. */
function seatedBy(sat, table, size) {
  const rest = [...table], seats = [];
  for (const seat of range(table.length)) {
    const least = Math.min(...rest.map((one) => sat.of(`${one} ${seat}`)));
    const at = rest.findIndex((one) => sat.of(`${one} ${seat}`) === least);
    seats.push(...rest.splice(at, 1));
  }
  while (seats.length < size) seats.push(null);
  return seats;
}

// --- Swiss --------------------------------------------------------------------------------------

/** The sizes of tables where smaller ones are made, as few as can be; null: so many cannot be divided. */
function smaller(n, { seats, fewest }) {
  const count = Math.ceil(n / seats), full = count - 1, rest = n - full * seats;
  if (rest === seats) return Array(count).fill(seats);
  if (Math.floor(n / count) < fewest) return null;
  if (rest >= fewest) return [...Array(full).fill(seats), rest];
  return range(count).map((i) => Math.floor(n / count) + (i < n % count ? 1 : 0));
}

export function withoutTable(n, plan) {
  if (plan.fill === "bots" || (plan.fill === "short" && smaller(n, plan))) return 0;
  return n % plan.seats;
}

export const swissLength = (plan, n) => plan.rounds ?? Math.max(1, range(11).findIndex((r) => 2 ** r >= n));

function lowestOfLeast(order, count, had) {
  const least = [...order].reverse().map((one, i) => ({ one, i }));
  least.sort((a, b) => had.of(a.one) - had.of(b.one) || a.i - b.i);
  return least.slice(0, count).map(({ one }) => one);
}

function swiss(t, draw) {
  const { plan } = t;
  const there = range(t.order.length).map((_, i) => t.order[i]).filter((one) => !t.left.has(one));
  if (t.played.length >= t.rounds || there.length < 2) return null;
  const points = pointsOf(t.order, t.played, plan.seats);
  const { times, sat, byes: hadBye, withBots } = historyOf(t.played);
  let order = draw.shuffle(there.sort((a, b) => a - b));
  order.sort((a, b) => points.get(b) - points.get(a));
  const byes = lowestOfLeast(order, withoutTable(order.length, plan), hadBye);
  order = order.filter((one) => !byes.includes(one));
  let tables;
  if (plan.seats === 2) {
    const alone = lowestOfLeast(order, order.length % 2, withBots);
    tables = pairsByRule(order.filter((one) => !alone.includes(one)), (a, b) => times(a, b) > 0);
    tables.push(...alone.map((one) => [one]));
  } else {
    const full = Math.floor(order.length / plan.seats), rest = order.length % plan.seats;
    const botted = [...Array(full).fill(plan.seats), ...(rest ? [rest] : [])];
    const sizes = plan.fill === "bots" ? botted : smaller(order.length, plan);
    tables = searchTables(order, sizes, { times, points, clubs: t.clubs, below: draw.below });
  }
  if (!tables.length) return null;
  return round("main", tables.map((table) => seatedBy(sat, table, plan.fill === "bots" ? plan.seats : 0)), byes);
}

// --- Brackets -----------------------------------------------------------------------------------

/** 5.1: the places of the bracket; null where nobody is. */
function bracketOf(seeds) {
  let places = [0];
  while (places.length < seeds.length) places = places.flatMap((seed) => [seed, 2 * places.length - 1 - seed]);
  return places.map((seed) => seeds[seed] ?? null);
}

const couples = (slots) => range(slots.length / 2).map((i) => [slots[2 * i], slots[2 * i + 1]]);

export function soleWinner({ seats, places }) {
  const first = places.flatMap((place, seat) => (place === 1 ? [seats[seat]] : []));
  return first.length === 1 ? first[0] : null;
}

function afterRound(slots, { tables, byes }) {
  const on = new Set([...tables.map(soleWinner), ...byes]);
  on.delete(null);
  return couples(slots).map(([a, b]) => (on.has(a) ? a : on.has(b) ? b : null));
}

function tablesAndByes(slots) {
  const tables = [], byes = [];
  for (const couple of couples(slots)) {
    const there = couple.filter((one) => one !== null);
    if (there.length === 2) tables.push(there);
    else byes.push(...there);
  }
  return [tables, byes];
}

function bracketRound(seeds, played, left) {
  const slots = played.reduce(afterRound, bracketOf(seeds)).map((one) => (left.has(one) ? null : one));
  return slots.filter((one) => one !== null).length < 2 ? null : round("elimination", ...tablesAndByes(slots));
}

/** The place of each by how far it has come: rows of numbers, the greater the better; who has come as far shares the place. */
export function placesBy(far) {
  const ahead = (a, b) => {
    const at = a.findIndex((n, i) => n !== b[i]);
    return at >= 0 && a[at] > b[at];
  };
  return new Map([...far].map(([one, mine]) => [one, 1 + [...far.values()].filter((other) => ahead(other, mine)).length]));
}

function bracketPlaces(seeds, played, left) {
  const won = new Map(seeds.map((one) => [one, 0]));
  let slots = bracketOf(seeds);
  played.forEach((each, n) => {
    slots = afterRound(slots, each);
    for (const one of slots) if (one !== null) won.set(one, n + 1);
  });
  return placesBy(new Map(seeds.map((one) => [one, [won.get(one), Number(slots.includes(one) && !left.has(one))]])));
}

// --- Swiss with a cut (3.7) ---------------------------------------------------------------------

const inSwiss = (t) => Math.min(t.played.length, t.rounds);
const rankedInSwiss = (t) => ranking(t.order, t.played.slice(0, inSwiss(t)), t.plan.seats);
const seedsOfCut = (t) =>
  rankedInSwiss(t).filter((one) => !t.left.has(one) || t.left.get(one) > inSwiss(t)).slice(0, t.plan.cut);

function swissPlaces(t) {
  const ranked = rankedInSwiss(t);
  if (!t.plan.cut || t.played.length < t.rounds) return new Map(ranked.map((one, i) => [one, i + 1]));
  const seeds = seedsOfCut(t);
  const places = bracketPlaces(seeds, t.played.slice(t.rounds), t.left);
  ranked.filter((one) => !seeds.includes(one)).forEach((one, i) => places.set(one, seeds.length + i + 1));
  return places;
}

// --- Round robin (4) ----------------------------------------------------------------------------

const ringOf = (t) => (t.order.length % 2 ? [null, ...t.order] : [...t.order]);
const roundsOfCircle = (t) => (ringOf(t).length - 1) * t.plan.legs;

/** Who are opposite in the round after `n` others, seat by seat; null is the empty place. */
function couplesOf(t, n) {
  const ring = ringOf(t), perLeg = ring.length - 1, turn = n % perLeg, leg = Math.floor(n / perLeg);
  const at = (i) => (i === 0 ? ring[0] : ring[1 + ((i - 1 + turn) % perLeg)]);
  return range(ring.length / 2).map((i) => {
    const couple = [at(i), at(perLeg - i)];
    // 4.2: those opposite sit the other way around at every second place; at the first place in every second round.
    return ((i === 0 ? turn : i) + leg) % 2 ? couple.reverse() : couple;
  });
}

function circle(t) {
  const n = t.played.length;
  if (n >= roundsOfCircle(t) || t.order.filter((one) => !t.left.has(one)).length < 2) return null;
  const tables = [], byes = [];
  for (const couple of couplesOf(t, n)) {
    const there = couple.filter((one) => one !== null && !t.left.has(one));
    if (there.length === 2) tables.push(there);
    else byes.push(...there);
  }
  return round("main", tables, byes);
}

/** 4.3: those who have not come to more than half of their tables, or had left before them. */
function leftOutOf(t) {
  const all = range(roundsOfCircle(t)).map((n) => couplesOf(t, n).filter((couple) => !couple.includes(null)));
  const tables = (rounds, one) => rounds.flat().filter((couple) => couple.includes(one)).length;
  return t.order.filter((one) => {
    const gone = t.left.has(one) ? tables(all.slice(t.left.get(one)), one) : 0;
    return 2 * (gone + t.missed.of(one)) > tables(all, one);
  });
}

function leaguePlaces(t) {
  const out = leftOutOf(t), counts = (seats) => !seats.some((one) => out.includes(one));
  const played = t.played.map(({ tables, byes }, n) => ({
    tables: tables.filter(({ seats }) => counts(seats)),
    byes: byes.filter((one) => counts(couplesOf(t, n).find((couple) => couple.includes(one)))),
  }));
  const ranked = ranking(t.order, played, t.plan.seats);
  const behind = [...ranked.filter((one) => !out.includes(one)), ...t.order.filter((one) => out.includes(one))];
  return new Map(behind.map((one, i) => [one, i + 1]));
}

// --- Elimination at larger tables (5.5) ---------------------------------------------------------

const isLastTable = (each) => each.tables.length === 1 && each.byes.length === 0;

/** Who goes on from a table after these rounds; null: it does not say. */
function goOn(t, before, table, last) {
  if (!table.places.includes(1)) return [];
  const points = pointsOf(t.order, before, t.plan.seats);
  const rows = table.seats.flatMap((one, seat) => (one === null ? [] : [{ one, place: table.places[seat], points: points.get(one) }]));
  rows.sort((a, b) => a.place - b.place || b.points - a.points || a.one - b.one);
  const count = last ? 1 : t.plan.advance;
  const [in_, out] = [rows[count - 1], rows[count]];
  if (in_ && out && in_.place === out.place && in_.points === out.points) return null;
  return rows.slice(0, count).map(({ one }) => one);
}

function stillIn(t, upTo = t.played.length) {
  let left = t.order;
  t.played.slice(0, upTo).forEach((each, n) => {
    const on = new Set(each.byes);
    for (const table of each.tables) (goOn(t, t.played.slice(0, n), table, isLastTable(each)) ?? []).forEach((one) => on.add(one));
    left = left.filter((one) => on.has(one));
  });
  return left;
}

function knockout(t) {
  const { seats, advance, fill } = t.plan;
  const there = stillIn(t).filter((one) => !t.left.has(one));
  if (there.length < 2) return null;
  const count = Math.ceil(there.length / seats);
  const dealt = range(count).map(() => []);
  there.forEach((one, i) => {
    const lap = Math.floor(i / count);
    dealt[lap % 2 ? count - 1 - (i % count) : i % count].push(one);
  });
  const most = count > 1 ? advance : 1;
  const { sat } = historyOf(t.played);
  const tables = dealt.filter((table) => table.length > most).map((table) => seatedBy(sat, table, fill === "bots" ? seats : 0));
  return round("elimination", tables, dealt.filter((table) => table.length <= most).flat());
}

function knockoutPlaces(t) {
  const far = new Map(t.order.map((one) => [one, [0, 0, 0]]));
  t.played.forEach((each, n) => {
    for (const one of stillIn(t, n + 1)) far.set(one, [n + 1, Number(!t.left.has(one)), 0]);
    if (!isLastTable(each)) return;
    const [{ seats, places }] = each.tables;
    seats.forEach((one, seat) => one !== null && far.get(one)[0] <= n && far.set(one, [n, 1, -places[seat]]));
  });
  return placesBy(far);
}

/** 5.7: how far one has come, then the place at the table where one was out. */
function shootOutPlaces(t) {
  const far = new Map(t.order.map((one) => [one, [0, 0, 0]]));
  t.played.forEach((each, n) => {
    const on = stillIn(t, n + 1);
    for (const { seats, places } of each.tables) {
      seats.forEach((one, seat) => one !== null && far.set(one, on.includes(one) ? [n + 1, Number(!t.left.has(one)), 0] : [n, 1, -places[seat]]));
    }
  });
  return placesBy(far);
}

// --- Double elimination (5.6) -------------------------------------------------------------------

function lossesOf(played) {
  const lost = new Counts();
  for (const { tables } of played) for (const table of tables) for (const one of people(table)) if (one !== soleWinner(table)) lost.add(one);
  return lost;
}

function double(t) {
  const lost = lossesOf(t.played), there = t.order.filter((one) => !t.left.has(one));
  const upper = there.filter((one) => lost.of(one) === 0), lower = there.filter((one) => lost.of(one) === 1);
  if (upper.length + lower.length < 2) return null;
  if (upper.length === 1 && lower.length === 1) return round("elimination", [[upper[0], lower[0]]], []);
  let tables = [], byes = upper;
  if (upper.length > 1) {
    const slots = t.played.reduce((slots, each) => (slots.length > 1 ? afterRound(slots, each) : slots), bracketOf(t.order));
    [tables, byes] = tablesAndByes(slots.map((one) => (upper.includes(one) ? one : null)));
  }
  const { times, byes: had } = historyOf(t.played);
  const fewest = Math.min(...lower.map((one) => had.of(one)));
  const waits = lower.length % 2 ? [lower.find((one) => had.of(one) === fewest)] : [];
  const pairs = pairsByRule(lower.filter((one) => !waits.includes(one)), (a, b) => times(a, b) > 0);
  return round("elimination", [...tables, ...pairs], [...byes, ...waits]);
}

function doublePlaces(t) {
  const after = t.played.map((_, n) => lossesOf(t.played.slice(0, n + 1)));
  const lost = lossesOf(t.played);
  const far = t.order.map((one) => {
    const survived = after.filter((counts) => counts.of(one) < 2).length, still = lost.of(one) < 2;
    return [one, [survived, Number(still && !t.left.has(one)), still ? -lost.of(one) : 0]];
  });
  return placesBy(new Map(far));
}

// --- Arena (10) ---------------------------------------------------------------------------------

/** 10.2: whether those who are free are paired now. */
export const isTime = (free, there, seats, open) => free >= (open ? Math.max(2 * seats, Math.ceil(there / 8)) : seats);

function arena(t, draw) {
  const { seats } = t.plan, { sat } = historyOf(t.played), points = pointsOf(t.order, t.played, seats);
  const count = new Counts(), latest = new Map();
  for (const { tables } of t.played) for (const table of tables) for (const one of table.seats) latest.set(one, table.seats), count.add(one);
  const free = draw.shuffle(t.order.filter((one) => !t.left.has(one) && !t.away.has(one)).sort((a, b) => a - b));
  free.sort((a, b) => count.of(a) - count.of(b));
  const justMet = (a, b) => latest.get(a)?.includes(b) || latest.get(b)?.includes(a) || false;
  const byPoints = (those) => [...those].sort((a, b) => points.get(b) - points.get(a));
  let tables;
  if (seats === 2) {
    const tries = free.length % 2 ? [...free].reverse() : [null];
    const made = (waits) => pairsByRule(byPoints(free.filter((one) => one !== waits)), justMet);
    for (const waits of tries) {
      tables = made(waits);
      if (!tables.some(([a, b]) => justMet(a, b))) break;
      tables = null;
    }
    tables ??= made(tries[0]);
  } else {
    const order = byPoints(free.slice(0, free.length - (free.length % seats))), sizes = Array(order.length / seats).fill(seats);
    tables = searchTables(order, sizes, { times: (a, b) => Number(justMet(a, b)), points, clubs: t.clubs, below: null });
  }
  return round("main", tables.map((table) => seatedBy(sat, table, seats)), []);
}

// --- All of them --------------------------------------------------------------------------------

const byRanking = (t) => new Map(ranking(t.order, t.played, t.plan.seats).map((one, i) => [one, i + 1]));

export const FORMATS = {
  swiss: {
    pair: (t, draw) => swiss(t, draw) ?? (t.plan.cut ? bracketRound(seedsOfCut(t), t.played.slice(inSwiss(t)), t.left) : null),
    places: swissPlaces,
  },
  round_robin: { pair: circle, places: byRanking },
  league: { pair: circle, places: leaguePlaces },
  single_elimination: {
    pair: (t) => (t.plan.seats === 2 ? bracketRound(t.order, t.played, t.left) : knockout(t)),
    places: (t) => (t.plan.seats === 2 ? bracketPlaces(t.order, t.played, t.left) : knockoutPlaces(t)),
  },
  double_elimination: { pair: double, places: doublePlaces },
  shoot_out: { pair: knockout, places: shootOutPlaces },
  multi_table: { pair: manyTables, places: placesByStack },
  arena: { pair: arena, places: byRanking },
  duplicate: { pair: duplicateRound, places: (t) => duplicatePlaces(t, pointsOf(t.order, t.played, t.plan.seats)) },
};

/** Whether a table of an elimination must be played once more. */
export function mustBePlayedAgain(t, table, last) {
  if (table.seats.length === 2) return table.places.filter((place) => place === 1).length > 1;
  return goOn(t, t.played, table, last) === null;
}
