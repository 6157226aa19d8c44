/** What boosters hold and how decks are built, for the referees of the games that are played with sets of cards. */

import { same, sum } from "../../api/web/static/past/verify/referee_kit.ts";
import { CARDS, COLORS, cardOf, isA, readCost } from "./referee_cards.ts";
import type { Card } from "./referee_cards.ts";

export interface Deck {
  readonly main: readonly string[];
  readonly sideboard: readonly string[];
}

const RARITIES = ["common", "uncommon", "rare", "ultra_rare"];
export const rarityOf = (id: string): number => RARITIES.indexOf(cardOf(id).rarity ?? "");
export const isBasic = (id: string): boolean => cardOf(id).basic === true;
const times = <T>(count: number, value: T): T[] => Array<T>(count).fill(value);

/** Return whether these are the cards of a booster of a set (fivewells 10.3). */
export function isBooster(set: string, ids: readonly string[]): boolean {
  const cards = ids.map((id) => CARDS.get(id));
  const expected = [...times(11, 0), ...times(3, 1), 2];
  return new Set(ids).size === 15 && cards.every((card) => card?.set === set && !card.basic)
    && same(ids.map((id) => Math.min(2, rarityOf(id))), expected)
    && same(cards.slice(0, 5).map((card) => card?.colors), [...COLORS].map((color) => [color]));
}

/** Return whether two lists hold the same in any order. */
export const areAlike = (a: readonly string[], b: readonly string[]): boolean => same([...a].sort(), [...b].sort());

/**
 * Return whether a deck holds at least so many cards, and with its sideboard just a seat's own; basic lands are free.
 */
export function isDeckOf({ main, sideboard }: Deck, own: readonly string[], least: number): boolean {
  const all = [...main, ...sideboard];
  const known = all.every((id) => CARDS.get(id)?.set !== undefined);
  const bought = (ids: readonly string[]) => ids.filter((id) => !isBasic(id));
  const isInOrder = [main, sideboard].every((ids) => ids.every((id, i) => i === 0 || String(ids[i - 1]) <= id));
  return known && isInOrder && main.length >= least && areAlike(bought(all), bought(own));
}

/** Return whether a deck may be brought: of these sets if it is a constructed one, else of a seat's own cards. */
export function isLegalDeck({ main, sideboard }: Deck, sets: readonly string[] | null): boolean {
  const all = [...main, ...sideboard];
  const cards = all.map((id) => CARDS.get(id));
  const isKnown = cards.every((card) => card?.set !== undefined);
  if (!isKnown || main.length < (sets ? 60 : 40) || all.length > 1000) return false;
  if (!sets) return true;
  const bought = cards.filter((card) => card && !card.basic);
  const copies = (name: string | undefined) => bought.filter((card) => card?.name === name).length;
  return sideboard.length <= 15 && bought.every((card) => sets.includes(card?.set ?? "") && copies(card?.name) <= 4);
}

/** Rarer cards come first, then by their ids. */
const byWorth = (a: string, b: string): number => rarityOf(b) - rarityOf(a) || (a < b ? -1 : 1);
const fits = (card: Card, colors: string): boolean =>
  !isA(card, "land") && card.colors.every((color) => colors.includes(color));
const PAIRS = [...COLORS].flatMap((a, i) => [...COLORS.slice(i + 1)].map((b) => a + b));

/** Build the deck of a seat that does not decide (fivewells 10.5, fivewells_draft 4.2). */
export function builtByRule(own: readonly string[]): Deck {
  const bestOf = (colors: string) => own.filter((id) => fits(cardOf(id), colors)).sort(byWorth).slice(0, 23);
  const worth = (ids: readonly string[]) => 1000 * ids.length + sum(ids.map(rarityOf));
  const colors = PAIRS.reduce((best, pair) => (worth(bestOf(pair)) > worth(bestOf(best)) ? pair : best));
  const cards = bestOf(colors);
  const main = [...cards, ...landsFor(cards, colors, 40 - cards.length)].sort();
  const left = [...own];
  for (const id of cards) left.splice(left.indexOf(id), 1);
  return { main, sideboard: left.sort() };
}

/** Return basic lands of two colours, in proportion of the mana symbols. */
function landsFor(cards: readonly string[], colors: string, count: number): string[] {
  const symbols = cards.flatMap((id) => readCost(cardOf(id).cost).colored);
  const [first = 0, second = 0] = [...colors].map((color) => symbols.filter((one) => one === color).length);
  const share = sum([first, second]) ? Math.floor((2 * count * first + first + second) / (2 * (first + second)))
    : Math.ceil(count / 2);
  const land = (color: string) => `fw1-00${COLORS.indexOf(color) + 1}`;
  return [...times(share, land(colors[0] ?? "")), ...times(count - share, land(colors[1] ?? ""))];
}
