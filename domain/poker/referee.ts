/**
 * What the referees of poker share: hands, betting, pots, the showdown, the button and the formats
 * (domain/poker/rulebook.md).
 */

import { at, chance, due, fact, highest, placesOf, range, rankOf, same, seatsFrom, sorted,
  sum } from "../../api/web/static/past/verify/referee_kit.ts";
import type { Play } from "../../api/web/static/past/verify/referee_play.ts";
import type { Fact, Fields, Next, Standing, Stop } from "../../api/web/static/past/verify/referee.ts";

export interface Pot { readonly amount: number; readonly eligible: readonly number[] }
export interface Stakes { readonly small: number; readonly big: number; readonly ante: number }

export interface Table {
  readonly options: Fields;
  readonly seats: number;
  /** Whether there are blinds, and not antes alone. */
  readonly blinds: boolean;
  gameNo: number; handNo: number; dealNo: number;
  button: number | null; smallAt: number | null; small: number | null; big: number | null;
  stacks: number[]; buyIns: number[]; ledger: number[];
  left: number[]; resigned: number[]; places: (number | null)[];
  level: number; stakes: Stakes;
  /** The time of the next facts in milliseconds, and the time from which the levels are counted, if they are timed. */
  now: number; timedFrom: number | null;
  /** What was brought to the table of a tournament of many tables, and the last hand here; 0: until one has all. */
  brought: Brought | null; until: number;
  /** Whether a hand of the game has been dealt. */
  hasDealt: boolean;
  /** The hand in which each seat went out, and its chips before it. */
  wentOut: Record<number, { hand: number; before: number }>;
  phase: string; turn: number | null; inHand: boolean;
  /** The seats that were dealt in, in their order, and their stacks before. */
  order: number[]; before: number[];
  hands: string[][]; shown: string[][]; open: boolean[];
  deck: string[]; board: string[]; swapped: Record<string, number>;
  folded: number[]; put: number[]; dead: number; pots: Pot[];
  round: Round;
  /** Whether a resignation between hands has ended the game. */
  endsBetween: boolean;
  result: Standing["result"];
}
/** The stacks of a table of a tournament of many tables (6.6). */
interface Brought {
  readonly stacks: number[]; readonly hands_before: number; readonly hands: number; readonly last_gone: boolean;
  readonly timed_from?: string;
}
/** A betting round (2). */
interface Round {
  name: string; unit: number; least: number; first: number;
  committed: number[]; current: number;
  /** The last full level, and what the last full bet or raise added. */
  full: number; by: number; bets: number;
  /** The level that each seat has met at its last action; null: it has not acted. */
  met: (number | null)[];
  aggressor: number | null;
}

const NO_STAKES = { small: 0, big: 0, ante: 0 };
const noRound = (seats: number): Round => ({
  name: "", unit: 0, least: 0, first: 0, committed: range(seats).map(() => 0), current: 0, full: 0, by: 0, bets: 0,
  met: range(seats).map(() => null), aggressor: null,
});
const forAll = <T>(t: { seats: number }, value: (seat: number) => T): T[] => range(t.seats).map(value);

export function newTable(options: Fields, seats: number, blinds: boolean): Table {
  const zero = range(seats).map(() => 0);
  return {
    options, seats, blinds, gameNo: 0, handNo: 0, dealNo: 0, button: null, smallAt: null, small: null, big: null,
    stacks: zero, buyIns: zero, ledger: zero, left: [], resigned: [], places: range(seats).map(() => null), level: 1,
    now: 0, timedFrom: null, brought: null, until: 0, hasDealt: false, wentOut: {},
    stakes: NO_STAKES, phase: "dealing", turn: null, inHand: false, order: [], before: zero, hands: zero.map(() => []),
    shown: zero.map(() => []), open: zero.map(() => false), deck: [], board: [], swapped: {}, folded: [],
      put: [...zero],
    dead: 0, pots: [], round: noRound(seats), endsBetween: false, result: null,
  };
}
const isTournament = (t: Table) => t.options.format === "sng";

// --- Hands (1) ----------------------------------------------------------------------------------

const CATEGORIES = ["high_card", "one_pair", "two_pairs", "three_of_a_kind", "straight", "flush", "full_house",
  "four_of_a_kind", "straight_flush", "royal_flush"];

