/** The referee of Crazy Eights, written from its rulebook. Numbers in brackets are its sections. */

import { PACK, at, chance, dealerByLot, decision, due, fact, highest, isPick, judgeChance, judgeHands, perSeat,
  placesOf, range, rest, same, sorted, suitOf, sum, without }
  from "../../../api/web/static/past/verify/referee_kit.ts";
import type { Decision, Fact, Fields, Next, Referee, Standing, Stop }
  from "../../../api/web/static/past/verify/referee.ts";

const SUITS = [..."CDHS"];
const MOST_TURNS = 500;
const MOST_HANDS = 1000;

type Step = "rest" | "game" | "dealer" | "hand" | "deal" | "starter" | "turn" | "restock" | "restocked" | "won"
  | "blocked" | "score" | "end";
interface Payment { readonly from: number; readonly to: number; readonly amount: number }

export interface CrazyEights {
  options: Fields; seats: number;
  step: Step;
  gameNo: number; handNo: number; dealNo: number; dealer: number | null;
  totals: number[]; net: number[];
  hands: string[][]; stock: string[]; pile: string[]; suit: string | null;
  turn: number; drawn: number; passes: number; turns: number;
  isBlocked: boolean; lowest: number[];
  stopped: Stop | null;
  result: Standing["result"];
}

const zeros = (seats: number) => range(seats).map(() => 0);

const noHand = (seats: number) => ({
  hands: range(seats).map((): string[] => []), stock: [], pile: [], suit: null, turn: 0, drawn: 0, passes: 0, turns: 0,
  isBlocked: false, lowest: [],
});

const begin = (options: Fields, seats: number): CrazyEights => ({
  options, seats, step: "rest", gameNo: 0, handNo: 0, dealNo: 0, dealer: null, totals: zeros(seats), net: zeros(seats),
  ...noHand(seats), stopped: null, result: null,
});

const packs = (t: CrazyEights) => (t.options.packs === 2 ? [...PACK, ...PACK] : [...PACK]);
const handSize = (t: CrazyEights) =>
  (t.seats === 2 && t.options.two_player_seven === true ? 7 : Number(t.options.hand_size));
const left = (t: CrazyEights, seat: number) => (seat + 1) % t.seats;
const isEight = (card: string | undefined) => card !== undefined && card.startsWith("8");

// --- What may come next -------------------------------------------------------------------------

const STEPS: Record<Step, (t: CrazyEights) => Next> = {
  rest: () => rest,
  game: (t) => due("GameStarted", { game_no: t.gameNo + 1 }),
  dealer: (t) => (t.options.first_dealer === "pick"
    ? due("FirstDealerChosen", { how: "pick", seat: t.options.first_dealer_seat }) : dealerByLot(t.seats)),
  hand: (t) => due("HandStarted", {
    hand_no: t.handNo + 1, deal_no: t.dealNo + 1, dealer: t.handNo ? left(t, t.dealer ?? 0) : t.dealer,
  }),
  deal: (t) => chance(judgeChance("HandDealt", (data) => isDeal(t, data))),
  starter: turnStarter,
  turn: takesTurn,
  restock: (t) => chance(judgeChance("Restocked", ({ stock_count, stock }) => stock_count === t.pile.length - 1
    && same(sorted(stock as string[]), sorted(t.pile.slice(0, -1))))),
  restocked: (t) => drawDue(t),
  won: (t) => due("HandWon", { seat: winner(t) }),
  blocked: () => due("HandBlocked"),
  score: (t) => due("HandScored", scored(t)),
  end: (t) => due("GameEnded", ended(t)),
};

function isDeal(t: CrazyEights, { counts, cards, stock }: Fields): boolean {
  const hands = perSeat<string[]>(cards, t.seats);
  const sizes = hands.map(() => handSize(t));
  return same(counts, sizes) && judgeHands(hands, sizes, packs(t))
    && same(sorted([...hands.flat(), ...stock as string[]]), sorted(packs(t)));
}

