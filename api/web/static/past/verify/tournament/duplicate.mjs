/** Seats and scores duplicates, by section 13 of the tournament rulebook. Scores are exact: fractions of integers. */

import { compared } from "./standings.mjs";
import { at, of, range } from "./state.mjs";

/** @typedef {import("./state.mjs").Tournament} Tournament @typedef {import("./state.mjs").Result} Result */
/** @typedef {import("./standings.mjs").Rate} Score */

/** 13.1: return how many entrants are ranked together. @param {import("./plan.mjs").Plan} plan */
export const teamSize = ({ teams, seats }) => (teams === "tables" ? seats : teams === "pairs" ? 2 : 1);

/** 13.2: return the entrants who are ranked together. @param {Tournament} t */
const sidesOf = ({ plan, order, clubs }) =>
  plan.teams ? [...new Set(order.map((one) => clubs.get(one)))].map((club) =>
    order.filter((one) => clubs.get(one) === club)) : order.map((one) => [one]);

/** 13.2: return the crews, each with one entrant per seat; null for a bot. @param {Tournament} t */
function crewsOf(t) {
  const sides = sidesOf(t), { seats } = t.plan, wide = seats / teamSize(t.plan);
  return range(Math.ceil(sides.length / wide)).map((k) => {
    const crew = sides.slice(k * wide, (k + 1) * wide);
    return range(seats).map((s) => crew[s % wide]?.[Math.floor(s / wide)] ?? null);
  });
}

/**
 * 13.3: return the next round's tables; null if there is none.
 * @param {Tournament} t
 * @returns {import("./state.mjs").Round | null}
 */
export function duplicateRound(t) {
  const { seats, teams } = t.plan, number = t.played.length, crews = crewsOf(t), n = crews.length,
    m = teams === "pairs" ? seats / 2 : seats;
  if (number >= (t.rounds ?? 0) || t.order.filter((one) => !t.left.has(one)).length < 2) return null;
  const apart = range(n).slice(1).filter((step) => range(m).slice(1).every((times) => (step * times) % n !== 0));
  const steps = apart.length ? apart : [...range(n).slice(1), 0];
  const step = at(steps, number % steps.length);
  const tables = crews.map(() => range(seats).map(() => /** @type {import("./state.mjs").Seat} */ (null)));
  crews.forEach((crew, k) =>
    crew.forEach((one, s) => { at(tables, (k + (s % m) * step) % n)[(s + number) % seats] = one; }));
  return { stage: "main", tables, byes: [] };
}

/** Return whether these entrants fill at least two tables. @param {Tournament} t @param {number[]} entrants */
export function areEnough(t, entrants) {
  const sides = t.plan.teams ? new Set(entrants.map((one) => t.clubs.get(one))).size : entrants.length;
  return sides * teamSize(t.plan) > t.plan.seats;
}

// --- Scores (13.4, 13.5) ------------------------------------------------------------------------

/** @type {Score} */
const NOTHING = [0n, 1n];
/** @param {Score} one @param {Score} other @returns {Score} */
const plus = ([a, b], [c, d]) => [a * d + c * b, b * d];

/**
 * Return a seat's score above the average of the same seat at other tables; null if its table has no scores.
 * @param {Result[]} tables @param {Result} table @param {number} seat @param {boolean} low whether low scores win
 *   @returns {Score | null}
 */
function ahead(tables, table, seat, low) {
  if (!table.scores) return null;
  const others = tables.flatMap((other) => (other !== table && other.scores ? [BigInt(at(other.scores, seat))] : []));
  if (!others.length) return NOTHING;
  const n = BigInt(others.length), found = BigInt(at(table.scores, seat)) * n - others.reduce((a, b) => a + b, 0n);
  return [low ? -found : found, n];
}

/** @param {Tournament} t */
function scoresOf(t) {
  const total = new Map(t.order.map((one) => [one, NOTHING]));
  t.played.forEach(({ tables, away = [] }, i) => {
    for (const seat of range(t.plan.seats)) {
      const found = tables.map((table) => ahead(tables, table, seat, t.plan.better_score === "low"));
      const least = found.reduce((/** @type {Score} */ a, b) => (b && compared(b, a) < 0 ? b : a), NOTHING);
      tables.forEach((table, k) => {
        const one = table.seats[seat] ?? null, its = at(found, k);
        if (one === null) return;
        const gone = away.includes(one) || (t.left.get(one) ?? Infinity) <= i;
        const worst = gone || (!its && table.places[seat] !== 1);
        total.set(one, plus(of(total, one), worst ? least : its ?? NOTHING));
      });
    }
  });
  return total;
}

/**
 * 13.6: return each entrant's place, or their team's.
 * @param {Tournament} t
 * @param {Map<number, number>} points the points of section 1
 */
export function duplicatePlaces(t, points) {
  const scores = scoresOf(t);
  /** @typedef {{score: Score, sum: number}} Side */
  /** @type {Map<number, Side>} */
  const whole = new Map();
  for (const side of sidesOf(t)) {
    // A pair without a partner counts twice.
    const twice = t.plan.teams === "pairs" && side.length === 1 ? [...side, ...side] : side;
    const score = twice.map((one) => of(scores, one)).reduce(plus),
      sum = twice.reduce((all, one) => all + of(points, one), 0);
    for (const one of side) whole.set(one, { score, sum });
  }
  /** @param {Side} a @param {Side} b */
  const better = (a, b) => compared(a.score, b.score) > 0 || (compared(a.score, b.score) === 0 && a.sum > b.sum);
  return new Map([...whole].map(([one, mine]) =>
      [one, 1 + [...whole.values()].filter((other) => better(other, mine)).length]));
}
