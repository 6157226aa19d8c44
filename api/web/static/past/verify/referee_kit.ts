/** Shared by the referees of several games: facts, seats, places and standard cards. */

import { PACK, canonical, has, same, sorted } from "./deals.mjs";
import type { Chance, Decision, Due, Fact, Fields, Judge, Next, Rest } from "./referee.ts";

export { PACK, canonical, same, sorted };

export const fact = (type: string, data: Fields = {}): Fact => ({ type, data });
export const due = (type: string, data: Fields = {}): Due => ({ kind: "due", fact: { type, data } });
export const chance = (judge: Judge): Chance => ({ kind: "chance", judge });
export const rest: Rest = { kind: "rest" };

/** Return a decision among choices that can all be listed. */
export function decision(asked: Decision["asked"], choices: () => Fact[]): Decision {
  return { kind: "decision", asked, choices, judge: (given) => judgeAmong(choices(), given) };
}

/** Judge a fact: only the listed ones are allowed. */
export function judgeAmong(choices: readonly Fact[], given: Fact): string | null {
  const alike = choices.filter(({ type }) => type === given.type);
  if (!alike.length) return `${given.type} is not possible here.`;
  return alike.some(({ data }) => same(data, given.data)) ? null : `The rules do not allow this ${given.type}.`;
}

/** Return a judge of chance facts by their type and one condition. */
export function judgeChance(type: string, holds: (data: Fields) => boolean): Judge {
  return (given) => {
    if (given.type !== type) return `${type} must come here.`;
    return holds(given.data) ? null : `This ${type} is not possible.`;
  };
}

export const range = (length: number): number[] => Array.from({ length }, (_, i) => i);
/** Return all seats in the order of play, starting from one. */
export const seatsFrom = (first: number, seats: number): number[] => range(seats).map((i) => (first + i) % seats);
/** Return the seats with the highest value. */
export const highest = (values: readonly number[]): number[] =>
  range(values.length).filter((seat) => values[seat] === Math.max(...values));
/** Return each seat's place, from 1; equal values share a place, the highest value is first. */
export const placesOf = (values: readonly number[]): number[] =>
  values.map((value) => 1 + values.filter((other) => other > value).length);
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const negated = (values: readonly number[]): number[] => values.map((value) => 0 - value);
/** Return whether a seat is picked exactly if the options say so, and is one of the table. */
export const isPick = (how: unknown, seat: unknown, seats: number): boolean =>
  (how === "pick" ? typeof seat === "number" && seat < seats : seat === null);
/** Return a list item whose index must be in range. */
export function at<T>(list: readonly T[], index: number): T {
  const value = list[index];
  if (value === undefined) throw new RangeError(`There is no item ${index}.`);
  return value;
}

/** Return a reader's value of a field that has one for each. */
export const partOf = <T>(field: unknown, reader: number | string): T => (field as Record<string, T>)[reader] as T;
/** Return a field's values for all seats in order. */
export const perSeat = <T>(field: unknown, seats: number): T[] => range(seats).map((seat) => partOf<T>(field, seat));
/** Return a field with one value per seat. */
export const forSeats = (values: readonly unknown[]): Fields =>
  Object.fromEntries(values.map((value, seat) => [String(seat), value]));

/** Rank cards from 0, the two, to 12, the ace. */
export const rankOf = (card: string): number => "23456789TJQKA".indexOf(at([...card], 0));
export const suitOf = (card: string): string => at([...card], 1);
/** Return the cards without these, removing as many copies as are named. */
export function without<T>(cards: readonly T[], gone: readonly T[]): T[] {
  const left = [...cards];
  for (const card of gone) if (left.includes(card)) left.splice(left.indexOf(card), 1);
  return left;
}
/** Return whether two lists have the same cards, in any order. */
export const alike = (a: readonly (string | number)[], b: readonly (string | number)[]): boolean =>
  same(sorted(a), sorted(b));
/** Return all ways to choose this many cards, keeping their order. */
export function combinations<T>(cards: readonly T[], count: number): T[][] {
  if (count === 0) return [[]];
  return cards.flatMap((card, i) => combinations(cards.slice(i + 1), count - 1).map((others) => [card, ...others]));
}

export interface Cut {
  readonly seat: number;
  readonly card: string;
}

/** Return the seats that still cut for the highest card, and how many have done so in this round. */
export function cutting(cuts: readonly Cut[], seats: number): { left: number[]; done: number } {
  let left = range(seats);
  let done = 0;
  while (left.length > 1 && cuts.length - done >= left.length) {
    const turn = cuts.slice(done, done + left.length);
    done += left.length;
    const best = Math.max(...turn.map(({ card }) => rankOf(card)));
    left = turn.filter(({ card }) => rankOf(card) === best).map(({ seat }) => seat);
  }
  return { left, done: cuts.length - done };
}

/** Return what follows the cards that were cut: another card, or the dealer that they choose. */
export function nextCut(cuts: readonly Cut[], seats: number): Chance | Due {
  const { left, done } = cutting(cuts, seats);
  if (left.length === 1) return due("FirstDealerChosen", { how: "cut", seat: at(left, 0) });
  const cut = (card: unknown) => PACK.some((known) => known === card) && cuts.every((one) => one.card !== card);
  return chance(judgeChance("CardCut", ({ seat, card }) => seat === left[done] && cut(card)));
}

/** Return the random draw of the first dealer. */
export const dealerByLot = (seats: number): Chance =>
  chance(judgeChance("FirstDealerChosen", ({ how, seat }) => how === "random" && range(seats).some((s) => s === seat)));

/** Return whether dealt hands are valid: right sizes, sorted, and no card more often than in the pack. */
export function judgeHands(hands: readonly string[][], counts: readonly number[], pack: readonly string[]): boolean {
  return hands.every((hand, seat) => hand.length === counts[seat] && same(hand, sorted(hand)))
    && without(pack, hands.flat()).length === pack.length - sum(counts);
}

/** Return the winner of a trick: the highest card of the suit led. */
export function winnerOf(trick: readonly Cut[]): number {
  const suit = suitOf(at(trick, 0).card);
  const led = trick.filter(({ card }) => suitOf(card) === suit);
  return led.reduce((best, one) => (rankOf(one.card) > rankOf(best.card) ? one : best)).seat;
}

/** A fact does not fit a later one. */
export class Unfit extends Error {}

/** Judge the next fact of a game: null if allowed, otherwise the reason; open fields are judged later. */
export function judgeFact(next: Next, given: Fact, open: readonly string[] = []): string | null {
  if (next.kind === "rest") return `${given.type} is possible only during a game.`;
  if (next.kind !== "due") return next.judge(given);
  if (next.fact.type !== given.type)
    return next.meanwhile ? next.meanwhile(given) : `${next.fact.type} must come here.`;
  const { data } = next.fact;
  const wrong = Object.keys({ ...data, ...given.data }).filter((name) => !open.includes(name)).find((name) =>
    !has(data, name) || !has(given.data, name) || !same(data[name], given.data[name]));
  return wrong === undefined ? null : `The field ${wrong} of ${given.type} does not follow from the rules.`;
}
