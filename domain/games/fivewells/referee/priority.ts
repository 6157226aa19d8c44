/** What a seat with priority may do, and when it is asked (3.2 to 3.4). */

import { at, fact, range, same } from "../../../../api/web/static/past/verify/referee_kit.ts";
import type { Fact, Fields } from "../../../../api/web/static/past/verify/referee.ts";
import { abilitiesOf, isA, isPermanent, readCost, spellOf } from "../../../card_sets/referee_cards.ts";
import type { AbilityCost, Card, TargetRule } from "../../../card_sets/referee_cards.ts";
import { tapPaid } from "./effects.ts";
import { check, enter, entersTapped, leave, nextItem, note, noteEntry, stack } from "./happenings.ts";
import { KINDS, colorsOf, gives, mostX, pay, payWith, sourcesOf } from "./payment.ts";
import type { Paid, Payment } from "./payment.ts";
import { areTargets, targetSets } from "./targets.ts";
import { decides, judgeButThen, pass, tell } from "./telling.ts";
import { admitted, byHandle, byId, cardAt, controlled, mayTap, otherSeat, triggered } from "./table.ts";
import type { Duel, Item, Permanent, Play, Targets } from "./table.ts";

// --- Who is asked -------------------------------------------------------------------------------

export const stopOf = (d: Duel, seat: number): string => `${seat === d.active ? "own" : "opponent"} ${d.step}`;
const isAnswered = (d: Duel, seat: number) => d.stack.some((item) => item.seat !== seat);

/** Return whether a seat that gets priority is asked. */
export function isAsked(d: Duel, seat: number): boolean {
  const stop = stopOf(d, seat);
  const answers = isAnswered(d, seat);
  if (d.until[seat] && !answers) return false;
  if (!answers && !at(d.stops, seat).includes(stop) && !at(d.once, seat).includes(stop)) return false;
  return isActive(d, seat);
}
const isActive = (d: Duel, seat: number): boolean => d.options.auto_pass_when_no_action !== true || canAct(d, seat);

// --- Casting and activating ---------------------------------------------------------------------

const isMain = (d: Duel) => d.step === "main1" || d.step === "main2";
/** Whether a seat may do what needs its own main step and an empty stack (3.3). */
const isSlow = (d: Duel, seat: number) => d.active === seat && isMain(d) && !d.stack.length;
const isFast = (card: Card) => isA(card, "instant") || card.keywords?.includes("ambush") === true;
const mayPlayLand = (d: Duel, seat: number) => isSlow(d, seat) && !d.landPlayed;
const mayCast = (d: Duel, seat: number, card: Card) => !isA(card, "land") && (isFast(card) || isSlow(d, seat));
const rulesOf = (card: Card): readonly TargetRule[] => (isPermanent(card) ? [] : spellOf(card).targets ?? []);

/** Something that is put on the stack for a cost. */
interface Use {
  readonly type: "SpellCast" | "AbilityActivated";
  readonly seat: number;
  readonly source: string;
  readonly card: Card;
  readonly ability: number;
  readonly rules: readonly TargetRule[];
  readonly cost: AbilityCost;
}
const castOf = (d: Duel, seat: number, source: string): Use => {
  const card = cardAt(d, source);
  return { type: "SpellCast", seat, source, card, ability: 0, rules: rulesOf(card), cost: { mana: card.cost ?? "" } };
};
const usesOf = (p: Permanent): Use[] => range(abilitiesOf(p.card).length).flatMap((ability) => {
  const its = at(abilitiesOf(p.card), ability).activated;
  return its ? [{ type: "AbilityActivated" as const, seat: p.controller, source: p.id, card: p.card, ability,
    rules: its.targets ?? [], cost: its.cost }] : [];
});

/** Return what may be sacrificed for a use, one way after another. */
function sacrifices(d: Duel, { cost, source, seat }: Use): string[][] {
  if (!cost.sacrifice) return [[]];
  if (cost.sacrifice === "self") return [[source]];
  return admitted(d, cost.sacrifice, source, seat).filter((p) => p.controller === seat).sort(byId).map(({ id }) =>
    [id]);
}
function mayUse(d: Duel, use: Use): boolean {
  if (use.type === "SpellCast") return mayCast(d, use.seat, use.card);
  const p = d.field.get(use.source);
  return p !== undefined && (!use.cost.tap || mayTap(d, p));
}

interface Chosen {
  readonly targets: Targets;
  readonly x: number | null;
  readonly sacrificed: readonly string[];
  readonly byHand: boolean;
  readonly paid: readonly Paid[];
}
/** Targets, sacrifices and what the cost itself taps do not pay (3.6). */
const unpaying = ({ source, cost }: Use, { targets, sacrificed }: Pick<Chosen, "targets" | "sacrificed">): string[] =>
  [...Object.values(targets).flat(), ...sacrificed, ...(cost.tap ? [source] : [])];

