/**
 * Follows a match with its game's referee: turn order, resignations, draws, takebacks and series. Written from
 * docs/rules.md and docs/proof.md.
 */

import { clockOf, hasCalendar, isClock, spend, timeFor } from "./clock_referee.ts";
import type { Clock } from "./clock_referee.ts";
import { Wrong, get, has, isObject, isText, must, same, whole } from "./deals.mjs";
import { Shut, Unjudged } from "./keys.mjs";
import { hasItsFields } from "./fields_referee.ts";
import type { Tables } from "./fields_referee.ts";
import { LIFE, OF_LIFE } from "./life.mjs";
import * as lobby from "./lobby_referee.ts";
import type { Lobby } from "./lobby_referee.ts";
import { Unfit, at, fact, judgeFact, range } from "./referee_kit.ts";
import { addedAfter } from "./versions.mjs";
import type { Asked, Decision, Fact, Fields, Next, Referee, Result, Stop } from "./referee.ts";

type Event = import("./record.mjs").Event;
type Lifecycle = import("./deals.mjs").Lifecycle;

/** A requested decision: its time and its deadline. */
interface Request { readonly asked: Asked; readonly total: number; readonly deadline: number }
/** The table and clocks before a move: the time left for it, and the requests, bank and period. */
interface Before<State> {
  readonly table: State; readonly left: number | null; readonly requests: readonly (Request | null)[];
  readonly bank: number; readonly moves: number;
}
/** The state before a move that can be taken back. */
interface Undo<State> extends Before<State> { readonly seat: number }

/** The effect of the events of a commit on the takeback that was possible before (rules 1.13.2). */
interface Losing {
  /** Whether a takeback was possible before the commit. */
  had: boolean;
  /** Whether a move that can be taken back was made, anything was done in the game, and a takeback is possible. */
  isNew: boolean; acts: boolean; isKept: boolean;
  /** The type of the automatic event that ends the takeback, until `UndoLost` records it. */
  by: string | null;
  /** The type of the event that ended it. */
  last: string | null;
}
const NOTHING_LOST: Losing = { had: false, isNew: false, acts: false, isKept: false, by: null, last: null };

interface Life<State> {
  readonly referee: Referee<State>; readonly lifecycle: Lifecycle;
  readonly first: Fields; readonly options: Fields; readonly reveal: string; readonly bestOf: number;
  readonly seats: number; readonly sides: number[][];
  /** Whether it is a table of a duplicate group, and whether it stays private until others have ended. */
  readonly isTable: boolean; readonly waitsForOthers: boolean;
  readonly lobby: Lobby; readonly seals: Readonly<Record<string, unknown>>;
  table: State;
  /** What seats bring before the match starts. */
  readonly entries: Map<number, Fact>;
  /** Whether stacks were brought to the table, and whether they have left it. */
  isStaked: boolean; haveLeft: boolean;
  stage: "lobby" | "playing" | "over" | "annulled";
  readonly isPerson: boolean[]; byBot: boolean[];
  now: number; cause: string; carries: boolean;
  clock: Clock; requests: (Request | null)[]; defaults: number[]; hasMoved: boolean;
  hands: number; revealed: number; used: number;
  games: number; wins: number[]; totals: number[]; last: Result | null; isCounted: boolean;
  reason: Stop["reason"] | "stopped" | null; isOver: boolean; isStopping: boolean; tablesOver: boolean;
  /** The seats that resigned for good, in order. */
  resigned: number[];
  offeredBy: number | null; refused: number[];
  /** The seats that have continued since the last hand, and the facts that wait for them. */
  continued: number[] | null; pausesAt: string[]; inHand: boolean; inGame: boolean;
  mover: number | null; before: Before<State> | null; followsAuto: boolean;
  /** The previous event's type, and the type with its choice. */
  lastType: string; lastChoice: string;
  /** The event that ends the events of a command, after the facts of its move. */
  tail: Fact[];
  undo: Undo<State> | null; losing: Losing; asking: number | null; granted: number[];
  /** The decision and time left that return to a seat whose move was taken back. */
  restored: { asked: Asked; left: number } | null;
  queue: Fact[];
}

type Part = Pick<import("./deals.mjs").Known, "lifecycle" | "reveal" | "seals" | keyof Tables>;

function newLife<State>(
  referee: Referee<State>, { lifecycle, reveal, seals }: Part, first: Fields,
): Life<State> {
  const options = first.options as Fields;
  const plans = first.seats as Fields[];
  const seats = plans.length;
  const sides = referee.sides?.(options, seats) ?? [];
  return {
    referee, lifecycle, seals, first, options, reveal: String(options.fairness_reveal ?? reveal), seats,
    lobby: lobby.newLobby(first, clockOf(first.clock as Fields, seats)),
    bestOf: Number((first.series as Fields).best_of), isTable: isObject(first.deal_group),
    waitsForOthers: isObject(first.deal_group) || (isObject(first.tournament) && first.tournament.round === 0),
    sides: sides.length ? sides : range(seats).map((seat) => [seat]),
    table: referee.begin(options, seats), entries: new Map(), isStaked: false, haveLeft: false,
    stage: "lobby", isPerson: plans.map(({ kind }) => kind !== "bot"),
    byBot: plans.map(({ kind }) => kind === "bot"), now: 0, cause: "move", carries: false,
    clock: clockOf(first.clock as Fields, seats), requests: plans.map(() => null), defaults: plans.map(() => 0),
    hasMoved: false, hands: 0, revealed: 0, used: 0, games: 0,
    wins: plans.map(() => 0), totals: plans.map(() => 0), last: null, isCounted: true, reason: null, isOver: false,
    isStopping: false,
    tablesOver: false, resigned: [], offeredBy: null, refused: [], continued: null, pausesAt: [], inHand: false,
    inGame: false, mover: null, before: null, followsAuto: false, lastType: "", lastChoice: "", tail: [],
    losing: { ...NOTHING_LOST }, undo: null, asking: null, granted: [], restored: null, queue: [],
  };
}

const toText = (time: number) => new Date(time).toISOString();
const seatIn = (data: Fields) => (typeof data.by === "number" ? data.by : Number(data.seat));

// --- Results ------------------------------------------------------------------------------------

/**
 * Return the places: resigned seats are last, the first of them behind all others; if a resignation ends the game, its
 * whole side loses (rules 1.9.2).
 */
