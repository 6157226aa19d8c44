/** Moves, stakes, places and payouts of multi-table tournaments, by section 12 of the tournament rulebook. */

import { placesBy } from "./places.mjs";
import { at, of, range } from "./state.mjs";

/**
 * @typedef {import("./state.mjs").Tournament} Tournament
 * @typedef {import("./state.mjs").Chips} Chips
 * @typedef {import("./state.mjs").Result} Result
 */
/**
 * @typedef {{number: number, players: number[], gone: boolean, come: number}} Ring the players of a table, the next
 *   big blind first
 */
/** @typedef {{one: number, from: number, to: Ring}} Moving */

/** @param {number[]} xs */
const sum = (xs) => xs.reduce((a, b) => a + b, 0);

/**
 * 12.9: return whether the stacks that leave a table can result from those brought to it.
 * @param {import("./state.mjs").Stakes} stakes
 * @param {Chips[]} chips
 */
export function conserved(stakes, chips) {
  const seats = chips.map(({ seat }) => seat).sort((a, b) => a - b);
  const brought = sum(stakes.stacks), kept = sum(chips.map(({ stack }) => stack));
  return seats.length === stakes.stacks.length && seats.every((seat, i) => seat === i) &&
    chips.every(({ stack, hand }) => stack >= 0 && stack > 0 === (hand === 0)) &&
    (kept === brought || (kept > 0 && kept < brought && chips.some(({ hand, before }) => hand !== 0 && before === 0)));
}

/** Return the stacks that left a table, each with its entrant. @param {Result} table */
const rowsOf = ({ seats, chips = [] }) => chips.map((row) => ({ ...row, one: Number(at(seats, row.seat)) }));

/**
 * 12.4, 12.5: return the remaining players of each table.
 * @param {Result[]} tables
 * @param {Map<number, number>} left
 * @returns {Ring[]}
 */
function ringsAfter(tables, left) {
  return tables.map((table, number) => {
    const rows = rowsOf(table).map(({ one, stack }) => ({ one, stays: stack > 0 && !left.has(one) }));
    return { number, players: rows.filter(({ stays }) => stays).map(({ one }) => one), gone: !rows.at(-1)?.stays,
      come: 0 };
  });
}

/** @param {Ring[]} rings @param {(one: Ring, best: Ring) => boolean} better */
const first = (rings, better) => rings.reduce((best, ring) => (better(ring, best) ? ring : best));
/** @param {Ring} ring */
const size = ({ players }) => players.length;
/** @param {Ring[]} rings */
const shortest = (rings) => first(rings, (a, b) => size(a) < size(b));
/** @param {Ring[]} rings */
const longest = (rings) => first(rings, (a, b) => size(a) > size(b));

/** 12.4: break tables and balance them. @param {Ring[]} all @param {number} seats */
function balance(all, seats) {
  let rings = all;
  /** @type {Moving[]} */
  const moved = [];
  /** @type {Ring[]} */
  const broken = [];
  /** @param {number} one @param {Ring} from @param {Ring} to */
  const come = (one, from, to) => {
    to.players.splice(to.come, 0, one);
    to.come += 1;
    moved.push({ one, from: from.number, to });
  };
  const needed = Math.max(1, Math.ceil(sum(rings.map(size)) / seats));
  while (rings.length > needed) {
    const goes = first(rings, (a, b) => size(a) <= size(b));
    rings = rings.filter((ring) => ring !== goes);
    broken.push(goes);
  }
  for (const ring of broken) for (const one of ring.players) come(one, ring, shortest(rings));
  for (;;) {
    const long = longest(rings), short = shortest(rings);
    if (size(long) <= size(short) + 1) break;
    if (long.come === size(long) - 1) long.gone = true;
    for (const one of long.players.splice(long.come, 1)) come(one, long, short);
  }
  return { rings, moved, broken: broken.map(({ number }) => number) };
}

