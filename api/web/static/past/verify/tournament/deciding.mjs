/** Says what is played because of a tie, and what that decides, by section 5.5 of the rulebook of tournaments. */

import { pointsOf } from "./standings.mjs";
import { at, of } from "./state.mjs";

/** @typedef {{place: number, points: number}[]} Levels how the seats stood in the match that was tied */

/**
 * What is played next at a table of the open round.
 * @param {import("./state.mjs").Tournament} t
 * @param {number} table
 */
export const termsAt = ({ terms, tied }, table) =>
  (tied.has(table) && terms.deciding ? { ...terms, options: terms.deciding, best_of: 1 } : terms);

/**
 * How the seats of a table stand as it is played because of a tie; null: its match counts alone.
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
 * The places of a table by those of its match: this orders those alone who were level before.
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
