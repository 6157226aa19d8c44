/** The referee of Two-Handed Hearts, written from its rulebook. Numbers in brackets are its sections. */

import { PACK, at, chance, decision, due, fact, highest, judgeChance, judgeHands, negated, nextCut, perSeat, placesOf,
  range, rankOf, rest, same, sorted, suitOf, winnerOf, without }
  from "../../../api/web/static/past/verify/referee_kit.ts";
import type { Cut } from "../../../api/web/static/past/verify/referee_kit.ts";
import type { Decision, Fact, Fields, Next, Referee, Standing, Stop }
  from "../../../api/web/static/past/verify/referee.ts";

const SEATS = 2;
const EVERY = range(SEATS);
const other = (seat: number) => 1 - seat;

type Step = "rest" | "game" | "cut" | "hand" | "deal" | "draw" | "choose" | "drawn" | "play" | "taken" | "replenish"
  | "claiming" | "claims" | "revokes" | "score" | "end";
interface Trick { leader: number; winner: number; cards: Cut[] }
/** A card that did not follow suit although the hand could; `held` are the cards that could have followed. */
interface Revoke { seat: number; trick_no: number; card: string; held: string[] }
interface Found extends Revoke { by: number | null }

export interface TwoHandedHearts {
  options: Fields;
  step: Step;
  gameNo: number; handNo: number; dealNo: number; dealer: number | null;
  cuts: Cut[];
  totals: number[];
  hands: string[][]; stock: string[]; waste: string[]; drawn: string | null; draws: number;
  leader: number | null; tricks: Trick[]; trick: Cut[];
  revokes: Revoke[]; found: Found[]; falseClaims: number[]; passed: number[];
  stopped: Stop | null;
  result: Standing["result"];
}

const noHand = () => ({
  hands: [[], []], stock: [], waste: [], drawn: null, draws: 0, leader: null, tricks: [], trick: [],
  revokes: [], found: [], falseClaims: [0, 0], passed: [],
});

const begin = (options: Fields): TwoHandedHearts => ({
  options, step: "rest", gameNo: 0, handNo: 0, dealNo: 0, dealer: null, cuts: [], totals: [0, 0], ...noHand(),
  stopped: null, result: null,
});

const claims = (t: TwoHandedHearts) => t.options.revoke_detection === "claim";
const byHonour = (t: TwoHandedHearts) => t.options.revoke_mode === "honour";
const isHeart = (card: string) => suitOf(card) === "H";

// --- What may come next -------------------------------------------------------------------------

const STEPS: Record<Step, (t: TwoHandedHearts) => Next> = {
  rest: () => rest,
  game: (t) => due("GameStarted", { game_no: t.gameNo + 1 }),
  cut: (t) => nextCut(t.cuts, SEATS),
  hand: (t) => due("HandStarted", {
    hand_no: t.handNo + 1, deal_no: t.dealNo + 1, dealer: t.handNo ? other(t.dealer ?? 0) : t.dealer,
  }),
  deal: () => chance(judgeChance("HandDealt", isDeal)),
  draw: (t) => drawDue(t, "StockDrawn", ((t.dealer ?? 0) + t.draws) % SEATS),
  choose: chooses,
  drawn: (t) => due("DrawingCompleted", { leader: t.dealer }),
  play: plays,
  taken: (t) => due("TrickTaken", {
    trick_no: t.tricks.length + 1, winner: winnerOf(t.trick), cards: t.trick.map(({ card }) => card),
  }),
  replenish: (t) => drawDue(t, "HandReplenished", t.draws % 2 ? other(t.leader ?? 0) : t.leader ?? 0),
  claiming: () => due("ClaimingStarted"),
  claims: lastClaims,
  revokes: (t) => due("RevokeFound", { ...at(t.revokes, t.found.length), by: null }),
  score: (t) => due("HandScored", scored(t)),
  end: (t) => due("GameEnded", ended(t)),
};

const isDeal = ({ counts, cards, stock }: Fields) => same(counts, [13, 13])
  && judgeHands(perSeat(cards, SEATS), [13, 13], PACK)
  && same(sorted([...perSeat<string[]>(cards, SEATS), stock as string[]].flat()), PACK);

