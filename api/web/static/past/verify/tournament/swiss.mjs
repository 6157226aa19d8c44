/** Pairs and places Swiss tournaments by section 3 of the tournament rulebook, and pairs arenas by section 10. */

import { bracketPlaces, bracketRound } from "./brackets.mjs";
import { hadBy, historyOf, lowestOfLeast, seatedBy } from "./history.mjs";
import { pairsByRule } from "./matching.mjs";
import { searchTables } from "./search.mjs";
import { pointsOf, ranking } from "./standings.mjs";
import { Counts, of, range } from "./state.mjs";

/** @typedef {import("./state.mjs").Tournament} Tournament @typedef {import("./state.mjs").Round} Round */
/** @typedef {import("./plan.mjs").Plan} Plan @typedef {import("../words.mjs").Draw} Draw */

/**
 * Return table sizes with as few smaller tables as possible; null if the number cannot be divided.
 * @param {number} n
 * @param {Plan} plan
 */
function smaller(n, { seats, fewest }) {
  const count = Math.ceil(n / seats), full = count - 1, rest = n - full * seats;
  if (rest === seats) return range(count).map(() => seats);
  if (Math.floor(n / count) < fewest) return null;
  if (rest >= fewest) return [...range(full).map(() => seats), rest];
  return range(count).map((i) => Math.floor(n / count) + (i < n % count ? 1 : 0));
}

/** @param {number} n @param {Plan} plan */
export function withoutTable(n, plan) {
  if (plan.fill === "bots" || (plan.fill === "short" && smaller(n, plan))) return 0;
  return n % plan.seats;
}

/** @param {Plan} plan @param {number} n */
export const swissLength = (plan, n) => plan.rounds ?? Math.max(1, range(11).findIndex((r) => 2 ** r >= n));

/** @param {Tournament} t @param {Draw} draw @returns {Round | null} */
function swiss(t, draw) {
  const { plan } = t;
  const there = t.order.filter((one) => !t.left.has(one));
  if (t.played.length >= (t.rounds ?? 0) || there.length < 2) return null;
  const points = pointsOf(t.order, t.played, plan.seats);
  const { times, sat, byes: hadBye, withBots } = historyOf(t.played);
  const all = draw.shuffle(there.sort((a, b) => a - b));
  all.sort((a, b) => of(points, b) - of(points, a));
  const byes = lowestOfLeast(all, withoutTable(all.length, plan), hadBye);
  const order = all.filter((one) => !byes.includes(one));
  let tables;
  if (plan.seats === 2) {
    const alone = lowestOfLeast(order, order.length % 2, withBots);
    const pairs = pairsByRule(order.filter((one) => !alone.includes(one)), (a, b) => times(a, b) > 0);
    tables = [...pairs, ...alone.map((one) => [one])];
  } else {
    const full = Math.floor(order.length / plan.seats), rest = order.length % plan.seats;
    const joins = rest === 1 && full > 0;
    const botted = joins ? [...range(full - 1).map(() => plan.seats), plan.seats - 1, 2]
      : [...range(full).map(() => plan.seats), ...(rest ? [rest] : [])];
    const sizes = plan.fill === "bots" ? botted : smaller(order.length, plan) ?? [];
    tables = searchTables(order, sizes,
      { times, points, clubs: t.clubs, had: hadBy(sat, plan.seats), below: draw.below });
  }
  if (!tables.length) return null;
  return { stage: "main", tables: tables.map((table) =>
      seatedBy(sat, table, plan.fill === "bots" ? plan.seats : 0)), byes };
}

// --- Swiss with a cut (3.7) ---------------------------------------------------------------------

/** @param {Tournament} t */
const inSwiss = (t) => Math.min(t.played.length, t.rounds ?? 0);
/** @param {Tournament} t */
const rankedInSwiss = (t) => ranking(t.order, t.played.slice(0, inSwiss(t)), t.plan.seats);
/** @param {Tournament} t */
const seedsOfCut = (t) => rankedInSwiss(t).filter((one) => (t.left.get(one) ?? Infinity) > inSwiss(t))
  .slice(0, t.plan.cut);

/** @param {Tournament} t @param {Draw} draw */
export const swissRound = (t, draw) =>
  swiss(t, draw) ?? (t.plan.cut ? bracketRound(seedsOfCut(t), t.played.slice(inSwiss(t)), t.left) : null);

/** @param {Tournament} t */
export function swissPlaces(t) {
  const ranked = rankedInSwiss(t), rounds = t.rounds ?? 0;
  if (!t.plan.cut || t.played.length < rounds) return new Map(ranked.map((one, i) => [one, i + 1]));
  const seeds = seedsOfCut(t);
  const places = bracketPlaces(seeds, t.played.slice(rounds), t.left);
  ranked.filter((one) => !seeds.includes(one)).forEach((one, i) => places.set(one, seeds.length + i + 1));
  return places;
}

// --- Arena (10) ---------------------------------------------------------------------------------

/**
 * 10.2: return whether free players are paired now.
 * @param {number} free
 * @param {number} there
 * @param {number} seats
 * @param {boolean} open
 */
export const isTimeToPair = (free, there, seats, open) =>
  free >= (open ? Math.max(2 * seats, Math.ceil(there / 8)) : seats);

/**
 * Pair the free players of an arena.
 * @param {Tournament} t @param {Set<import("./state.mjs").Seat>} busy @param {import("./state.mjs").Played[]} played
 *   @param {Draw} draw
 */
export function arenaTables(t, busy, played, draw) {
  const { seats } = t.plan, { sat } = historyOf(played), points = pointsOf(t.order, played, seats);
  /** @type {Counts<number>} */
  const count = new Counts();
  /** @type {Map<number, import("./state.mjs").Seat[]>} */
  const latest = new Map();
  for (const { tables } of played) {
    for (const table of tables) for (const one of table.seats) if (one !== null)
      latest.set(one, table.seats), count.add(one);
  }
  const free = draw.shuffle(t.order.filter((one) => !t.left.has(one) && !busy.has(one)).sort((a, b) => a - b));
  free.sort((a, b) => count.of(a) - count.of(b));
  /** @param {number} a @param {number} b */
  const justMet = (a, b) => latest.get(a)?.includes(b) || latest.get(b)?.includes(a) || false;
  /** @param {number[]} those */
  const byPoints = (those) => [...those].sort((a, b) => of(points, b) - of(points, a));
  let tables;
  if (seats === 2) {
    const tries = free.length % 2 ? [...free].reverse() : [null];
    const made = tries.map((waits) => () => pairsByRule(byPoints(free.filter((one) => one !== waits)), justMet));
    tables = firstThat(made, (pairs) => !pairs.some(([a, b]) => justMet(a, b)));
  } else {
    const order = byPoints(free.slice(0, free.length - (free.length % seats))),
      sizes = range(order.length / seats).map(() => seats);
    tables = searchTables(order, sizes,
      { times: (a, b) => Number(justMet(a, b)), points, clubs: t.clubs, had: hadBy(sat, seats),
        below: null });
  }
  return tables.map((table) => seatedBy(sat, table, seats));
}

/**
 * Return the first result that fits; otherwise the first.
 * @template T
 * @param {(() => T[])[]} made
 * @param {(one: T[]) => boolean} fits
 */
function firstThat(made, fits) {
  for (const make of made) {
    const one = make();
    if (fits(one)) return one;
  }
  return made[0]?.() ?? [];
}
