/** Pairs and places eliminations at larger tables, by sections 5.5 and 5.7 of the tournament rulebook. */

import { historyOf, seatedBy } from "./history.mjs";
import { lostByAll, placesBy } from "./places.mjs";
import { pointsOf } from "./standings.mjs";
import { at, of, people, range } from "./state.mjs";

/**
 * @typedef {import("./state.mjs").Tournament} Tournament
 * @typedef {import("./state.mjs").Played} Played
 * @typedef {import("./state.mjs").Result} Result
 */

/** @param {Played} played */
export const isLastTable = ({ tables, byes }) => tables.length === 1 && byes.length === 0;

/**
 * Return who advances from a table after these rounds; null if that is undecided.
 * @param {Tournament} t
 * @param {Played[]} before
 * @param {Result} table
 * @param {boolean} last
 */
export function goOn(t, before, table, last) {
  if (!table.places.includes(1)) return [];
  const rows = table.seats.flatMap((one, seat) => (one === null ? [] : [{ one, place: at(table.places, seat) }]));
  rows.sort((a, b) => a.place - b.place || a.one - b.one);
  const count = last ? 1 : t.plan.advance;
  if (rows.length > count && at(rows, count - 1).place === at(rows, count).place) {
    const points = pointsOf(t.order, before, t.plan.seats);
    rows.sort((a, b) => a.place - b.place || of(points, b.one) - of(points, a.one) || a.one - b.one);
    if (of(points, at(rows, count - 1).one) === of(points, at(rows, count).one)) return null;
  }
  return rows.slice(0, count).map(({ one }) => one);
}

/** @param {Tournament} t @param {number} [upTo] the number of rounds to count */
function stillIn(t, upTo = t.played.length) {
  let left = t.order;
  t.played.slice(0, upTo).forEach((each, n) => {
    const on = new Set(each.byes);
    for (const table of each.tables) (goOn(t, t.played.slice(0, n), table, isLastTable(each)) ?? [])
      .forEach((one) => on.add(one));
    left = left.filter((one) => on.has(one));
  });
  return left;
}

/** @param {Tournament} t @returns {import("./state.mjs").Round | null} */
export function knockoutRound(t) {
  const { seats, advance, fill } = t.plan;
  const there = stillIn(t).filter((one) => !t.left.has(one));
  if (there.length < 2) return null;
  const count = Math.ceil(there.length / seats);
  const dealt = range(count).map(() => /** @type {number[]} */ ([]));
  there.forEach((one, i) => {
    const lap = Math.floor(i / count);
    at(dealt, lap % 2 ? count - 1 - (i % count) : i % count).push(one);
  });
  const most = count > 1 ? advance : 1;
  const { sat } = historyOf(t.played);
  const tables = dealt.filter((table) => table.length > most)
    .map((table) => seatedBy(sat, table, fill === "bots" ? seats : 0));
  return { stage: "elimination", tables, byes: dealt.filter((table) => table.length <= most).flat() };
}

/** @param {Tournament} t */
export function knockoutPlaces(t) {
  const far = new Map(t.order.map((one) => [one, [0, 0, 0]]));
  t.played.forEach((each, n) => {
    for (const one of stillIn(t, n + 1)) far.set(one, [n + 1, Number(!t.left.has(one)), 0]);
    const table = each.tables[0];
    if (!table || !isLastTable(each)) return;
    table.seats.forEach((one, seat) => one !== null && at(of(far, one), 0) <= n
      && far.set(one, [n, 1, -at(table.places, seat)]));
  });
  const empty = lostByAll(t.played)
    .flatMap(({ n, round, table }) => range(countOn(t, round, table)).map(() => [n, 0, 0]));
  return placesBy(far, empty);
}

/** Return how many entrants advance from a table. @param {Tournament} t @param {Played} round @param {Result} table */
export const countOn = (t, round, table) =>
  Math.min(isLastTable(round) ? 1 : t.plan.advance, people(table).length);

/**
 * 5.7: return the places: by how far each entrant got, then by the place at the table that eliminated them.
 * @param {Tournament} t
 */
export function shootOutPlaces(t) {
  const far = new Map(t.order.map((one) => [one, [0, 0, 0]]));
  t.played.forEach((each, n) => {
    const on = stillIn(t, n + 1);
    for (const { seats, places } of each.tables) {
      seats.forEach((one, seat) => one !== null
        && far.set(one, on.includes(one) ? [n + 1, Number(!t.left.has(one)), 0] : [n, 1, -at(places, seat)]));
    }
  });
  return placesBy(far, lostByAll(t.played).map(({ n }) => [n, 0, 0]));
}

/**
 * Return whether an elimination table must be replayed.
 * @param {Tournament} t
 * @param {Result} table
 * @param {boolean} last
 */
export function mustBePlayedAgain(t, table, last) {
  if (table.seats.length === 2) return table.places.filter((place) => place === 1).length > 1;
  return goOn(t, t.played, table, last) === null;
}
