// Seats and scores of a duplicate, by section 13 of the rulebook of tournaments. Scores are exact: pairs of whole numbers.

const range = (n) => Array.from({ length: n }, (_, i) => i);

/** 13.1: how many are ranked together. */
export const teamSize = ({ teams, seats }) => ({ tables: seats, pairs: 2 })[teams] ?? 1;

/** 13.2: who is ranked together. */
const sidesOf = ({ plan, order, clubs }) =>
  plan.teams ? [...new Set(order.map((one) => clubs.get(one)))].map((club) => order.filter((one) => clubs.get(one) === club)) : order.map((one) => [one]);

/** 13.2: the crews, each with a place for each seat; null is a bot. */
function crewsOf(t) {
  const sides = sidesOf(t), { seats } = t.plan, wide = seats / teamSize(t.plan);
  return range(Math.ceil(sides.length / wide)).map((k) => {
    const crew = sides.slice(k * wide, (k + 1) * wide);
    return range(seats).map((s) => crew[s % wide]?.[Math.floor(s / wide)] ?? null);
  });
}

/** 13.3: the tables of the next round; null: there is none. */
export function duplicateRound(t) {
  const { seats, teams } = t.plan, number = t.played.length, crews = crewsOf(t), n = crews.length, m = teams === "pairs" ? seats / 2 : seats;
  if (number >= t.rounds || t.order.filter((one) => !t.left.has(one)).length < 2) return null;
  const apart = range(n).slice(1).filter((step) => range(m).slice(1).every((times) => (step * times) % n !== 0));
  const steps = apart.length ? apart : [...range(n).slice(1), 0];
  const step = steps[number % steps.length];
  const tables = crews.map(() => Array(seats).fill(null));
  crews.forEach((crew, k) => crew.forEach((one, s) => (tables[(k + (s % m) * step) % n][(s + number) % seats] = one)));
  return { stage: "main", tables, byes: [] };
}

/** Whether so many make two tables at least. */
export function areEnough(t, entrants) {
  const sides = t.plan.teams ? new Set(entrants.map((one) => t.clubs.get(one))).size : entrants.length;
  return sides * teamSize(t.plan) > t.plan.seats;
}

// --- Scores (13.4, 13.5) ------------------------------------------------------------------------

const NOTHING = [0n, 1n];
const plus = ([a, b], [c, d]) => [a * d + c * b, b * d];
const order = ([a, b], [c, d]) => (a * d < c * b ? -1 : a * d > c * b ? 1 : 0);

/** What a seat had more than the average of the same seat elsewhere; null: its table has no scores. */
function ahead(tables, table, seat, low) {
  if (!table.scores) return null;
  const others = tables.filter((other) => other !== table && other.scores).map(({ scores }) => BigInt(scores[seat]));
  if (!others.length) return NOTHING;
  const n = BigInt(others.length), found = BigInt(table.scores[seat]) * n - others.reduce((a, b) => a + b, 0n);
  return [low ? -found : found, n];
}

function scoresOf(t) {
  const total = new Map(t.order.map((one) => [one, NOTHING]));
  t.played.forEach(({ tables, away = [] }, i) => {
    for (const seat of range(t.plan.seats)) {
      const found = tables.map((table) => ahead(tables, table, seat, t.plan.better_score === "low"));
      const least = found.filter((one) => one).reduce((a, b) => (order(b, a) < 0 ? b : a), NOTHING);
      tables.forEach((table, k) => {
        const one = table.seats[seat];
        if (one === null) return;
        const gone = away.includes(one) || (t.left.has(one) && t.left.get(one) <= i);
        const worst = gone || (!found[k] && table.places[seat] !== 1);
        total.set(one, plus(total.get(one), worst ? least : found[k] ?? NOTHING));
      });
    }
  });
  return total;
}

/** 13.6: the place of each, or of its team; `points` are those of section 1. */
export function duplicatePlaces(t, points) {
  const scores = scoresOf(t), whole = new Map();
  for (const side of sidesOf(t)) {
    // A pair without a partner counts twice.
    const twice = t.plan.teams === "pairs" && side.length === 1 ? [...side, ...side] : side;
    const score = twice.map((one) => scores.get(one)).reduce(plus), sum = twice.reduce((all, one) => all + points.get(one), 0);
    for (const one of side) whole.set(one, { score, sum });
  }
  const better = (a, b) => order(a.score, b.score) > 0 || (order(a.score, b.score) === 0 && a.sum > b.sum);
  return new Map([...whole].map(([one, mine]) => [one, 1 + [...whole.values()].filter((other) => better(other, mine)).length]));
}
