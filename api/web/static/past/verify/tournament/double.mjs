/** Pairs and places double eliminations, by sections 5.6, 5.8 and 5.9 of the tournament rulebook. */

import { bracketOf, afterRound, roundOf } from "./brackets.mjs";
import { hadBy, historyOf, seatedBy } from "./history.mjs";
import { countOn, goOn, isLastTable } from "./knockout.mjs";
import { pairsByRule } from "./matching.mjs";
import { lostByAll, placesBy } from "./places.mjs";
import { searchTables } from "./search.mjs";
import { Counts, at, people, range } from "./state.mjs";

/**
 * @typedef {import("./state.mjs").Tournament} Tournament
 * @typedef {import("./state.mjs").Round} Round
 */

/** Return each entrant's losses after each round. @param {Tournament} t @returns {Counts<number>[]} */
function losses(t) {
  /** @type {Counts<number>} */
  const lost = new Counts();
  return t.played.map((round, n) => {
    for (const table of round.tables) {
      const on = goOn(t, t.played.slice(0, n), table, isLastTable(round)) ?? [];
      for (const one of people(table)) if (!on.includes(one)) lost.add(one);
    }
    return new Counts(lost);
  });
}

/** Return the active entrants without losses, and those with one. @param {Tournament} t */
function sidesOf(t) {
  const lost = losses(t).at(-1) ?? new Counts(), there = t.order.filter((one) => !t.left.has(one));
  const [upper = [], lower = []] = [0, 1].map((times) => there.filter((one) => lost.of(one) === times));
  return { upper, lower };
}

/** @param {Tournament} t @returns {Round | null} */
export const doubleRound = (t) => (t.plan.seats === 2 ? roundOfTwo(t) : roundOfMore(t));

/** 5.6. @param {Tournament} t @returns {Round | null} */
function roundOfTwo(t) {
  const { upper, lower } = sidesOf(t);
  if (upper.length + lower.length < 2) return null;
  if (upper.length === 1 && lower.length === 1)
    return { stage: "elimination", tables: [[...upper, ...lower]], byes: [] };
  const slots = t.played.reduce((slots, each) => (slots.length > 1 ? afterRound(slots, each) : slots),
    bracketOf(t.order));
  const unbeaten = slots.map((one) => (one !== null && upper.includes(one) ? one : null));
  const { tables, byes } = upper.length > 1 ? roundOf(unbeaten) : { tables: [], byes: upper };
  const { times, byes: had } = historyOf(t.played);
  const waits = rested(lower, lower.length % 2, had);
  const pairs = pairsByRule(lower.filter((one) => !waits.includes(one)), (a, b) => times(a, b) > 0);
  return { stage: "elimination", tables: [...tables, ...pairs], byes: [...byes, ...waits] };
}

/**
 * Return the entrants with the fewest byes; among equals, the best seeds.
 * @param {number[]} seeds
 * @param {number} count
 * @param {Counts<number>} had
 */
const rested = (seeds, count, had) => [...seeds].sort((a, b) => had.of(a) - had.of(b)).slice(0, count);

/** 5.9. @param {Tournament} t @returns {Round | null} */
function roundOfMore(t) {
  const { seats, fill } = t.plan, { upper, lower } = sidesOf(t);
  const all = t.order.filter((one) => upper.includes(one) || lower.includes(one));
  if (all.length < 2) return null;
  const parts = all.length <= seats ? [{ tables: [all], byes: [] }] : [dealt(t, upper), dealt(t, lower)];
  const { sat } = historyOf(t.played);
  return { stage: "elimination", byes: parts.flatMap(({ byes }) => byes),
    tables: parts.flatMap(({ tables }) => tables)
      .map((table) => seatedBy(sat, table, fill === "bots" ? seats : 0)) };
}

/** @param {Tournament} t @param {number[]} side */
function dealt(t, side) {
  const { seats, advance } = t.plan, { times, sat, byes: rests } = historyOf(t.played);
  const count = Math.ceil(side.length / seats);
  const sizes = range(count).map((i) => Math.ceil((side.length - i) / count)).filter((size) => size > advance);
  const byes = rested(side, side.length - sizes.reduce((a, b) => a + b, 0), rests);
  const rest = side.filter((one) => !byes.includes(one));
  const order = range(sizes.length).flatMap((table) => rest.filter((_, i) => i % sizes.length === table));
  const points = new Map(rest.map((one) => [one, 0]));
  const had = hadBy(sat, seats);
  return { byes,
    tables: searchTables(order, sizes, { times, points, clubs: t.clubs, had, below: null }) };
}

/** @param {Tournament} t */
export function doublePlaces(t) {
  const after = losses(t), lost = after.at(-1) ?? new Counts();
  const empty = lostByAll(t.played)
    .filter(({ n, table }) => people(table).every((one) => at(after, n - 1).of(one) > 1))
    .flatMap(({ n, round, table }) => range(countOn(t, round, table)).map(() => [n, 0, 0]));
  /** @param {number} one */
  const survived = (one) => after.slice(0, t.left.get(one)).filter((counts) => counts.of(one) < 2).length;
  const far = new Map(t.order.map((one) => [one, farBy(t, one, survived(one), lost.of(one))]));
  return placesBy(far, empty);
}

/**
 * Return how far an entrant got: the rounds, whether they were eliminated at a table, and their place if it was the
 * last table.
 * @param {Tournament} t @param {number} one @param {number} rounds @param {number} lost
 */
function farBy(t, one, rounds, lost) {
  if (lost < 2) return t.left.has(one) ? [rounds, 0, 0] : [rounds, 2, -lost];
  const round = at(t.played, rounds), table = at(round.tables, 0);
  return [rounds, 1, isLastTable(round) ? -at(table.places, table.seats.indexOf(one)) : 0];
}
