/** The referee of Hearts, written from its rulebook. Numbers in brackets are its sections. */

import { PACK, at, chance, combinations, dealerByLot, decision, due, fact, highest, isPick, judgeChance, judgeHands,
  negated, nextCut, perSeat, placesOf, range, rankOf, rest, same, seatsFrom, sorted, suitOf, sum, winnerOf, without }
  from "../../../api/web/static/past/verify/referee_kit.ts";
import type { Cut } from "../../../api/web/static/past/verify/referee_kit.ts";
import type { Asked, Decision, Fact, Fields, Next, Referee, Standing, Stop }
  from "../../../api/web/static/past/verify/referee.ts";

const SEATS = 4;
const EVERY = range(SEATS);

type Step = "rest" | "game" | "dealer" | "hand" | "deal" | "pass" | "passed" | "receive" | "return" | "returned"
  | "regain" | "show" | "start" | "play" | "taken" | "score" | "end";
interface Trick { leader: number; winner: number; cards: Cut[] }

export interface Hearts {
  options: Fields;
  passing: number; lead: number; opening: number; scoring: number;
  step: Step;
  gameNo: number; handNo: number; dealNo: number; dealer: number | null;
  cuts: Cut[];
  totals: number[];
  hands: string[][];
  chosen: (string[] | null)[]; received: (string[] | null)[];
  returned: (string | null)[]; regained: (string | null)[];
  shown: number | null; leader: number | null; open: boolean;
  tricks: Trick[]; trick: Cut[];
  stopped: Stop | null;
  result: Standing["result"];
}

// --- The options --------------------------------------------------------------------------------

function begin(options: Fields): Hearts {
  const [passing = 2, lead = 2, opening = 2, scoring = 3] = String(options.variant).split("-").map(Number);
  return {
    options, passing, lead, opening, scoring, step: "rest", gameNo: 0, handNo: 0, dealNo: 0, dealer: null, cuts: [],
    totals: [0, 0, 0, 0], ...noHand(), stopped: null, result: null,
  };
}

const noHand = () => ({
  hands: EVERY.map((): string[] => []), chosen: EVERY.map(() => null), received: EVERY.map(() => null),
  returned: EVERY.map(() => null), regained: EVERY.map(() => null), shown: null, leader: null, open: false,
  tricks: [], trick: [],
});

/** Return whether the jack of diamonds scores (1.3, 6.5). */
const jackScores = (t: Hearts) => t.scoring >= 3 && t.options.jack_of_diamonds === true;
const isHeart = (card: string) => suitOf(card) === "H";
const isHarmful = (t: Hearts, card: string) => isHeart(card) || (t.scoring >= 3 && card === "QS");
const isScoring = (t: Hearts, card: string) => isHarmful(t, card) || (jackScores(t) && card === "JD");

const DIRECTIONS = [["left", 1], ["right", 3], ["across", 2], ["none", 0]] as const;

/** Return where this deal passes cards to (4.2 to 4.4). */
function direction(t: Hearts): readonly [string, number] {
  if (t.passing === 4) return ["dealer", 0];
  return t.passing === 1 ? ["none", 0] : at(DIRECTIONS, (t.dealNo + 3) % 4);
}

// --- Facts that are due -------------------------------------------------------------------------

function next(t: Hearts): Next {
  return STEPS[t.step](t);
}

const STEPS: Record<Step, (t: Hearts) => Next> = {
  rest: () => rest,
  game: (t) => due("GameStarted", { game_no: t.gameNo + 1 }),
  dealer: firstDealer,
  hand: nextHand,
  deal: () => chance(judgeChance("HandDealt", isDeal)),
  pass: passes,
  passed: (t) => (t.passing === 4 ? due("PoolRedealt") : due("CardsPassed", { direction: direction(t)[0] })),
  receive: receives,
  return: returns,
  returned: () => due("CardsReturned"),
  regain: regains,
  show: (t) => due("TwoOfClubsShown", { seat: holder(t, "2C") }),
  start: (t) => due("PlayStarted", { leader: firstLeader(t) }),
  play: plays,
  taken: trickTaken,
  score: (t) => due("HandScored", scored(t)),
  end: (t) => due("GameEnded", ended(t)),
};

