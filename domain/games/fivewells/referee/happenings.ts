/** What happens to objects and players, and what follows from it: triggers, deaths and losses (sections 3, 7 and 9). */

import { at, fact, sum } from "../../../../api/web/static/past/verify/referee_kit.ts";
import type { Fact } from "../../../../api/web/static/past/verify/referee.ts";
import { abilitiesOf } from "../../../card_sets/referee_cards.ts";
import type { Card } from "../../../card_sets/referee_cards.ts";
import { areLegal, targetSets } from "./targets.ts";
import { decides, follows, tell } from "./telling.ts";
import { byHandle, byId, isCreature, keywordsOf, lastOf, named, permanents, powerOf, subjectOf, toughnessOf,
  triggered } from "./table.ts";
import type { Duel, Item, Permanent, Play, Trigger } from "./table.ts";

/** More triggers and resolutions in one turn end the game (9.9). */
const ENDLESS = 1000;

/** Abilities have triggered, and wait. */
export function* note(d: Duel, triggers: readonly Trigger[]): Play {
  if (!triggers.length) return;
  d.waiting.push(...triggers);
  yield* follows(d, "TriggersNoted", {
    triggers: triggers.map(({ seat, source, card, ability, about }) =>
      ({ ability, card: card.id, controller: seat, source, ...(about === null ? {} : { about }) })),
  });
}

/** Something happens to none, but concerns a seat. */
export function* notePlayer(d: Duel, event: string, seat: number): Play {
  yield* note(d, triggered(d, event, [{ id: null, card: null, controller: seat }]));
}

export function enter(d: Duel, id: string, card: Card, owner: number, controller: number, tapped: boolean,
  token = false): Permanent {
  const p: Permanent = {
    id, card, token, owner, controller, tapped, frozen: false, fresh: true, damage: 0, venom: false, counters: 0,
    pumps: [], attacks: false, blocked: false, blocks: null, order: [], struck: false,
  };
  d.field.set(id, p);
  return p;
}
export function* noteEntry(d: Duel, ...entered: Permanent[]): Play {
  yield* note(d, triggered(d, "enters", entered.map(subjectOf)));
}
export const entersTapped = (card: Card): boolean => abilitiesOf(card).some(({ enters_tapped: tapped }) => tapped);

/** Permanents leave at one moment. */
export function* leave(d: Duel, leaving: readonly Permanent[], reason: string, to: "graveyard" | "hand"): Play {
  if (!leaving.length) return;
  const all = [...leaving].sort(byId);
  const cards = all.filter(({ token }) => !token).map(({ id }) => id);
  const were = all.map((p) => ({
    card: p.card.id, controller: p.controller, keywords: keywordsOf(d, p), object: p.id, owner: p.owner,
      power: powerOf(d, p),
  }));
  const triggers = to === "graveyard" ? triggered(d, "dies", all.map(subjectOf)) : [];
  for (const p of all) d.last.set(p.id, lastOf(d, p.id));
  for (const p of all) {
    d.field.delete(p.id);
    if (!p.token) at(to === "hand" ? d.hands : d.graveyards, p.owner).push(p.id);
  }
  yield* follows(d, "PermanentsLeft", { objects: all.map(({ id }) => id), to, reason, were, cards });
  yield* note(d, triggers);
}

export function* changeLife(d: Duel, seat: number, delta: number): Play {
  if (!delta) return;
  d.life[seat] = at(d.life, seat) + delta;
  yield* follows(d, "LifeChanged", { seat, delta, life: d.life[seat] });
  if (delta > 0) yield* notePlayer(d, "life_gained", seat);
}

// --- Damage -------------------------------------------------------------------------------------

export interface Row {
  readonly source: string;
  readonly to: string;
  readonly amount: number;
  readonly venom: number | null;
}
export const rowOf = (d: Duel, source: string, to: string, amount: number): Row => ({
  source, to, amount, venom: d.field.has(to) ? Number(lastOf(d, source).keywords.includes("venom")) : null,
});

/** Mark damage on creatures. */
export function mark(d: Duel, rows: readonly Row[]): void {
  for (const { to, amount, venom } of rows) {
    const p = d.field.get(to);
    if (p) Object.assign(p, { damage: p.damage + amount, venom: p.venom || venom === 1 });
  }
}

/** Let the controllers of what has leech gain as much as it dealt, one gain for each source. */
export function* leech(d: Duel, rows: readonly Row[], before: ReadonlyMap<string, ReturnType<typeof lastOf>>): Play {
  for (const [source, { keywords, controller }] of before) {
    if (!keywords.includes("leech")) continue;
    yield* changeLife(d, controller, sum(rows.filter((row) => row.source === source).map(({ amount }) => amount)));
  }
}
export const sourcesIn = (d: Duel, rows: readonly Row[]): Map<string, ReturnType<typeof lastOf>> =>
  new Map(rows.map(({ source }) => [source, lastOf(d, source)]));

// --- Checks -------------------------------------------------------------------------------------

function isDying(d: Duel, p: Permanent): boolean {
  const toughness = toughnessOf(d, p);
  return isCreature(p) && (toughness <= 0 || p.damage >= toughness || p.venom);
}

