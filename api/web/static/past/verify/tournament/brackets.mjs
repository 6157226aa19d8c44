/** Pairs and places eliminations at tables of two, by sections 5.1 to 5.4 of the tournament rulebook. */

import { couples } from "./history.mjs";
import { lostByAll, placesBy } from "./places.mjs";
import { at, of } from "./state.mjs";

/**
 * @typedef {import("./state.mjs").Seat} Seat
 * @typedef {import("./state.mjs").Played} Played
 * @typedef {import("./state.mjs").Round} Round
 */
/** @typedef {Map<number, number>} Left */

/** 5.1: return the bracket's slots; null for an empty one. @param {number[]} seeds @returns {Seat[]} */
export function bracketOf(seeds) {
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
export function afterRound(slots, { tables, byes }) {
  const on = new Set([...tables.map(soleWinner), ...byes]);
  on.delete(null);
  return couples(slots).map(([a, b]) => (on.has(a) ? a : on.has(b) ? b : null));
}

/** @param {Seat[]} slots @returns {Round} */
export function roundOf(slots) {
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
 */
export function bracketPlaces(seeds, played, left) {
  const won = new Map(seeds.map((one) => [one, 0]));
  let slots = bracketOf(seeds);
  played.forEach((each, n) => {
    slots = afterRound(slots, each);
    for (const one of slots) if (one !== null) won.set(one, n + 1);
  });
  return placesBy(new Map(seeds.map((one) => [one, [of(won, one), Number(slots.includes(one) && !left.has(one))]])),
    lostByAll(played).map(({ n }) => [n, 0]));
}
