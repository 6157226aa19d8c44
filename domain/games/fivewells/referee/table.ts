/** The table of a duel: its objects, and what they are at the moment (sections 1, 6 and 7). */

import { at, range } from "../../../../api/web/static/past/verify/referee_kit.ts";
import type { Fact, Fields } from "../../../../api/web/static/past/verify/referee.ts";
import type { Play } from "../../../../api/web/static/past/verify/referee_play.ts";
import { abilitiesOf, cardOf, isA } from "../../../card_sets/referee_cards.ts";
import type { Card, Condition, Filter } from "../../../card_sets/referee_cards.ts";

export type { Play };
export type Targets = Readonly<Record<string, readonly string[]>>;

export interface Pump {
  readonly power: number;
  readonly toughness: number;
  readonly keywords: readonly string[];
  /** The seat with whose next turn it ends; null: it ends with this turn. */
  readonly until: number | null;
}
export interface Permanent {
  readonly id: string;
  readonly card: Card;
  readonly token: boolean;
  readonly owner: number;
  readonly controller: number;
  tapped: boolean;
  frozen: boolean;
  fresh: boolean;
  damage: number;
  venom: boolean;
  counters: number;
  pumps: Pump[];
  attacks: boolean;
  blocked: boolean;
  blocks: string | null;
  order: string[];
  struck: boolean;
}
export interface Item {
  readonly id: string;
  readonly spell: boolean;
  readonly seat: number;
  readonly source: string;
  readonly card: Card;
  readonly ability: number;
  readonly targets: Targets;
  readonly x: number | null;
  readonly about: string | null;
}
export interface Trigger {
  readonly seat: number;
  readonly source: string;
  readonly card: Card;
  readonly ability: number;
  readonly about: string | null;
}
/** An object as it last was (9.15). */
export interface Last {
  readonly card: Card;
  readonly controller: number;
  readonly power: number;
  readonly keywords: readonly string[];
}
/** Where the turn is; a step's window has a number of its own. */
export interface Point {
  readonly step: string;
  readonly priority: number | null;
  readonly passes: number;
  readonly window: number;
}
export interface PathPoint extends Point {
  readonly gone: readonly string[];
  readonly healed: readonly string[];
}

export interface Duel {
  readonly options: Fields;
  phase: string;
  /** What the seat that is to decide may do. */
  choices: () => Fact[];
  readonly owners: Map<string, number>;
  readonly cards: Map<string, Card>;
  active: number;
  turn: number;
  step: string;
  priority: number | null;
  passes: number;
  window: number;
  /** What the events have told so far, and what has happened since then. */
  told: Point;
  path: PathPoint[];
  then: Fields | null;
  life: number[];
  libraries: string[][];
  hands: string[][];
  graveyards: string[][];
  pools: number[][];
  field: Map<string, Permanent>;
  stack: Item[];
  waiting: Trigger[];
  last: Map<string, Last>;
  drawFailed: boolean[];
  landPlayed: boolean;
  made: number;
  stacked: number;
  /** Triggers and resolutions in this turn (9.9). */
  busy: number;
  mulligans: number[];
  kept: boolean[];
  stops: string[][];
  once: string[][];
  until: (string | null)[];
  stopsSet: number[];
  over: { reason: string; losers: number[] } | null;
}

export const NO_POOL = [0, 0, 0, 0, 0, 0];
export const FIRST_STOPS = ["own main1", "own block", "own main2", "opponent attack", "opponent block",
  "opponent dusk"];

export function newDuel(options: Fields): Duel {
  return {
    options, phase: "deck_building", choices: () => [], owners: new Map(), cards: new Map(), active: 0, turn: 0,
    step: "untap", priority: null, passes: 0, window: 0, told: { step: "untap", priority: null, passes: 0, window: 0 },
    path: [], then: null, life: [20, 20], libraries: [[], []], hands: [[], []], graveyards: [[], []],
    pools: [NO_POOL, NO_POOL], field: new Map(), stack: [], waiting: [], last: new Map(), drawFailed: [false, false],
    landPlayed: false, made: 0, stacked: 0, busy: 0, mulligans: [0, 0], kept: [false, false],
    stops: [FIRST_STOPS, FIRST_STOPS], once: [[], []], until: [null, null], stopsSet: [0, 0], over: null,
  };
}

export const otherSeat = (seat: number): number => 1 - seat;
export const numberOf = (id: string): number => Number(id.slice(1));
export const byHandle = (a: string, b: string): number => numberOf(a) - numberOf(b);
export const byId = (a: { id: string }, b: { id: string }): number => byHandle(a.id, b.id);
export const permanents = (d: Duel): Permanent[] => [...d.field.values()];
export const controlled = (d: Duel, seat: number): Permanent[] => permanents(d).filter((p) => p.controller === seat);
export const isCreature = (p: Permanent): boolean => isA(p.card, "creature");
export const cardAt = (d: Duel, id: string): Card => d.cards.get(id) ?? cardOf(id);
export const named = (d: Duel, ids: readonly string[]): Fields[] =>
  ids.map((object) => ({ card: cardAt(d, object).id, object }));
export const isSeat = (id: string): boolean => id === "0" || id === "1";

// --- What objects are ---------------------------------------------------------------------------

interface Bonus { power: number; toughness: number; keywords: string[]; bans: string[] }