function firstDealer(t: Hearts): Next {
  const how = t.options.first_dealer;
  if (how === "random") return dealerByLot(SEATS);
  if (how === "pick") return due("FirstDealerChosen", { how, seat: t.options.first_dealer_seat });
  return nextCut(t.cuts, SEATS);
}

function nextHand(t: Hearts): Next {
  const [pass] = direction({ ...t, dealNo: t.dealNo + 1 });
  const dealer = t.dealNo ? ((t.dealer ?? 0) + 1) % SEATS : t.dealer;
  return due("HandStarted", { hand_no: t.handNo + 1, deal_no: t.dealNo + 1, dealer, pass });
}

const isDeal = ({ counts, cards }: Fields) =>
  same(counts, [13, 13, 13, 13]) && judgeHands(perSeat(cards, SEATS), [13, 13, 13, 13], PACK);

const holder = (t: Hearts, card: string) => t.hands.findIndex((hand) => hand.includes(card));

/** Return the seat that leads the first trick (5.1 to 5.4). */
function firstLeader(t: Hearts): number {
  const [left = 0, ...others] = seatsFrom(((t.dealer ?? 0) + 1) % SEATS, SEATS);
  if (t.lead === 1) return left;
  if (t.lead !== 3) return holder(t, "2C");
  return [left, ...others].find((seat) => TWOS.some((two) => at(t.hands, seat).includes(two))) ?? left;
}

// --- Passing ------------------------------------------------------------------------------------

const asks = (t: Hearts, seats: number[]): Asked[] => seats.map((seat) => ({ seat, decision: phase(t) }));

function passes(t: Hearts): Decision {
  const count = t.passing === 3 ? 4 : 3;
  const seats = EVERY.filter((seat) => !t.chosen[seat]);
  const choices = () => seats.flatMap((seat) =>
    combinations(at(t.hands, seat), count).map((cards) => fact("PassChosen", { seat, cards })));
  return { ...decision(asks(t, seats), choices), judge: (given) => judgePass(t, seats, count, given) };
}

function judgePass(t: Hearts, seats: number[], count: number, { type, data }: Fact): string | null {
  if (type !== "PassChosen" || !seats.includes(Number(data.seat))) return "Each seat must pass cards now, once.";
  const hand = at(t.hands, Number(data.seat));
  const cards = data.cards as string[];
  if (cards.length !== count || new Set(cards).size !== count) return `Each seat must pass ${count} cards.`;
  const isOwn = cards.every((card) => hand.includes(card)) && same(cards, sorted(cards));
  return isOwn ? null : "A seat may pass only its own cards.";
}

/** Return the seat whose cards this one gets. */
const giverTo = (t: Hearts, seat: number) => (seat + SEATS - direction(t)[1]) % SEATS;

function receives(t: Hearts): Next {
  const seat = t.received.findIndex((cards) => !cards);
  if (t.passing !== 4) {
    const from = giverTo(t, seat);
    return due("PassReceived", { seat, from, cards: t.chosen[from] });
  }
  const pool = without(t.chosen.flatMap((cards) => cards ?? []), t.received.flatMap((cards) => cards ?? []));
  return chance(judgeChance("PassReceived", ({ seat: to, from, cards }) => to === seat && from === "pool"
    && judgeHands([cards as string[]], [3], pool)));
}

function returns(t: Hearts): Decision {
  const seats = EVERY.filter((seat) => !t.returned[seat]);
  return decision(asks(t, seats), () => seats.flatMap((seat) =>
    (t.received[seat] ?? []).map((card) => fact("ReturnChosen", { seat, card }))));
}

function regains(t: Hearts): Next {
  const seat = t.regained.findIndex((card) => !card);
  const from = (seat + direction(t)[1]) % SEATS;
  return due("ReturnReceived", { seat, from, card: t.returned[from] });
}

// --- Play ---------------------------------------------------------------------------------------

const TWOS = ["2C", "2D", "2S"];

const turn = (t: Hearts) => ((t.leader ?? 0) + t.trick.length) % SEATS;

function plays(t: Hearts): Decision {
  const seat = turn(t);
  return decision([{ seat, decision: "playing" }], () => playable(t, seat).map((card) =>
    fact("CardPlayed", { seat, card, trick_no: t.tricks.length + 1 })));
}

