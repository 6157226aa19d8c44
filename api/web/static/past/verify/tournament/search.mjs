/** Finds tables of more than two, by the search that section 9 of the rulebook of tournaments describes. */

import { at, of } from "./state.mjs";

const MEETING = 1_000_000;

/**
 * @typedef {object} Known what is known of entrants
 * @property {(a: number, b: number) => number} times how often two have met @property {Map<number, number>} points
 * @property {Map<number, string>} clubs @property {((bound: number) => number) | null} below draws; null: no swaps by chance
 */
/** @typedef {[i: number, a: number, j: number, b: number]} Swap of place a of table i with place b of table j */

/** @param {number[]} order @param {number[]} sizes of the tables @param {Known} known */
export function searchTables(order, sizes, { times, points, clubs, below }) {
  /** @type {number[][]} */
  const tables = [];
  let from = 0;
  for (const size of sizes) tables.push(order.slice(from, (from += size)));

  /** @param {number[]} table */
  const price = (table) => {
    let sum = 0;
    table.forEach((a, i) => {
      for (const b of table.slice(i + 1)) {
        sum += MEETING * times(a, b) ** 2;
        if (clubs.has(a) && clubs.get(a) === clubs.get(b)) sum += 1;
      }
    });
    const had = table.map((one) => points.get(one) ?? 0);
    return sum + 100 * (Math.max(...had) - Math.min(...had));
  };
  const cost = tables.map(price);
  let tried = 0;

  /** @param {Swap} swap */
  const exchange = ([i, a, j, b]) => {
    const one = at(tables, i), other = at(tables, j);
    [one[a], other[b]] = [at(other, b), at(one, a)];
  };
  /** @param {Swap} swap */
  const settle = (swap) => {
    exchange(swap);
    for (const i of [swap[0], swap[2]]) cost[i] = price(at(tables, i));
  };

  /** @param {number} i @returns {Swap | null} */
  const bestSwap = (i) => {
    /** @type {Swap | null} */
    let best = null;
    let saves = 0;
    const mine = at(tables, i), its = at(cost, i);
    const others = tables.map((_, j) => j).filter((j) => j !== i);
    others.sort((j, k) => Math.abs(j - i) - Math.abs(k - i) || j - k);
    for (const j of others) {
      if (its < MEETING && Math.abs(j - i) > 6) break;
      const theirs = at(tables, j), both = its + at(cost, j);
      for (let a = 0; a < mine.length; a++) {
        for (let b = 0; b < theirs.length; b++) {
          tried += 1;
          /** @type {Swap} */
          const swap = [i, a, j, b];
          exchange(swap);
          const saved = both - price(mine) - price(theirs);
          exchange(swap);
          if (saved > saves) [best, saves] = [swap, saved];
        }
      }
      if (best && its - saves < MEETING) break;
    }
    return best;
  };

  /** @param {number} least */
  const improve = (least) => {
    const waiting = tables.map((_, i) => i).filter((i) => at(cost, i) >= least);
    for (let i = waiting.shift(); i !== undefined; i = waiting.shift()) {
      const swap = at(cost, i) >= least ? bestSwap(i) : null;
      if (!swap) continue;
      settle(swap);
      for (const one of [i, swap[2]]) if (at(cost, one) >= least && !waiting.includes(one)) waiting.push(one);
    }
  };

  const total = () => cost.reduce((a, b) => a + b, 0);
  /** @param {number[][]} kept */
  const restore = (kept) => kept.forEach((table, i) => { cost[i] = price((tables[i] = [...table])); });

  improve(MEETING);
  if (tables.length > 1 && below) {
    let best = tables.map((table) => [...table]), cheapest = total();
    const begun = tried;
    for (let n = 0; n < 200; n++) {
      const bad = tables.map((_, i) => i).filter((i) => at(cost, i) >= MEETING);
      if (!bad.length || tried - begun > 60_000) break;
      const i = at(bad, below(bad.length));
      const j = (i + 1 + below(tables.length - 1)) % tables.length;
      const a = below(at(tables, i).length);
      settle([i, a, j, below(at(tables, j).length)]);
      improve(MEETING);
      if (total() < cheapest) [best, cheapest] = [tables.map((table) => [...table]), total()];
      else restore(best);
    }
    restore(best);
  }
  improve(1);
  const place = new Map(order.map((one, i) => [one, i]));
  return tables.map((table) => [...table].sort((a, b) => of(place, a) - of(place, b)));
}