function drawDue(t: TwoHandedHearts, type: string, seat: number): Next {
  return due(type, { seat, draw_no: t.draws + 1, stock_left: t.stock.length - 1, card: t.stock[0] });
}

const drawer = (t: TwoHandedHearts) => ((t.dealer ?? 0) + t.draws - 1) % SEATS;

/** Keep the drawn card and lay another aside, or reject it (4.2). */
function chooses(t: TwoHandedHearts): Decision {
  const seat = drawer(t);
  return decision([{ seat, decision: "drawing" }], () => [
    fact("DrawnCardRejected", { seat }),
    ...at(t.hands, seat).map((discarded) => fact("DrawnCardKept", { seat, discarded })),
  ]);
}

const turn = (t: TwoHandedHearts) => (t.trick.length ? other(t.leader ?? 0) : t.leader ?? 0);

function plays(t: TwoHandedHearts): Decision {
  const seat = turn(t);
  const cards = byHonour(t) ? at(t.hands, seat) : following(t, seat);
  return decision([{ seat, decision: "playing" }], () => [
    ...cards.map((card) => fact("CardPlayed", { seat, card, trick_no: t.tricks.length + 1 })), ...possibleClaims(t),
  ]);
}

const canFollow = (t: TwoHandedHearts, seat: number) =>
  at(t.hands, seat).filter((card) => t.trick[0] && suitOf(card) === suitOf(t.trick[0].card));

function following(t: TwoHandedHearts, seat: number): string[] {
  const cards = canFollow(t, seat);
  return cards.length ? cards : at(t.hands, seat);
}

/** After the last trick, both seats claim a revoke or pass (6.5). */
function lastClaims(t: TwoHandedHearts): Decision {
  const seats = EVERY.filter((seat) => !t.passed.includes(seat));
  return decision(seats.map((seat) => ({ seat, decision: "claiming", minor: true })), () =>
    [...seats.map((seat) => fact("ClaimPassed", { seat })), ...possibleClaims(t)]);
}

/** List the claims about each complete trick: a true one finds the revoke, a false one is rejected (6.5). */
function possibleClaims(t: TwoHandedHearts): Fact[] {
  if (!claims(t)) return [];
  return EVERY.filter((by) => at(t.falseClaims, by) < 3).flatMap((by) => t.tricks.map((_, i) => {
    const revoke = t.revokes.find((one) => one.seat === other(by) && one.trick_no === i + 1);
    return revoke ? fact("RevokeFound", { ...revoke, by })
      : fact("ClaimRejected", { by, trick_no: i + 1, accused: other(by) });
  }));
}

// --- Scoring ------------------------------------------------------------------------------------

const cardsOf = (t: TwoHandedHearts, seat: number) =>
  t.tricks.filter(({ winner }) => winner === seat).flatMap(({ cards }) => cards.map(({ card }) => card));

const jackOf = (t: TwoHandedHearts, cards: string[]) =>
  (t.options.jack_of_diamonds === true && cards.includes("JD") ? -10 : 0);
const pointsOf = (t: TwoHandedHearts, cards: string[]) =>
  cards.filter(isHeart).length + (cards.includes("QS") ? 13 : 0) + jackOf(t, cards);

/** Return the seat that has the queen of spades and every heart in play, if these are enough (7.2). */
function shooter(t: TwoHandedHearts): number | null {
  if (t.options.moon === "off") return null;
  const fewest = t.options.moon === "all_fourteen" ? 13 : 5;
  const inPlay = EVERY.flatMap((seat) => cardsOf(t, seat)).filter(isHeart);
  const seat = EVERY.find((one) => {
    const cards = cardsOf(t, one);
    return cards.includes("QS") && cards.filter(isHeart).length === inPlay.length;
  });
  return seat === undefined || inPlay.length < fewest ? null : seat;
}

