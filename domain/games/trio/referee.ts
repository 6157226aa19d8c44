/** The referee of Trio, written from its rulebook. Numbers in brackets are its sections. */

import { at, chance, decision, due, fact, forSeats, isPick, judgeChance, perSeat, placesOf, range, rest, same,
  sorted, without }
  from "../../../api/web/static/past/verify/referee_kit.ts";
import type { Decision, Fact, Fields, Next, Referee, Standing, Stop }
  from "../../../api/web/static/past/verify/referee.ts";

const NUMBERS = range(12).flatMap((i) => [i + 1, i + 1, i + 1]);
/** The cards of each hand (2.1). */
const EACH: Fields = { 3: 9, 4: 7, 5: 6, 6: 5 };
const EACH_IN_TEAMS: Fields = { 4: 9, 6: 6 };

type Step = "rest" | "game" | "avocados" | "first" | "hand" | "deal" | "window" | "swap" | "settle" | "close" | "turn"
  | "return" | "trio" | "end";
interface Source { readonly kind: string; readonly seat?: number; readonly end?: string; readonly position?: number }
interface Revealed { readonly source: Source; readonly number: number }
interface Taken { readonly seat: number; readonly team: number | null; readonly number: number }
interface Swap { reason: string; teams: number[]; settled: number[]; made: number[]; isOpen: boolean }

export interface Trio {
  options: Fields; seats: number; teams: number[][];
  step: Step;
  gameNo: number; handNo: number;
  brought: (string | null)[]; stated: { seat: number; eatenAt: string }[];
  /** The turns of the match, and of its earlier games. */
  turnNo: number; earlierTurns: number;
  first: number | null; turn: number | null;
  hands: number[][]; middle: (number | null)[];
  faceUp: Revealed[]; trios: Taken[];
  swap: Swap | null; offers: Record<number, number | null>;
  stopped: Stop | null;
  result: Standing["result"];
}

/** Partners sit opposite each other (6.1). */
const teamsOf = (options: Fields, seats: number) =>
  (options.teams === true ? range(seats / 2).map((seat) => [seat, seat + seats / 2]) : []);

const noGame = (seats: number) => ({
  stated: [], turn: null, hands: range(seats).map((): number[] => []), middle: [], faceUp: [], trios: [],
  swap: null, offers: {},
});

const begin = (options: Fields, seats: number): Trio => ({
  options, seats, teams: teamsOf(options, seats), step: "rest", gameNo: 0, handNo: 0,
  brought: range(seats).map(() => null), first: null, turnNo: 0, earlierTurns: 0, ...noGame(seats),
  stopped: null, result: null,
});

const cardsEach = (t: Trio) => Number((t.teams.length ? EACH_IN_TEAMS : EACH)[t.seats]);
const middleCount = (t: Trio) => 36 - t.seats * cardsEach(t);
const teamOf = (t: Trio, seat: number) => (t.teams.length ? seat % t.teams.length : null);
const sideOf = (t: Trio, seat: number) => t.teams[teamOf(t, seat) ?? -1] ?? [seat];

// --- What may come next -------------------------------------------------------------------------

const STEPS: Record<Step, (t: Trio) => Next> = {
  rest: () => rest,
  game: (t) => due("GameStarted", { game_no: t.gameNo + 1, cards_each: cardsEach(t), middle_count: middleCount(t) }),
  avocados: (t) => {
    const seat = t.brought.findIndex(Boolean);
    return due("AvocadoStated", { seat, eaten_at: t.brought[seat] });
  },
  first: firstPlayer,
  hand: (t) => due("HandStarted", { hand_no: t.handNo + 1 }),
  deal: (t) => chance(judgeChance("HandDealt", (data) => isDeal(t, data))),
  window: (t) => due("SwapWindowOpened", { reason: hasBegun(t) ? "trio" : "start", teams: swapping(t) }),
  swap: answersSwap,
  settle: settles,
  close: () => due("SwapWindowClosed"),
  turn: reveals,
  return: (t) => due("RevealsReturned", { sources: sources(t) }),
  trio: (t) => due("TrioCompleted", {
    seat: t.turn, team: teamOf(t, t.turn ?? 0), number: at(t.faceUp, 0).number, sources: sources(t),
  }),
  end: (t) => due("GameEnded", ended(t)),
};

