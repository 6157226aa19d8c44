/** How costs are paid (3.6). */

import { at, range, sum } from "../../../../api/web/static/past/verify/referee_kit.ts";
import { COLORS, abilitiesOf, isA } from "../../../card_sets/referee_cards.ts";
import type { Cost, ManaAbility } from "../../../card_sets/referee_cards.ts";
import { byId, controlled, isCreature, mayTap } from "./table.ts";
import type { Duel, Permanent } from "./table.ts";

/** The kinds of mana, in the order of a pool. */
export const KINDS = "STRFGN";
/** Mana of any kind is spent in this order. */
const SPENDING = [5, 0, 1, 2, 3, 4];

export interface Paid {
  readonly color: string;
  readonly id: string;
}
export interface Payment {
  readonly paid: readonly Paid[];
  readonly pool: readonly number[];
}

const manaOf = (p: Permanent): ManaAbility[] => abilitiesOf(p.card).flatMap(({ mana }) => (mana ? [mana] : []));
export const gives = (p: Permanent, color: string): ManaAbility | undefined =>
  manaOf(p).find(({ add }) => add === color || (add === "any" && COLORS.includes(color)));
export const colorsOf = (p: Permanent): string[] => [...KINDS].filter((color) => gives(p, color));

/** Lands of one kind of mana come first, then other lands, then artifacts and creatures. */
function classOf(p: Permanent): number {
  if (isA(p.card, "land")) return colorsOf(p).length === 1 ? 0 : 1;
  return isCreature(p) ? 3 : 2;
}

/** Return the sources that a seat may tap, in the order in which costs tap them. */
export function sourcesOf(d: Duel, seat: number, excluded: readonly string[] = []): Permanent[] {
  return controlled(d, seat).filter((p) => manaOf(p).length && mayTap(d, p) && !excluded.includes(p.id))
    .sort((a, b) => classOf(a) - classOf(b) || colorsOf(a).length - colorsOf(b).length || byId(a, b));
}

/** Return what is left of the pool and of the mana given, once a cost is paid; null if they do not pay it. */
function spend(pool: readonly number[], given: readonly number[], cost: Cost, x: number): number[] | null {
  const [left, fresh] = [[...pool], [...given]];
  const take = (kind: number) => {
    const from = at(left, kind) > 0 ? left : fresh;
    from[kind] = at(from, kind) - 1;
    return at(from, kind) >= 0;
  };
  if (!cost.colored.every((color) => take(KINDS.indexOf(color)))) return null;
  for (let due = cost.generic + x; due > 0; due--) {
    const mana = [left, fresh].flatMap((from) => SPENDING.filter((kind) => at(from, kind) > 0))[0];
    if (mana === undefined) return null;
    const from = SPENDING.some((kind) => at(left, kind) > 0) ? left : fresh;
    from[mana] = at(from, mana) - 1;
  }
  return left.map((mana, kind) => mana + at(fresh, kind));
}

function given(d: Duel, paid: readonly Paid[]): number[] {
  const mana = [0, 0, 0, 0, 0, 0];
  for (const { id, color } of paid) {
    const p = d.field.get(id);
    const ability = p && gives(p, color);
    if (ability) mana[KINDS.indexOf(color)] = at(mana, KINDS.indexOf(color)) + ability.amount;
  }
  return mana;
}

/** Pay with the sources that a player named; null if they do not pay. */
export function payWith(
  d: Duel, seat: number, cost: Cost, x: number, paid: readonly Paid[], excluded: readonly string[] = [],
): Payment | null {
  const sources = sourcesOf(d, seat, excluded);
  const known = paid.every(({ id, color }) => sources.some((p) => p.id === id && gives(p, color)));
  if (!known || new Set(paid.map(({ id }) => id)).size !== paid.length) return null;
  const pool = spend(at(d.pools, seat), given(d, paid), cost, x);
  return pool && { paid, pool };
}

/** Pay by the order of the rules; null if nothing pays. */
export function pay(d: Duel, seat: number, cost: Cost, x = 0, excluded: readonly string[] = []): Payment | null {
  const sources = sourcesOf(d, seat, excluded);
  const found = payColors(cost, x, sources, cost.colored, [...at(d.pools, seat)], []);
  if (!found) return null;
  const pool = spend(at(d.pools, seat), given(d, found), cost, x);
  return pool && { paid: found, pool };
}

/** Search for sources of the colours, in the order of the rules, and then of the rest. */
function payColors(
  cost: Cost, x: number, sources: readonly Permanent[], colors: readonly string[],
  mana: readonly number[], paid: readonly Paid[],
): Paid[] | null {
  const [color, ...others] = colors;
  if (color === undefined) return payRest(cost.generic + x, sources, mana, paid);
  const kind = KINDS.indexOf(color);
  const without = (list: readonly number[]) => list.map((count, i) => count - (i === kind ? 1 : 0));
  if (at(mana, kind) > 0) {
    const found = payColors(cost, x, sources, others, without(mana), paid);
    if (found) return found;
  }
  for (const p of sources) {
    const ability = gives(p, color);
    if (!ability) continue;
    const more = mana.map((count, i) => count + (i === kind ? ability.amount : 0));
    const left = sources.filter((one) => one !== p);
    const found = payColors(cost, x, left, others, without(more), [...paid, { color, id: p.id }]);
    if (found) return found;
  }
  return null;
}

function payRest(
  due: number, sources: readonly Permanent[], mana: readonly number[], paid: readonly Paid[],
): Paid[] | null {
  const all = [...paid];
  let have = sum(mana);
  for (const p of sources) {
    if (have >= due) break;
    const color = at(colorsOf(p), 0);
    all.push({ color, id: p.id });
    have += gives(p, color)?.amount ?? 0;
  }
  return have >= due ? all : null;
}

/** Return the most that can be paid for X. */
export function mostX(d: Duel, seat: number, cost: Cost): number {
  const most = sum(at(d.pools, seat)) + sum(sourcesOf(d, seat).map((p) =>
    Math.max(...manaOf(p).map(({ amount }) => amount))));
  return range(most + 1).reverse().find((x) => pay(d, seat, cost, x)) ?? 0;
}