/** Return the value of five cards: the number of the hand, and the ranks that decide (1.4). */
export function valueOf(cards: readonly string[]): number[] {
  const ranks = cards.map((card) => rankOf(card) + 2);
  const count = (rank: number) => ranks.filter((one) => one === rank).length;
  const kinds = [...new Set(ranks)].sort((a, b) => count(b) - count(a) || b - a);
  const [first = 0, second = 0] = kinds;
  const isFlush = new Set(cards.map((card) => card[1])).size === 1;
  const isWheel = same(kinds, [14, 5, 4, 3, 2]);
  const top = kinds.length < 5 ? 0 : isWheel ? 5 : first - at(kinds, 4) === 4 ? first : 0;
  if (isFlush && top) return top === 14 ? [9, 14] : [8, top];
  if (count(first) === 4) return [7, ...kinds];
  if (count(first) === 3 && count(second) === 2) return [6, ...kinds];
  if (isFlush) return [5, ...kinds];
  if (top) return [4, top];
  if (count(first) === 3) return [3, ...kinds];
  if (count(first) === 2) return [count(second) === 2 ? 2 : 1, ...kinds];
  return [0, ...kinds];
}
export function compareValues(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((value, place) => value !== b[place]);
  return i < 0 ? 0 : at(a, i) - at(b, i);
}

/** Return the best five of the cards; of equal ones those that come first in the pack. */
export function bestFive(cards: readonly string[]): string[] {
  const fives = (from: readonly string[], size: number): string[][] => size === 0 ? [[]]
    : from.flatMap((card, i) => fives(from.slice(i + 1), size - 1).map((others) => [card, ...others]));
  return fives(sorted(cards), 5).reduce((best, five) =>
    (compareValues(valueOf(five), valueOf(best)) > 0 ? five : best));
}
const SUITS = "CDHS";
/** Put five cards in the order in which they decide. */
function arranged(five: readonly string[]): string[] {
  const ranks = five.map(rankOf);
  const count = (card: string) => ranks.filter((rank) => rank === rankOf(card)).length;
  const [, top] = valueOf(five);
  const worth = (card: string) => (top === 5 && count(card) === 1 && rankOf(card) === 12 && isRun(five) ? -1
    : rankOf(card));
  return [...five].sort((a, b) => count(b) - count(a) || worth(b) - worth(a)
    || SUITS.indexOf(a[1] ?? "") - SUITS.indexOf(b[1] ?? ""));
}
const isRun = (five: readonly string[]) => [4, 8, 9].includes(at(valueOf(five), 0));

// --- Betting (2) --------------------------------------------------------------------------------

const isFixed = (t: Table) => t.options.structure === "fixed_limit";
const inPlay = (t: Table): number[] => t.order.filter((seat) => !t.folded.includes(seat));
const hasChips = (t: Table, seat: number) => at(t.stacks, seat) > 0;
const able = (t: Table) => inPlay(t).filter((seat) => hasChips(t, seat));
const add = (list: number[], seat: number, amount: number) => { list[seat] = at(list, seat) + amount; };

/** Return what a seat owes; the only one with chips owes no more than another has put in (2.4). */
function owed(t: Table, seat: number): number {
  const { committed, current } = t.round;
  const others = inPlay(t).filter((one) => one !== seat).map((one) => at(committed, one));
  const due = same(able(t), [seat]) ? Math.min(current, Math.max(0, ...others)) : current;
  return Math.max(0, due - at(committed, seat));
}

/** Whether a seat may still bet or raise in this round (2.6 to 2.9). */
function mayRaise(t: Table, seat: number): boolean {
  const { met, current, full, by, bets } = t.round;
  if (inPlay(t).every((one) => one === seat || !hasChips(t, one))) return false;
  const its = at(met, seat);
  if (!isFixed(t)) return its === null || current - its >= by;
  return bets < Number(t.options.raise_cap) && (its === null || full > its);
}

/** Whether a bet or a raise to an amount has a right size. */
function isSize(t: Table, seat: number, to: number): boolean {
  const { committed, current, full, by, unit, least } = t.round;
  const most = at(committed, seat) + at(t.stacks, seat);
  if (to <= current || to > most) return false;
  if (isFixed(t)) return to === full + unit || (to === most && to < full + unit);
  return to === most || to >= (current === 0 ? least : current + by);
}

/** Return the facts of betting that are legal, amounts at their bounds. */
function bettingChoices(t: Table, seat: number): Fact[] {
  const { committed, current, full, by, unit, least } = t.round;
  const most = at(committed, seat) + at(t.stacks, seat);
  const low = isFixed(t) ? full + unit : current === 0 ? least : current + by;
  const sizes = mayRaise(t, seat) ? [...new Set([Math.min(low, most), isFixed(t) ? Math.min(low, most) : most])] : [];
  return [
    fact("PlayerFolded", { seat }), owed(t, seat) ? call(t, seat) : fact("PlayerChecked", { seat }),
    ...sizes.filter((to) => isSize(t, seat, to)).map((to) => raise(t, seat, to)),
  ];
}
function call(t: Table, seat: number): Fact {
  const amount = Math.min(owed(t, seat), at(t.stacks, seat));
  return fact("PlayerCalled", { seat, amount, all_in: amount === t.stacks[seat] });
}
function raise(t: Table, seat: number, to: number): Fact {
  const amount = to - at(t.round.committed, seat);
  return fact(t.round.current === 0 ? "PlayerBet" : "PlayerRaised",
    { seat, to, amount, all_in: amount === t.stacks[seat] });
}

