/** Finds tables for more than two, by the search of section 9 of the tournament rulebook. */

import { at, of } from "./state.mjs";

const MEETING = 1_000_000, MOST = 750_000;

/**
 * @typedef {object} Known the entrants' histories
 * @property {(a: number, b: number) => number} times how often two have met @property {Map<number, number>} points
 * @property {Map<number, string>} clubs @property {((bound: number) => number) | null} below draws; null for no random
 *   swaps
 * @property {(one: number) => number[]} had how often an entrant had each seat
 */
/** @typedef {[i: number, a: number, j: number, b: number]} Swap swaps place a of table i with place b of table j */

/** @param {number[]} order @param {number[]} sizes the table sizes @param {Known} known */
export function searchTables(order, sizes, { times, points, clubs, had, below }) {
  /** @type {number[][]} */
  const tables = [];
  let from = 0;
  for (const size of sizes) tables.push(order.slice(from, (from += size)));

  /** @type {Map<number, Map<number, number>>} the cached price of two entrants at one table */
  const priced = new Map(order.map((one) => [one, new Map()]));
  const rows = new Map(order.map((one) => [one, had(one)]));
  /** @param {number} a @param {number} b */
  const together = (a, b) => {
    const known = of(priced, a).get(b);
    if (known !== undefined) return known;
    const isClub = clubs.has(a) && clubs.get(a) === clubs.get(b),
      seats = of(rows, a).reduce((sum, often, i) => sum + often * at(of(rows, b), i), 0),
      price = a === b ? 0 : MEETING * times(a, b) ** 2 + 10 * seats + Number(isClub);
    of(priced, a).set(b, price);
    return price;
  };
  /** @param {number} one @param {number[]} table */
  const beside = (one, table) => {
    let sum = 0;
    for (const other of table) sum += together(one, other);
    return sum;
  };
  /**
   * Return the price of a table's points, optionally with another entrant at a place.
   * @param {number[]} table
   * @param {number} [place]
   * @param {number} [one]
   */
  const spread = (table, place = -1, one = -1) => {
    let low = Infinity, high = -Infinity;
    for (let i = 0; i < table.length; i++) {
      const had = points.get(i === place ? one : at(table, i)) ?? 0;
      if (had < low) low = had;
      if (had > high) high = had;
    }
    return 100 * (high - low);
  };
  /** @param {number[]} table */
  const price = (table) => table.reduce((sum, one) => sum + beside(one, table), 0) / 2 + spread(table);
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
      const theirs = at(tables, j), spreads = spread(mine) + spread(theirs);
      const [goes, comes] = [mine, theirs].map((table) => theirs.map((one) => beside(one, table)));
      tried += mine.length * theirs.length;
      mine.forEach((x, a) => {
        const leaves = beside(x, mine) - beside(x, theirs);
        theirs.forEach((y, b) => {
          const meets = leaves + at(comes ?? [], b) - at(goes ?? [], b) + 2 * together(x, y);
          const saved = meets + spreads - spread(mine, a, y) - spread(theirs, b, x);
          if (saved > saves) [best, saves] = [[i, a, j, b], saved];
        });
      });
      if (best && its - saves < MEETING) break;
    }
    return best;
  };

  /** @param {number} least @param {number} most stop after the table in which more swaps than this were tried */
  const improve = (least, most) => {
    const begun = tried;
    const waiting = tables.map((_, i) => i).filter((i) => at(cost, i) >= least);
    for (let i = waiting.shift(); i !== undefined && tried - begun <= most; i = waiting.shift()) {
      const swap = at(cost, i) >= least ? bestSwap(i) : null;
      if (!swap) continue;
      settle(swap);
      for (const one of [i, swap[2]]) if (at(cost, one) >= least && !waiting.includes(one)) waiting.push(one);
    }
  };

  const total = () => cost.reduce((a, b) => a + b, 0);
  /** @param {number[][]} kept */
  const restore = (kept) => kept.forEach((table, i) => { cost[i] = price((tables[i] = [...table])); });

  improve(MEETING, MOST);
  if (tables.length > 1 && below) {
    let best = tables.map((table) => [...table]), cheapest = total();
    const begun = tried;
    for (let n = 0; n < 200; n++) {
      const bad = tables.map((_, i) => i).filter((i) => at(cost, i) >= MEETING);
      const sofar = tried - begun;
      if (!bad.length || sofar > 60_000) break;
      const i = at(bad, below(bad.length));
      const j = (i + 1 + below(tables.length - 1)) % tables.length;
      const a = below(at(tables, i).length);
      settle([i, a, j, below(at(tables, j).length)]);
      improve(MEETING, 60_000 - sofar);
      if (total() < cheapest) [best, cheapest] = [tables.map((table) => [...table]), total()];
      else restore(best);
    }
    restore(best);
  }
  improve(1, MOST);
  const place = new Map(order.map((one, i) => [one, i]));
  return tables.map((table) => [...table].sort((a, b) => of(place, a) - of(place, b)));
}