function scored(t: TwoHandedHearts): Fields {
  const taken = EVERY.map((seat) => cardsOf(t, seat));
  const guilty = EVERY.filter((seat) => t.found.some((revoke) => revoke.seat === seat));
  const moon = guilty.length ? null : shooter(t);
  const points = guilty.length ? EVERY.map((seat) => (guilty.includes(seat) ? 26 : 0))
    : taken.map((cards, seat) =>
      moon === null ? pointsOf(t, cards) : (seat === moon ? 0 : 26) + jackOf(t, cards));
  return {
    moon, points, totals: points.map((point, seat) => point + at(t.totals, seat)), revokes: guilty,
    waste_count: t.waste.length,
    taken: taken.map((cards) => ({
      hearts: cards.filter(isHeart).length, queen: cards.includes("QS"), jack: cards.includes("JD"),
      card_points: pointsOf(t, cards),
    })),
  };
}

const isFull = (t: TwoHandedHearts) => t.options.max_hands !== 0 && t.dealNo >= Number(t.options.max_hands);
const hasReached = (t: TwoHandedHearts) => Math.max(...t.totals) >= Number(t.options.target_score)
  && (t.options.tie_break === "draw" || t.totals[0] !== t.totals[1]);

function ended(t: TwoHandedHearts): Fields {
  const { totals, stopped } = t;
  const level = stopped?.reason === "draw" || stopped?.reason === "abandoned";
  const worth = level ? [0, 0] : stopped ? EVERY.map((seat) => (stopped.resigned.includes(seat) ? 0 : 1))
    : negated(totals);
  const winners = highest(worth);
  const reason = stopped?.reason ?? (hasReached(t) ? "target_score" : "max_hands");
  return { totals, ranking: placesOf(worth), winners: winners.length === SEATS ? [] : winners, reason };
}

// --- What happens -------------------------------------------------------------------------------

const draw = (t: TwoHandedHearts) => {
  t.draws += 1;
  t.stock = t.stock.slice(1);
};
const exchange = (t: TwoHandedHearts, seat: number, gone: string[], come: string[]) => {
  t.hands[seat] = sorted([...without(at(t.hands, seat), gone), ...come]);
};

/** Return the step when a drawn card has been kept or rejected. */
const afterDraw = (t: TwoHandedHearts): Step => (t.stock.length ? "draw" : "drawn");

function layAside(t: TwoHandedHearts, card: string): void {
  t.waste.push(card);
  Object.assign(t, { drawn: null, step: afterDraw(t) });
}

const HAPPENS: Record<string, (t: TwoHandedHearts, data: Fields) => void> = {
  GameStarted: (t) => {
    Object.assign(t, { gameNo: t.gameNo + 1, dealNo: 0, totals: [0, 0], step: t.handNo ? "hand" : "cut" });
  },
  CardCut: (t, { seat, card }) => { t.cuts.push({ seat: Number(seat), card: String(card) }); },
  FirstDealerChosen: (t, { seat }) => Object.assign(t, { dealer: seat, step: "hand" }),
  HandStarted: (t, { dealer }) =>
    Object.assign(t, noHand(), { handNo: t.handNo + 1, dealNo: t.dealNo + 1, dealer, step: "deal" }),
  HandDealt: (t, { cards, stock }) => Object.assign(t, {
    hands: perSeat(cards, SEATS), stock, leader: t.dealer, step: t.options.mode === "draw" ? "draw" : "play",
  }),
  StockDrawn: (t, { card }) => {
    draw(t);
    Object.assign(t, { drawn: card, step: "choose" });
  },
  HandReplenished: (t, { seat, card }) => {
    draw(t);
    exchange(t, Number(seat), [], [String(card)]);
    if (t.draws % 2 === 0) t.step = "play";
  },
  DrawnCardKept: (t, { seat, discarded }) => {
    exchange(t, Number(seat), [String(discarded)], [t.drawn ?? ""]);
    layAside(t, String(discarded));
  },
  DrawnCardRejected: (t) => layAside(t, t.drawn ?? ""),
  DrawingCompleted: (t) => { t.step = "play"; },
  CardPlayed: play,
  TrickTaken: takeTrick,
  ClaimingStarted: (t) => { t.step = "claims"; },
  ClaimPassed: (t, { seat }) => {
    t.passed = [...t.passed, Number(seat)].sort();
    if (t.passed.length === SEATS) t.step = "score";
  },
  ClaimRejected: (t, { by }) => { t.falseClaims[Number(by)] = at(t.falseClaims, Number(by)) + 1; },
  RevokeFound: (t, { seat, trick_no, card, held, by }) => {
    t.found.push({ seat, trick_no, card, held, by } as Found);
    if (by !== null || t.found.length === t.revokes.length) t.step = "score";
  },
  HandScored: (t, { totals }) => {
    t.totals = totals as number[];
    t.step = hasReached(t) || isFull(t) ? "end" : "hand";
  },
  GameEnded: (t, { winners, totals, ranking }) => Object.assign(t, {
    step: "rest", result: { winners, scores: totals, places: ranking },
  }),
};