function judgeBetting(t: Table, seat: number, given: Fact): string | null {
  const { type, data } = given;
  if (data.seat !== seat) return `It is the turn of seat ${seat}.`;
  if (type !== "PlayerBet" && type !== "PlayerRaised") {
    return bettingChoices(t, seat).some((one) => same(one, given)) ? null : `${type} is not possible here.`;
  }
  const to = Number(data.to);
  if (!mayRaise(t, seat)) return "The seat may not raise.";
  return isSize(t, seat, to) && same(given, raise(t, seat, to)) ? null : "The bet has the wrong size.";
}

const pay = (t: Table, seat: number, amount: number, isBet = true): void => {
  add(t.stacks, seat, -amount);
  add(t.put, seat, amount);
  if (isBet) add(t.round.committed, seat, amount);
};

/** Take a bet or a raise, and tell whether it was a full one. */
function* raised(t: Table, seat: number, data: Fields): Play {
  const to = Number(data.to);
  const { round } = t;
  pay(t, seat, Number(data.amount));
  const by = to - (isFixed(t) ? round.full : round.current);
  const isFull = isFixed(t) ? 2 * by >= round.unit : by >= round.by;
  const grown = to - round.current;
  Object.assign(round, { current: to, aggressor: seat });
  if (isFull) {
    Object.assign(round, { full: to, by: isFixed(t) ? round.by : grown, bets: round.bets + 1 });
    yield due("BettingReopened", { to, by: grown, bets: round.bets });
  }
  round.met[seat] = isFixed(t) ? round.full : round.current;
}

/** Play a betting round. */
export function* bet(t: Table, name: string, unit: number, first: number, isOpened: boolean, isLast: boolean): Play {
  const { committed, current } = t.round;
  const opened = isOpened ? { committed, current } : { committed: forAll(t, () => 0), current: 0 };
  const level = isOpened ? current : 0;
  t.round = { ...noRound(t.seats), ...opened, name, unit, least: unit, first, full: level, by: unit, bets: level ? 1
    : 0 };
  t.phase = name;
  yield due("BettingOpened", { round: name, unit, current: level, bets: t.round.bets });
  let seat = nextToAct(t, first);
  let isNew = true;
  while (seat !== null) {
    t.turn = seat;
    if (isNew) yield due("ActionOn", { seat, owed: owed(t, seat) });
    const { folded } = t;
    const [from, hasActed] = yield* act(t, seat);
    t.turn = null;
    isNew = hasActed || t.folded.length !== folded.length;
    seat = nextToAct(t, from);
  }
  yield due("BetsCollected", { pot: sum(t.put) + t.dead });
  Object.assign(t.round, { committed: forAll(t, () => 0), current: 0 });
  if (!isLast && isAllIn(t) && !isBettingOver(t)) yield* tellPots(t);
}

function nextToAct(t: Table, from: number): number | null {
  const seats = able(t);
  if (inPlay(t).length < 2 || (seats.length === 1 && owed(t, at(seats, 0)) === 0)) return null;
  const order = seatsFrom(from, t.seats).filter((seat) => seats.includes(seat));
  return order.find((seat) => t.round.met[seat] === null || owed(t, seat) > 0) ?? null;
}

/** Let a seat act; return the seat from which the next one is looked for, and whether this one has acted. */
function* act(t: Table, seat: number): Play<[number, boolean]> {
  const given = yield {
    kind: "decision", asked: [{ seat, decision: t.phase }], judge: (one: Fact) => judgeBetting(t, seat, one),
    choices: () => bettingChoices(t, seat),
  };
  if (given.type === "resign") {
    yield* resign(t, Number(given.data.seat));
    return [t.folded.includes(seat) ? (seat + 1) % t.seats : seat, false];
  }
  if (given.type === "PlayerFolded") t.folded = [...t.folded, seat];
  if (given.type === "PlayerCalled") pay(t, seat, Number(given.data.amount));
  if (given.type === "PlayerBet" || given.type === "PlayerRaised") yield* raised(t, seat, given.data);
  else t.round.met[seat] = isFixed(t) ? t.round.full : t.round.current;
  return [(seat + 1) % t.seats, true];
}

/** A seat resigns: it folds, and plays no more (7.4). */
export function* resign(t: Table, seat: number): Play {
  if (t.inHand && inPlay(t).includes(seat)) {
    yield due("PlayerFolded", { seat });
    t.folded = [...t.folded, seat];
  }
  yield due("PlayerWithdrawn", { seat });
  t.resigned.push(seat);
}

// --- What may come out of turn ------------------------------------------------------------------