function playable(t: Hearts, seat: number): string[] {
  const hand = at(t.hands, seat);
  const first = t.tricks.length === 0;
  if (t.trick.length === 0) return first ? firstLeads(t, hand) : leads(t, hand);
  const following = hand.filter((card) => suitOf(card) === suitOf(at(t.trick, 0).card));
  const free = following.length ? following : hand;
  return first ? preferred(free, (card) => !isHarmful(t, card)) : free;
}

/** Leave out cards if others remain (5.6). */
function preferred(cards: string[], test: (card: string) => boolean): string[] {
  const some = cards.filter(test);
  return some.length ? some : cards;
}

function firstLeads(t: Hearts, hand: string[]): string[] {
  if (t.lead === 1) return lowestLeads(t, hand);
  if (t.lead === 2) return ["2C"];
  if (t.lead === 3) return hand.filter((card) => TWOS.includes(card));
  return preferred(hand, (card) => !isScoring(t, card));
}

/** Allow the lowest cards outside hearts, the harmless ones if there are any (5.1). */
function lowestLeads(t: Hearts, hand: string[]): string[] {
  const others = hand.filter((card) => !isHeart(card));
  if (!others.length) return ["2H"];
  const lowest = Math.min(...others.map(rankOf));
  return preferred(others.filter((card) => rankOf(card) === lowest), (card) => !isHarmful(t, card));
}

const leads = (t: Hearts, hand: string[]) => (t.open ? hand : preferred(hand, (card) => !isHeart(card)));

/** Return whether hearts may be led after the complete tricks (5.7). */
function areOpen(t: Hearts): boolean {
  if (t.opening === 1) return t.tricks.length >= 1;
  if (t.opening === 2) return t.tricks.some(({ cards }) => cards.some(({ card }) => isHeart(card)));
  if (t.opening === 3) return t.tricks.length >= 3;
  const led = t.tricks.map(({ cards }) => suitOf(at(cards, 0).card));
  const twice = [..."CDHS"].filter((suit) => led.filter((other) => other === suit).length >= 2);
  return twice.length >= 2 || ["C", "D", "S"].every((suit) => led.includes(suit));
}

function trickTaken(t: Hearts): Next {
  if (t.trick.length === SEATS)
    return due("TrickTaken", {
      trick_no: t.tricks.length + 1, winner: winnerOf(t.trick), cards: t.trick.map(({ card }) => card),
    });
  return due("HeartsOpened", { after_trick: t.tricks.length });
}

// --- Scoring ------------------------------------------------------------------------------------

const cardsOf = (t: Hearts, seat: number) =>
  t.tricks.filter(({ winner }) => winner === seat).flatMap(({ cards }) => cards.map(({ card }) => card));

/** Count the points of cards, without a moon (6.1). */
function pointsOf(t: Hearts, cards: string[]): number {
  const hearts = cards.filter(isHeart);
  const jack = jackScores(t) && cards.includes("JD") ? -10 : 0;
  const queen = cards.includes("QS") ? 13 : 0;
  if (t.scoring === 1) return hearts.length;
  if (t.scoring === 2) return sum(hearts.map((card) => (rankOf(card) >= 9 ? 5 : 1)));
  if (t.scoring === 3) return hearts.length + queen + jack;
  return 2 * Math.max(0, hearts.length - 2) + queen + jack;
}

/** Return the seat that has shot the moon (6.2, 6.4). */
function shooter(t: Hearts): number | null {
  const needsJack = t.options.moon_jack === "required";
  const needed = PACK.filter((card) => isScoring(t, card) && (needsJack || card !== "JD"));
  const seat = EVERY.findIndex((one) => without(needed, cardsOf(t, one)).length === 0);
  return seat < 0 ? null : seat;
}

function scored(t: Hearts): Fields {
  const taken = EVERY.map((seat) => cardsOf(t, seat));
  const moon = shooter(t);
  const points = moon === null ? taken.map((cards) => pointsOf(t, cards)) : moonPoints(t, moon, taken);
  return {
    moon, points, totals: points.map((point, seat) => point + at(t.totals, seat)),
    taken: taken.map((cards) => ({
      hearts: cards.filter(isHeart).length, queen: cards.includes("QS"), jack: cards.includes("JD"),
      card_points: pointsOf(t, cards),
    })),
  };
}

function moonPoints(t: Hearts, moon: number, taken: string[][]): number[] {
  const minus = t.options.moon_style === "shooter_minus";
  const bonus = jackScores(t) && t.options.moon_jack === "bonus";
  return EVERY.map((seat) => {
    const points = minus ? (seat === moon ? -26 : 0) : (seat === moon ? 0 : 26);
    return points - (bonus && at(taken, seat).includes("JD") ? 10 : 0);
  });
}

