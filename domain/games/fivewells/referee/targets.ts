/** What may be a target (1.3, 6 and 7.1). */

import { at, combinations, range, same } from "../../../../api/web/static/past/verify/referee_kit.ts";
import type { Fact } from "../../../../api/web/static/past/verify/referee.ts";
import { isA } from "../../../card_sets/referee_cards.ts";
import type { TargetRule } from "../../../card_sets/referee_cards.ts";
import { admits, byId, cardAt, has, isMeant, isSeat, otherSeat, permanents } from "./table.ts";
import type { Duel, Permanent, Targets } from "./table.ts";

const isKind = (p: Permanent, what: string): boolean =>
  what === "permanent" || isA(p.card, what === "creature_or_player" ? "creature" : what);

function seatsFor({ what, controller }: TargetRule, seat: number): string[] {
  if (what !== "player" && what !== "creature_or_player") return [];
  return [otherSeat(seat), seat].filter((one) => isMeant(controller, one, seat)).map(String);
}

function permanentsFor(d: Duel, rule: TargetRule, seat: number, source: string): string[] {
  return permanents(d).sort(byId)
    .filter((p) => isKind(p, rule.what) && isMeant(rule.controller, p.controller, seat)
      && admits(d, rule.filter, p, source, seat) && (p.controller === seat || !has(d, p, "warded")))
    .map(({ id }) => id);
}

/** Return all legal targets of a rule; objects come before players. */
export function candidates(d: Duel, rule: TargetRule, seat: number, source: string): string[] {
  if (rule.what === "spell") {
    return d.stack.filter((item) => item.spell && isMeant(rule.controller, item.seat, seat)).map(({ id }) => id);
  }
  if (rule.what === "creature_card_in_graveyard") {
    const graveyards = range(2).filter((one) => isMeant(rule.controller, one, seat));
    return graveyards.flatMap((one) => at(d.graveyards, one)).filter((id) => isA(cardAt(d, id), "creature"));
  }
  return [...permanentsFor(d, rule, seat, source), ...seatsFor(rule, seat)];
}

const isWithin = (d: Duel, rule: TargetRule, chosen: readonly string[], seat: number, source: string): boolean => {
  const legal = candidates(d, rule, seat, source);
  return chosen.length >= rule.min && chosen.length <= rule.max && new Set(chosen).size === chosen.length
    && chosen.every((id) => legal.includes(id));
};

/** Return whether these are legal targets for the rules. */
export function areTargets(d: Duel, rules: readonly TargetRule[], targets: Targets, seat: number,
  source: string): boolean {
  return same(Object.keys(targets).sort(), rules.map(({ id }) => id).sort())
    && rules.every((rule) => isWithin(d, rule, targets[rule.id] ?? [], seat, source));
}

/** Return all legal sets of targets. */
export function targetSets(d: Duel, rules: readonly TargetRule[], seat: number, source: string): Targets[] {
  return rules.reduce<Targets[]>((sets, rule) => {
    const legal = candidates(d, rule, seat, source);
    const ways = range(rule.max - rule.min + 1).flatMap((more) => combinations(legal, rule.min + more));
    return sets.flatMap((set) => ways.map((way) => ({ ...set, [rule.id]: way })));
  }, [{}]);
}

/** Allow the listed facts; targets of one letter may be named in any order. */
export function areLegal(choices: readonly Fact[], given: Fact): string | null {
  const plain = ({ type, data }: Fact) =>
    ({ type, data: { ...data, targets: sortedTargets(data.targets), objects: list(data.objects) } });
  return choices.some((choice) => same(plain(choice), plain(given))) ? null : "This answer is not possible.";
}
const list = (x: unknown) => (Array.isArray(x) ? [...x].sort() : x);
const sortedTargets = (targets: unknown) =>
  Object.fromEntries(Object.entries((targets ?? {}) as Targets).map(([id, chosen]) => [id, list(chosen)]));

/** Return the targets that are legal still. */
export function legalStill(d: Duel, rules: readonly TargetRule[], targets: Targets, seat: number,
  source: string): Targets {
  return Object.fromEntries(rules.map((rule) => {
    const legal = candidates(d, rule, seat, source);
    return [rule.id, (targets[rule.id] ?? []).filter((id) => legal.includes(id))];
  }));
}

/** Return the controller of a target: of a player that seat, of a card its owner. */
export function controllerOf(d: Duel, id: string): number {
  if (isSeat(id)) return Number(id);
  return d.field.get(id)?.controller ?? d.stack.find((item) => item.id === id)?.seat ?? d.owners.get(id) ?? 0;
}