/** Judge what a seat does whenever it likes; undefined for other facts. */
export function judgeMeanwhile(t: Table, { type, data }: Fact): string | null | undefined {
  const seat = Number(data.seat);
  if (type === "CardsShown") return t.inHand ? "Cards may be shown only between hands."
    : judgeShown(t, seat, data.cards as string[]);
  if (type !== "TableLeft") return undefined;
  const isFree = !isTournament(t) && !t.left.includes(seat) && !t.resigned.includes(seat)
    && !(t.inHand && inPlay(t).includes(seat));
  return isFree && same(data, { seat }) ? null : "This seat cannot leave the table.";
}
function judgeShown(t: Table, seat: number, cards: readonly string[]): string | null {
  const own = t.hands[seat] ?? [];
  const fresh = cards.length > 0 && cards.every((card) => own.includes(card) && !at(t.shown, seat).includes(card));
  return fresh && new Set(cards).size === cards.length ? null : "A seat may show only its own cards, each once.";
}
export function takeMeanwhile(t: Table, { type, data }: Fact): void {
  const seat = Number(data.seat);
  if (type === "TableLeft") t.left.push(seat);
  else t.shown[seat] = [...at(t.shown, seat), ...(data.cards as string[])];
}

// --- Pots (2.10 to 2.14) ------------------------------------------------------------------------

/** Return what no other seat matched, and whose it is. */
export function uncalled(put: readonly number[]): { seat: number; amount: number } {
  const [seat = 0] = highest(put);
  return { seat, amount: at(put, seat) - Math.max(0, ...put.filter((_, one) => one !== seat)) };
}

export function potsOf(put: readonly number[], players: readonly number[], dead: number): Pot[] {
  const levels = [...new Set(players.map((seat) => at(put, seat)))].filter(Boolean).sort((a, b) => a - b);
  const pots: { amount: number; eligible: number[] }[] = [];
  let below = 0;
  for (const level of levels) {
    const amount = sum(put.map((chips) => Math.min(chips, level) - Math.min(chips, below)));
    const eligible = players.filter((seat) => at(put, seat) >= level).sort((a, b) => a - b);
    const last = pots.at(-1);
    if (last && same(last.eligible, eligible)) last.amount += amount;
    else pots.push({ amount, eligible });
    below = level;
  }
  const above = sum(put.map((chips) => Math.max(0, chips - below)));
  if (!pots.length && above + dead > 0) pots.push({ amount: 0, eligible: [...players].sort((a, b) => a - b) });
  const [first] = pots;
  const last = pots.at(-1);
  if (first) first.amount += dead;
  if (last) last.amount += above;
  return pots;
}

/** Tell the pots: after each round once a seat is all-in, and at the end of the betting. */
function* tellPots(t: Table): Play {
  t.pots = potsOf(t.put, inPlay(t), t.dead);
  if (t.pots.length) yield due("PotsFormed", { pots: t.pots });
}
/** The betting of the hand is over: what nobody matched goes back (2.10). */
export function* formPots(t: Table): Play {
  const { seat, amount } = uncalled(t.put);
  if (amount > 0) {
    yield due("BetReturned", { seat, amount });
    add(t.put, seat, -amount);
    add(t.stacks, seat, amount);
  }
  yield* tellPots(t);
}
/** Whether nothing more can be bet in the hand. */
export const isBettingOver = (t: Table): boolean => inPlay(t).length < 2 || able(t).length < 2;
export const isContested = (t: Table): boolean => inPlay(t).length > 1;
export const isAllIn = (t: Table): boolean => inPlay(t).some((seat) => !hasChips(t, seat));

// --- The showdown (3) ---------------------------------------------------------------------------

const cardsOf = (t: Table, seat: number) => [...at(t.hands, seat), ...t.board];
const handValue = (t: Table, seat: number) => valueOf(bestFive(cardsOf(t, seat)));

/** Return the seats in the order in which they show. */
function showOrder(t: Table): number[] {
  const { aggressor } = t.round;
  const players = inPlay(t);
  const first = aggressor !== null && players.includes(aggressor) ? aggressor : at(players, 0);
  return seatsFrom(first, t.seats).filter((seat) => players.includes(seat));
}

function* show(t: Table, seat: number, named: boolean): Play {
  const five = named ? bestFive(cardsOf(t, seat)) : null;
  const category = five && at(CATEGORIES, at(valueOf(five), 0));
  yield due("HandShown", { seat, cards: t.hands[seat], category, best_five: five && arranged(five) });
  t.open[seat] = true;
  t.shown[seat] = [...at(t.hands, seat)];
}
/** Lay all hands open, once nothing more can be bet (3.4). */
export function* showAll(t: Table, named: boolean): Play {
  for (const seat of showOrder(t)) yield* show(t, seat, named);
}

/** Whether there is a pot for a hand that no hand shown so far by another seat of it beats (3.3). */
const canWin = (t: Table, seat: number): boolean => t.pots.some(({ eligible }) => eligible.includes(seat)
  && eligible.every((one) => one === seat || !t.open[one]
    || compareValues(handValue(t, one), handValue(t, seat)) <= 0));