/** Return whether the game is over after a scored hand (7.1). */
function isOver(t: Hearts): boolean {
  const lowest = highest(negated(t.totals));
  return Math.max(...t.totals) >= Number(t.options.target_score)
    && (t.options.tie_break === "share" || lowest.length === 1);
}

/** Rank the seats. Seats that resigned are last, the first of them behind all others (rules 1.9.2). */
function ended(t: Hearts): Fields {
  const { reason, resigned }: { reason: string; resigned: readonly number[] } =
    t.stopped ?? { reason: "target_score", resigned: [] };
  const level = reason === "draw" || reason === "abandoned";
  const worth = negated(t.totals).map((total, seat) =>
    level ? 0 : resigned.includes(seat) ? -1e9 + resigned.indexOf(seat) : total);
  return { totals: t.totals, ranking: placesOf(worth), winners: level ? [] : highest(worth), reason };
}

// --- What happens -------------------------------------------------------------------------------

const seatIn = (data: Fields) => Number(data.seat);

const HAPPENS: Record<string, (t: Hearts, data: Fields) => void> = {
  GameStarted: (t) =>
    Object.assign(t, { gameNo: t.gameNo + 1, dealNo: 0, cuts: [], totals: [0, 0, 0, 0], step: "dealer" }),
  CardCut: (t, { seat, card }) => { t.cuts.push({ seat: Number(seat), card: String(card) }); },
  FirstDealerChosen: (t, { seat }) => Object.assign(t, { dealer: seat, step: "hand" }),
  HandStarted: (t, { dealer }) =>
    Object.assign(t, noHand(), { handNo: t.handNo + 1, dealNo: t.dealNo + 1, dealer, step: "deal" }),
  HandDealt: (t, { cards }) => Object.assign(t, {
    hands: perSeat(cards, SEATS), step: direction(t)[0] === "none" ? ready(t) : "pass",
  }),
  PassChosen: choosePass,
  CardsPassed: (t) => { t.step = "receive"; },
  PoolRedealt: (t) => { t.step = "receive"; },
  PassReceived: receive,
  ReturnChosen: (t, data) => {
    t.returned[seatIn(data)] = String(data.card);
    t.hands[seatIn(data)] = without(at(t.hands, seatIn(data)), [String(data.card)]);
    if (t.returned.every(Boolean)) t.step = "returned";
  },
  CardsReturned: (t) => { t.step = "regain"; },
  ReturnReceived: (t, data) => {
    t.regained[seatIn(data)] = String(data.card);
    t.hands[seatIn(data)] = sorted([...at(t.hands, seatIn(data)), String(data.card)]);
    if (t.regained.every(Boolean)) t.step = ready(t);
  },
  TwoOfClubsShown: (t, { seat }) => Object.assign(t, { shown: seat, step: "start" }),
  PlayStarted: (t, { leader }) => Object.assign(t, { leader, step: "play" }),
  CardPlayed: play,
  TrickTaken: takeTrick,
  HeartsOpened: (t) => Object.assign(t, { open: true, step: afterTrick(t) }),
  HandScored: (t, { totals }) => {
    t.totals = totals as number[];
    t.step = isOver(t) ? "end" : "hand";
  },
  GameEnded: (t, { winners, totals, ranking }) => Object.assign(t, {
    step: "rest", result: { winners, scores: totals, places: ranking },
  }),
};

/** Return the step after the exchange: first lead 4 shows the two of clubs (5.4). */
const ready = (t: Hearts): Step => (t.lead === 4 ? "show" : "start");
const afterTrick = (t: Hearts): Step => (t.tricks.length === 13 ? "score" : "play");

function choosePass(t: Hearts, data: Fields): void {
  const cards = data.cards as string[];
  t.chosen[seatIn(data)] = cards;
  t.hands[seatIn(data)] = without(at(t.hands, seatIn(data)), cards);
  if (t.chosen.every(Boolean)) t.step = "passed";
}

function receive(t: Hearts, data: Fields): void {
  const cards = data.cards as string[];
  t.received[seatIn(data)] = cards;
  t.hands[seatIn(data)] = sorted([...at(t.hands, seatIn(data)), ...cards]);
  if (t.received.every(Boolean)) t.step = t.passing === 3 ? "return" : ready(t);
}

