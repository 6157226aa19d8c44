/** The referee of Gin Rummy, written from its rulebook. Numbers in brackets are its sections. */

import { PACK, alike, at, chance, dealerByLot, due, fact, judgeAmong, judgeChance, judgeHands, perSeat, placesOf, range,
  rest, same, sorted, sum, without }
  from "../../../api/web/static/past/verify/referee_kit.ts";
import type { Asked, Decision, Fact, Fields, Next, Referee, Standing, Stop }
  from "../../../api/web/static/past/verify/referee.ts";
import { answered, arranged, arrangementOf, isMeld, withLayOffs } from "./melds.ts";
import type { Arrangement, LayOff } from "./melds.ts";

type Step = "rest" | "game" | "dealer" | "hand" | "play" | "net" | "end";
type Phase = "deal" | "upcard" | "offer_nondealer" | "offer_dealer" | "must_draw_stock" | "draw" | "discard" | "lay_off"
  | "show" | "score" | "void" | "over";
interface Knock extends Arrangement { seat: number; discard: string | null; gin: boolean }
interface Answer extends Arrangement { seat: number; layoffs?: LayOff[] }
interface Outcome { kind: string; knocker: number; points: number[] }

/** A table for two, of which four partners have two. */
interface Two {
  nonDealer: number; dealer: number;
  phase: Phase; turn: number;
  stock: string[]; pile: string[];
  taken: string | null; takes: number;
  knock: Knock | null; answer: Answer | null; outcome: Outcome | null;
}

export interface GinRummy {
  options: Fields; seats: number;
  step: Step;
  gameNo: number; handNo: number; dealNo: number; dealer: number | null;
  totals: number[]; boxes: number[];
  hands: string[][]; known: string[][]; twos: Two[];
  /** The seats that dealt, won and lost the last hand. */
  winner: number | null; loser: number | null;
  stopped: Stop | null;
  result: Standing["result"];
}

const zeros = (seats: number) => range(seats).map(() => 0);
const noCards = (seats: number) => range(seats).map((): string[] => []);

const begin = (options: Fields, seats: number): GinRummy => ({
  options, seats, step: "rest", gameNo: 0, handNo: 0, dealNo: 0, dealer: null, totals: zeros(seats),
  boxes: zeros(seats), hands: noCards(seats), known: noCards(seats), twos: [], winner: null, loser: null,
  stopped: null, result: null,
});

const left = (t: GinRummy, seat: number) => (seat + 1) % t.seats;
const sideOf = (t: GinRummy, seat: number) => (t.seats === 4 ? seat % 2 : seat);
const option = (t: GinRummy, name: string) => Number(t.options[name]);

// --- Games and hands ----------------------------------------------------------------------------

const STEPS: Record<Step, (t: GinRummy) => Next> = {
  rest: () => rest,
  game: (t) => due("GameStarted", { game_no: t.gameNo + 1 }),
  dealer: firstDealer,
  hand: nextHand,
  play,
  net: (t) => due("PointsNetted", netted(t)),
  end: (t) => due("GameEnded", ended(t)),
};

/** The first dealer is drawn by lot; the loser of a game deals first in the next (4.1, 8.5). */
function firstDealer(t: GinRummy): Next {
  const { result } = t;
  if (!result?.winners.length) return dealerByLot(t.seats);
  const last = Math.max(...result.places);
  return due("FirstDealerChosen", { how: "loser", seat: result.places.indexOf(last) });
}

/** Say who plays whom, the non-dealer first (9.1, 9.2). */
function pairs(t: GinRummy, dealer: number): number[][] {
  if (t.seats === 2) return [[left(t, dealer), dealer]];
  if (t.seats === 3) return [[left(t, dealer), left(t, left(t, dealer))]];
  const opponents = t.dealNo % 2 === 0 ? [[0, 1], [2, 3]] : [[0, 3], [2, 1]];
  return opponents.map((pair) => (sideOf(t, at(pair, 0)) === sideOf(t, dealer) ? [...pair].reverse() : pair));
}