function placed<S>(l: Life<S>, worth: readonly number[]): number[] {
  const ends = l.options.on_resign === "end";
  const lost = l.sides.filter((side) => ends && side.some((seat) => l.resigned.includes(seat))).flat();
  const order = range(l.seats).map((seat) => [
    l.resigned.includes(seat) ? l.resigned.length - l.resigned.indexOf(seat) : 0, Number(lost.includes(seat)),
    -at(worth, seat),
  ]);
  const isBefore = (a: readonly number[], b: readonly number[]) => {
    const i = a.findIndex((value, n) => value !== b[n]);
    return i >= 0 && at(a, i) < at(b, i);
  };
  return order.map((mine) => 1 + order.filter((other) => isBefore(other, mine)).length);
}
const firsts = (places: readonly number[]) => range(places.length).filter((seat) => places[seat] === 1);

/** Return the single side that won the game, if any. Some games rank resigned seats themselves. */
function winningSide<S>(l: Life<S>, { winners, places }: Result): number[] | null {
  const first = firsts(l.referee.keepsResigned ? places : placed(l, places.map((place) => -place)));
  return (winners.length && l.sides.find((side) => first.every((seat) => side.includes(seat)))) || null;
}

/** Return whether resignations have ended the match: not if a bot or others play on. */
function isGivenUp<S>(l: Life<S>): boolean {
  if (l.referee.keepsResigned) return l.resigned.length >= l.seats - 1;
  return l.resigned.length > 0 && (l.seats === 2 || l.options.on_resign === "end");
}

/** Return whether one side has won the series (rules 1.10). */
function hasWinner<S>(l: Life<S>): boolean {
  const most = Math.max(...l.wins);
  if (l.referee.isOneGame || most === 0 || (l.reason === "draw" && l.bestOf === 1)) return false;
  const best = range(l.seats).filter((seat) => l.wins[seat] === most);
  return 2 * most > l.bestOf || l.sides.some((side) => best.every((seat) => side.includes(seat)));
}

/** Return the result: places by the game if there was one, otherwise by wins, then by total scores (rules 1.10.2). */
function result<S>(l: Life<S>): Fields {
  const sign = l.referee.lowScoreWins ? -1 : 1;
  const ofGame = l.last?.places ?? l.wins.map(() => 1);
  const most = Math.max(...l.wins);
  const ofSeries = l.wins.map((wins, seat) => (wins === most ? 1e15 : wins * 1e9 + sign * at(l.totals, seat)));
  const isByGame = l.games === 1 && l.referee.keepsResigned && !l.resigned.some((seat) => ofGame[seat] === 1);
  const places = isByGame ? ofGame : placed(l, l.games === 1 ? ofGame.map((place) => -place) : ofSeries);
  return {
    winners: hasWinner(l) || isGivenUp(l) ? firsts(places) : [], places, wins: l.wins,
    scores: l.last?.scores ?? l.wins.map(() => 0),
  };
}

/** Return why the match ends: by resignation, or as its last game did (rules 1.10.4). */
const reasonOf = <S>(l: Life<S>): string =>
  (isGivenUp(l) && !isWithoutResult(l) ? "resignation" : l.reason ?? "played");

/** Return whether the match ends without a result: abandoned, or stopped by the operator. */
const isWithoutResult = <S>(l: Life<S>): boolean => l.reason === "abandoned" || l.reason === "stopped";

/** Return whether the match is decided (rules 1.10). */
function isDecided<S>(l: Life<S>): boolean {
  if (l.reason === "stopped" && !l.inGame) return true;
  if (!l.isCounted || l.games === 0) return l.isOver && l.isCounted;
  if (l.isOver || l.referee.isOneGame || l.isStaked || (l.reason === "draw" && l.bestOf === 1)) return true;
  return 2 * Math.max(...l.wins) > l.bestOf || l.games >= 3 * l.bestOf;
}

// --- What is due --------------------------------------------------------------------------------

const due = (type: string, data: Fields): Next => ({ kind: "due", fact: fact(type, data) });
/** Return a due fact whose contents other checks compare. */
const someFact = (type: string, holds: (data: Fields) => boolean): Next => ({
  kind: "chance", judge: (given) => (given.type === type && holds(given.data) ? null : `${type} must come here.`),
});

function nextOf<S>(l: Life<S>): Next {
  const [queued] = l.queue;
  if (queued) return { kind: "due", fact: queued };
  const { inHand, result: ended } = l.referee.standing(l.table);
  const [last] = l.tail;
  if (last && !isOfMove(l, l.referee.next(l.table))) return { kind: "due", fact: last };
  if (l.isStopping) return l.referee.next(l.table);
  if (ended && !l.isCounted)
    return due("GameWon", { winner: winningSide(l, ended)?.[0] ?? null, scores: ended.scores });
  if (l.asking !== null && hasAgreed(l)) return someFact("MoveTakenBack", (data) => data.seat === l.asking);
  if (isRevealDue(l, inHand)) return someFact("SeedRevealed", (data) => data.hand_no === l.revealed + 1);
  if (isDecided(l) && l.isStaked && !l.haveLeft && !isWithoutResult(l))
    return due("StacksLeft", { stacks: l.referee.leaving?.(l.table) ?? [] });
  if (isDecided(l))
    return due("MatchEnded", { reason: reasonOf(l), result: isWithoutResult(l) ? null : result(l) });
  return withRequests(l, withEpoch(l, withPause(l, gameNext(l))));
}

/** Return whether a fact belongs to the move before it, rather than following automatically. */
function isOfMove<S>(l: Life<S>, next: Next): boolean {
  if (l.followsAuto || next.kind !== "due") return false;
  return l.isStopping ? !isWithoutResult(l)
    : l.referee.ofMove?.[next.fact.type]?.some((one) => one === l.lastType || one === l.lastChoice) === true;
}

const inPlay = <S>(l: Life<S>) => {
  const { out } = l.referee.standing(l.table);
  return range(l.seats).filter((seat) => l.isPerson[seat] && !l.byBot[seat] && !l.resigned.includes(seat)
    && !out.includes(seat));
};

/** Insert what a hand's first draw waits for: an epoch's links and its nonces (rules 1.6.4). */
function withEpoch<S>(l: Life<S>, next: Next): Next {
  const { gameStarts, handStarts } = l.lifecycle;
  // Without entries, a game starts with its first draw.
  const first = l.referee.bring ? [handStarts] : [gameStarts, handStarts];
  const begins = next.kind === "chance" || (next.kind === "due" && first.includes(next.fact.type));
  if (l.inHand || !begins) return next;
  if (l.used + 1 > l.lobby.links - Number(l.lobby.isOfTournament))
    return someFact("FairnessCommitted", (data) => isNextEpoch(l, data));
  const due = lobby.epochDue(l.lobby, inPlay(l), l.now);
  if (due === "wait") return { kind: "decision", asked: [], judge: () =>
    "The match is waiting for nonces.", choices: () => [] };
  return due ? { kind: "due", fact: due } : next;
}