function play(t: Hearts, data: Fields): void {
  const [seat, card] = [seatIn(data), String(data.card)];
  t.hands[seat] = without(at(t.hands, seat), [card]);
  t.trick.push({ seat, card });
  if (t.trick.length === SEATS) t.step = "taken";
}

function takeTrick(t: Hearts, { winner }: Fields): void {
  t.tricks.push({ leader: t.leader ?? 0, winner: Number(winner), cards: t.trick });
  Object.assign(t, { trick: [], leader: winner });
  t.step = !t.open && areOpen(t) ? "taken" : afterTrick(t);
}

// --- The clock, the end, and the view -----------------------------------------------------------

const SUITS = "CDHS";
const worthOf = (card: string) => 4 * rankOf(card) + SUITS.indexOf(suitOf(card));

/** Return what the clock plays (2.3). */
function standard(t: Hearts, seat: number): Fact {
  const down = (cards: string[]) => [...cards].sort((a, b) => worthOf(b) - worthOf(a));
  if (t.step === "pass") {
    const cards = sorted(down(at(t.hands, seat)).slice(0, t.passing === 3 ? 4 : 3));
    return fact("PassChosen", { seat, cards });
  }
  if (t.step === "return") return fact("ReturnChosen", { seat, card: down(t.received[seat] ?? [])[0] });
  return fact("CardPlayed", { seat, card: down(playable(t, seat)).at(-1), trick_no: t.tricks.length + 1 });
}

const PHASES: Partial<Record<Step, string>> = { pass: "passing", return: "returning", play: "playing" };
const phase = (t: Hearts) => PHASES[t.step] ?? (t.result ? "game_over" : "dealing");

function view(t: Hearts): Fields {
  const tricks = t.options.history === "last_trick" ? t.tricks.slice(-1) : t.tricks;
  const isPlaying = t.step === "play";
  return {
    phase: phase(t), game_no: t.gameNo, hand_no: t.handNo, deal_no: t.dealNo, dealer: t.dealer,
    pass: direction(t)[0], hand: [], hands: t.hands.map((hand) => (hand.length ? null : [])),
    hand_counts: t.hands.map((hand) => hand.length), scores: t.totals,
    points: EVERY.map((seat) => pointsOf(t, cardsOf(t, seat))), trick: t.trick,
    trick_no: isPlaying ? t.tricks.length + 1 : null, last_trick: t.tricks.at(-1) ?? null, tricks, leader: t.leader,
    turn: isPlaying ? turn(t) : null, hearts_open: t.open, two_of_clubs_shown: t.shown,
    passed: null, received: null, returned: null, regained: null,
  };
}

/** Every hand adds points to the totals, so many at least (6.1, 6.5, 7.2). */
function mostHands(options: Fields): number | null {
  if (options.moon_style === "shooter_minus" || options.tie_break === "extra_hand") return null;
  const t = begin(options);
  const least = at([13, 29, 26, 23], t.scoring - 1) - (jackScores(t) ? 10 : 0);
  return Math.floor((4 * (Number(options.target_score) - 1)) / least) + 1;
}

/** A variant has its index, and a seat is picked just if the options say so. */
function fits({ variant, variant_index: index, first_dealer: how, first_dealer_seat: seat }: Fields): boolean {
  const digits = /^([1-4])-([1-4])-([1-4])-([1-4])$/.exec(String(variant))?.slice(1).map(Number);
  if (!digits) return false;
  const its = 1 + digits.reduce((sum, digit) => 4 * sum + digit - 1, 0);
  return (index === null || index === its) && isPick(how, seat, 4);
}

export const referee: Referee<Hearts> = {
  version: "1", lowScoreWins: true, begin, next, standard, view,
  mostHands, fits,
  takesBack: ["CardPlayed", "PassChosen", "ReturnChosen"],
  startGame: (t) => Object.assign(t, { step: "game", stopped: null, result: null }),
  happen: (t, { type, data }) => HAPPENS[type]?.(t, data),
  stop: (t, stopped) => Object.assign(t, { stopped, step: "end" }),
  standing: (t) => ({
    inHand: !["rest", "game", "dealer", "hand", "end"].includes(t.step), out: [], result: t.result,
  }),
};