export function* showdown(t: Table): Play {
  const isOpen = t.options.show_all === true || (t.options.show_all_in === true && isAllIn(t));
  for (const seat of showOrder(t)) {
    if (t.open[seat]) continue;
    if (isOpen || canWin(t, seat)) yield* show(t, seat, true);
    else yield due("HandMucked", { seat });
  }
}

/** Award the pots, the last one first (2.13). */
export function* award(t: Table): Play {
  const order = seatsFrom(((t.button ?? 0) + 1) % t.seats, t.seats);
  const isShown = isContested(t);
  for (const pot of range(t.pots.length).reverse()) {
    const { amount, eligible } = at(t.pots, pot);
    const best = isShown ? bestOf(t, eligible.filter((seat) => t.open[seat])) : eligible;
    const winners = order.filter((seat) => best.includes(seat)).map((seat, i) => ({
      seat, amount: Math.floor(amount / best.length) + (i < amount % best.length ? 1 : 0),
    }));
    const category = isShown ? at(CATEGORIES, at(handValue(t, at(best, 0)), 0)) : null;
    yield due("PotAwarded", { pot, amount, category, winners });
    for (const { seat, amount: won } of winners) add(t.stacks, seat, won);
  }
  yield due("HandSettled", { stacks: [...t.stacks] });
}
const bestOf = (t: Table, seats: readonly number[]): number[] => seats.filter((seat) =>
  seats.every((one) => compareValues(handValue(t, one), handValue(t, seat)) <= 0));

// --- The button and the blinds (4) --------------------------------------------------------------

export const isPlaying = (t: Table, seat: number): boolean =>
  hasChips(t, seat) && !t.left.includes(seat) && !t.resigned.includes(seat);
export const playing = (t: Table): number[] => range(t.seats).filter((seat) => isPlaying(t, seat));
const nextPlaying = (t: Table, from: number | null): number =>
  seatsFrom(((from ?? 0) + 1) % t.seats, t.seats).find((seat) => isPlaying(t, seat)) ?? 0;

/** Whether the seat that posted the last big blind did not come to this table with the others (6.6). */
const isGone = (t: Table): boolean => t.brought?.last_gone === true;

function moveButton(t: Table): void {
  if (!t.blinds) {
    if (t.dealNo) t.button = nextPlaying(t, t.button);
    return;
  }
  const isFirst = t.big === null;
  const hasOther = playing(t).length > 2 || !isPlaying(t, t.button ?? 0);
  const big = isFirst && hasOther ? nextPlaying(t, nextPlaying(t, t.button))
    : nextPlaying(t, isFirst ? t.button : t.big);
  if (playing(t).length === 2) {
    const other = nextPlaying(t, big);
    Object.assign(t, { button: other, smallAt: other, small: other, big });
    return;
  }
  const smallAt = isFirst ? nextPlaying(t, t.button) : t.big;
  const button = isFirst ? t.button : t.smallAt;
  const isPosted = smallAt !== null && isPlaying(t, smallAt) && smallAt !== big && !(isGone(t) && !t.hasDealt);
  const small = isPosted ? smallAt : null;
  Object.assign(t, { button, smallAt, small, big });
}

/** Post a blind or an ante, as far as the chips go. */
export function* post(t: Table, type: string, seat: number, due_: number, more: Fields,
  how: "bet" | "ante" | "dead"): Play {
  const amount = Math.min(due_, at(t.stacks, seat));
  if (!amount) return;
  yield due(type, { seat, amount, all_in: amount === t.stacks[seat], ...more });
  if (how === "dead") {
    add(t.stacks, seat, -amount);
    t.dead += amount;
  } else pay(t, seat, amount, how === "bet");
}

// --- Games (5 and 6) ----------------------------------------------------------------------------

/** What a game of poker adds. */
export interface Variant {
  readonly blinds: boolean;
  readonly stack: (options: Fields) => number;
  readonly stakes: (t: Table) => Stakes;
  /** Return the level that so many hands, or the time, have reached (6.3). */
  readonly levelAfter: (t: Table, hands: number) => number;
  readonly hand: (t: Table) => Play;
}

export function* playGame(t: Table, v: Variant): Play {
  const start = due("GameStarted", { game_no: t.gameNo + 1 });
  for (let given = yield start; given.type === "resign"; given = yield start) t.resigned.push(Number(given.data.seat));
  if (t.seats === 2) t.resigned = [];  // of two, a seat can resign one game alone
  const stack = v.stack(t.options);
  Object.assign(t, {
    gameNo: t.gameNo + 1, dealNo: 0, button: null, smallAt: null, small: null, big: null, left: [], level: 1,
    stacks: forAll(t, (seat) => (t.resigned.includes(seat) ? 0 : stack)),
      buyIns: forAll(t, (seat) => (t.resigned.includes(seat) ? 0 : 1)),
    ledger: forAll(t, () => 0), places: forAll(t, () => null), result: null, phase: "dealing",
    before: forAll(t, () => 0), hasDealt: false,
  });
  if (t.brought) yield* resume(t, v, t.brought);
  else yield* drawButton(t);
  if (isTimed(t)) yield* timeLevels(t);
  while (!isOver(t)) yield* playHand(t, v);
}