/** Choose the seat that begins: the latest avocado, the lot, or the seat named (1.3, 2.3, 2.4). */
function firstPlayer(t: Trio): Next {
  const how = t.options.first_player;
  if (how === "pick" && t.first === null) return due("FirstPlayerChosen", { seat: t.options.first_player_seat, how });
  const latest = [...t.stated].map(({ eatenAt }) => eatenAt).sort().at(-1);
  const among = t.stated.filter(({ eatenAt }) => eatenAt === latest).map(({ seat }) => seat);
  if (among.length === 1) return due("FirstPlayerChosen", { seat: among[0], how: "avocado" });
  if (!among.length && t.first !== null && how !== "random")
    return due("FirstPlayerChosen", { seat: (t.first + 1) % t.seats, how: "left" });
  const seats = among.length ? among : range(t.seats);
  return chance(judgeChance("FirstPlayerChosen", (data) => data.how === "random" && seats.includes(Number(data.seat))));
}

function isDeal(t: Trio, { cards, middle }: Fields): boolean {
  const hands = perSeat<number[]>(cards, t.seats);
  return hands.every((hand) => hand.length === cardsEach(t) && same(hand, sorted(hand)))
    && same(sorted([...hands.flat(), ...middle as number[]]), NUMBERS);
}

const hasBegun = (t: Trio) => t.turnNo > t.earlierTurns;

// --- Swaps --------------------------------------------------------------------------------------

/** Return the teams that may swap: all at first, then those without the new trio, and with cards (6.2). */
function swapping(t: Trio): number[] {
  const newest = t.trios.at(-1)?.team;
  return range(t.teams.length).filter((team) => team !== newest
    && at(t.teams, team).every((seat) => at(t.hands, seat).length > 0));
}

const answering = (t: Trio) => (t.swap?.teams ?? []).flatMap((team) => at(t.teams, team))
  .filter((seat) => !(seat in t.offers)).sort();

function answersSwap(t: Trio): Decision {
  const seats = answering(t);
  const seconds = Number(t.options.swap_seconds);
  const asked = seats.map((seat) => ({ seat, decision: "swap_window", minor: true, ...seconds && { seconds } }));
  return decision(asked, () =>
    seats.flatMap((seat) => [fact("SwapAnswered", { seat, answer: "decline", card: null }),
      ...[...new Set(at(t.hands, seat))].map((card) => fact("SwapAnswered", { seat, answer: "offer", card }))]));
}

/** Return the team whose partners have both answered and whose swap is not settled. */
const unsettled = (t: Trio) => t.swap?.teams.find((team) => !t.swap?.settled.includes(team)
  && at(t.teams, team).every((seat) => seat in t.offers));

function settles(t: Trio): Next {
  const team = unsettled(t) ?? 0;
  const [one = 0, two = 0] = at(t.teams, team);
  const [first, second] = [t.offers[one] ?? null, t.offers[two] ?? null];
  if (first === null || second === null) return due("SwapNotMade", { team });
  const each = (ones: number, twos: number) =>
    forSeats(range(t.seats).map((seat) => (seat === one ? ones : seat === two ? twos : null)));
  return due("SwapMade", { team, gave: each(first, second), got: each(second, first) });
}

// --- A turn -------------------------------------------------------------------------------------

const sources = (t: Trio) => t.faceUp.map(({ source }) => source);

function reveals(t: Trio): Decision {
  const by = t.turn ?? 0;
  const turn_no = t.turnNo + (t.faceUp.length ? 0 : 1);
  return decision([{ seat: by, decision: "revealing" }], () => hidden(t).map(({ source, number }) =>
    fact("CardRevealed", { by, source, nth: t.faceUp.length + 1, turn_no, number: shownToAll(t, number) })));
}

const shownToAll = (t: Trio, number: number) => ({ ...forSeats(range(t.seats).map(() => number)), spectators: number });

/** List what can be revealed: the ends of the hands, and the cards that lie face down (4.1). */
function hidden(t: Trio): Revealed[] {
  const ends = t.hands.flatMap((hand, seat) => (hand.length ? [
    { source: { kind: "hand", seat, end: "lowest" }, number: at(hand, 0) },
    { source: { kind: "hand", seat, end: "highest" }, number: at(hand, hand.length - 1) },
  ] : []));
  return [...ends, ...t.middle.flatMap((number, position) => (number === null || isFaceUp(t, position) ? []
    : [{ source: { kind: "middle", position }, number }]))];
}

const isFaceUp = (t: Trio, position: number) => t.faceUp.some(({ source }) => source.position === position);

/** Connected numbers add up to seven or differ by seven (1.2). */
const areConnected = (a: number, b: number) => a + b === 7 || Math.abs(a - b) === 7;