/** @type {[most: number, parts: number[]][]} */
const PAYOUTS = [
  [3, [100]], [6, [65, 35]], [10, [50, 30, 20]], [20, [45, 28, 17, 10]], [30, [40, 25, 15, 12, 8]],
  [50, [35, 22, 15, 11, 8, 5, 4]],
  [100, [30, 20, 14, 10, 8, 6, 5, 4, 3]], [1024, [25, 16, 12, 9, 7, 6, 5, 4, 4, 3, 3, 2, 2, 1, 1]],
];
/** @param {number} entrants */
const paidTo = (entrants) => PAYOUTS.find(([most]) => entrants <= most)?.[1] ?? [];

/** 12.2: return the hands of a round at this number of tables; 0 if it is played to the end. @param {number} tables */
const handsAt = (tables) => Number(tables > 1);

/** @param {Tournament} t @returns {import("./state.mjs").Round | null} */
export function manyTables(t) {
  const stacks = new Map(t.order.map((one) => [one, t.plan.stack ?? 0])), last = t.played.at(-1);
  for (const table of last?.tables ?? []) for (const { one, stack } of rowsOf(table)) stacks.set(one, stack);
  const next = last ? ringsNext(t, last.tables) : firstRings(t);
  if (!next) return null;
  const { rings, moved, broken } = next;
  const before = sum(t.played.map(({ tables }) => handsAt(tables.length)));
  const hands = handsAt(rings.length);
  return {
    stage: "main", byes: [], tables: rings.map(({ players }) => players), broken,
    moved: moved.map(({ one, from, to }) =>
      ({ entrant: one, stack: of(stacks, one), before: from, table: rings.indexOf(to) })),
    stakes: rings.map(({ players, gone }) => ({
      stacks: players.map((one) => of(stacks, one)), hands_before: before, hands, last_gone: gone,
      ...(t.plan.levels && { timed_from: t.closes }),
    })),
  };
}

/** 12.3: deal the order to as few tables as possible. @param {Tournament} t */
function firstRings(t) {
  const there = t.order.filter((one) => !t.left.has(one)), count = Math.ceil(there.length / t.plan.seats);
  /** @type {Ring[]} */
  const rings = range(count).map((number) =>
    ({ number, players: there.filter((_, i) => i % count === number), gone: false, come: 0 }));
  return there.length <= 1 ? null : { rings, moved: [], broken: [] };
}

/** @param {Tournament} t @param {Result[]} tables */
function ringsNext(t, tables) {
  const left = ringsAfter(tables, t.left);
  return sum(left.map(size)) <= 1 || t.played.length === 1000 ? null : balance(left, t.plan.seats);
}

/** 12.7: return the places, by how late entrants were eliminated, and with how many chips. @param {Tournament} t */
export function placesByStack(t) {
  const far = new Map(t.order.map((one) => [one, [0, 0, 0, 0]]));
  t.played.forEach(({ tables }, i) => {
    for (const table of tables) {
      for (const { one, stack, hand, before } of rowsOf(table))
        far.set(one, hand ? [i + 1, 0, hand, before] : [i + 1, 1, 0, stack]);
    }
  });
  const isLast = t.played.at(-1)?.tables.length === 1;
  const latest = Math.max(...[...far.values()].map(([, , hand = 0]) => hand));
  for (const one of t.left.keys()) {
    const [number = -1, still, , stack = 0] = far.get(one) ?? [];
    if (number === t.played.length && still === 1) far.set(one, [number, 0, ...(isLast ? [latest, -1] : [1e9, stack])]);
  }
  return placesBy(new Map([...far].map(([one, mine]) => [one, [Number(!t.barred.has(at(t.players, one))), ...mine]])));
}

/** @param {number} a @param {number} b @returns {number} */
const common = (a, b) => (b ? common(b, a % b) : a);

/**
 * 12.8: return each entrant's payout, in order; nothing is left over.
 * @param {number[]} ranked
 * @param {number[]} places
 */
export function payouts(ranked, places) {
  const parts = [...paidTo(ranked.length), ...ranked.map(() => 0)];
  return ranked.flatMap((entrant, i) => {
    const place = at(places, i), count = places.filter((other) => other === place).length,
      all = sum(parts.slice(place - 1, place - 1 + count));
    const by = common(all, count);
    return all ? [{ entrant, percent: by === count ? `${all / by}` : `${all / by}/${count / by}` }] : [];
  });
}