function play(t: TwoHandedHearts, data: Fields): void {
  const [seat, card] = [Number(data.seat), String(data.card)];
  const held = canFollow(t, seat);
  if (held.length && !held.includes(card)) t.revokes.push({ seat, trick_no: t.tricks.length + 1, card, held });
  exchange(t, seat, [card], []);
  t.trick.push({ seat, card });
  if (t.trick.length === SEATS) t.step = "taken";
}

function takeTrick(t: TwoHandedHearts, { winner }: Fields): void {
  t.tricks.push({ leader: t.leader ?? 0, winner: Number(winner), cards: t.trick });
  Object.assign(t, { trick: [], leader: winner });
  if (t.stock.length) t.step = "replenish";
  else if (at(t.hands, 0).length) t.step = "play";
  else if (claims(t)) t.step = "claiming";
  else t.step = t.revokes.length ? "revokes" : "score";
}

// --- The clock and the view ---------------------------------------------------------------------

const lowest = (cards: string[]) =>
  [...cards].sort((a, b) => rankOf(a) - rankOf(b) || PACK.indexOf(a) - PACK.indexOf(b))[0];

/** Return what the clock plays (2.3). */
function standard(t: TwoHandedHearts, seat: number): Fact {
  if (t.step === "choose") return fact("DrawnCardRejected", { seat });
  if (t.step === "claims") return fact("ClaimPassed", { seat });
  return fact("CardPlayed", { seat, card: lowest(following(t, seat)), trick_no: t.tricks.length + 1 });
}

const PHASES: Partial<Record<Step, string>> = { choose: "drawing", play: "playing", claims: "claiming" };

function view(t: TwoHandedHearts): Fields {
  const isPlaying = t.step === "play";
  return {
    phase: PHASES[t.step] ?? (t.result ? "game_over" : "dealing"),
    game_no: t.gameNo, hand_no: t.handNo, deal_no: t.dealNo, dealer: t.dealer,
    hand: [], hands: t.hands.map((hand) => (hand.length ? null : [])), hand_counts: t.hands.map((hand) => hand.length),
    stock_count: t.stock.length, drawn: null, waste: [], waste_count: t.waste.length, scores: t.totals,
    points: EVERY.map((seat) => pointsOf(t, cardsOf(t, seat))), trick: t.trick,
    trick_no: isPlaying ? t.tricks.length + 1 : null, last_trick: t.tricks.at(-1) ?? null, tricks: t.tricks,
    leader: t.leader, turn: isPlaying ? turn(t) : t.step === "choose" ? drawer(t) : null,
    false_claims: t.falseClaims, claims_passed: t.passed,
    revokes: t.found.map(({ by: _, ...revoke }) => revoke),
  };
}

export const referee: Referee<TwoHandedHearts> = {
  version: "1", lowScoreWins: true, offTurn: ["ClaimRejected", "RevokeFound"], begin, next: (t) => STEPS[t.step](t),
  standard, view,
  fits: (options) => options.revoke_detection !== "claim" || options.revoke_mode === "honour",
  mostHands: ({ max_hands: most }) => Number(most) || null,
  takesBack: ["CardPlayed"],
  startGame: (t) => Object.assign(t, { step: "game", stopped: null, result: null }),
  happen: (t, { type, data }) => HAPPENS[type]?.(t, data),
  stop: (t, stopped) => Object.assign(t, { stopped, step: "end" }),
  standing: (t) => ({ inHand: !["rest", "game", "cut", "hand", "end"].includes(t.step), out: [], result: t.result }),
};