const triosOf = (t: Trio, seat: number) =>
  t.trios.filter((trio) => sideOf(t, seat).includes(trio.seat)).map(({ number }) => number);

/** Say how a seat has won, if it has (1.1, 10.10). */
function winOf(t: Trio, seat: number): string | null {
  const numbers = triosOf(t, seat);
  if (numbers.includes(7)) return "sevens";
  if (t.options.mode === "simple") return numbers.length >= 3 ? "three_trios" : null;
  return numbers.some((one) => numbers.some((two) => areConnected(one, two))) ? "connected" : null;
}

// --- The end ------------------------------------------------------------------------------------

const lastWinner = (t: Trio) => t.trios.at(-1)?.seat ?? null;

function ended(t: Trio): Fields {
  const trios = range(t.seats).map((seat) => triosOf(t, seat));
  const by = t.stopped?.reason ?? (lastWinner(t) === null ? null : winOf(t, lastWinner(t) ?? 0)) ?? "max_turns";
  const last = t.stopped || by === "max_turns" ? null : lastWinner(t);
  const winner = last === null ? null : Math.min(...sideOf(t, last));
  const isLevel = by === "draw" || by === "abandoned" || by === "max_turns";
  const worth = trios.map(({ length }, seat) => (isLevel ? 0 : worthOf(t, seat, length, winner)));
  const ranking = placesOf(worth);
  const winners = isLevel ? [] : range(t.seats).filter((seat) => ranking[seat] === 1);
  const sides = new Set(winners.map((seat) => Math.min(...sideOf(t, seat))));
  return { winner: sides.size === 1 ? [...sides][0] : null, by, trios, ranking, winners };
}

function worthOf(t: Trio, seat: number, trios: number, winner: number | null): number {
  const side = sideOf(t, seat);
  const resigned = side.map((one) => t.stopped?.resigned.indexOf(one) ?? -1).filter((place) => place >= 0);
  if (resigned.length) return Math.min(...resigned) - 1000;
  return winner !== null && side.includes(winner) ? 1000 : trios;
}

// --- What happens -------------------------------------------------------------------------------

const HAPPENS: Record<string, (t: Trio, data: Fields) => void> = {
  GameStarted: (t) => Object.assign(t, noGame(t.seats), {
    gameNo: t.gameNo + 1, earlierTurns: t.turnNo, step: afterStatement(t),
  }),
  AvocadoStated: (t, { seat, eaten_at }) => {
    t.stated.push({ seat: Number(seat), eatenAt: String(eaten_at) });
    t.brought[Number(seat)] = null;
    t.step = afterStatement(t);
  },
  FirstPlayerChosen: (t, { seat }) => Object.assign(t, { first: seat, turn: seat, step: "hand" }),
  HandStarted: (t) => Object.assign(t, { handNo: t.handNo + 1, step: "deal" }),
  HandDealt: (t, { cards, middle }) => Object.assign(t, {
    hands: perSeat(cards, t.seats), middle, step: t.teams.length ? "window" : "turn",
  }),
  SwapWindowOpened: (t, { reason, teams }) => Object.assign(t, {
    swap: { reason, teams, settled: [], made: [], isOpen: true }, offers: {}, step: "swap",
  }),
  SwapAnswered: (t, { seat, card }) => {
    t.offers[Number(seat)] = card as number | null;
    t.step = unsettled(t) === undefined ? "swap" : "settle";
  },
  SwapMade: (t, { team }) => makeSwap(t, Number(team)),
  SwapNotMade: (t, { team }) => settle(t, Number(team)),
  SwapWindowClosed: (t) => {
    if (t.swap) t.swap.isOpen = false;
    t.step = "turn";
  },
  CardRevealed: reveal,
  RevealsReturned: (t) => {
    for (const { source, number } of t.faceUp)
      if (source.seat !== undefined) t.hands[source.seat] = sorted([...at(t.hands, source.seat), number]);
    endTurn(t);
  },
  TrioCompleted: takeTrio,
  GameEnded: (t, { winners, ranking }) => Object.assign(t, {
    step: "rest", result: { winners, scores: scores(t), places: ranking },
  }),
};

const afterStatement = (t: Trio): Step =>
  (t.options.first_player === "avocado" && t.brought.some(Boolean) ? "avocados" : "first");

function makeSwap(t: Trio, team: number): void {
  const [one = 0, two = 0] = at(t.teams, team);
  const [first = 0, second = 0] = [t.offers[one] ?? 0, t.offers[two] ?? 0];
  t.hands[one] = sorted([...without(at(t.hands, one), [first]), second]);
  t.hands[two] = sorted([...without(at(t.hands, two), [second]), first]);
  if (t.swap) t.swap.made = [...t.swap.made, team].sort();
  settle(t, team);
}