function payment(d: Duel, use: Use, chosen: Chosen): Payment | null {
  const cost = readCost(use.cost.mana);
  const excluded = unpaying(use, chosen);
  const x = chosen.x ?? 0;
  const isFree = !cost.colored.length && cost.generic + x === 0;
  if (chosen.byHand) return isFree ? null : payWith(d, use.seat, cost, x, chosen.paid, excluded);
  return pay(d, use.seat, cost, x, excluded);
}

/** Return the event of a use. */
function used(d: Duel, use: Use, { targets, x, sacrificed, byHand }: Chosen, { paid, pool }: Payment): Fact {
  const { type, seat, source, card, ability } = use;
  const its = { seat, object: nextItem(d), source, card: card.id, targets, x, paid, by_hand: byHand, pool };
  if (type === "SpellCast") return fact(type, its);
  return fact(type, { ...its, ability, tapped: use.cost.tap ? [source] : [], sacrificed });
}

function judgeUse(d: Duel, use: Use | undefined, given: Fact): string | null {
  const { data } = given;
  if (!use || !mayUse(d, use)) return "This cannot be played now.";
  const chosen: Chosen = {
    targets: data.targets as Targets, x: data.x as number | null, sacrificed: (data.sacrificed ?? []) as string[],
    byHand: data.by_hand === true, paid: data.paid as Paid[],
  };
  if (!areTargets(d, use.rules, chosen.targets, use.seat, use.source)) return "The targets are not legal.";
  if ((chosen.x !== null) !== readCost(use.cost.mana).x
    || (chosen.x ?? 0) < 0) return "X must be chosen if the cost has one, and only then.";
  if (!sacrifices(d, use).some((way) => same(way, chosen.sacrificed))) return "The sacrifice does not pay the cost.";
  const paid = payment(d, use, chosen);
  if (!paid) return "The cost is not paid.";
  return same(used(d, use, chosen, paid), given) ? null
    : `This ${use.type} is paid in another way, or names a different object.`;
}

/** Return all ways to use something, as far as targets and sacrifices go; X is nothing or as much as can be paid. */
function waysToUse(d: Duel, use: Use): Fact[] {
  if (!mayUse(d, use)) return [];
  const cost = readCost(use.cost.mana);
  const xs = cost.x ? [...new Set([0, mostX(d, use.seat, cost)])] : [null];
  return targetSets(d, use.rules, use.seat, use.source).flatMap((targets) => sacrifices(d, use).flatMap((sacrificed) =>
    xs.flatMap((x) => {
      const chosen = { targets, x, sacrificed, byHand: false, paid: [] };
      const paid = payment(d, use, chosen);
      return paid ? [used(d, use, chosen, paid)] : [];
    })));
}

const usesNow = (d: Duel, seat: number): Use[] => [
  ...[...at(d.hands, seat)].sort(byHandle).map((id) => castOf(d, seat, id)),
  ...controlled(d, seat).sort(byId).flatMap(usesOf),
];

/** Return whether a seat can do anything but pass and tap for mana (3.4). */
function canAct(d: Duel, seat: number): boolean {
  if (mayPlayLand(d, seat) && at(d.hands, seat).some((id) => isA(cardAt(d, id), "land"))) return true;
  return usesNow(d, seat).some((use) => waysToUse(d, use).length > 0);
}

// --- Priority -----------------------------------------------------------------------------------

const landOf = (d: Duel, seat: number, id: string): Fact =>
  fact("LandPlayed", { seat, object: id, card: cardAt(d, id).id, tapped: entersTapped(cardAt(d, id)) });

function landsNow(d: Duel, seat: number): Fact[] {
  if (!mayPlayLand(d, seat)) return [];
  return at(d.hands, seat).filter((id) => isA(cardAt(d, id), "land")).sort(byHandle).map((id) => landOf(d, seat, id));
}

function manaNow(d: Duel, seat: number): Fact[] {
  return sourcesOf(d, seat).sort(byId).flatMap((p) => colorsOf(p).map((mana) => {
    const amount = gives(p, mana)?.amount ?? 0;
    const pool = at(d.pools, seat).map((count, kind) => count + (KINDS[kind] === mana ? amount : 0));
    return fact("ManaAdded", { seat, source: p.id, mana, amount, tapped: [p.id], pool });
  }));
}

const passOf = (d: Duel, seat: number, until: string | null): Fact =>
  fact("PriorityPassed", { seat, until, once: d.once[seat], then: null });