function* drawButton(t: Table): Play {
  const among = playing(t);
  const drawn = yield chance(({ type, data }) =>
    type === "ButtonDrawn" && same(data.among, among) && among.some((seat) => seat === data.seat) ? null
      : "The button must be drawn here.");
  t.button = Number(drawn.data.seat);
}

const isTimed = (t: Table): boolean => isTournament(t) && Number(t.options.minutes_per_level ?? 0) > 0;

/** Count the minutes of the levels from the first hand, or from the time that all tables share (6.3, 6.6). */
function* timeLevels(t: Table): Play {
  const from = t.brought?.timed_from ?? new Date(t.now).toISOString();
  yield due("LevelsTimed", { at: from });
  t.timedFrom = Date.parse(from);
}

/**
 * Go on with the stacks of other tables (6.6). The last seat posted the last big blind; or that seat is gone, and the
 * last one sat to the right of it.
 */
function* resume(t: Table, v: Variant, { stacks, hands_before: before, hands, last_gone: isGone }: Brought): Play {
  const last = t.seats - 1;
  const smallAt = isGone ? last : last - 1;
  const button = t.seats === 2 && !isGone ? smallAt : (smallAt - 1 + t.seats) % t.seats;
  Object.assign(t, { stacks: [...stacks], dealNo: before, until: hands && before + hands, button, smallAt, big: last });
  t.level = isTimed(t) ? 1 : v.levelAfter(t, before);
  t.stakes = v.stakes(t);
  yield due("TableResumed", {
    stacks, deal_no: before, until: t.until, level: t.level, ...t.stakes, button, small_blind: smallAt, big_blind: last,
    big_gone: isGone,
  });
}

/** Judge the stacks that are brought: a tournament, timed just if its levels are, with chips for each seat. */
export function judgeStakes(t: Table, stakes: Fields): string | null {
  const { stacks, hands_before: before, hands, last_gone: isGone, timed_from: from } = stakes;
  const isCount = (value: unknown, least: number) => Number.isSafeInteger(value) && Number(value) >= least;
  const isSound = Array.isArray(stacks) && stacks.length === t.seats && stacks.every((chips) => isCount(chips, 1))
    && isCount(before, 0) && isCount(hands, 0) && typeof isGone === "boolean";
  return isSound && isTournament(t) && isTimed(t) === (typeof from === "string") ? null
    : "The stacks brought to this table are wrong.";
}
/** Return the stacks that leave, in the order in which their seats post the big blind. */
export function leavingStacks(t: Table): Fields[] {
  return seatsFrom(((t.big ?? 0) + 1) % t.seats, t.seats).map((seat) => {
    const { hand = 0, before = 0 } = t.wentOut[seat] ?? {};
    return { seat, stack: t.stacks[seat], hand, before };
  });
}

const hasEnoughHands = (t: Table): boolean =>
  (isTournament(t) ? t.until > 0 && t.dealNo >= t.until : t.dealNo >= Number(t.options.hands));
const isOver = (t: Table): boolean => playing(t).length < 2 || hasEnoughHands(t);

/** Raise the level that hands have reached. One that time has reached is raised as the hand begins. */
function* raiseLevel(t: Table, v: Variant): Play {
  const level = v.levelAfter(t, t.dealNo);
  if (isTournament(t) && !isTimed(t) && level > t.level) yield* raiseTo(t, v, level);
}
function* raiseTo(t: Table, v: Variant, level: number): Play {
  yield due("LevelRaised", { level, ...v.stakes({ ...t, level }) });
  t.level = level;
}

function* playHand(t: Table, v: Variant): Play {
  yield* raiseLevel(t, v);
  t.stakes = v.stakes(t);
  const { button, smallAt, small, big } = t;
  const isIn = (seat: number) => isPlaying(t, seat);
  const stacks = () => forAll(t, (seat) => (isIn(seat) ? at(t.stacks, seat) : 0));
  const started = () => {
    moveButton(Object.assign(t, { button, smallAt, small, big }));
    const places = { button: t.button, small_blind: t.small, big_blind: t.big };
    return { hand_no: t.handNo + 1, deal_no: t.dealNo + 1, ...places, stacks: stacks() };
  };
  t.endsBetween = !(yield* startHand(t, v, started));
  if (t.endsBetween) return;
  Object.assign(t, {
    handNo: t.handNo + 1, dealNo: t.dealNo + 1, inHand: true, hasDealt: true, before: stacks(),
    folded: [], dead: 0, pots: [],
      board: [],
    swapped: {}, put: forAll(t, () => 0), hands: forAll(t, () => []), shown: forAll(t, () => []),
    open: forAll(t, () => false), round: noRound(t.seats), phase: "dealing",
    order: seatsFrom(((t.button ?? 0) + 1) % t.seats, t.seats).filter(isIn),
  });
  yield* v.hand(t);
  Object.assign(t, { inHand: false, pots: [], turn: null, phase: "dealing" });
  yield* afterHand(t, v);
}