const MOST_LINKS = 65_536;
const USUAL_LINKS = 4096;
/** Return the number of links of an epoch: one for each hand that the options allow, if they limit them. */
function linksOf<S>(l: Life<S>): number {
  const { known, links } = l.lobby;
  if (links) return links;
  if (known) return Number((known.deals as Fields).links);
  const hands = l.referee.mostHands?.(l.options, l.seats) ?? null;
  return hands === null ? USUAL_LINKS : Math.min(hands * 3 * l.bestOf, MOST_LINKS);
}
const isNextEpoch = <S>(l: Life<S>, { epoch, links, scheme }: Fields) =>
  scheme === "ct1" && epoch === l.lobby.epoch + 1 && links === linksOf(l);

function isRevealDue<S>(l: Life<S>, inHand: boolean): boolean {
  if (l.reveal === "never" || l.revealed >= l.hands || !l.isCounted) return false;
  if (l.waitsForOthers && !l.tablesOver) return false;
  if (l.reveal === "match_end") return isDecided(l);
  return l.reveal === "hand_end" ? !inHand : l.referee.standing(l.table).result !== null;
}

function gameNext<S>(l: Life<S>): Next {
  const next = l.referee.next(l.table);
  if (next.kind !== "rest") return next;
  l.referee.startGame(l.table);
  return l.referee.next(l.table);
}

/**
 * Insert the pause before a hand: all people still playing must continue, if the match pauses (rules 1.5.3). Chance
 * draws at the start of a game come before players who were out of the last one continue.
 */
function withPause<S>(l: Life<S>, next: Next): Next {
  const { continued } = l;
  const isBegun = l.pausesAt.includes(l.lifecycle.gameStarts) && l.lastType === l.lifecycle.gameStarts;
  const isBefore = (next.kind === "chance" && !isBegun)
    || (next.kind === "due" && (next.beginsHand === true || l.pausesAt.includes(next.fact.type)));
  if (!continued || l.inHand || !isBefore) return next;
  const out = l.referee.standing(l.table).out;
  const asked = range(l.seats).filter((seat) => !l.byBot[seat] && !continued.includes(seat) && !out.includes(seat))
    .map((seat) => ({ seat, decision: "continue", minor: true }));
  const meanwhile = next.kind === "due" ? next.meanwhile : undefined;
  return asked.length ? { kind: "decision", asked, choices: () => [],
    judge: meanwhile ?? (() => "The hand has not begun."),
  } : next;
}

/** Insert the request: with a clock, each decision of a person is requested once (rules 1.8). */
function withRequests<S>(l: Life<S>, next: Next): Next {
  if (next.kind !== "decision" || !(l.clock.isOn || next.asked.some(({ seconds }) => seconds))) return next;
  const asked = l.restored?.asked ?? next.asked.find(({ seat }) => !l.byBot[seat] && !l.requests[seat]);
  if (!asked) return next;
  return due("DecisionRequested", {
    seat: asked.seat, decision: asked.decision, opened: toText(l.now),
    deadline: toText(l.now + (l.restored?.left ?? timeFor(l.clock, asked))),
  });
}

// --- Facts of the game --------------------------------------------------------------------------

function takeOfGame<S>(l: Life<S>, event: Event, given: Fact): void {
  const { type, seq } = event;
  if (l.stage === "lobby" && l.referee.bring) {
    lobby.bring(l.lobby, event, given.data.seat);
    must(l.referee.mayBring?.(l.options, given) !== false, seq, "The rules do not allow what the seat brings.");
    l.entries.set(Number(given.data.seat), given);
    return;
  }
  must(l.stage === "playing", seq, `${type} is possible only while the match is being played.`);
  must((given.data.seat ?? null) === null || whole(given.data.seat, l.seats), seq, "There is no such seat.");
  const next = nextOf(l);
  const wrong = judgeFact(next, given, l.referee.open);
  must(wrong === null, seq, wrong ?? "");
  if (next.kind === "decision") decide(l, event, given, next);
  else follow(l, event, given);
}

/** Apply a seat's decision, which begins a commit and uses its time. */
function decide<S>(l: Life<S>, event: Event, given: Fact, { asked }: Decision): void {
  const seat = seatIn(given.data);
  begins(l, event);
  must(event.cause === (l.byBot[seat] ? "bot" : "move"), event.seq,
    "The cause of a move must be `move`, or `bot` if a bot plays for the seat.");
  const isAnswer = l.referee.offTurn?.includes(given.type) !== true;
  Object.assign(l, { mover: seat, asking: null });
  if (!l.byBot[seat] && isAnswer) l.defaults[seat] = 0;
  l.hasMoved ||= !l.byBot[seat] && isAnswer;
  if (l.options.take_backs === true) l.before = beforeMove(l, seat);
  happen(l, given);
  if (l.before && !l.byBot[seat] && l.referee.takesBack?.includes(given.type))
    l.tail.push(fact("UndoKept", { seat, left: l.before.left }));
  if (isAnswer) answerRequest(l, seat, asked.some((one) => one.seat === seat), l.tail);
  if (l.options.standing_orders === true && !l.byBot[seat]) l.tail.push(fact("CauseSealed", { seat }));
}

function beforeMove<S>(l: Life<S>, seat: number): Before<S> {
  const request = l.requests[seat];
  return {
    table: structuredClone(l.table), left: request ? Math.max(0, request.deadline - l.now) : null,
    requests: [...l.requests], bank: at(l.clock.left, seat), moves: at(l.clock.moves, seat),
  };
}

/**
 * Close a request that a seat has answered, and charge its clock. The time is that of the request, even if another seat
 * has since changed the phase.
 */
function answerRequest<S>(l: Life<S>, seat: number, isAsked: boolean, facts: Fact[]): void {
  const request = l.requests[seat];
  if (!request || !isAsked) return;
  l.requests[seat] = null;
  spendTime(l, seat, request.asked, Math.max(0, request.total - Math.max(0, request.deadline - l.now)), facts);
}

function spendTime<S>(l: Life<S>, seat: number, asked: Asked, used: number, facts: Fact[]): void {
  if (!l.clock.isOn) return;
  const { left, moves } = spend(l.clock, asked, used);
  if (left === l.clock.left[seat] && moves === l.clock.moves[seat]) return;
  l.clock.left[seat] = left;
  l.clock.moves[seat] = moves;
  facts.push(fact("BankSpent", { seat, left, moves }));
}