/** Return the next dealer (5.4, 8.5, 9.1). */
function nextDealer(t: GinRummy): number {
  const dealer = t.dealer ?? 0;
  if (t.dealNo === 0) return dealer;
  if (t.winner === null || t.loser === null) return t.seats === 4 ? left(t, dealer) : dealer;
  if (t.seats === 3) return t.loser;
  if (t.options.next_dealer === "winner") return t.winner;
  return t.options.next_dealer === "loser" ? t.loser : left(t, dealer);
}

function nextHand(t: GinRummy): Next {
  const dealer = nextDealer(t);
  return due("HandStarted", { hand_no: t.handNo + 1, deal_no: t.dealNo + 1, dealer, pairs: pairs(t, dealer) });
}

// --- A table for two ----------------------------------------------------------------------------

const BUSY: readonly Phase[] = ["deal", "upcard", "show", "score", "void"];

/** What is due at a table comes first; then the seats of all tables decide. */
function play(t: GinRummy): Next {
  const busy = t.twos.findIndex(({ phase }) => BUSY.includes(phase));
  if (busy >= 0) return dueAt(t, busy);
  if (t.twos.every(({ phase }) => phase === "over")) return due("HandClosed", { hand_no: t.handNo });
  return decides(t);
}

function dueAt(t: GinRummy, table: number): Next {
  const two = at(t.twos, table);
  switch (two.phase) {
    case "deal": return chance(judgeChance("HandDealt", (data) => isDeal(t, table, data)));
    case "upcard": return chance(judgeChance("UpcardTurned", ({ card, table: its }) => its === table
      && alike([...two.stock, ...cardsOf(t, two), String(card)], PACK)));
    case "show": {
      const seat = opponent(two, two.knock?.seat ?? 0);
      return due("HandShown", { seat, ...arranged(at(t.hands, seat)) });
    }
    case "score": return due("HandScored", { table, ...scored(t, two) });
    default: return due("HandVoided", { table, stock_count: two.stock.length });
  }
}

const cardsOf = (t: GinRummy, two: Two) => [...at(t.hands, two.nonDealer), ...at(t.hands, two.dealer)];
const opponent = (two: Two, seat: number) => (seat === two.dealer ? two.nonDealer : two.dealer);

function isDeal(t: GinRummy, table: number, { table: its, counts, cards, stock }: Fields): boolean {
  const { nonDealer, dealer } = at(t.twos, table);
  const sizes = range(t.seats).map((seat) => (seat === nonDealer || seat === dealer ? 10 : 0));
  const rest31 = stock as string[];
  return its === table && same(counts, sizes) && judgeHands(perSeat(cards, t.seats), sizes, PACK)
    && rest31.length === 31 && without(PACK, [...perSeat<string[]>(cards, t.seats).flat(), ...rest31]).length === 1;
}

const playing = (t: GinRummy) => t.twos.filter(({ phase }) => phase !== "over" && !BUSY.includes(phase));
const actor = (two: Two) => (two.phase === "lay_off" ? opponent(two, two.knock?.seat ?? 0) : two.turn);

/** The decisions that are small ones for the clock. */
const MINOR: readonly Phase[] = ["offer_nondealer", "offer_dealer", "lay_off"];

function decides(t: GinRummy): Decision {
  const twos = playing(t);
  const phases = new Set(twos.map(({ phase }) => phase));
  const [phase = "playing"] = phases.size === 1 ? phases : [];
  const asked: Asked[] = twos.map((two) => ({
    seat: actor(two), decision: phase, minor: MINOR.some((one) => one === phase),
  }));
  return {
    kind: "decision", asked, choices: () => twos.flatMap((two) => choices(t, two)),
    judge: (given) => {
      const two = twos.find((one) => actor(one) === given.data.seat);
      return two ? judge(t, two, given) : `It is not this seat's turn for ${given.type}.`;
    },
  };
}