/** Turn the starter, and bury eights in the middle of the stock (3.3). */
function turnStarter(t: CrazyEights): Next {
  const card = at(t.stock, 0);
  const stock_count = t.stock.length - 1;
  return isEight(card) ? due("EightBuried", { card, depth: Math.floor(stock_count / 2) })
    : due("StarterTurned", { card, stock_count });
}

// --- A turn -------------------------------------------------------------------------------------

const top = (t: CrazyEights) => at(t.pile, t.pile.length - 1);

/** Return whether a card goes on the pile (4.1, 6.7). */
const fits = (t: CrazyEights, card: string) =>
  isEight(card) || suitOf(card) === t.suit || (!isEight(top(t)) && card[0] === top(t)[0]);

const limit = (t: CrazyEights) => (t.options.draw_limit === null ? Infinity : Number(t.options.draw_limit));
const hasCard = (t: CrazyEights) => t.stock.length > 0 || (t.options.restock === true && t.pile.length > 1);

function mayPass(t: CrazyEights): boolean {
  const playable = at(t.hands, t.turn).some((card) => fits(t, card));
  if (!playable && !hasCard(t)) return true;
  return t.drawn >= limit(t) || (limit(t) !== Infinity && t.drawn > 0 && !hasCard(t));
}

function takesTurn(t: CrazyEights): Decision {
  return decision([{ seat: t.turn, decision: "turn" }], () => [...plays(t), ...draws(t), ...passes(t)]);
}

/** List the cards that can be played, an eight with each suit; the last card need not name one (4.2). */
function plays(t: CrazyEights): Fact[] {
  const hand = at(t.hands, t.turn);
  const cards = [...new Set(hand)].filter((card) => fits(t, card));
  return cards.flatMap((card) => {
    const suits: (string | null)[] = isEight(card) ? [...SUITS, ...hand.length === 1 ? [null] : []] : [null];
    return suits.map((declared_suit) =>
      fact("CardPlayed", { seat: t.turn, card, declared_suit, cards_left: hand.length - 1 }));
  });
}

const drawDue = (t: CrazyEights) =>
  due("CardDrawn", { seat: t.turn, stock_count: t.stock.length - 1, card: t.stock[0] });

function draws(t: CrazyEights): Fact[] {
  if (!hasCard(t) || t.drawn >= limit(t)) return [];
  return [t.stock.length ? drawDue(t).fact : fact("StockRanOut", { seat: t.turn })];
}

/** A pass after a draw begins the count of passes anew (6.13). */
const passesAfter = (t: CrazyEights) => (t.drawn ? 0 : t.passes + 1);
const passes = (t: CrazyEights): Fact[] =>
  (mayPass(t) ? [fact("TurnPassed", { seat: t.turn, in_a_row: passesAfter(t) })] : []);

// --- Scoring ------------------------------------------------------------------------------------

/** Return the value of a card (5.1). */
function valueOf(card: string): number {
  if (isEight(card)) return 50;
  return "KQJT".includes(at([...card], 0)) ? 10 : card.startsWith("A") ? 1 : Number(card[0]);
}

const values = (t: CrazyEights) => t.hands.map((hand) => sum(hand.map(valueOf)));
const winner = (t: CrazyEights) => t.hands.findIndex((hand) => !hand.length);
const lowestHands = (t: CrazyEights) => highest(values(t).map((value) => -value));

function payments(t: CrazyEights): Payment[] {
  if (!t.isBlocked) {
    const to = winner(t);
    return values(t).map((amount, from) => ({ amount, from, to })).filter(({ from }) => from !== to);
  }
  if (t.options.blocked_scoring !== "difference") return [];
  const takers = lowestHands(t);
  const least = Math.min(...values(t));
  return values(t).flatMap((value, from) => (takers.includes(from) ? [] : takers.map((to) =>
    ({ amount: Math.floor((value - least) / takers.length), from, to })))).filter(({ amount }) => amount > 0);
}

function scored(t: CrazyEights): Fields {
  const paid = payments(t);
  const total = (side: "from" | "to", seat: number) =>
    sum(paid.filter((one) => one[side] === seat).map(({ amount }) => amount));
  const loses = t.isBlocked && t.options.blocked_scoring === "everyone_counts";
  const points = range(t.seats).map((seat) => (loses ? 0 - at(values(t), seat) : total("to", seat)));
  return {
    hands: t.hands, payments: paid, points, totals: points.map((point, seat) => point + at(t.totals, seat)),
    ledger: { net: t.net.map((net, seat) => net + total("to", seat) - total("from", seat)) },
  };
}