/** Apply a consequence, which belongs to the commit of the decision before it. */
function follow<S>(l: Life<S>, event: Event, given: Fact): void {
  const { seq, commit, cause } = event;
  must(commit !== seq, seq, `${given.type} must belong to the commit before it.`);
  const isQueued = l.queue[0]?.type === given.type;
  must(cause === (isQueued || isOfMove(l, l.referee.next(l.table)) ? l.cause : "auto"), seq,
    `${event.type} has the wrong cause.`);
  if (isQueued) l.queue.shift();
  if (!isQueued || l.inGame) happen(l, given);
}

function happen<S>(l: Life<S>, given: Fact): void {
  const { gameStarts, handStarts } = l.lifecycle;
  const before = l.referee.standing(l.table);
  l.referee.happen(l.table, given);
  const after = l.referee.standing(l.table);
  if (given.type === gameStarts) Object.assign(l, { refused: [], offeredBy: null, reason: null, inGame: true });
  if (given.type === handStarts) Object.assign(l, { continued: null, pausesAt: [] });
  if (given.type === handStarts) Object.assign(l, { hands: l.hands + 1, used: l.used + 1, inHand: true });
  if ((l.inHand && !after.inHand) || (!before.result && after.result)) l.requests = l.requests.map(() => null);
  if (l.inHand && !after.inHand) endHand(l, after.result !== null && !l.isStopping);
  if (after.result && !before.result && l.referee.keepsResigned && given.data.reason === "resignation")
    l.reason = "resignation";
  if (!before.result && after.result) Object.assign(l, { isCounted: false, isStopping: false });
}

/** End a hand. If the game ended it, the pause comes after the next game has begun. */
function endHand<S>(l: Life<S>, withGame: boolean): void {
  const { gameStarts, handStarts } = l.lifecycle;
  l.inHand = false;
  if (l.options.pause_between_hands !== true || l.referee.neverPauses) return;
  Object.assign(l, { continued: [], pausesAt: withGame ? [handStarts] : [gameStarts, handStarts] });
}

const begins = <S>(l: Life<S>, { seq, commit, type }: Event) =>
  must(commit === seq || l.carries, seq, `${type} must begin a commit.`);

// --- Facts of the match -------------------------------------------------------------------------

type Handler = <S>(l: Life<S>, event: Event, data: Fields) => void;

/** Check that a command comes while nothing is due. */
function waits<S>(l: Life<S>, event: Event): void {
  must(l.stage === "playing", event.seq, `${event.type} comes while nobody plays.`);
  const next = nextOf(l);
  const what = next.kind === "due" ? next.fact.type : "Another event";
  must(next.kind === "decision", event.seq, `${what} is due here.`);
  begins(l, event);
}

/** Check that an event is the one due by the match itself. */
const isDue: Handler = (l, event, data) => {
  const wrong = l.stage === "playing" ? judgeFact(nextOf(l), fact(event.type, data)) : `${event.type} cannot be here.`;
  must(wrong === null, event.seq, wrong ?? "");
  must(event.commit !== event.seq, event.seq, `${event.type} belongs to the commit before it.`);
  const isOfCommand = l.queue.length > 0 || l.tail[0]?.type === event.type;
  must(event.cause === (isOfCommand ? l.cause : "auto"), event.seq, `${event.type} has the wrong cause.`);
  if (l.queue.length) l.queue.shift();
  else if (isOfCommand) l.tail.shift();
};

const isPlayer = <S>(l: Life<S>, event: Event, seat: number) =>
  must(whole(seat, l.seats) && l.isPerson[seat] && !l.resigned.includes(seat), event.seq,
    "The seat has no player, or its player has resigned.");
const inLobby = <S>(l: Life<S>, event: Event) =>
  must(l.stage === "lobby", event.seq, `${event.type} is possible only before the start.`);

/** End the game early: its last fact is due next. */
function stop<S>(l: Life<S>, reason: Stop["reason"], resigned: readonly number[]): void {
  Object.assign(l, { reason, isStopping: true, requests: l.requests.map(() => null) });
  l.referee.stop(l.table, { reason, resigned });
}

function resign<S>(l: Life<S>, seat: number, isWhole: boolean): void {
  const isBetween = !l.inGame;
  l.asking = null;
  if (l.referee.keepsResigned && isBetween) return withdraw(l, seat);
  if (l.referee.keepsResigned) {
    if (isWhole) l.resigned.push(seat);
    l.referee.resign?.(l.table, seat);
    return;
  }
  const ends = l.seats === 2 || l.options.on_resign === "end";
  if (!ends) {
    l.resigned.push(seat);
    l.referee.resign?.(l.table, seat);
    l.queue.push(fact("SeatHandedToBot", { seat }));
    return;
  }
  if (isWhole || isBetween || l.seats > 2) Object.assign(l, { isOver: true, resigned: [...l.resigned, seat] });
  l.reason = "resignation";
  if (!isBetween) stop(l, "resignation", l.seats > 2 ? l.resigned : [seat]);
}

/** Withdraw a seat between two games, if the game ranks resigned seats; of more than two, the others play on. */
function withdraw<S>(l: Life<S>, seat: number): void {
  l.resigned.push(seat);
  l.isOver = l.resigned.length >= l.seats - 1;
  if (!l.isOver) l.referee.resign?.(l.table, seat);
  l.queue.push(fact("PlayerWithdrawn", { seat }));
}

const expire: Handler = (l, event, { seat, decision, defaults }) => {
  const next = l.stage === "playing" ? nextOf(l) : null;
  const asked = next?.kind === "decision" ? next.asked.find((one) => one.seat === seat) : undefined;
  const request = whole(seat, l.seats) ? l.requests[seat] : null;
  must(request && asked && asked.decision === decision, event.seq, "The seat has no such decision to make.");
  must(event.commit === event.seq && event.cause === "timeout", event.seq, "A clock does this.");
  const end = request.deadline + 1000 * Number(l.clock.options.grace_seconds);
  must(l.now >= end, event.seq, "The deadline of the decision has not passed.");
  const its = Number(seat);
  if (!(l.clock.isOn && asked.seconds)) l.defaults[its] = at(l.defaults, its) + 1;
  must(defaults === l.defaults[its], event.seq, "`defaults` is not the number of the seat's expired decisions.");
  Object.assign(l, { asking: null, mover: null });
  l.requests[its] = null;
  spendTime(l, its, request.asked, request.total, l.queue);
  afterExpiry(l, asked);
};