function choices(t: GinRummy, two: Two): Fact[] {
  const seat = actor(two);
  switch (two.phase) {
    case "offer_nondealer":
    case "offer_dealer": return [fact("UpcardPassed", { seat }), takes(two, true)];
    case "must_draw_stock": return [drawsStock(two)];
    case "draw": return [drawsStock(two), ...two.takes < option(t, "max_pile_takes") ? [takes(two, false)] : []];
    case "lay_off": return [fact("LaidOff", { seat, ...answered(at(t.hands, seat), two.knock?.melds ?? []) })];
    default: return [...discards(t, two), ...knocks(t, two)];
  }
}

const takes = (two: Two, upcard: boolean) =>
  fact("DiscardTaken", { seat: two.turn, card: two.pile.at(-1) ?? null, upcard });
const drawsStock = (two: Two) =>
  fact("StockDrawn", { seat: two.turn, stock_count: two.stock.length - 1, card: two.stock[0] });

/** List the cards that may be discarded: one just taken only with `rediscard_taken` (5.2). */
const discardable = (t: GinRummy, two: Two) =>
  at(t.hands, two.turn).filter((card) => card !== two.taken || t.options.rediscard_taken === true);
const discards = (t: GinRummy, two: Two) =>
  discardable(t, two).map((card) => fact("CardDiscarded", { seat: two.turn, card }));

/** List one knock for each discard, and big gin, in their automatic arrangements. */
function knocks(t: GinRummy, two: Two): Fact[] {
  const seat = two.turn;
  const hand = at(t.hands, seat);
  const all = discardable(t, two).map((discard) => knock(seat, discard, arranged(without(hand, [discard]))));
  const big = t.options.big_gin_bonus === null ? [] : [knock(seat, null, arranged(hand))];
  return [...all, ...big].filter((one) => mayKnock(t, one.data));
}

const knock = (seat: number, discard: string | null, arrangement: Arrangement) =>
  fact("Knocked", { seat, discard, ...arrangement, gin: arrangement.value === 0 });
const mayKnock = (t: GinRummy, { discard, value }: Fields) =>
  Number(value) <= (discard === null ? 0 : option(t, "knock_limit"));

function judge(t: GinRummy, two: Two, given: Fact): string | null {
  if (given.type === "Knocked" && two.phase === "discard") return judgeKnock(t, two, given);
  if (given.type === "LaidOff" && two.phase === "lay_off") return judgeLayOff(t, two, given);
  return judgeAmong(two.phase === "discard" ? discards(t, two) : choices(t, two), given);
}

/** Judge a knock in any arrangement that the seat declares (6.1, 6.2, 6.4). */
function judgeKnock(t: GinRummy, two: Two, { data }: Fact): string | null {
  const discard = data.discard as string | null;
  if (discard === null ? t.options.big_gin_bonus === null : !discardable(t, two).includes(discard))
    return "This card may not be discarded with a knock.";
  const hand = without(at(t.hands, two.turn), discard === null ? [] : [discard]);
  const due = knock(two.turn, discard, arrangementOf(hand, data.melds as string[][]));
  if (!areMelds(data.melds as string[][], hand) || !same(due.data, data)) return "These are not melds of the hand.";
  return mayKnock(t, data) ? null : "There is too much deadwood to knock.";
}

const areMelds = (melds: string[][], hand: readonly string[]) => melds.every(isMeld)
  && without(hand, melds.flat()).length === hand.length - melds.flat().length;

/** Judge the defender's melds and lay-offs (7.1, 7.2). */
function judgeLayOff(t: GinRummy, two: Two, { data }: Fact): string | null {
  const seat = actor(two);
  const layoffs = data.layoffs as LayOff[];
  const hand = at(t.hands, seat);
  const laid = layoffs.map(({ card }) => card);
  const left = without(hand, laid);
  const melds = data.melds as string[][];
  if (left.length !== hand.length - laid.length || !areMelds(melds, left)) return "These are not melds of the hand.";
  if (!layoffs.every(({ meld }) => Number.isInteger(meld))) return "A layoff must name its meld by number.";
  if (!withLayOffs(two.knock?.melds ?? [], layoffs)) return "A card does not fit this meld.";
  return same(data, { seat, layoffs, ...arrangementOf(left, melds) }) ? null : "The deadwood is wrong.";
}

