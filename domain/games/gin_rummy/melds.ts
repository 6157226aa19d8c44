/** Melds of Gin Rummy: what they are, and the automatic arrangements (sections 2 and 7 of its rulebook). */

import { at, rankOf, sorted, suitOf, sum, without } from "../../../api/web/static/past/verify/referee_kit.ts";

export interface LayOff { readonly card: string; readonly meld: number }
export interface Arrangement { readonly melds: string[][]; readonly deadwood: string[]; readonly value: number }
export interface Answer extends Arrangement { readonly layoffs: LayOff[] }

/** Rank cards from 0, the ace, to 12, the king. */
const lowRank = (card: string) => (rankOf(card) + 1) % 13;
const valueOf = (card: string) => Math.min(10, lowRank(card) + 1);
/** Number a card for the order of arrangements (2.4). */
const numberOf = (card: string) => 13 * "CDHS".indexOf(suitOf(card)) + lowRank(card);
const inOrder = (cards: readonly string[]) => [...cards].sort((a, b) => numberOf(a) - numberOf(b));

export const worth = (cards: readonly string[]): number => sum(cards.map(valueOf));

/** Return whether cards are a set or a run (2.2). */
export function isMeld(cards: readonly string[]): boolean {
  const ordered = inOrder(cards);
  if (new Set(cards).size !== cards.length || cards.length < 3) return false;
  const isSet = cards.length <= 4 && cards.every((card) => rankOf(card) === rankOf(at(cards, 0)));
  const isRun = ordered.every((card, i) => suitOf(card) === suitOf(at(ordered, 0))
    && lowRank(card) === lowRank(at(ordered, 0)) + i);
  return isSet || isRun;
}

/** Compare lists number by number; one that begins another comes before it. */
function compareLists(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((number, place) => number !== b[place]);
  if (i < 0) return a.length - b.length;
  return b[i] === undefined ? 1 : at(a, i) - at(b, i);
}

export function compareMelds(a: readonly string[][], b: readonly string[][]): number {
  for (const [i, meld] of a.entries()) {
    const other = b[i];
    if (!other) return 1;
    const order = compareLists(meld.map(numberOf), other.map(numberOf));
    if (order) return order;
  }
  return a.length - b.length;
}

/** Put the cards of each meld in order, and the melds. */
export const orderedMelds = (melds: readonly string[][]): string[][] =>
  melds.map(inOrder).sort((a, b) => compareMelds([a], [b]));

function allMelds(hand: readonly string[]): string[][] {
  const cards = inOrder(hand);
  const runs = cards.flatMap((_, first) => cards.map((__, last) => cards.slice(first, last + 1)));
  const sets = [..."A23456789TJQK"].flatMap((rank) => {
    const equal = cards.filter((card) => card.startsWith(rank));
    return [equal, ...equal.map((card) => without(equal, [card]))];
  });
  return [...runs, ...sets].filter(isMeld);
}

/** List all ways to put cards into melds, from no meld on. */
export function arrangements(hand: readonly string[]): string[][][] {
  const among = (melds: readonly string[][]): string[][][] => [[], ...melds.flatMap((meld, i) =>
    among(melds.slice(i + 1).filter((other) => !other.some((card) => meld.includes(card))))
      .map((others) => [meld, ...others]))];
  return among(allMelds(hand)).map(orderedMelds);
}

export function arrangementOf(hand: readonly string[], melds: string[][]): Arrangement {
  const deadwood = sorted(without(hand, melds.flat()));
  return { melds, deadwood, value: worth(deadwood) };
}

/** Return the arrangement with the least deadwood, and of several the first (2.4). */
export function arranged(hand: readonly string[]): Arrangement {
  const all = arrangements(hand).map((melds) => arrangementOf(hand, melds));
  return all.reduce((best, one) => (one.value - best.value || compareMelds(one.melds, best.melds)) < 0 ? one : best);
}

/** Return the melds of the knocker after cards were laid off; null if one does not go there (7.1). */
export function withLayOffs(melds: readonly string[][], layoffs: readonly LayOff[]): string[][] | null {
  const grown = melds.map((meld) => [...meld]);
  for (const { card, meld } of layoffs) {
    const its = grown[meld];
    if (!its || !isMeld([...its, card])) return null;
    its.push(card);
  }
  return grown;
}

/** List all ways to lay off cards, in the order of melds and cards. */
function layOffs(cards: readonly string[], melds: readonly string[][]): LayOff[][] {
  const singles = melds.flatMap((its, meld) => inOrder(cards).filter((card) => isMeld([...its, card]))
    .map((card) => ({ card, meld })));
  return [[], ...singles.flatMap((one) => {
    const grown = melds.map((its, meld) => (meld === one.meld ? [...its, one.card] : its));
    return layOffs(without(cards, [one.card]), grown).map((others) => [one, ...others]);
  })];
}

const compareLayOffs = (a: readonly LayOff[], b: readonly LayOff[]) => compareLists(
  a.flatMap(({ card, meld }) => [meld, numberOf(card)]), b.flatMap(({ card, meld }) => [meld, numberOf(card)]));

/** Return the automatic answer to a knock (7.3). */
export function answered(hand: readonly string[], knocked: readonly string[][]): Answer {
  const all = arrangements(hand).flatMap((melds) => layOffs(without(hand, melds.flat()), knocked).map((layoffs) => ({
    ...arrangementOf(without(hand, layoffs.map(({ card }) => card)), melds), layoffs,
  })));
  return all.reduce((best, one) => (one.value - best.value || one.layoffs.length - best.layoffs.length
    || compareMelds(one.melds, best.melds) || compareLayOffs(one.layoffs, best.layoffs)) < 0 ? one : best);
}