/** Apply `on_expiry`: the default move, a bot, or resignation (rules 1.8). */
function afterExpiry<S>(l: Life<S>, { seat, decision, seconds }: Asked): void {
  const how = seconds ? "default_action" : l.clock.options.on_expiry;
  const isTooMany = l.clock.isOn && !seconds && at(l.defaults, seat) >= Number(l.clock.options.max_defaults);
  if (how === "forfeit") l.queue.push(fact("SeatResigned", { seat, whole_match: l.seats > 2 || !l.inGame }));
  if (how === "bot" || (how === "default_action" && isTooMany)) l.queue.push(fact("SeatHandedToBot", { seat }));
  if (how !== "default_action") return;
  l.queue.push(decision === "continue" ? fact("HandContinued", { seat }) : l.referee.standard(l.table, seat));
}

/** Abandon the match if no person has ever moved and bots play for all of them (rules 1.9.5). */
function abandonIfAlone<S>(l: Life<S>): void {
  const persons = range(l.seats).filter((seat) => l.isPerson[seat]);
  const isAlone = persons.length > 0 && !l.hasMoved && !l.queue.length && persons.every((seat) =>
    l.byBot[seat] && at(l.defaults, seat) >= Number(l.clock.options.max_defaults));
  if (!isAlone || l.reason === "abandoned" || l.cause !== "timeout") return;
  l.isOver = true;
  stop(l, "abandoned", []);
}

/** Check that an event is the one due in the lobby. */
const isDueInLobby: Handler = (l, event, data) => {
  const due = lobby.lobbyDue(l.lobby, l.now);
  const wrong = due ? judgeFact({ kind: "due", fact: due }, fact(event.type, data)) : `${event.type} cannot be here.`;
  must(wrong === null && event.commit !== event.seq && event.cause === "auto", event.seq,
    wrong ?? `${event.type} has the wrong cause.`);
};