/** Between hands seats may show cards and leave, and time raises the level. */
function* startHand(t: Table, v: Variant, started: () => Fields): Play<boolean> {
  while (!isOver(t)) {
    // The time at which the hand begins is not known yet, if it waits for players.
    const next: Next = { kind: "due", beginsHand: true, meanwhile: (given) => {
      const found = judgeMeanwhile(t, given);
      return found === undefined ? "The hand must begin here." : found;
    }, get fact() {
      const level = isTimed(t) ? v.levelAfter(t, t.dealNo) : t.level;
      return level > t.level ? fact("LevelRaised", { level, ...v.stakes({ ...t, level }) })
        : fact("HandStarted", started());
    } };
    const given = yield next;
    if (given.type === "HandStarted") return true;
    if (given.type === "LevelRaised") {
      t.level = Number(given.data.level);
      t.stakes = v.stakes(t);
      continue;
    }
    if (given.type === "resign") {
      yield* resign(t, Number(given.data.seat));
      if (isTournament(t) && (t.hasDealt || isOver(t))) yield* eliminate(t);
    } else takeMeanwhile(t, given);
  }
  return false;
}

function* afterHand(t: Table, v: Variant): Play {
  if (isTournament(t)) return yield* eliminate(t);
  const stack = v.stack(t.options);
  const staying = range(t.seats).filter((seat) => !t.left.includes(seat) && !t.resigned.includes(seat));
  if (t.options.rebuy === "each_hand") yield* resetStacks(t, stack, staying);
  if (t.options.rebuy !== "on_bust") return;
  for (const seat of staying.filter((one) => !hasChips(t, one))) {
    add(t.buyIns, seat, 1);
    t.stacks[seat] = stack;
    yield due("RebuyMade", { seat, stack, buy_ins: t.buyIns[seat] });
  }
}

function* resetStacks(t: Table, stack: number, staying: readonly number[]): Play {
  if (staying.every((seat) => t.stacks[seat] === stack)) return;
  t.ledger = t.ledger.map((chips, seat) => (staying.includes(seat) ? chips + at(t.stacks, seat) - stack : chips));
  t.stacks = t.stacks.map((chips, seat) => (staying.includes(seat) ? stack : chips));
  yield due("StacksReset", { stack, ledger: t.ledger });
}

/** Place the seats that are out (6.4, 7.4). */
function* eliminate(t: Table): Play {
  const alive = range(t.seats).filter((seat) => t.places[seat] === null
    && (at(t.before, seat) > 0 || hasChips(t, seat)));
  const out = alive.filter((seat) => !hasChips(t, seat) || t.resigned.includes(seat));
  const worth = (seat: number) => (t.resigned.includes(seat) ? t.resigned.indexOf(seat) - 1e9 : at(t.before, seat));
  const rows = out.map((seat) => ({
    seat, place: alive.length - out.length + 1 + out.filter((one) => worth(one) > worth(seat)).length,
      chips: at(t.stacks, seat),
  }));
  for (const { seat, place, chips } of rows.sort((a, b) => b.place - a.place || a.seat - b.seat)) {
    t.places[seat] = place;
    t.stacks[seat] = 0;
    t.wentOut[seat] = { hand: t.dealNo, before: t.resigned.includes(seat) ? 0 : at(t.before, seat) };
    yield due("PlayerEliminated", { seat, place, chips });
  }
}

const totalsOf = (t: Table, stack: number): number[] => isTournament(t) ? [...t.stacks]
  : t.stacks.map((chips, seat) => chips + at(t.ledger, seat) - at(t.buyIns, seat) * stack);

/** Return the totals from before the current hand: the pot counts for those who put it in. */
const totalsBefore = (t: Table, stack: number): number[] => totalsOf(t, stack).map((total, seat) =>
  (t.inHand ? total + at(t.put, seat) + (seat === t.big ? t.dead : 0) : total));

/** Return the scores as a view has them: in the cash format those from before the hand, in a tournament the stacks. */
const scoresOf = (t: Table, stack: number): number[] =>
  (isTournament(t) ? totalsOf(t, stack) : totalsBefore(t, stack));

