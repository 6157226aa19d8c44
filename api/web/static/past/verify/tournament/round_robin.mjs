/** Pairs round robins and leagues, and places leagues, by section 4 of the tournament rulebook. */

import { ranking } from "./standings.mjs";
import { at, range } from "./state.mjs";

/** @typedef {import("./state.mjs").Tournament} Tournament @typedef {import("./state.mjs").Seat} Seat */

/** @param {Tournament} t @returns {Seat[]} */
const ringOf = (t) => (t.order.length % 2 ? [null, ...t.order] : [...t.order]);
/** @param {Tournament} t */
const roundsOfCircle = (t) => (ringOf(t).length - 1) * t.plan.legs;

/**
 * Return the opponents in the round after `n` others, seat by seat; null is the empty place.
 * @param {Tournament} t
 * @param {number} n
 * @returns {Seat[][]}
 */
function couplesOf(t, n) {
  const ring = ringOf(t), perLeg = ring.length - 1, turn = n % perLeg, leg = Math.floor(n / perLeg);
  /** @param {number} i */
  const after = (i) => at(ring, i === 0 ? 0 : 1 + ((i - 1 + turn) % perLeg));
  return range(ring.length / 2).map((i) => {
    const couple = [after(i), after(perLeg - i)];
    // 4.2: opponents swap seats at every second place; at the first place in every second round.
    return ((i === 0 ? turn : i) + leg) % 2 ? couple.reverse() : couple;
  });
}

/** @param {Tournament} t @returns {import("./state.mjs").Round | null} */
export function circle(t) {
  const n = t.played.length;
  if (n >= roundsOfCircle(t) || t.order.filter((one) => !t.left.has(one)).length < 2) return null;
  /** @type {number[][]} */
  const tables = [];
  /** @type {number[]} */
  const byes = [];
  for (const couple of couplesOf(t, n)) {
    const there = couple.filter((one) => one !== null).filter((one) => !t.left.has(one));
    if (there.length === 2) tables.push(there);
    else byes.push(...there);
  }
  return { stage: "main", tables, byes };
}

/**
 * 4.3: return the entrants who missed more than half of their tables, by not showing up or having left.
 * @param {Tournament} t
 */
function leftOutOf(t) {
  const all = range(roundsOfCircle(t)).map((n) => couplesOf(t, n).filter((couple) => !couple.includes(null)));
  /** @param {Seat[][][]} rounds @param {number} one */
  const tables = (rounds, one) => rounds.flat().filter((couple) => couple.includes(one)).length;
  return t.order.filter((one) => {
    const left = t.left.get(one), gone = left === undefined ? 0 : tables(all.slice(left), one);
    return 2 * (gone + t.missed.of(one)) > tables(all, one);
  });
}

/** @param {Tournament} t */
export function leaguePlaces(t) {
  const out = leftOutOf(t);
  /** @param {Seat[]} seats */
  const counts = (seats) => !seats.some((one) => one !== null && out.includes(one));
  const played = t.played.map(({ tables, byes }, n) => ({
    tables: tables.filter(({ seats }) => counts(seats)),
    byes: byes.filter((one) => counts(couplesOf(t, n).find((couple) => couple.includes(one)) ?? [])),
  }));
  const ranked = ranking(t.order, played, t.plan.seats);
  const behind = [...ranked.filter((one) => !out.includes(one)), ...t.order.filter((one) => out.includes(one))];
  return new Map(behind.map((one, i) => [one, i + 1]));
}