const HANDLERS: Record<string, Handler> = {
  FairnessCommitted: (l, event, data) => {
    if (event.seq === 2) must(event.commit === 1 && isNextEpoch(l, data), 2,
      "A match must begin its first epoch directly after MatchCreated.");
    else isDue(l, event, data);
    lobby.beginEpoch(l.lobby, data);
    l.used = 0;
  },
  StacksArrived: (l, event, { stakes }) => {
    must(event.seq === 3 && event.commit === 1 && event.cause === "auto" && isObject(l.first.tournament), event.seq,
      "StacksArrived must be the third event of a tournament's match.");
    const why = isObject(stakes) && l.referee.stake ? l.referee.stake(l.table, stakes) :
      "This match takes no stacks from its tournament.";
    must(why === null, event.seq, why ?? "");
    l.isStaked = true;
  },
  SeatTaken: (l, event, data) => {
    inLobby(l, event);
    lobby.takeSeat(l.lobby, event, data);
  },
  KeyProved: (l, event, { seat }) => {
    inLobby(l, event);
    lobby.sit(l.lobby, event, "KeyProved", Number(seat));
  },
  SeatLeft: (l, event, data) => {
    inLobby(l, event);
    lobby.leaveSeat(l.lobby, event, data);
    l.entries.delete(Number(data.seat));
  },
  NonceCommitted: (l, event, data) => lobby.promise(l.lobby, event, data),
  NoncesAwaited: (l, event, data) => {
    if (event.commit === event.seq) return lobby.postpone(l.lobby, event, l.now, data);
    if (l.stage === "lobby") isDueInLobby(l, event, data);
    else isDue(l, event, data);
    lobby.awaitNonces(l.lobby, data);
  },
  NoncesClosed: (l, event, data) => {
    if (event.commit === event.seq) return lobby.closeByTime(l.lobby, event, l.now, data);
    isDue(l, event, data);
    lobby.closeStage(l.lobby, "nonces");
  },
  NonceSubmitted: (l, event, data) => lobby.submit(l.lobby, event, data),
  CommitmentsShared: (l, event, data) => {
    inLobby(l, event);
    lobby.shareHashes(l.lobby, event, data);
  },
  DealsShared: (l, event, data) => {
    inLobby(l, event);
    lobby.shareNonces(l.lobby, event, data);
  },
  CommitmentsAborted: (l, event, { seats }) => {
    inLobby(l, event);
    const promised = range(l.seats).filter((seat) => l.lobby.hashes[seat] !== null);
    must(event.commit === event.seq && event.cause === "move", event.seq,
      "A player must cancel the match, in its own commit.");
    must(promised.length > 0 && same(seats, promised), event.seq,
      "`seats` must be the seats that have promised nonces.");
  },
  MatchStarted: (l, event, data) => {
    inLobby(l, event);
    isDueInLobby(l, event, data);
    l.stage = "playing";
    for (const entry of l.entries.values()) l.referee.bring?.(l.table, entry);
    Object.assign(l.lobby, { stage: "nonces_closed", until: null });
  },
  AllTablesOver: (l, event) => {
    const isOpen = l.stage === "playing" && l.waitsForOthers && !l.tablesOver && (isDecided(l) || !l.isTable);
    must(isOpen && event.commit === event.seq && event.cause === "auto", event.seq,
      "AllTablesOver is not possible here.");
    l.tablesOver = true;
  },
  SeedRevealed: (l, event, data) => {
    isDue(l, event, data);
    l.revealed += 1;
  },
  DecisionRequested: (l, event, data) => {
    isDue(l, event, data);
    const next = withPause(l, gameNext(l));
    const asked = l.restored?.asked
      ?? (next.kind === "decision" ? next.asked.find(({ seat }) => seat === data.seat) : undefined);
    if (!asked) return;
    const deadline = Date.parse(String(data.deadline));
    l.requests[asked.seat] = { asked, total: timeFor(l.clock, asked), deadline };
    l.restored = null;
  },
  DecisionTimedOut: expire,
  ClockCredited: (l, event, { seat, seconds, deadline, why }) => {
    const request = whole(seat, l.seats) ? l.requests[seat] : null;
    must(request && event.commit === event.seq && event.cause === "timeout", event.seq, "The seat has no deadline.");
    must(whole(seconds, 2 ** 53) && seconds > 0 && ["outage", "vacation"].some((one) => one === why), event.seq,
      "A deadline must be extended by a number of seconds, for an outage or a vacation.");
    const later = request.deadline + 1000 * Number(seconds);
    must(deadline === toText(later), event.seq, "The new deadline does not follow from the extension.");
    l.requests[Number(seat)] = { ...request, deadline: later };
  },
  BankSpent: isDue,
  UndoKept: (l, event, data) => {
    isDue(l, event, data);
    must(l.before, event.seq, "There is no such move to take back.");
    l.undo = { ...l.before, seat: Number(data.seat) };
    Object.assign(l, { granted: [], asking: null });
  },
  UndoLost: (l, event) => {
    must(l.options.take_backs === true && isUndoLost(l, event), event.seq, "UndoLost is not possible here.");
    Object.assign(l, { undo: null, asking: null });
  },
  CauseSealed: (l, event, data) => {
    const seat = Number(data.seat);
    const cause = get(event.parts, "true_cause")?.[seat];
    const ordered = cause === "order" && l.lobby.keys[seat] === null;
    must(cause === "move" || ordered, event.seq,
      "The sealed cause must be `move`, or `order` for a seat without a key.");
    isDue(l, event, data);
  },
  MoveSigned: (l, event) => {
    const { seq, commit, cause } = event;
    must(l.stage === "playing" && commit === seq && cause === "move", seq,
      "A signed move must begin a commit of the play.");
  },
  StacksLeft: (l, event, data) => {
    isDue(l, event, data);
    l.haveLeft = true;
  },
  SeatResigned: (l, event, data) => {
    const seat = Number(data.seat);
    const isForced = l.queue.length > 0;
    if (isForced) isDue(l, event, data);
    else waits(l, event);
    isPlayer(l, event, seat);
    must(isForced || (event.cause === "move" && !l.resigned.includes(seat)), event.seq,
      "Only a player who is still in the match may resign.");
    must(typeof data.whole_match === "boolean" && (data.whole_match || (l.seats === 2 && l.inGame)), event.seq,
      "Only a match of two players allows resigning one game.");
    resign(l, seat, data.whole_match === true);
  },
  SeatHandedToBot: (l, event, data) => {
    isDue(l, event, data);
    l.byBot[Number(data.seat)] = true;
    l.requests[Number(data.seat)] = null;
  },
  SeatTakenBack: (l, event, { seat }) => {
    waits(l, event);
    must(event.cause === "move", event.seq, "A player must cause this event.");
    must(whole(seat, l.seats) && l.isPerson[seat] && l.byBot[seat] && !l.resigned.includes(seat), event.seq,
      "No bot plays for this seat.");
    l.byBot[seat] = false;
    l.defaults[seat] = 0;
  },
  DrawOffered: (l, event, { seat }) => {
    waits(l, event);
    isPlayer(l, event, Number(seat));
    const isFirst = l.offeredBy === null && !l.refused.includes(Number(seat));
    must(l.seats === 2 && l.inGame && !l.isStaked && isFirst, event.seq, "This seat cannot offer a draw.");
    l.offeredBy = Number(seat);
  },
  DrawAccepted: (l, event, { seat }) => {
    answersOffer(l, event, seat);
    stop(l, "draw", []);
  },
  DrawDeclined: (l, event, { seat }) => {
    answersOffer(l, event, seat);
    l.refused.push(1 - Number(seat));
  },
  TakeBackRequested: (l, event, { seat }) => {
    waits(l, event);
    must(l.undo && seat === l.undo.seat && l.asking === null && !l.defaults[l.undo.seat], event.seq,
      "This seat has no move to take back.");
    Object.assign(l, { granted: [], asking: seat });
  },
  TakeBackGranted: (l, event, { seat }) => {
    waits(l, event);
    isPlayer(l, event, Number(seat));
    must(!l.byBot[Number(seat)], event.seq, "A bot plays for this seat, so its player cannot answer.");
    must(l.asking !== null && seat !== l.asking && !l.granted.includes(Number(seat)), event.seq,
      "No player has requested a takeback.");
    l.granted.push(Number(seat));
  },
  TakeBackRefused: (l, event, { seat }) => {
    waits(l, event);
    isPlayer(l, event, Number(seat));
    must(!l.byBot[Number(seat)], event.seq, "A bot plays for this seat, so its player cannot answer.");
    must(l.asking !== null && seat !== l.asking && !l.granted.includes(Number(seat)), event.seq,
      "No player has requested a takeback.");
    Object.assign(l, { asking: null, undo: null });
  },
  MoveTakenBack: (l, event, { seat, deadlines }) => {
    must(l.undo && l.asking === seat && l.undo.seat === seat && hasAgreed(l), event.seq,
      "The takeback was not requested, or not allowed by all players.");
    must(event.cause === "auto" && event.commit !== event.seq, event.seq,
      "MoveTakenBack must follow the last consent in the same commit.");
    const { table, left, requests, bank, moves } = l.undo;
    l.requests = l.requests.map((request, one) => (one === seat || !requests[one] ? null : request));
    const stay = l.requests.map((request) => (request ? toText(request.deadline) : null));
    must(same(deadlines, stay), event.seq, "`deadlines` must be those of the decisions that stay open.");
    l.clock.left[l.undo.seat] = bank;
    l.clock.moves[l.undo.seat] = moves;
    const asked = requests[l.undo.seat]?.asked;
    Object.assign(l, { table, asking: null, mover: null, granted: [], undo: null,
      restored: asked && left !== null ? { asked, left } : null });
  },
  HandContinued: (l, event, { seat }) => {
    if (l.queue.length) isDue(l, event, { seat });
    else {
      waits(l, event);
      isPlayer(l, event, Number(seat));
      must(event.cause === "move" && !l.byBot[Number(seat)], event.seq, "A player must continue, not a bot.");
    }
    const isOut = l.referee.standing(l.table).out.includes(Number(seat));
    must(l.continued && !isOut && !l.continued.includes(Number(seat)), event.seq,
      "The next hand does not wait for this seat.");
    l.continued.push(Number(seat));
    l.hasMoved ||= event.cause === "move";
    if (event.cause === "move") l.defaults[Number(seat)] = 0;
    if (event.cause === "move")
      answerRequest(l, Number(seat), true, l.queue);
  },
  GameWon: (l, event, data) => {
    const ended = l.referee.standing(l.table).result;
    isDue(l, event, data);
    if (ended) countGame(l, ended);
  },
  MatchEnded: (l, event, data) => {
    if (l.stage === "lobby") endLobby(l, event, data);
    else {
      must(event.cause === "auto", event.seq, `${event.type} has the wrong cause.`);
      isDue(l, event, data);
    }
    l.stage = "over";
  },
  MatchStopped: (l, event, { reason }) => {
    must(l.stage === "playing" && !l.isTable && !isObject(l.first.tournament) && l.reason !== "stopped", event.seq,
      "This match cannot be stopped now.");
    must(event.commit === event.seq && isText(reason), event.seq,
      "MatchStopped must begin a commit and have a reason.");
    Object.assign(l, { asking: null, isOver: true });
    if (l.inGame) stop(l, "abandoned", []);
    l.reason = "stopped";
  },
  MatchAnnulled: (l, event, { reason }) => {
    must(l.stage === "over" && !isWithoutResult(l) && l.games > 0 && isText(reason), event.seq,
      "The match has no result.");
    must(event.commit === event.seq, event.seq, "MatchAnnulled must begin a commit.");
    l.stage = "annulled";
  },
};