// --- Scoring ------------------------------------------------------------------------------------

function scored(t: GinRummy, two: Two): Fields {
  const { knock, answer } = two;
  if (!knock || !answer) throw new RangeError("No seat has knocked.");
  const [knocker, defender] = [knock.seat, answer.seat];
  const { kind, gains, pays } = decided(t, knock, answer.value);
  const points = zeros(t.seats).map((_, seat) => (seat === knocker ? gains : seat === defender ? pays : 0));
  const totals = t.totals.map((total, seat) => total + (t.seats === 4 ? 0 : at(points, seat)));
  return {
    kind, knocker, defender, points, totals,
    values: range(t.seats).map((seat) => (seat === knocker ? knock.value : seat === defender ? answer.value : null)),
    boxes: t.boxes.map((boxes, seat) => boxes + (t.seats !== 4 && at(points, seat) > 0 ? 1 : 0)),
  };
}

/** Return what a knock brings the knocker and the defender (8.2). */
function decided(t: GinRummy, knock: Knock, left: number): { kind: string; gains: number; pays: number } {
  if (knock.discard === null) return { kind: "big_gin", gains: left + option(t, "big_gin_bonus"), pays: 0 };
  if (knock.gin) return { kind: "gin", gains: left + option(t, "gin_bonus"), pays: 0 };
  const ahead = left - knock.value;
  if (ahead > 0) return { kind: "knock", gains: ahead, pays: 0 };
  if (t.options.undercut === "signed") return { kind: "undercut", gains: ahead, pays: 0 };
  const bonus = t.options.undercut === "bonus" ? option(t, "undercut_bonus") : 0;
  return { kind: "undercut", gains: 0, pays: 0 - ahead + bonus };
}

/** Set off the points of both sides: the one ahead scores the difference (9.3). */
function netted(t: GinRummy): Fields {
  const all = t.twos.flatMap(({ outcome }) => (outcome ? [outcome.points] : []));
  const side = (one: number) => sum(all.map((points) => at(points, one) + at(points, one + 2)));
  const ahead = side(0) - side(1);
  const points = range(4).map((seat) => Math.max(0, seat % 2 ? -ahead : ahead));
  return {
    points, totals: t.totals.map((total, seat) => total + at(points, seat)),
    boxes: t.boxes.map((boxes, seat) => boxes + (at(points, seat) > 0 ? 1 : 0)),
  };
}

const isOver = (t: GinRummy) => Math.max(...t.totals) >= option(t, "target_score");

function ended(t: GinRummy): Fields {
  const { totals, boxes, stopped } = t;
  const resigned = stopped?.resigned ?? [];
  const isLevel = stopped !== null && stopped.reason !== "resignation";
  const worth = totals.map((total, seat) => {
    if (isLevel) return 0;
    const place = resigned.findIndex((one) => sideOf(t, one) === sideOf(t, seat));
    return place < 0 ? total : place - 1e9;
  });
  const ranking = placesOf(worth);
  const winners = isLevel ? [] : range(t.seats).filter((seat) => ranking[seat] === 1);
  const margins = range(t.seats).map((seat) =>
    (stopped || winners.includes(seat) ? 0 : margin(t, at(winners, 0), seat)));
  return { totals, ranking, winners, boxes, margins, reason: stopped?.reason ?? "target_score" };
}

/** Return by how much a seat is beaten, bonuses included (8.4). */
const margin = (t: GinRummy, winner: number, seat: number) => at(t.totals, winner) - at(t.totals, seat)
  + option(t, "game_bonus") + option(t, "box_bonus") * Math.max(0, at(t.boxes, winner) - at(t.boxes, seat));

// --- What happens -------------------------------------------------------------------------------

const tableOf = (t: GinRummy, seat: unknown) =>
  at(t.twos.filter(({ nonDealer, dealer }) => nonDealer === seat || dealer === seat), 0);

