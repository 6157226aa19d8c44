/** The cards, and the language of their abilities as files of cards write it (`fivewells-cards/1`). */

import bt1 from "./cards/sets/bt1.json" with { type: "json" };
import fw1 from "./cards/sets/fw1.json" with { type: "json" };

export interface Filter {
  readonly types_any?: readonly string[];
  readonly controller?: string;
  readonly other?: boolean;
  readonly tapped?: boolean;
  readonly attacking?: boolean;
  readonly in_combat?: boolean;
  readonly token?: boolean;
  readonly without_keyword?: string;
}
/** `self`, `opponent`, the letter of a target, `trigger`, or each that a filter admits. */
export type To = string | { readonly all: Filter };
export type Amount = number | string | Counted;
export interface Counted {
  readonly count?: Filter;
  readonly zone?: string;
  readonly who?: string;
  readonly power_of?: string;
}
export interface Condition {
  readonly life_at_most: { readonly who: string; readonly n: number };
}
/** What an effect does; each has those of these fields that it needs. */
export interface Doing {
  readonly who?: string;
  readonly to?: To;
  readonly amount?: Amount;
  readonly how?: string;
  readonly dest?: string;
  readonly power?: number;
  readonly toughness?: number;
  readonly keywords?: readonly string[];
  readonly until?: string;
  readonly token?: string;
  readonly unless_pays?: Amount;
  readonly filter?: Filter;
  readonly a?: string;
  readonly b?: string;
  readonly cond?: Condition;
  readonly then?: readonly Effect[];
}
/** An object of one key, which names what is done. */
export type Effect = Readonly<Record<string, Doing | readonly Effect[] | readonly (readonly Effect[])[]>>;
export interface TargetRule {
  readonly id: string;
  readonly what: string;
  readonly controller: string;
  readonly min: number;
  readonly max: number;
  readonly filter?: Filter;
}
export interface AbilityCost {
  readonly mana?: string;
  readonly tap?: boolean;
  readonly sacrifice?: "self" | Filter;
}
interface Does {
  readonly effects: readonly Effect[];
  readonly targets?: readonly TargetRule[];
}
export interface Triggered extends Does {
  readonly event: string;
  readonly of?: "self" | Filter;
  readonly if?: Condition;
  readonly may?: boolean;
}
export interface Activated extends Does {
  readonly cost: AbilityCost;
}
export interface Static {
  readonly affects: "self" | Filter;
  readonly power?: number;
  readonly toughness?: number;
  readonly grant?: readonly string[];
  readonly restrict?: readonly string[];
  readonly if?: Condition;
}
export interface ManaAbility {
  readonly cost: AbilityCost;
  readonly add: string;
  readonly amount: number;
}
export interface Ability {
  readonly spell?: Does;
  readonly triggered?: Triggered;
  readonly activated?: Activated;
  readonly mana?: ManaAbility;
  readonly static?: Static;
  readonly enters_tapped?: boolean;
}
export interface Card {
  readonly id: string;
  readonly name: string;
  readonly types: readonly string[];
  readonly colors: readonly string[];
  readonly cost?: string;
  readonly power?: number;
  readonly toughness?: number;
  readonly keywords?: readonly string[];
  readonly abilities?: readonly Ability[];
  readonly rarity?: string;
  readonly basic?: boolean;
  readonly set?: string;
}

const SETS = [fw1, bt1];
const list = (rows: unknown) => rows as readonly Card[];

/** All cards and tokens by their ids. */
export const CARDS: ReadonlyMap<string, Card> =
  new Map(SETS.flatMap((set) => [...list(set.cards), ...list(set.tokens)]).map((card) => [card.id, card]));

export function cardOf(id: string): Card {
  const card = CARDS.get(id);
  if (!card) throw new RangeError(`There is no card ${id}.`);
  return card;
}

export const isA = (card: Card, type: string): boolean => card.types.includes(type);
export const isPermanent = (card: Card): boolean => !isA(card, "instant") && !isA(card, "sorcery");
export const abilitiesOf = (card: Card): readonly Ability[] => card.abilities ?? [];
export const spellOf = (card: Card): Does => abilitiesOf(card).find(({ spell }) => spell)?.spell ?? { effects: [] };

// --- Costs --------------------------------------------------------------------------------------

export const COLORS = "STRFG";
export interface Cost {
  readonly colored: readonly string[];
  readonly generic: number;
  readonly x: boolean;
}

/** Read a cost such as `X2SS` (1.2). */
export function readCost(text = ""): Cost {
  return {
    colored: [...text].filter((symbol) => COLORS.includes(symbol)), generic: Number(/\d+/.exec(text)?.[0] ?? 0),
    x: text.includes("X"),
  };
}
export const manaValue = (card: Card): number => readCost(card.cost).colored.length + readCost(card.cost).generic;