/** Return whether a condition holds, seen from a seat. */
export function holds(d: Duel, condition: Condition | undefined, seat: number): boolean {
  if (!condition) return true;
  const { who, n } = condition.life_at_most;
  return at(d.life, who === "you" ? seat : otherSeat(seat)) <= n;
}

function affects(d: Duel, affected: "self" | Filter, source: Permanent, p: Permanent): boolean {
  return affected === "self" ? p === source : admits(d, affected, p, source.id, source.controller);
}

/** Sum what static abilities give to a permanent. */
function bonusOf(d: Duel, p: Permanent): Bonus {
  const bonus: Bonus = { power: 0, toughness: 0, keywords: [], bans: [] };
  for (const source of d.field.values()) {
    for (const { static: its } of abilitiesOf(source.card)) {
      if (!its || !holds(d, its.if, source.controller) || !affects(d, its.affects, source, p)) continue;
      bonus.power += its.power ?? 0;
      bonus.toughness += its.toughness ?? 0;
      bonus.keywords.push(...(its.grant ?? []));
      bonus.bans.push(...(its.restrict ?? []));
    }
  }
  return bonus;
}

const size = (p: Permanent, of: "power" | "toughness", bonus: Bonus): number =>
  p.pumps.reduce((total, pump) => total + pump[of], (p.card[of] ?? 0) + p.counters + bonus[of]);
export const powerOf = (d: Duel, p: Permanent): number => (isCreature(p) ? size(p, "power", bonusOf(d, p)) : 0);
export const toughnessOf = (d: Duel, p: Permanent): number => (isCreature(p) ? size(p, "toughness", bonusOf(d, p)) : 0);
/** Return the keywords of a permanent, sorted. */
export function keywordsOf(d: Duel, p: Permanent): string[] {
  const all = [...(p.card.keywords ?? []), ...p.pumps.flatMap(({ keywords }) => keywords), ...bonusOf(d, p).keywords];
  return [...new Set(all)].sort();
}
export const has = (d: Duel, p: Permanent, keyword: string): boolean => keywordsOf(d, p).includes(keyword);
export const isBanned = (d: Duel, p: Permanent, what: string): boolean => bonusOf(d, p).bans.includes(what);
/** Return whether a permanent may use abilities with tap in their cost (6.1). */
export const mayTap = (d: Duel, p: Permanent): boolean => !p.tapped
  && !(isCreature(p) && p.fresh && !has(d, p, "haste"));

/** Return the object as it is, or as it last was (9.15). */
export function lastOf(d: Duel, id: string): Last {
  const p = d.field.get(id);
  if (p) return { card: p.card, controller: p.controller, power: powerOf(d, p), keywords: keywordsOf(d, p) };
  return d.last.get(id) ?? { card: cardAt(d, id), controller: d.owners.get(id) ?? 0, power: 0, keywords: [] };
}

/** Return whether a controller is the one that is meant, seen from a seat. */
export const isMeant = (meant: string | undefined, controller: number, seat: number): boolean =>
  meant === undefined || meant === "any" || (controller === seat) === (meant === "you");
export const isOfType = (filter: Filter | undefined, card: Card): boolean =>
  !filter?.types_any?.length || filter.types_any.some((type) => isA(card, type));

/** Return whether a filter admits a permanent, for an ability of this source and controller. */
export function admits(d: Duel, filter: Filter | undefined, p: Permanent, source: string, seat: number): boolean {
  if (!filter) return true;
  return isOfType(filter, p.card) && isMeant(filter.controller, p.controller, seat)
    && !(filter.other && p.id === source)
    && (filter.tapped === undefined || p.tapped === filter.tapped)
    && (filter.attacking === undefined || p.attacks === filter.attacking)
    && (filter.in_combat === undefined || (p.attacks || p.blocks !== null) === filter.in_combat)
    && (filter.token === undefined || p.token === filter.token)
    && (filter.without_keyword === undefined || !has(d, p, filter.without_keyword));
}

export const admitted = (d: Duel, filter: Filter | undefined, source: string, seat: number): Permanent[] =>
  permanents(d).filter((p) => admits(d, filter, p, source, seat));

// --- What triggers ------------------------------------------------------------------------------

interface Subject {
  /** The object that it happens to, and null for what happens to none. */
  readonly id: string | null;
  readonly card: Card | null;
  readonly controller: number;
}

function triggersOn(d: Duel, p: Permanent, event: string, subject: Subject): Trigger[] {
  return range(abilitiesOf(p.card).length).filter((i) => {
    const its = at(abilitiesOf(p.card), i).triggered;
    return its?.event === event && holds(d, its.if, p.controller) && isAbout(its.of, p, subject);
  }).map((ability) => ({ seat: p.controller, source: p.id, card: p.card, ability, about: subject.id }));
}

function isAbout(of: "self" | Filter | undefined, p: Permanent, { id, card, controller }: Subject): boolean {
  if (of === undefined) return controller === p.controller;
  if (of === "self") return id === p.id;
  return card !== null && isOfType(of, card) && isMeant(of.controller, controller, p.controller)
    && !(of.other && id === p.id);
}

/**
 * Return what triggers, of the permanents in their order. What is about to leave at this moment is still among them.
 */
export function triggered(d: Duel, event: string, subjects: readonly Subject[]): Trigger[] {
  return permanents(d).flatMap((p) => subjects.flatMap((subject) => triggersOn(d, p, event, subject)));
}
export const subjectOf = (p: Permanent): Subject => ({ id: p.id, card: p.card, controller: p.controller });