const HAPPENS: Record<string, (t: GinRummy, data: Fields) => void> = {
  GameStarted: (t) => Object.assign(t, {
    gameNo: t.gameNo + 1, dealNo: 0, totals: zeros(t.seats), boxes: zeros(t.seats), step: "dealer",
  }),
  FirstDealerChosen: (t, { seat }) => Object.assign(t, { dealer: seat, result: null, step: "hand" }),
  HandStarted: (t, { dealer, pairs: its }) => Object.assign(t, {
    handNo: t.handNo + 1, dealNo: t.dealNo + 1, dealer, hands: noCards(t.seats), known: noCards(t.seats), step: "play",
    twos: (its as number[][]).map(([nonDealer = 0, its = 0]) => newTwo(nonDealer, its)), winner: null, loser: null,
  }),
  HandDealt: (t, { table, cards, stock }) => {
    const two = at(t.twos, Number(table));
    for (const seat of [two.nonDealer, two.dealer]) t.hands[seat] = at(perSeat<string[]>(cards, t.seats), seat);
    Object.assign(two, { stock, phase: "upcard" });
  },
  UpcardTurned: (t, { table, card }) =>
    Object.assign(at(t.twos, Number(table)), { pile: [card], phase: "offer_nondealer" }),
  UpcardPassed: (t, { seat }) => passUpcard(tableOf(t, seat)),
  StockDrawn: (t, data) => {
    const two = tableOf(t, data.seat);
    draw(t, two, data);
    Object.assign(two, { stock: two.stock.slice(1), takes: 0, taken: null });
  },
  DiscardTaken: (t, data) => {
    const two = tableOf(t, data.seat);
    draw(t, two, data);
    Object.assign(two, { pile: two.pile.slice(0, -1), takes: two.takes + 1, taken: data.card });
    t.known[two.turn] = sorted([...at(t.known, two.turn), String(data.card)]);
  },
  CardDiscarded: (t, { seat, card }) => {
    const two = tableOf(t, seat);
    layDown(t, two, String(card));
    const isVoid = two.stock.length <= option(t, "stock_floor");
    Object.assign(two, { turn: opponent(two, two.turn), taken: null, phase: isVoid ? "void" : "draw" });
  },
  Knocked: (t, data) => {
    const two = tableOf(t, data.seat);
    if (data.discard !== null) layDown(t, two, String(data.discard));
    Object.assign(two, { knock: data, phase: data.gin ? "show" : "lay_off" });
    t.known[two.turn] = at(t.hands, two.turn);
  },
  LaidOff: answerKnock,
  HandShown: answerKnock,
  HandScored: score,
  HandVoided: (t, { table }) => { at(t.twos, Number(table)).phase = "over"; },
  HandClosed: (t) => { t.step = t.seats === 4 ? "net" : isOver(t) ? "end" : "hand"; },
  PointsNetted: (t, { points, totals, boxes }) => {
    const ahead = (points as number[]).findIndex((one) => one > 0);
    if (ahead >= 0) Object.assign(t, { winner: ahead, loser: 1 - ahead });
    Object.assign(t, { totals, boxes, step: "hand" });
    if (isOver(t)) t.step = "end";
  },
  GameEnded: (t, { winners, totals, ranking }) => Object.assign(t, {
    step: "rest", result: { winners, scores: totals, places: ranking },
  }),
};

const newTwo = (nonDealer: number, dealer: number): Two => ({
  nonDealer, dealer, phase: "deal", turn: nonDealer, stock: [], pile: [], taken: null, takes: 0,
  knock: null, answer: null, outcome: null,
});

function passUpcard(two: Two): void {
  const isDealer = two.phase === "offer_dealer";
  Object.assign(two, {
    turn: isDealer ? two.nonDealer : two.dealer, phase: isDealer ? "must_draw_stock" : "offer_dealer",
  });
}

function draw(t: GinRummy, two: Two, { seat, card }: Fields): void {
  t.hands[Number(seat)] = sorted([...at(t.hands, Number(seat)), String(card)]);
  two.phase = "discard";
}

function layDown(t: GinRummy, two: Two, card: string): void {
  t.hands[two.turn] = without(at(t.hands, two.turn), [card]);
  t.known[two.turn] = without(at(t.known, two.turn), [card]);
  two.pile.push(card);
}