const hasTarget = (t: CrazyEights) => t.options.target_score !== null;

function isOver(t: CrazyEights): boolean {
  return !hasTarget(t) || Math.max(...t.totals) >= Number(t.options.target_score) || t.dealNo >= MOST_HANDS;
}

/** Say how the game ends by itself: without a target, the hand decides who wins (5.4, 5.5, 6.12). */
function ending(t: CrazyEights): { reason: string; worth: number[]; isDrawn: boolean } {
  const isDrawn = !hasTarget(t) && t.isBlocked && t.options.blocked_scoring === "none";
  if (!hasTarget(t)) {
    const first = t.isBlocked ? lowestHands(t) : [winner(t)];
    const worth = t.totals.map((total, seat) => (first.includes(seat) && !isDrawn ? Infinity : total));
    return { reason: "hand_over", worth, isDrawn };
  }
  const reached = Math.max(...t.totals) >= Number(t.options.target_score);
  return { reason: reached ? "target_score" : "hand_limit", worth: t.totals, isDrawn };
}

function ended(t: CrazyEights): Fields {
  const { totals, net, stopped } = t;
  const isDrawn = stopped ? stopped.reason !== "resignation" : ending(t).isDrawn;
  const worth = stopped ? stoppedWorth(t, stopped) : ending(t).worth;
  return {
    totals, ranking: placesOf(worth), winners: isDrawn ? [] : highest(worth), ledger: { net },
    reason: stopped?.reason ?? ending(t).reason,
  };
}

const stoppedWorth = (t: CrazyEights, { reason, resigned }: Stop) => t.totals.map((total, seat) =>
  (reason !== "resignation" ? 0 : resigned.includes(seat) ? -1e9 + resigned.indexOf(seat) : total));

// --- What happens -------------------------------------------------------------------------------

const HAPPENS: Record<string, (t: CrazyEights, data: Fields) => void> = {
  GameStarted: (t) => Object.assign(t, {
    gameNo: t.gameNo + 1, dealNo: 0, totals: zeros(t.seats), net: zeros(t.seats), step: t.handNo ? "hand" : "dealer",
  }),
  FirstDealerChosen: (t, { seat }) => Object.assign(t, { dealer: seat, step: "hand" }),
  HandStarted: (t, { dealer }) =>
    Object.assign(t, noHand(t.seats), { handNo: t.handNo + 1, dealNo: t.dealNo + 1, dealer, step: "deal" }),
  HandDealt: (t, { cards, stock }) => Object.assign(t, { hands: perSeat(cards, t.seats), stock, step: "starter" }),
  EightBuried: (t, { card, depth }) => {
    const others = t.stock.slice(1);
    t.stock = [...others.slice(0, Number(depth)), String(card), ...others.slice(Number(depth))];
  },
  StarterTurned: (t, { card }) => Object.assign(t, {
    stock: t.stock.slice(1), pile: [card], suit: suitOf(String(card)), turn: left(t, t.dealer ?? 0), step: "turn",
  }),
  CardPlayed: play,
  CardDrawn: (t, { card }) => {
    t.hands[t.turn] = sorted([...at(t.hands, t.turn), String(card)]);
    Object.assign(t, { stock: t.stock.slice(1), drawn: t.drawn + 1, step: "turn" });
  },
  StockRanOut: (t) => { t.step = "restock"; },
  Restocked: (t, { stock }) => Object.assign(t, { stock, pile: t.pile.slice(-1), step: "restocked" }),
  TurnPassed: (t, { in_a_row }) => endTurn(t, Number(in_a_row)),
  HandWon: (t) => { t.step = "score"; },
  HandBlocked: (t) => Object.assign(t, { isBlocked: true, step: "score" }),
  HandScored: (t, { totals, ledger }) => {
    Object.assign(t, { totals, net: (ledger as { net: number[] }).net });
    t.step = isOver(t) ? "end" : "hand";
  },
  GameEnded: (t, { winners, totals, ranking }) => Object.assign(t, {
    step: "rest", result: { winners, scores: totals, places: ranking },
  }),
};

