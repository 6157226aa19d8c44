// Tournaments of many tables, by section 12 of the rulebook of tournaments: who moves, what is brought, places and pay-outs.

import { placesBy } from "./formats.mjs";
import { exactly, isInt, isTime, isTruth, leftOut, listOf } from "./plan.mjs";

/** Stacks as they leave a table; left out where there are none. */
export const areChips = leftOut(listOf(exactly({ seat: isInt, stack: isInt, hand: isInt, before: isInt })));
export const areStakes = exactly({ stacks: listOf(isInt), hands_before: isInt, hands: isInt, last_gone: isTruth, timed_from: leftOut(isTime) });

const sum = (xs) => xs.reduce((a, b) => a + b, 0);

/** 12.9: whether stacks that leave a table can be what became of those that were brought. */
export function conserved(stakes, chips) {
  const seats = chips.map(({ seat }) => seat).sort((a, b) => a - b);
  const brought = sum(stakes.stacks), kept = sum(chips.map(({ stack }) => stack));
  return seats.length === stakes.stacks.length && seats.every((seat, i) => seat === i) &&
    chips.every(({ stack, hand }) => stack >= 0 && stack > 0 === (hand === 0)) &&
    (kept === brought || (kept > 0 && kept < brought && chips.some(({ hand, before }) => hand !== 0 && before === 0)));
}

/** The rows of stacks that have left a table, each with its entrant. */
const rowsOf = ({ seats, chips }) => chips.map((row) => ({ ...row, one: seats[row.seat] }));

/** 12.4, 12.5: the players of each table, who posts the big blind next first. */
function ringsAfter(tables, left) {
  return tables.map((table, number) => {
    const rows = rowsOf(table).map(({ one, stack }) => ({ one, stays: stack > 0 && !left.has(one) }));
    return { number, players: rows.filter(({ stays }) => stays).map(({ one }) => one), gone: !rows.at(-1).stays, come: 0 };
  });
}

const first = (rings, better) => rings.reduce((best, ring) => (better(ring, best) ? ring : best));
const size = ({ players }) => players.length;
const shortest = (rings) => first(rings, (a, b) => size(a) < size(b));
const longest = (rings) => first(rings, (a, b) => size(a) > size(b));

function balance(rings, seats) {
  const moved = [], broken = [];
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
    come(long.players.splice(long.come, 1)[0], long, short);
  }
  return { rings, moved, broken: broken.map(({ number }) => number) };
}

const PAYOUTS = [
  [3, [100]], [6, [65, 35]], [10, [50, 30, 20]], [20, [45, 28, 17, 10]], [30, [40, 25, 15, 12, 8]], [50, [35, 22, 15, 11, 8, 5, 4]],
  [100, [30, 20, 14, 10, 8, 6, 5, 4, 3]], [1024, [25, 16, 12, 9, 7, 6, 5, 4, 4, 3, 3, 2, 2, 1, 1]],
];
const paidTo = (entrants) => PAYOUTS.find(([most]) => entrants <= most)[1];

/** 12.6: the hands of a round at tables of these sizes. */
function handsOf(t, sizes) {
  if (sizes.length === 1) return 0;
  const entrants = t.played.length ? sum(t.played[0].tables.map(({ seats }) => seats.length)) : sum(sizes);
  const over = sum(sizes) - paidTo(entrants).length;
  return over > 0 && over <= sizes.length ? 1 : t.plan.hands;
}

export function manyTables(t) {
  let rings, moved = [], broken = [];
  const stacks = new Map(t.order.map((one) => [one, t.plan.stack]));
  if (t.played.length) {
    const { tables } = t.played.at(-1);
    for (const table of tables) for (const { one, stack } of rowsOf(table)) stacks.set(one, stack);
    const left = ringsAfter(tables, t.left);
    if (sum(left.map(size)) <= 1 || t.played.length === 1000) return null;
    ({ rings, moved, broken } = balance(left, t.plan.seats));
  } else {
    const there = t.order.filter((one) => !t.left.has(one)), count = Math.ceil(there.length / t.plan.seats);
    if (there.length <= 1) return null;
    rings = Array.from({ length: count }, (_, n) => ({ players: there.filter((_, i) => i % count === n), gone: false }));
  }
  const before = sum(t.played.map(({ tables }) => handsOf(t, tables.map(({ seats }) => seats.length))));
  const hands = handsOf(t, rings.map(size));
  return {
    stage: "main", byes: [], tables: rings.map(({ players }) => players), broken,
    moved: moved.map(({ one, from, to }) => ({ entrant: one, stack: stacks.get(one), before: from, table: rings.indexOf(to) })),
    stakes: rings.map(({ players, gone }) => ({
      stacks: players.map((one) => stacks.get(one)), hands_before: before, hands, last_gone: gone, ...(t.plan.levels && { timed_from: t.closes }),
    })),
  };
}

/** 12.7: places by how late somebody was out, and with how much. */
export function placesByStack(t) {
  const far = new Map(t.order.map((one) => [one, [0, 0, 0, 0]]));
  t.played.forEach(({ tables }, i) => {
    for (const table of tables) {
      for (const { one, stack, hand, before } of rowsOf(table)) far.set(one, hand ? [i + 1, 0, hand, before] : [i + 1, 1, 0, stack]);
    }
  });
  for (const one of t.left.keys()) {
    const [number, still, , stack] = far.get(one) ?? [];
    if (number === t.played.length && still === 1) far.set(one, [number, 0, 1e9, stack]);
  }
  return placesBy(far);
}

const common = (a, b) => (b ? common(b, a % b) : a);

/** 12.8: what each entrant gets, in their order; nothing is left out. */
export function payouts(ranked, places) {
  const parts = [...paidTo(ranked.length), ...ranked.map(() => 0)];
  return ranked.flatMap((entrant, i) => {
    const count = places.filter((place) => place === places[i]).length, all = sum(parts.slice(places[i] - 1, places[i] - 1 + count));
    const by = common(all, count);
    return all ? [{ entrant, percent: by === count ? `${all / by}` : `${all / by}/${count / by}` }] : [];
  });
}
