/** Pairs and places eliminations at tables of two, by sections 5.1 to 5.4 and 5.6 of the rulebook of tournaments. */

import { couples, historyOf } from "./history.mjs";
import { pairsByRule } from "./matching.mjs";
import { lostByAll, placesBy } from "./places.mjs";
import { Counts, at, of, people } from "./state.mjs";

/**
 * @typedef {import("./state.mjs").Seat} Seat
 * @typedef {import("./state.mjs").Played} Played
 * @typedef {import("./state.mjs").Round} Round
 */
/** @typedef {import("./state.mjs").Tournament} Tournament @typedef {Map<number, number>} Left */

/** 5.1: the places of the bracket; null where nobody is. @param {number[]} seeds @returns {Seat[]} */
function bracketOf(seeds) {
  let places = [0];
  while (places.length < seeds.length) places = places.flatMap((seed) => [seed, 2 * places.length - 1 - seed]);
  return places.map((seed) => seeds[seed] ?? null);
}

/** @param {import("./state.mjs").Result} table */
function soleWinner({ seats, places }) {
  const first = places.flatMap((place, seat) => (place === 1 ? [at(seats, seat)] : []));
  return first.length === 1 ? at(first, 0) : null;
}

/** @param {Seat[]} slots @param {Played} played @returns {Seat[]} */
function afterRound(slots, { tables, byes }) {
  const on = new Set([...tables.map(soleWinner), ...byes]);
  on.delete(null);
  return couples(slots).map(([a, b]) => (on.has(a) ? a : on.has(b) ? b : null));
}

/** @param {Seat[]} slots @returns {Round} */
function roundOf(slots) {
  /** @type {number[][]} */
  const tables = [];
  /** @type {number[]} */
  const byes = [];
  for (const couple of couples(slots)) {
    const there = couple.filter((one) => one !== null);
    if (there.length === 2) tables.push(there);
    else byes.push(...there);
  }
  return { stage: "elimination", tables, byes };
}

/** @param {number[]} seeds @param {Played[]} played @param {Left} left */
export function bracketRound(seeds, played, left) {
  const slots = played.reduce(afterRound, bracketOf(seeds)).map((one) => (one !== null && left.has(one) ? null : one));
  return slots.filter((one) => one !== null).length < 2 ? null : roundOf(slots);
}

/**
 * @param {number[]} seeds
 * @param {Played[]} played
 * @param {Left} left
 * @param {number} rules the version of the rules
 */
export function bracketPlaces(seeds, played, left, rules) {
  const won = new Map(seeds.map((one) => [one, 0]));
  let slots = bracketOf(seeds);
  played.forEach((each, n) => {
    slots = afterRound(slots, each);
    for (const one of slots) if (one !== null) won.set(one, n + 1);
  });
  return placesBy(new Map(seeds.map((one) => [one, [of(won, one), Number(slots.includes(one) && !left.has(one))]])),
    lostByAll(played, rules).map(({ n }) => [n, 0]));
}

// --- Double elimination (5.6) -------------------------------------------------------------------

/** @param {Played[]} played */
function lossesOf(played) {
  /** @type {Counts<number>} */
  const lost = new Counts();
  for (const { tables } of played) for (const table of tables) for (const one of people(table))
    if (one !== soleWinner(table)) lost.add(one);
  return lost;
}

/** @param {Tournament} t @returns {Round | null} */
export function doubleRound(t) {
  const lost = lossesOf(t.played), there = t.order.filter((one) => !t.left.has(one));
  const upper = there.filter((one) => lost.of(one) === 0), lower = there.filter((one) => lost.of(one) === 1);
  if (upper.length + lower.length < 2) return null;
  if (upper.length === 1 && lower.length === 1)
    return { stage: "elimination", tables: [[...upper, ...lower]], byes: [] };
  const slots = t.played.reduce((slots, each) => (slots.length > 1 ? afterRound(slots, each) : slots),
    bracketOf(t.order));
  const unbeaten = slots.map((one) => (one !== null && upper.includes(one) ? one : null));
  const { tables, byes } = upper.length > 1 ? roundOf(unbeaten) : { tables: [], byes: upper };
  const { times, byes: had } = historyOf(t.played);
  const fewest = Math.min(...lower.map((one) => had.of(one)));
  const waits = lower.length % 2 ? lower.filter((one) => had.of(one) === fewest).slice(0, 1) : [];
  const pairs = pairsByRule(lower.filter((one) => !waits.includes(one)), (a, b) => times(a, b) > 0);
  return { stage: "elimination", tables: [...tables, ...pairs], byes: [...byes, ...waits] };
}

/** @param {Tournament} t */
export function doublePlaces(t) {
  const after = t.played.map((_, n) => lossesOf(t.played.slice(0, n + 1)));
  const lost = lossesOf(t.played);
  const bothOut = lostByAll(t.played, t.rules)
    .filter(({ n, table }) => people(table).every((one) => at(after, n - 1).of(one) >= 2));
  return placesBy(new Map(t.order.map((one) => {
    const survived = after.filter((counts) => counts.of(one) < 2).length, still = lost.of(one) < 2;
    return [one, [survived, Number(still && !t.left.has(one)), still ? -lost.of(one) : 0]];
  })), bothOut.map(({ n }) => [n, 0, 0]));
}