function play(t: CrazyEights, { seat, card, declared_suit }: Fields): void {
  t.hands[Number(seat)] = without(at(t.hands, Number(seat)), [String(card)]);
  t.pile.push(String(card));
  t.suit = String(declared_suit ?? suitOf(String(card)));
  endTurn(t, 0);
}

function endTurn(t: CrazyEights, inARow: number): void {
  const isOut = !at(t.hands, t.turn).length;
  Object.assign(t, { passes: inARow, drawn: 0, turns: t.turns + 1 });
  if (isOut) t.step = "won";
  else if (t.passes >= t.seats || t.turns >= MOST_TURNS) t.step = "blocked";
  else t.turn = left(t, t.turn);
}

// --- The clock and the view ---------------------------------------------------------------------

/** Return what the clock plays: the card worth most, an eight only if it must (2.3). */
function standard(t: CrazyEights, seat: number): Fact {
  const playable = plays(t);
  const others = playable.filter(({ data }) => !isEight(String(data.card)));
  const most = Math.max(...others.map(({ data }) => valueOf(String(data.card))));
  const best = PACK.map((card) => others.find(({ data }) => data.card === card))
    .find((one) => one && valueOf(String(one.data.card)) === most);
  if (best) return best;
  if (playable.length) return clocksEight(t, playable);
  return draws(t)[0] ?? fact("TurnPassed", { seat, in_a_row: passesAfter(t) });
}

function clocksEight(t: CrazyEights, playable: Fact[]): Fact {
  const card = PACK.find((one) => playable.some(({ data }) => data.card === one));
  const others = without(at(t.hands, t.turn), [card ?? ""]);
  const counts = SUITS.map((suit) => others.filter((one) => suitOf(one) === suit).length);
  const suit = SUITS[counts.indexOf(Math.max(...counts))];
  return at(playable.filter(({ data }) => data.card === card && data.declared_suit === suit), 0);
}

function view(t: CrazyEights): Fields {
  const isOpen = t.step !== "turn" && t.result !== null && t.dealNo > 0 && t.stopped === null;
  return {
    phase: t.step === "turn" ? "turn" : t.result ? "game_over" : "dealing",
    game_no: t.gameNo, hand_no: t.handNo, deal_no: t.dealNo, dealer: t.dealer, turn: t.step === "turn" ? t.turn : null,
    hand: [], hands: t.hands.map((hand) => (hand.length && !isOpen ? null : hand)),
    hand_counts: t.hands.map((hand) => hand.length), stock_count: t.stock.length, discard_top: t.pile.at(-1) ?? null,
    pile: t.pile, suit: t.suit, drawn: t.drawn, passes: t.passes, turns: t.turns, scores: t.totals,
    ledger: { net: t.net },
  };
}

/** The packs are enough for the seats, and a seat is picked just if the options say so (2.1). */
function areChosen(options: Fields, seats: number): boolean {
  const packs = Number(options.packs);
  const each = seats === 2 && options.two_player_seven === true ? 7 : Number(options.hand_size);
  return (packs > 1 || seats <= 7) && 52 * packs - seats * each >= 10 * packs
    && isPick(options.first_dealer, options.first_dealer_seat, seats);
}

export const referee: Referee<CrazyEights> = {
  version: "1", begin, next: (t) => STEPS[t.step](t), standard, view,
  fits: areChosen,
  mostHands: ({ target_score: target }) => (target === null ? 1 : MOST_HANDS),
  takesBack: ["CardPlayed", "TurnPassed"],
  startGame: (t) => Object.assign(t, { step: "game", stopped: null, result: null }),
  happen: (t, { type, data }) => HAPPENS[type]?.(t, data),
  stop: (t, stopped) => Object.assign(t, { stopped, step: "end" }),
  standing: (t) => ({ inHand: !["rest", "game", "dealer", "hand", "end"].includes(t.step), out: [], result: t.result }),
};