function judgePriority(d: Duel, seat: number, given: Fact): string | null {
  const { type, data } = given;
  if (data.seat !== seat) return `Seat ${seat} has priority.`;
  const among = (choices: Fact[], why: string) => (choices.some((one) => same(one, given)) ? null : why);
  if (type === "LandPlayed") return among(landsNow(d, seat), "This land cannot be played.");
  if (type === "ManaAdded") return among(manaNow(d, seat), "This mana cannot be produced.");
  if (type === "SpellCast") return judgeUse(d, at(d.hands, seat).includes(String(data.source))
    ? castOf(d, seat, String(data.source)) : undefined, given);
  if (type === "AbilityActivated") {
    return judgeUse(d, usesNow(d, seat).find((use) => use.type === type && use.source === data.source
      && use.ability === data.ability), given);
  }
  const until = ["next_turn", "something_on_stack"].includes(String(data.until)) ? String(data.until) : null;
  return judgeButThen(passOf(d, seat, until), given);
}

const priorityChoices = (d: Duel, seat: number): Fact[] => [
  passOf(d, seat, null), ...landsNow(d, seat), ...usesNow(d, seat).flatMap((use) => waysToUse(d, use)),
    ...manaNow(d, seat),
];

/** Let a seat that has priority do one thing. */
function* act(d: Duel, seat: number): Play {
  const stop = stopOf(d, seat);
  d.until[seat] = null;
  d.once[seat] = at(d.once, seat).filter((one) => one !== stop);
  for (;;) {
    d.phase = d.step;
    const given = yield* decides(d, [{ seat, decision: d.step }], (one) => judgePriority(d, seat, one),
      () => priorityChoices(d, seat), true);
    if (given.type === "ManaAdded") addMana(d, seat, given.data);
    else {
      yield* ACTS[given.type]?.(d, seat, given.data) ?? done();
      if (given.type !== "LandPlayed" || d.over || d.priority !== seat) return;
    }
    if (!isActive(d, seat)) return giveUp(d);
  }
}
function* done(): Play {}

/** A seat that can do nothing more passes by itself. */
function giveUp(d: Duel): void {
  Object.assign(d, { passes: d.passes + 1, priority: otherSeat(d.priority ?? 0) });
  pass(d);
}

function addMana(d: Duel, seat: number, { source, pool }: Fields): void {
  d.pools[seat] = pool as number[];
  const p = d.field.get(String(source));
  if (p) p.tapped = true;
}

const ACTS: Readonly<Record<string, (d: Duel, seat: number, data: Fields) => Play>> = {
  *PriorityPassed(d, seat, data) {
    d.until[seat] = data.until as string | null;
    Object.assign(d, { priority: otherSeat(seat), passes: d.passes + 1 });
    tell(d);
    d.then = data.then as Fields | null;
  },
  *LandPlayed(d, seat, { object }) {
    const id = String(object);
    d.hands[seat] = at(d.hands, seat).filter((one) => one !== id);
    d.landPlayed = true;
    yield* noteEntry(d, enter(d, id, cardAt(d, id), seat, seat, entersTapped(cardAt(d, id))));
    yield* check(d);
  },
  *SpellCast(d, seat, data) {
    const item = put(d, seat, data, true);
    d.hands[seat] = at(d.hands, seat).filter((one) => one !== item.source);
    yield* note(d, triggered(d, "cast", [{ id: item.id, card: item.card, controller: seat }]));
    yield* check(d);
  },
  *AbilityActivated(d, seat, data) {
    put(d, seat, data, false);
    for (const id of data.tapped as string[]) Object.assign(d.field.get(id) ?? {}, { tapped: true });
    yield* leave(d, (data.sacrificed as string[]).flatMap((id) => d.field.get(id) ?? []), "sacrificed", "graveyard");
    yield* check(d);
  },
};

/** Pay for something, and put it on the stack, which counts as a pass (3.2). */
function put(d: Duel, seat: number, data: Fields, spell: boolean): Item {
  tapPaid(d, seat, data as unknown as Payment);
  const source = String(data.source);
  const item: Item = {
    id: String(data.object), spell, seat, source, card: cardAt(d, source), ability: Number(data.ability ?? 0),
    targets: data.targets as Targets, x: data.x as number | null, about: null,
  };
  stack(d, item);
  Object.assign(d, { priority: otherSeat(seat), passes: 1 });
  tell(d);
  return item;
}

/** Give priority to one seat after the other until both pass in a row. */
export function* passes(d: Duel): Play {
  while (!d.over && d.passes < 2) {
    const seat = d.priority ?? d.active;
    if (isAsked(d, seat)) yield* act(d, seat);
    else giveUp(d);
  }
}
