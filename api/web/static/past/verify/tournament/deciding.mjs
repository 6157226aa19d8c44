/** Determines how ties at tables are replayed and decided, by section 5.5 of the tournament rulebook. */

import { pointsOf } from "./standings.mjs";
import { at, of } from "./state.mjs";

/** @typedef {{place: number, points: number}[]} Levels the seats' places in the tied match, and their points */

/**
 * Return the terms of the next match at a table of the open round.
 * @param {import("./state.mjs").Tournament} t
 * @param {number} table
 */
export const termsAt = ({ terms, tied }, table) =>
  (tied.has(table) && terms.deciding ? { ...terms, options: terms.deciding, best_of: 1 } : terms);

/**
 * Return how a table's seats stand before a tie is replayed; null if only its match counts.
 * @param {import("./state.mjs").Tournament} t
 * @param {number} table
 * @returns {Levels | null}
 */
export function levelsBefore(t, table) {
  const tied = t.tied.get(table), seats = at(t.tables, table);
  if (!tied || seats.length === 2) return null;
  const points = pointsOf(t.order, t.played, t.plan.seats);
  return seats.map((one, seat) => ({ place: at(tied, seat), points: one === null ? 0 : of(points, one) }));
}

/**
 * Return a table's places from those of its match, which orders only seats that were tied before.
 * @param {Levels | null} before
 * @param {number[]} places
 */
export function placesAfter(before, places) {
  if (!before || !places.includes(1)) return places;
  const rows = places.map((place, seat) => ({ ...at(before, seat), now: place }));
  return rows.map((row) => 1 + rows.filter((other) => isBefore(other, row)).length);
}

/** @typedef {{place: number, points: number, now: number}} Row @param {Row} a @param {Row} b */
const isBefore = (a, b) =>
  (a.place - b.place || b.points - a.points || a.now - b.now) < 0;