function settle(t: Trio, team: number): void {
  t.swap?.settled.push(team);
  t.step = t.swap?.settled.length === t.swap?.teams.length ? "close" : "swap";
}

function reveal(t: Trio, { source, number, turn_no }: Fields): void {
  const { seat, end } = source as Source;
  if (seat !== undefined) {
    const hand = at(t.hands, seat);
    t.hands[seat] = end === "lowest" ? hand.slice(1) : hand.slice(0, -1);
  }
  t.turnNo = Number(turn_no);
  t.faceUp.push({ source: source as Source, number: Number((number as Fields)[0]) });
  if (t.faceUp.some((one) => one.number !== t.faceUp[0]?.number)) t.step = "return";
  else if (t.faceUp.length === 3) t.step = "trio";
}

function takeTrio(t: Trio, { seat, team, number }: Fields): void {
  for (const { source } of t.faceUp) if (source.position !== undefined) t.middle[source.position] = null;
  t.trios.push({ seat, team, number } as Taken);
  endTurn(t);
  if (winOf(t, Number(seat))) t.step = "end";
  else if (t.step === "turn" && t.teams.length && swapping(t).length) t.step = "window";
}

function endTurn(t: Trio): void {
  t.faceUp = [];
  t.turn = ((t.turn ?? 0) + 1) % t.seats;
  t.step = t.turnNo - t.earlierTurns >= Number(t.options.max_turns) ? "end" : "turn";
}

// --- The clock and the view ---------------------------------------------------------------------

/** Return what the clock reveals: the middle first, then the lowest card of the next seat that has one (3.3). */
function standard(t: Trio, seat: number): Fact {
  if (t.step === "swap") return fact("SwapAnswered", { seat, answer: "decline", card: null });
  const choices = reveals(t).choices();
  const middle = choices.find(({ data }) => (data.source as Source).kind === "middle");
  if (middle) return middle;
  const next = range(t.seats).map((i) => (seat + 1 + i) % t.seats).find((one) => at(t.hands, one).length);
  return at(choices.filter(({ data: { source } }) =>
    (source as Source).seat === next && (source as Source).end === "lowest"), 0);
}

const scores = (t: Trio) => range(t.seats).map((seat) => triosOf(t, seat).length);

function middleSeen(t: Trio): Fields[] {
  return t.middle.map((number, position) => {
    if (isFaceUp(t, position)) return { state: "face_up", number };
    return { state: number === null ? "taken" : "face_down", number: null };
  });
}

function view(t: Trio): Fields {
  const phases: Partial<Record<Step, string>> = { turn: "revealing", swap: "swap_window" };
  const phase = phases[t.step] ?? (t.result ? "game_over" : "dealing");
  const { swap } = t;
  return {
    phase, game_no: t.gameNo, hand_no: t.handNo, turn_no: t.turnNo, turn: t.turn,
    first_player: t.first, hand: [], hands: t.hands.map((hand) => (hand.length ? null : [])),
    hand_counts: t.hands.map(({ length }) => length), middle: middleSeen(t), face_up: t.faceUp, trios: t.trios,
    scores: scores(t), teams: t.teams,
    swap: swap && {
      open: swap.isOpen, reason: swap.reason, teams: swap.teams, made: swap.made,
      answered: Object.keys(t.offers).map(Number).sort(), offered: null, gave: null, got: null,
    },
  };
}

/** Teams of two play with four or six seats, and a seat is picked just if the options say so. */
const fits = (options: Fields, seats: number) => (options.teams !== true || seats === 4 || seats === 6)
  && isPick(options.first_player, options.first_player_seat, seats);

export const referee: Referee<Trio> = {
  version: "1", sides: teamsOf, mostHands: () => 1, fits, begin, next: (t) => STEPS[t.step](t), standard, view,
  startGame: (t) => Object.assign(t, { step: "game", stopped: null, result: null }),
  happen: (t, { type, data }) => HAPPENS[type]?.(t, data),
  bring: (t, { data }) => { t.brought[Number(data.seat)] = String(data.eaten_at); },
  stop: (t, stopped) => Object.assign(t, { stopped, step: "end" }),
  standing: (t) => ({
    inHand: !["rest", "game", "avocados", "first", "hand"].includes(t.step), out: [], result: t.result,
  }),
};