/** Check the end of a lobby: it was cancelled, or open for too long. */
function endLobby<S>(l: Life<S>, event: Event, { reason, result: none }: Fields): void {
  const { seq, commit, cause } = event;
  const isAborted = l.lobby.hashes.some((hash) => hash !== null);
  const isCancelled = reason === "cancelled" && cause === "move"
    && (isAborted ? l.lastType === "CommitmentsAborted" && commit === seq - 1 : commit === seq);
  const isExpired = reason === "expired" && cause === "timeout" && commit === seq;
  must(none === null && (isCancelled || isExpired), seq, "This end is possible only before the start.");
}

/** The cause of facts that always have the same one. */
const CAUSE_OF: Record<string, string> = {
  FairnessCommitted: "auto", MatchStarted: "auto", SeedRevealed: "auto", DecisionRequested: "auto", GameWon: "auto",
  DrawOffered: "move", DrawAccepted: "move", DrawDeclined: "move", TakeBackRequested: "move", TakeBackGranted: "move",
  TakeBackRefused: "move", MatchStopped: "operator", MatchAnnulled: "operator",
};

/** Apply a fact of the match; a seat it names must exist. */
function takeOfLife<S>(l: Life<S>, event: Event): void {
  const { type, data, seq } = event;
  must(!has(data, "seat") || whole(data.seat, l.seats), seq, "There is no such seat.");
  must(CAUSE_OF[type] === undefined || event.cause === CAUSE_OF[type], seq, `${event.type} has the wrong cause.`);
  const handler = HANDLERS[type];
  must(handler, seq, `${type} cannot be here.`);
  handler(l, event, data);
}

// --- The end of takebacks -------------------------------------------------------------------------

/** Match event types that end a takeback. */
const ENDS_UNDO = ["SeatResigned", "SeatHandedToBot", "MatchStopped"];

/** Return whether a command's events end the possible takeback, or are a move that no player made. */
const isLostByCommand = ({ had, isNew, acts, isKept }: Losing) => (isNew || (had && acts)) && !isKept;

/** Note how an event affects a takeback. Automatic events end it if they show, answer or end something. */
function noteLosing<S>(l: Life<S>, { type, cause }: Event, wasInHand: boolean): void {
  const { losing } = l;
  const isOfGame = !OF_LIFE.has(type);
  const isMove = l.referee.takesBack?.includes(type) === true;
  if (cause !== "auto") {
    losing.isNew ||= isMove;
    losing.acts ||= isOfGame || ENDS_UNDO.includes(type);
    losing.isKept ||= type === "UndoKept";
    return;
  }
  const ends = isOfGame && (has(l.seals, type) || (wasInHand && !l.inHand) || !l.inGame || type === endOf(l));
  if ((l.undo && (ends || type === "SeedRevealed")) || isMove) losing.by = type;
}
const endOf = <S>(l: Life<S>) => l.lifecycle.gameEnds;

/** Return whether `UndoLost` is due: at the end of a command, or after the automatic events that end the takeback. */
function isUndoLost<S>(l: Life<S>, { cause, seq, commit }: Event): boolean {
  const { losing } = l;
  if (cause === "auto" ? losing.by === null : seq === commit || !isLostByCommand(losing) || losing.last !== null)
    return false;
  Object.assign(losing, { last: losing.by ?? "UndoLost", by: null });
  return true;
}

/** Check before each event that no `UndoLost` is missing. */
type Place = Pick<Event, "type" | "cause" | "seq" | "commit">;
function checkLosing<S>(l: Life<S>, { type, cause, seq, commit }: Place): void {
  const { losing } = l;
  if (l.options.take_backs !== true || type === "UndoLost") return;
  const isNext = seq === commit || cause === "auto";
  must(losing.by === null || (losing.by === type && seq !== commit), seq, "UndoLost must come before this.");
  must(l.lastType !== "UndoLost" || losing.last !== type || seq === commit, seq, "UndoLost comes too early.");
  must(!isNext || l.followsAuto || losing.last !== null || !isLostByCommand(losing), seq,
    "UndoLost must come before this.");
  must(isNext || losing.last === null, seq, "UndoLost comes too early.");
  if (seq === commit) l.losing = { ...NOTHING_LOST, had: l.undo !== null };
}

const answersOffer = <S>(l: Life<S>, event: Event, seat: unknown) => {
  waits(l, event);
  must(l.offeredBy !== null && seat === 1 - l.offeredBy, event.seq, "No draw was offered to this seat.");
  l.offeredBy = null;
};

const hasAgreed = <S>(l: Life<S>) => range(l.seats).every((seat) =>
  seat === l.undo?.seat || l.byBot[seat] || l.granted.includes(seat));

function countGame<S>(l: Life<S>, ended: Result): void {
  const side = winningSide(l, ended) ?? [];
  l.wins = l.wins.map((wins, seat) => wins + (side.includes(seat) ? 1 : 0));
  l.totals = l.totals.map((total, seat) => total + at(ended.scores, seat));
  Object.assign(l, { games: l.games + 1, last: ended, isCounted: true, undo: null, inGame: false });
  if (l.referee.keepsResigned && l.resigned.length >= l.seats - 1) l.isOver = true;  // Nobody is left to play on.
}

// --- The whole ----------------------------------------------------------------------------------

/** Return an event with all its parts; null if one of them is shut. */
function factOf({ type, data, parts, seals }: Event): Fact | null {
  const joined: Record<string, unknown> = { ...data };
  for (const [name, readers] of Object.entries(seals)) {
    const its = get(parts, name) ?? {};
    const names = Object.keys(readers);
    if (names.some((reader) => !has(its, reader))) return null;
    joined[name] = names.length === 1 ? its[names[0] ?? ""]
      : Object.fromEntries(names.map((reader) => [reader, its[reader]]));
  }
  return { type, data: joined };
}

const CAUSES = ["move", "bot", "timeout", "auto", "operator"];

