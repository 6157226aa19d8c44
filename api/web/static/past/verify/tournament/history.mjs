/** Collects entrants' histories: whom they met, their seats, and their byes. */

import { Counts, at, people, range } from "./state.mjs";

/** @typedef {import("./state.mjs").Seat} Seat */

/** @param {import("./state.mjs").Played[]} played */
export function historyOf(played) {
  /** @type {Counts<string>} */
  const met = new Counts();
  /** @type {Counts<string>} */
  const sat = new Counts();
  /** @type {Counts<number>} */
  const byes = new Counts();
  /** @type {Counts<number>} */
  const withBots = new Counts();
  for (const each of played) {
    each.byes.forEach((one) => byes.add(one));
    for (const table of each.tables) {
      const there = people(table);
      table.seats.forEach((one, seat) => one !== null && sat.add(`${one} ${seat}`));
      if (there.length < table.seats.length) there.forEach((one) => withBots.add(one));
      for (const a of there) for (const b of there) if (a < b) met.add(`${a} ${b}`);
    }
  }
  /** @param {number} a @param {number} b */
  const times = (a, b) => met.of(a < b ? `${a} ${b}` : `${b} ${a}`);
  return { times, sat, byes, withBots };
}

/**
 * Return how often each entrant had each seat, for the search for tables (9.1).
 * @param {Counts<string>} sat
 * @param {number} seats the seats of a full table
 */
export const hadBy = (sat, seats) => (/** @type {number} */ one) =>
  range(seats).map((seat) => sat.of(`${one} ${seat}`));

/**
 * 3.6: return a table's seats; bots get the remaining ones.
 * @param {Counts<string>} sat
 * @param {number[]} table
 * @param {number} size
 */
export function seatedBy(sat, table, size) {
  /** @type {Seat[]} */
  const seats = leastHad(sat, table);
  while (seats.length < size) seats.push(null);
  return seats;
}

/**
 * Return the order in which all together have had their seats least; of several, the first.
 * @param {Counts<string>} sat
 * @param {number[]} table
 */
function leastHad(sat, table) {
  const all = 2 ** table.length, had = table.map((one) => table.map((_, seat) => sat.of(`${one} ${seat}`)));
  /** For each set of remaining entrants, as bits: how little they have had of the remaining seats, and who is first. */
  const [sums, begins] = [new Int32Array(all), new Int8Array(all)];
  const count = (/** @type {number} */ bits) => range(table.length).filter((i) => bits & (1 << i)).length;
  for (let left = 1; left < all; left++) {
    const seat = table.length - count(left);
    sums[left] = 2 ** 30;
    for (let i = 0; i < table.length; i++) {
      if (!(left & (1 << i))) continue;
      const sum = at(at(had, i), seat) + (sums[left ^ (1 << i)] ?? 0);
      if (sum < (sums[left] ?? 0)) [sums[left], begins[left]] = [sum, i];
    }
  }
  const seats = [];
  for (let left = all - 1; left; ) {
    const i = begins[left] ?? 0;
    seats.push(at(table, i));
    left ^= 1 << i;
  }
  return seats;
}

/**
 * Return the lowest-placed entrants among those who have had the least of something.
 * @param {number[]} order
 * @param {number} count
 * @param {Counts<number>} had
 */
export function lowestOfLeast(order, count, had) {
  const least = [...order].reverse().map((one, i) => ({ one, i }));
  least.sort((a, b) => had.of(a.one) - had.of(b.one) || a.i - b.i);
  return least.slice(0, count).map(({ one }) => one);
}

/** @template T @param {T[]} slots @returns {[T, T][]} */
export const couples = (slots) => range(slots.length / 2).map((i) => [at(slots, 2 * i), at(slots, 2 * i + 1)]);