function answerKnock(t: GinRummy, data: Fields): void {
  const two = tableOf(t, data.seat);
  Object.assign(two, { answer: data, phase: "score" });
  t.known[Number(data.seat)] = at(t.hands, Number(data.seat));
}

function score(t: GinRummy, { table, kind, knocker, defender, points, totals, boxes }: Fields): void {
  const won = kind === "undercut" ? defender : knocker;
  if (t.seats !== 4) Object.assign(t, { winner: won, loser: won === knocker ? defender : knocker });
  Object.assign(t, { totals, boxes });
  Object.assign(at(t.twos, Number(table)), { phase: "over", outcome: { kind, knocker, points } });
}

// --- The clock and the view ---------------------------------------------------------------------

/** Return what the clock plays (3.3). */
function standard(t: GinRummy, seat: number): Fact {
  const two = tableOf(t, seat);
  if (two.phase !== "discard") return at(choices(t, two), 0);
  const gin = knocks(t, two).filter(({ data }) => data.gin === true && data.discard !== null).at(-1);
  if (gin) return gin;
  const { deadwood } = arranged(at(t.hands, seat));
  const free = discardable(t, two);
  const loose = deadwood.filter((card) => free.includes(card));
  const most = loose.filter((card) => loose.every((other) => cardValue(other) <= cardValue(card)));
  return fact("CardDiscarded", { seat, card: most.at(-1) ?? free.at(-1) });
}

const cardValue = (card: string) => arrangementOf([card], []).value;

const FORMS: Fields = { 2: "two", 3: "rotation", 4: "partnership" };

function view(t: GinRummy): Fields {
  const [first] = t.twos;
  const isOne = t.twos.length === 1;
  const phases = [...new Set(playing(t).map(shownPhase))];
  return {
    phase: t.result ? "game_over" : phases.length > 1 ? "playing"
      : phases[0] ?? (first ? shownPhase(first) : "dealing"),
    game_no: t.gameNo, hand_no: t.handNo, deal_no: t.dealNo, dealer: t.dealer, form: FORMS[t.seats], hand: [],
    hands: t.known, hand_counts: t.hands.map(({ length }) => length), scores: t.totals, boxes: t.boxes,
    target_score: option(t, "target_score"), knock_limit: option(t, "knock_limit"),
    sits_out: t.seats === 3 && t.dealer !== null ? [t.dealer] : [], turn: isOne && first ? shownTurn(first) : null,
    opponent: null, stock_count: isOne && first ? first.stock.length : null,
    discard_top: isOne ? first?.pile.at(-1) ?? null : null,
    tables: t.twos.map(tableView), melds: [], deadwood: [], deadwood_value: null,
  };
}

const shownPhase = ({ phase, outcome }: Two) => (phase !== "over" ? phase : outcome ? "scored" : "void");
const shownTurn = (two: Two) => (two.phase === "over" ? null : actor(two));

const tableView = (two: Two): Fields => ({
  non_dealer: two.nonDealer, dealer: two.dealer, phase: shownPhase(two), turn: shownTurn(two),
  stock_count: two.stock.length, discard_top: two.pile.at(-1) ?? null, discards: two.pile, taken: two.taken,
  pile_takes: two.takes, knock: two.knock, answer: two.answer && { layoffs: [], ...two.answer }, result: two.outcome,
});

export const referee: Referee<GinRummy> = {
  version: "1", fits: ({ players }, seats) => players === null || players === seats,
  sides: (_, seats) => (seats === 4 ? [[0, 2], [1, 3]] : []), begin, next: (t) => STEPS[t.step](t),
  standard, view,
  takesBack: ["UpcardPassed", "DiscardTaken", "CardDiscarded"],
  startGame: (t) => Object.assign(t, { step: "game", stopped: null }),
  happen: (t, { type, data }) => HAPPENS[type]?.(t, data),
  stop: (t, stopped) => Object.assign(t, { stopped, step: "end" }),
  standing: (t) => ({ inHand: t.step === "play", out: [], result: t.step === "rest" ? t.result : null }),
};