function take<S>(l: Life<S>, event: Event, given: Fact): void {
  const { seq, commit, type, at: time, cause } = event;
  checkLosing(l, event);
  if (seq === commit) checkRest(l, seq);
  if (seq === commit) {
    Object.assign(l, { cause, now: Date.parse(time), carries: false, followsAuto: false });
    l.referee.at?.(l.table, l.now);
  }
  // Automatic consequences come after the whole move.
  must(CAUSES.includes(cause) && (cause === "auto" || (cause === l.cause && !l.followsAuto)), seq,
    `${event.type} has the wrong cause.`);
  const wasInHand = l.inHand;
  if (l.stage === "annulled" || (l.stage === "over" && type !== "MatchAnnulled"))
    must(false, seq, "The match is over.");
  if (OF_LIFE.has(type)) takeOfLife(l, event);
  else takeOfGame(l, event, given);
  noteLosing(l, event, wasInHand);
  l.followsAuto = cause === "auto";
  Object.assign(l, { lastType: type, lastChoice: `${type}:${String(event.data.choice)}` });
  l.carries = type === "MoveSigned";
  if (l.stage === "playing") abandonIfAlone(l);
}

/** Check before a commit that no automatic event is missing. */
function checkRest<S>(l: Life<S>, seq: number): void {
  const due = l.stage === "lobby" ? lobby.lobbyDue(l.lobby, l.now) : null;
  must(!due, seq, `${due?.type} is due here.`);
  if (l.stage !== "playing") return;
  const next = nextOf(l);
  const waits = next.kind === "decision" || (l.waitsForOthers && isDecided(l) && !l.tablesOver);
  must(waits, seq, `${next.kind === "due" ? next.fact.type : "Another event"} is due here.`);
}

/** Check after the last event that no automatic event is missing. */
function checkEnd<S>(l: Life<S>, seq: number): void {
  must(!l.carries, seq, "The signed move must follow MoveSigned.");
  checkLosing(l, { type: "", cause: "auto", seq, commit: seq });
  checkRest(l, seq);
}

/** Apply an event; a forged one may lack required fields. */
function guarded<T>(seq: number, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Unfit) throw new Wrong(seq, error.message);
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw new Wrong(seq, "The event lacks a required field of its type.");
  }
}

/** The maximum time between two paintings of the page, in milliseconds. */
const LONGEST_MS = 8;

const hasOnly = (value: unknown, names: string): value is Fields =>
  isObject(value) && Object.keys(value).sort().join(" ") === names;
const isSeries = (series: unknown) => hasOnly(series, "best_of") && whole(series.best_of, 100)
  && Number(series.best_of) % 2 === 1;

const LEVELS = ["random", "easy", "steady", "strong"];
/** Return whether a seat is planned like this: fields without a value are left out. */
const isPlan = (plan: unknown) => isObject(plan) && ["bot", "open", "invite"].includes(String(plan.kind))
  && Object.entries(plan).every(([name, value]) => name === "kind" || (name === "player" && isText(value))
    || (name === "level" && LEVELS.includes(String(value))));

const isNumber = (value: unknown) => Number.isSafeInteger(value);
const isGroup = (group: unknown) => hasOnly(group, "id table tables") && isText(group.id)
  && whole(group.tables, 2 ** 53) && group.tables > 1 && whole(group.table, group.tables);
const isKnown = (known: unknown) => hasOnly(known, "deals hand_no match") && isText(known.match)
  && isNumber(known.hand_no) && Number(known.hand_no) > 0 && areDeals(known.deals);
const areDeals = (deals: unknown) => hasOnly(deals, "epoch link links match nonces") && isText(deals.match)
  && [deals.epoch, deals.link, deals.links].every((n) => isNumber(n) && Number(n) > 0)
  && Array.isArray(deals.nonces) && deals.nonces.every(isText);
const isTable = (of: unknown) => hasOnly(of, "attempt id round table") && isText(of.id)
  && [of.attempt, of.round, of.table].every(isNumber);

/** Return whether a match's creation is valid (rules 1.8.2, 1.11). */
function isCreation(data: Fields): boolean {
  const isTextOrNull = (value: unknown) => value === null || isText(value);
  const { deal_group: group, deal_known: known, tournament } = data;
  return isSeries(data.series) && isClock(data.clock) && isTextOrNull(data.creator) && isTextOrNull(data.preset)
    && ["public", "unlisted", "private"].includes(String(data.visibility))
    && Array.isArray(data.seats) && data.seats.every(isPlan)
    && (group === null || (isGroup(group) && known === null)) && (known === null || isKnown(known))
    && (tournament === null || isTable(tournament));
}

/**
 * Judge all disclosed events of a match by the rules. Throws `Wrong` at the first violation, and `Unjudged` if the rest
 * is not disclosed.
 */
export async function judgeMatch<State>(
  all: readonly Event[], referee: Referee<State>, part: Part,
  breathes: () => Promise<unknown> = async () => {},
): Promise<string> {
  const added = { ...LIFE.added, ...part.added };
  const fields = { events: { ...LIFE.events, ...part.events }, records: { ...LIFE.records, ...part.records }, added };
  const odd = all.find((event) => !hasItsFields(event, fields));
  const events = all.map((event) => ({ ...event, data: { ...addedAfter(added, event.type, event.v), ...event.data } }));
  const [first, ...others] = events;
  if (!first) throw new RangeError("There are no events.");
  must(first.type === "MatchCreated" && first.cause === "move", 1, "A match must begin with MatchCreated.");
  must(odd?.seq !== 1, 1, "The event does not have the form of its type.");
  must(others[0]?.type === "FairnessCommitted", 2, "A match must begin its first epoch directly after MatchCreated.");
  must(guarded(1, () => isCreation(first.data)), 1, "MatchCreated has invalid values.");
  const { options, seats } = first.data as { options: Fields; seats: unknown[] };
  must(guarded(1, () => referee.fits?.(options, seats.length) !== false), 1, "The options contradict each other.");
  const life = guarded(1, () => newLife(referee, part, first.data));
  life.now = Date.parse(first.at);
  referee.at?.(life.table, life.now);
  if (hasCalendar(life.clock)) throw new Unjudged("This verifier does not check days off and vacations.");
  let begun = performance.now();
  for (const event of others) {
    const given = factOf(event);
    if (!given)
      throw new Shut(`The events to ${event.seq - 1} follow from the moves by the rules. The others depend on cards `
        + "that are not disclosed: only the signer of the head vouches for them.");
    must(event.seq !== odd?.seq, event.seq, "The event does not have the form of its type.");
    guarded(event.seq, () => take(life, event, given));
    if (performance.now() - begun > LONGEST_MS) {
      await breathes();
      begun = performance.now();
    }
  }
  guarded(events.length, () => checkEnd(life, events.length));
  return `All ${events.length} events follow from the moves by the rules.`;
}
