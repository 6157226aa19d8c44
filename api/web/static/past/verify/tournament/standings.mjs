/**
 * Counts points and rates, and breaks ties, by sections 1 and 2 of the tournament rulebook. Rates are exact: fractions
 * of integers.
 */

import { at, of } from "./state.mjs";

/** @typedef {import("./state.mjs").Played} Played @typedef {import("./state.mjs").Result} Result */
/** @typedef {[over: bigint, under: bigint]} Rate */

/** @param {number} seats */
const fullPoints = (seats) => (seats === 2 ? 3 : 2 * (seats - 1));

/**
 * Return the points of a table's seats; `seats` is the number it counts as (1.5).
 * @param {Result} table
 * @param {number} seats
 */
function pointsAt({ places }, seats) {
  if (!places.includes(1)) return places.map(() => 0);
  const [behind, level] = seats === 2 ? [3, 1] : [2, 1];
  return places.map((mine, seat) => {
    const own = places.reduce((sum, place, other) =>
      sum + (other === seat ? 0 : place > mine ? behind : place === mine ? level : 0), 0);
    return seats === places.length ? own : Math.floor((own * (seats - 1)) / (places.length - 1));
  });
}

/**
 * Return each entrant's totals over all tables and byes, in the order of the rounds.
 * @param {number[]} entrants
 * @param {Played[]} rounds
 * @param {number} full the seats of a full table
 */
function resultsOf(entrants, rounds, full) {
  const all =
    new Map(entrants.map((one) => [one, { points: 0, most: 0, won: 0, games: 0, met: /** @type {number[]} */ ([]) }]));
  for (const { tables, byes } of rounds) {
    for (const table of tables) {
      const points = pointsAt(table, full);
      table.seats.forEach((one, seat) => {
        if (one === null) return;
        const mine = of(all, one);
        mine.points += at(points, seat);
        mine.most += fullPoints(full);
        mine.won += 3 * at(table.wins, seat) + table.drawn;
        mine.games += table.games;
        mine.met.push(...table.seats.filter((other, i) => i !== seat && other !== null).map(Number));
      });
    }
    for (const one of byes) {
      const mine = of(all, one);
      mine.points += fullPoints(full);
      mine.most += fullPoints(full);
      mine.won += 6;
      mine.games += 2;
    }
  }
  return all;
}

/**
 * @param {number[]} entrants
 * @param {Played[]} rounds
 * @param {number} seats
 */
export const pointsOf = (entrants, rounds, seats) =>
  new Map([...resultsOf(entrants, rounds, seats)].map(([one, { points }]) => [one, points]));

/** @type {Rate} */
const third = [1n, 3n];
/** @param {number} got @param {number} all @returns {Rate} */
const atLeastThird = (got, all) => (all === 0 || 3 * got < all ? third : [BigInt(got), BigInt(all)]);
/** @param {Rate} one @param {Rate} other */
export const compared = ([a, b], [c, d]) => (a * d < c * b ? -1 : a * d > c * b ? 1 : 0);

/** @param {Rate[]} rates @returns {Rate} */
function average(rates) {
  if (!rates.length) return [0n, 1n];
  const [top, bottom] = rates.reduce(([a, b], [c, d]) => (b === d ? [a + c, b] : [a * d + c * b, b * d]),
    /** @type {Rate} */ ([0n, 1n]));
  return [top, bottom * BigInt(rates.length)];
}

/**
 * Return the ranked entrants; the input is in the order of the shuffle `seating`.
 * @param {number[]} entrants @param {Played[]} rounds @param {number} seats
 */
export function ranking(entrants, rounds, seats) {
  const all = resultsOf(entrants, rounds, seats);
  const rows = entrants.map((one) => {
    const { points, won, games, met } = of(all, one);
    const others = met.map((other) => of(all, other));
    return {
      one, points, own: atLeastThird(won, 3 * games),
      others: average(others.map((other) => atLeastThird(other.points, other.most))),
      theirs: average(others.map((other) => atLeastThird(other.won, 3 * other.games))),
    };
  });
  /** @typedef {typeof rows[number]} Row */
  /** @param {Row} a @param {Row} b */
  const order = (a, b) =>
    b.points - a.points || compared(b.others, a.others) || compared(b.own, a.own) || compared(b.theirs, a.theirs);
  rows.sort(order);
  for (let i = 0, end; i < rows.length; i = end) {
    const first = at(rows, i);
    end = i + 1;
    while (end < rows.length && order(first, at(rows, end)) === 0) end += 1;
    if (end - i !== 2) continue;
    const second = at(rows, i + 1);
    if (oftenBefore(second.one, first.one, rounds) > 0) [rows[i], rows[i + 1]] = [second, first];
  }
  return rows.map(({ one }) => one);
}

/**
 * Return how much more often one entrant finished before the other than behind, at shared tables.
 * @param {number} one
 * @param {number} other
 * @param {Played[]} rounds
 */
function oftenBefore(one, other, rounds) {
  let sum = 0;
  for (const { tables } of rounds) {
    for (const { seats, places } of tables) {
      if (seats.includes(one) && seats.includes(other))
        sum += Math.sign(at(places, seats.indexOf(other)) - at(places, seats.indexOf(one)));
    }
  }
  return sum;
}