const SHARES = [[3, [100]], [6, [65, 35]], [10, [50, 30, 20]]] as const;
/** Return the prizes as fractions: seats that share a place share what the places get (6.5). */
export function prizesOf(ranking: readonly number[]): string[] {
  const shares: readonly number[] = SHARES.find(([most]) => ranking.length <= most)?.[1] ?? [];
  return ranking.map((place) => {
    const sharing = ranking.filter((one) => one === place).length;
    const together = sum(range(sharing).map((i) => shares[place - 1 + i] ?? 0));
    const divisor = gcd(together, sharing);
    return together % sharing === 0 ? String(together / sharing) : `${together / divisor}/${sharing / divisor}`;
  });
}
const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));

/** Return why a game is over, if it was not stopped. */
function reasonOf(t: Table): string {
  const last = t.resigned.at(-1);
  if (isTournament(t) && playing(t).length > 1) return "hands_played";
  if (isTournament(t)) return last !== undefined && t.places[last] === 2 ? "resignation" : "one_left";
  if (t.resigned.length && playing(t).length < 2) return "resignation";
  return t.dealNo >= Number(t.options.hands) ? "hands_played" : "one_left";
}

/** Return the place of a seat that was never out: by its chips, or behind all others if it had resigned before. */
const placeOfStack = (t: Table, seat: number): number =>
  t.resigned.includes(seat) ? t.seats - t.resigned.indexOf(seat) : at(placesOf(t.stacks), seat);

export function* endGame(t: Table, v: Variant, stop: Stop | null): Play {
  const isLevel = stop !== null && stop.reason !== "resignation";
  const totals = isLevel ? totalsBefore(t, v.stack(t.options)) : totalsOf(t, v.stack(t.options));
  const gone = [...t.resigned, ...(stop?.resigned ?? []).filter((seat) => !t.resigned.includes(seat))];
  const worth = totals.map((total, seat) => isLevel ? 0 : (gone.includes(seat) ? gone.indexOf(seat) - 1e15 : total));
  const ranking = isTournament(t) && !stop ? t.places.map((place, seat) => place ?? placeOfStack(t, seat))
    : placesOf(worth);
  const winners = isLevel ? [] : range(t.seats).filter((seat) => ranking[seat] === 1);
  const reason = stop?.reason ?? reasonOf(t);
  yield due("GameEnded", {
    totals, ranking, winners, buy_ins: t.buyIns, ledger: t.ledger, reason,
    prizes: isTournament(t) && !t.brought ? prizesOf(ranking) : [],
  });
  Object.assign(t, { phase: "game_over", turn: null, inHand: false,
    result: { winners, scores: totals, places: ranking } });
}

/** What belongs to a move: a bet that reopens the betting, and the fold of a seat that resigns. */
export const OF_MOVE = {
  BettingReopened: ["PlayerBet", "PlayerRaised"], PlayerFolded: ["SeatResigned"],
  PlayerWithdrawn: ["PlayerFolded", "SeatResigned"],
};

// --- The view -----------------------------------------------------------------------------------

export function viewOf(t: Table, stack: number): Fields {
  const isOut = (seat: number) => t.left.includes(seat) || t.resigned.includes(seat) || t.places[seat] !== null
    || !hasChips(t, seat);
  const held = (seat: number) => !t.folded.includes(seat) && at(t.hands, seat).length > 0;
  const put = t.put.map((chips, seat) => chips - at(t.round.committed, seat));
  const out = range(t.seats).filter((seat) => !t.inHand || !t.order.includes(seat)).filter(isOut);
  return {
    phase: t.phase, game_no: t.gameNo, hand_no: t.handNo, deal_no: t.dealNo, dealer: t.button, button: t.button,
    small_blind: t.small, big_blind: t.big, stakes: t.stakes, turn: t.turn, hand: [],
    hands: forAll(t, (seat) => (at(t.hands, seat).length && !t.open[seat] ? null : t.shown[seat])), shown: t.shown,
    hand_counts: forAll(t, (seat) => (t.inHand && held(seat) ? at(t.hands, seat).length : 0)), board: t.board,
      stock_count: t.deck.length,
    stacks: t.stacks, committed: t.round.committed, current: t.round.current, pot: t.inHand ? sum(t.put) + t.dead : 0,
    pots: t.inHand ? potsOf(put, inPlay(t), t.dead) : [], folded: t.inHand ? [...t.folded].sort((a, b) => a - b) : [],
    all_in: t.inHand ? [...inPlay(t)].filter((seat) => !hasChips(t, seat)).sort((a, b) => a - b) : [],
      swapped: t.swapped,
    scores: scoresOf(t, stack), buy_ins: t.buyIns, level: isTournament(t) ? t.level : null, places: t.places, out,
    to_deal: playing(t).length,
  };
}

export function standingOf(t: Table): Standing {
  return { inHand: t.inHand, out: range(t.seats).filter((seat) => !isPlaying(t, seat)), result: t.result };
}
/** The clock checks, or folds (7.3). */
export const standardBet = (t: Table, seat: number): Fact =>
  fact(owed(t, seat) ? "PlayerFolded" : "PlayerChecked", { seat });