/** Check until nothing happens (3.5); then triggers go to the stack, unless they wait. */
export function* check(d: Duel, triggersWait = false): Play {
  for (;;) {
    const losers = [0, 1].filter((seat) => at(d.life, seat) <= 0 || d.drawFailed[seat]);
    if (losers.length) {
      d.over = { reason: losers.some((seat) => at(d.life, seat) <= 0) ? "life" : "library", losers };
      return;
    }
    const dying = permanents(d).filter((p) => isDying(d, p));
    if (!dying.length) break;
    yield* leave(d, dying, "died", "graveyard");
  }
  if (!triggersWait) yield* stackTriggers(d);
}

/** Put the waiting triggers on the stack (9.3). */
function* stackTriggers(d: Duel): Play {
  const rank = ({ seat }: Trigger) => (seat === d.active ? 0 : 1);
  while (d.waiting.length && !d.over) {
    d.waiting.sort((a, b) => rank(a) - rank(b) || byHandle(a.source, b.source) || a.ability - b.ability);
    yield* stackTrigger(d, at(d.waiting, 0));
    d.waiting.shift();
  }
}

function* stackTrigger(d: Duel, { seat, source, card, ability, about }: Trigger): Play {
  const rules = at(abilitiesOf(card), ability).triggered?.targets ?? [];
  const sets = targetSets(d, rules, seat, source);
  const [only] = sets;
  if (!only) {
    yield* follows(d, "TriggerDropped", { seat, source, card: card.id, ability });
    return;
  }
  const targets = sets.length === 1 ? only : yield* chooseTargets(d, seat, source, sets);
  const item: Item = { id: nextItem(d), spell: false, seat, source, card, ability, targets, x: null, about };
  yield* follows(d, "AbilityTriggered", { seat, object: item.id, source, card: card.id, ability, targets, about });
  stack(d, item);
  Object.assign(d, { priority: d.active, passes: 0 });
  tell(d);
}

function* chooseTargets(d: Duel, seat: number, source: string,
  sets: readonly Item["targets"][]): Play<Item["targets"]> {
  yield* request(d, seat, "trigger_targets", 0, 0, [source]);
  const given = yield* answers(d, seat, "trigger_targets",
    sets.map((targets) => made(seat, "trigger_targets", { targets })));
  return given.data.targets as Item["targets"];
}

export const nextItem = (d: Duel): string => `s${d.stacked + 1}`;
export function stack(d: Duel, item: Item): void {
  d.stacked += 1;
  d.stack.push(item);
  d.until = d.until.map((until, seat) => (seat === item.seat ? until : null));
  busy(d);
}
/** Count what happens in the turn, which cannot go on without end. */
export function busy(d: Duel): void {
  d.busy += 1;
  if (d.busy > ENDLESS) d.over = { reason: "endless", losers: [0, 1] };
}

// --- Questions ----------------------------------------------------------------------------------

export function* request(
  d: Duel, seat: number, choice: string, least: number, most: number, objects: readonly string[] = [],
  cards: readonly string[] = [],
): Play {
  yield* follows(d, "ChoiceRequested", { seat, choice, least, most, objects, cards: named(d, cards) });
  d.until[seat] = null;
}

/** The answer to a question that does nothing by itself. */
export const made = (seat: number, choice: string, answer: Fact["data"]): Fact =>
  fact("ChoiceMade", { seat, choice, objects: [], targets: {}, number: 0, paid: [], pool: null, ...answer });

/** Let a seat answer, with one of these facts. */
export function* answers(d: Duel, seat: number, choice: string, choices: readonly Fact[]): Play<Fact> {
  return yield* asks(d, seat, choice, (given) => areLegal(choices, given), () => [...choices]);
}
export function* asks(
  d: Duel, seat: number, choice: string, judge: (given: Fact) => string | null, choices: () => Fact[],
): Play<Fact> {
  d.phase = choice;
  const given = yield* decides(d, [{ seat, decision: choice }], judge, choices);
  d.phase = "";
  return given;
}

// --- Stops --------------------------------------------------------------------------------------

const STEPS = ["dawn", "main1", "attack", "block", "first_damage", "damage", "main2", "dusk"];
const ROWS = ["own", "opponent"].flatMap((whose) => STEPS.map((step) => `${whose} ${step}`));
const isRow = (row: unknown): boolean =>
  Array.isArray(row) && row.every((stop, i) => ROWS.includes(stop)
    && (i === 0 || ROWS.indexOf(row[i - 1]) < ROWS.indexOf(stop)));

export function judgeStops(d: Duel, { data }: Fact): string | null {
  const seat = Number(data.seat);
  if (!isRow(data.stops) || !isRow(data.once)) return "Stops must be windows in the order of a turn, each once.";
  return at(d.stopsSet, seat) < 20 ? null : "Stops may be set at most twenty times a turn.";
}
export function setStops(d: Duel, { data }: Fact): void {
  const seat = Number(data.seat);
  d.stops[seat] = data.stops as string[];
  d.once[seat] = data.once as string[];
  d.stopsSet[seat] = at(d.stopsSet, seat) + 1;
}
