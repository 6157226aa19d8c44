/** Tells what entrants have gone through: who has met whom, who has sat where, and who has had byes. */

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

/** 3.6: each seat goes to who has had it least, then to the first; bots have the seats that are left. @param {Counts<string>} sat @param {number[]} table @param {number} size */
export function seatedBy(sat, table, size) {
  const rest = [...table];
  /** @type {Seat[]} */
  const seats = [];
  for (const seat of range(table.length)) {
    const had = rest.map((one) => sat.of(`${one} ${seat}`));
    seats.push(...rest.splice(had.indexOf(Math.min(...had)), 1));
  }
  while (seats.length < size) seats.push(null);
  return seats;
}

/** Those of the lowest places who have had the fewest of something. @param {number[]} order @param {number} count @param {Counts<number>} had */
export function lowestOfLeast(order, count, had) {
  const least = [...order].reverse().map((one, i) => ({ one, i }));
  least.sort((a, b) => had.of(a.one) - had.of(b.one) || a.i - b.i);
  return least.slice(0, count).map(({ one }) => one);
}

/** @template T @param {T[]} slots @returns {[T, T][]} */
export const couples = (slots) => range(slots.length / 2).map((i) => [at(slots, 2 * i), at(slots, 2 * i + 1)]);
