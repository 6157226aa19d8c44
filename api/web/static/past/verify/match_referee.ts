/**
 * Follows a match with the referee of its game: turn order, resignations, draws, takebacks and series, written from
 * docs/rules.md and docs/proof.md.
 */

import { clockOf, hasCalendar, spend, timeFor } from "./clock_referee.ts";
import type { Clock } from "./clock_referee.ts";
import { Wrong, get, has, isObject, must, same, whole } from "./deals.mjs";
import { Unjudged } from "./keys.mjs";
import { OF_LIFE } from "./life.mjs";
import { Unfit, at, fact, judgeFact, placesOf, range } from "./referee_kit.ts";
import type { Asked, Decision, Fact, Fields, Next, Referee, Result, Stop } from "./referee.ts";

type Event = import("./record.mjs").Event;
type Lifecycle = import("./deals.mjs").Lifecycle;

/** A decision that a seat was asked for: how long it has, and until when. */
interface Request { readonly asked: Asked; readonly total: number; readonly deadline: number }
/** What a move can be taken back to: the table before it, and the time that was left. */
interface Undo<State> { readonly seat: number; readonly table: State; readonly left: number | null }

interface Life<State> {
  readonly referee: Referee<State>; readonly lifecycle: Lifecycle;
  readonly first: Fields; readonly options: Fields; readonly reveal: string; readonly bestOf: number;
  readonly seats: number; readonly sides: number[][]; readonly inGroup: boolean;
  table: State;
  stage: "lobby" | "playing" | "over" | "annulled";
  players: (string | null)[]; readonly isPerson: boolean[]; byBot: boolean[];
  now: number; cause: string; carries: boolean;
  clock: Clock; requests: (Request | null)[]; defaults: number[]; hasMoved: boolean;
  hands: number; revealed: number; links: number; used: number; epoch: number; nonces: string[];
  games: number; wins: number[]; totals: number[]; last: Result | null; isCounted: boolean;
  reason: Stop["reason"] | null; isOver: boolean; isStopping: boolean; tablesOver: boolean;
  /** The seats that resigned for good, in order. */
  resigned: number[];
  offeredBy: number | null; refused: number[];
  /** The seats that have continued since the last hand, and the facts that wait for them. */
  continued: number[] | null; pausesAt: string[]; inHand: boolean; inGame: boolean;
  mover: number | null; before: State | null; beforeLeft: number | null;
  undo: Undo<State> | null; asking: number | null; granted: number[];
  /** The seat whose move was just taken back, and the time that it had left. */
  restored: { seat: number; left: number | null } | null;
  queue: Fact[];
}

function newLife<State>(
  referee: Referee<State>, { lifecycle, reveal }: { lifecycle: Lifecycle; reveal: string }, first: Fields,
): Life<State> {
  const options = first.options as Fields;
  const plans = first.seats as Fields[];
  const seats = plans.length;
  const sides = referee.sides?.(options, seats) ?? [];
  return {
    referee, lifecycle, first, options, reveal: String(options.fairness_reveal ?? reveal), seats,
    bestOf: Number((first.series as Fields).best_of), inGroup: isObject(first.deal_group),
    sides: sides.length ? sides : range(seats).map((seat) => [seat]), table: referee.begin(options, seats),
    stage: "lobby", players: plans.map(() => null), isPerson: plans.map(({ kind }) => kind !== "bot"),
    byBot: plans.map(({ kind }) => kind === "bot"), now: 0, cause: "move", carries: false,
    clock: clockOf(first.clock as Fields, seats), requests: plans.map(() => null), defaults: plans.map(() => 0),
    hasMoved: false, hands: 0, revealed: 0, links: 0, used: 0, epoch: 0, nonces: plans.map(() => ""), games: 0,
    wins: plans.map(() => 0), totals: plans.map(() => 0), last: null, isCounted: true, reason: null, isOver: false,
    isStopping: false,
    tablesOver: false, resigned: [], offeredBy: null, refused: [], continued: null, pausesAt: [], inHand: false,
    inGame: false, mover: null, before: null,
    beforeLeft: null, undo: null, asking: null, granted: [], restored: null, queue: [],
  };
}

const toText = (time: number) => new Date(time).toISOString();
const seatIn = (data: Fields) => (typeof data.by === "number" ? data.by : Number(data.seat));

// --- Results ------------------------------------------------------------------------------------

/** Seats that resigned are last, the first of them behind all others (rules 1.9.2). */
const placed = <S>(l: Life<S>, worth: readonly number[]) =>
  placesOf(worth.map((value, seat) => (l.resigned.includes(seat) ? l.resigned.indexOf(seat) - 1e15 : value)));
const firsts = (places: readonly number[]) => range(places.length).filter((seat) => places[seat] === 1);

/** Return the side that has won the game alone, if one has. */
function winningSide<S>(l: Life<S>, { winners, places }: Result): number[] | null {
  const first = firsts(placed(l, places.map((place) => -place)));
  return (winners.length && l.sides.find((side) => first.every((seat) => side.includes(seat)))) || null;
}

/** Place the seats: after one game by it, else by wins, then by the scores of all games (rules 1.10.2). */
function result<S>(l: Life<S>): Fields {
  const sign = l.referee.lowScoreWins ? -1 : 1;
  const ofGame = (l.last?.places ?? l.wins.map(() => 1)).map((place) => -place);
  const ofSeries = l.wins.map((wins, seat) => wins * 1e9 + sign * at(l.totals, seat));
  if (l.referee.isOneGame && l.last) return oneGame(l, l.last);
  const places = placed(l, l.games === 1 ? ofGame : ofSeries);
  const first = firsts(places);
  const isShared = !l.sides.some((side) => first.every((seat) => side.includes(seat)));
  return {
    winners: isShared && l.reason !== "resignation" ? [] : first, places, wins: l.wins,
    scores: l.last?.scores ?? l.wins.map(() => 0),
  };
}

/** A match of one game has the places of it; the only one who stays wins. */
function oneGame<S>(l: Life<S>, { winners, places, scores }: Result): Fields {
  if (l.reason === "resignation" && l.seats > 2) throw new Unjudged("Places of those who left are not judged here.");
  const left = range(l.seats).filter((seat) => !l.resigned.includes(seat));
  return { winners: left.length === 1 ? left : winners, places, wins: l.wins, scores };
}

/** Return whether the match has its result (rules 1.10). */
function isDecided<S>(l: Life<S>): boolean {
  if (!l.isCounted || l.games === 0) return l.isOver && l.isCounted;
  if (l.isOver || l.referee.isOneGame || (l.reason === "draw" && l.bestOf === 1)) return true;
  return 2 * Math.max(...l.wins) > l.bestOf || l.games >= 3 * l.bestOf;
}

// --- What is due --------------------------------------------------------------------------------

const due = (type: string, data: Fields): Next => ({ kind: "due", fact: fact(type, data) });
/** A fact of which other checks compare what it says. */
const someFact = (type: string, holds: (data: Fields) => boolean): Next => ({
  kind: "chance", judge: (given) => (given.type === type && holds(given.data) ? null : `${type} is due here.`),
});

function nextOf<S>(l: Life<S>): Next {
  const queued = l.queue[0];
  if (queued) return { kind: "due", fact: queued };
  const { inHand, result: ended } = l.referee.standing(l.table);
  if (l.isStopping) return l.referee.next(l.table);
  if (ended && !l.isCounted)
    return due("GameWon", { winner: winningSide(l, ended)?.[0] ?? null, scores: ended.scores });
  if (l.asking !== null && hasAgreed(l)) return someFact("MoveTakenBack", (data) => data.seat === l.asking);
  if (isRevealDue(l, inHand)) return someFact("SeedRevealed", (data) => data.hand_no === l.revealed + 1);
  if (isDecided(l))
    return due("MatchEnded", { reason: l.reason ?? "played", result: l.reason === "abandoned" ? null : result(l) });
  return withRequests(l, withPause(l, gameNext(l)));
}

function isRevealDue<S>(l: Life<S>, inHand: boolean): boolean {
  if (l.reveal === "never" || l.revealed >= l.hands || !l.isCounted) return false;
  if (l.inGroup) return isDecided(l) && l.tablesOver;
  if (l.reveal === "match_end") return isDecided(l);
  return l.reveal === "hand_end" ? !inHand : l.referee.standing(l.table).result !== null;
}

function gameNext<S>(l: Life<S>): Next {
  const next = l.referee.next(l.table);
  if (next.kind !== "rest") return next;
  l.referee.startGame(l.table);
  return l.referee.next(l.table);
}

/** Before a hand, all persons who still play continue, if the match pauses (rules 1.5.3). */
function withPause<S>(l: Life<S>, next: Next): Next {
  const { continued } = l;
  if (!continued || next.kind !== "due" || !l.pausesAt.includes(next.fact.type)) return next;
  const out = l.referee.standing(l.table).out;
  const asked = range(l.seats).filter((seat) => !l.byBot[seat] && !continued.includes(seat) && !out.includes(seat))
    .map((seat) => ({ seat, decision: "continue" }));
  return asked.length ? { kind: "decision", asked, choices: () => [],
    judge: next.meanwhile ?? (() => "The hand has not begun."),
  } : next;
}

/** With a clock, each decision of a person is asked for once (rules 1.8). */
function withRequests<S>(l: Life<S>, next: Next): Next {
  if (next.kind !== "decision" || !l.clock.isOn) return next;
  dropAnswered(l, next);
  const asked = next.asked.find(({ seat }) => !l.byBot[seat] && !l.requests[seat]);
  if (!asked) return next;
  return due("DecisionRequested", {
    seat: asked.seat, decision: asked.decision, opened: toText(l.now), deadline: toText(l.now + timeOf(l, asked)),
  });
}

const timeOf = <S>(l: Life<S>, asked: Asked) =>
  (l.restored?.seat === asked.seat ? l.restored.left : null) ?? timeFor(l.clock, asked);

function dropAnswered<S>(l: Life<S>, { asked }: Decision): void {
  l.requests = l.requests.map((request) => (request && asked.some(({ seat, decision }) =>
    seat === request.asked.seat && decision === request.asked.decision) ? request : null));
}

// --- Facts of the game --------------------------------------------------------------------------

function takeOfGame<S>(l: Life<S>, event: Event, given: Fact): void {
  const { type, seq } = event;
  if (l.stage === "lobby" && l.referee.bring) {
    l.referee.bring(l.table, given);
    return;
  }
  must(l.stage === "playing", seq, `${type} comes while nobody plays.`);
  const next = isOfMove(l, event) ? l.referee.next(l.table) : nextOf(l);
  const wrong = judgeFact(next, given, l.referee.open);
  must(wrong === null, seq, wrong ?? "");
  if (next.kind === "decision") decide(l, event, given, next);
  else follow(l, event, given);
}

/** Return whether a fact is part of the move itself, which comes before the time that it took. */
const isOfMove = <S>(l: Life<S>, { seq, commit, cause }: Event) =>
  l.queue[0]?.type === "BankSpent" && commit !== seq && cause === l.cause;

/** A seat decides: it begins a commit, and its time is reckoned. */
function decide<S>(l: Life<S>, event: Event, given: Fact, { asked }: Decision): void {
  const seat = seatIn(given.data);
  begins(l, event);
  must(event.cause === (l.byBot[seat] ? "bot" : "move"), event.seq, "The seat does not move by itself.");
  Object.assign(l, { mover: seat, asking: null, restored: null });
  l.hasMoved ||= !l.byBot[seat];
  if (!l.byBot[seat] && !l.referee.offTurn?.includes(given.type)) l.defaults[seat] = 0;
  if (l.options.take_backs === true) l.before = structuredClone(l.table);
  happen(l, given);
  if (!l.referee.offTurn?.includes(given.type)) answerRequest(l, seat, asked.find((one) => one.seat === seat));
}

/** Close the request that a seat has answered, and say what it leaves on the clock. */
function answerRequest<S>(l: Life<S>, seat: number, asked: Asked | undefined): void {
  const request = l.requests[seat];
  l.beforeLeft = request ? request.deadline - l.now : null;
  if (!request || !asked) return;
  l.requests[seat] = null;
  spendTime(l, seat, request, request.total - (request.deadline - l.now));
}

function spendTime<S>(l: Life<S>, seat: number, { asked }: Request, used: number): void {
  const { left, moves } = spend(l.clock, asked, used);
  if (left === l.clock.left[seat] && moves === l.clock.moves[seat]) return;
  l.clock.left[seat] = left;
  l.clock.moves[seat] = moves;
  l.queue.push(fact("BankSpent", { seat, left, moves }));
}

/** A consequence belongs to the commit of the decision before it. */
function follow<S>(l: Life<S>, event: Event, given: Fact): void {
  const { seq, commit, cause } = event;
  must(commit !== seq, seq, `${given.type} belongs to the commit before it.`);
  must(cause === "auto" || cause === l.cause, seq, "The cause is another.");
  if (l.queue[0]?.type === given.type) l.queue.shift();
  happen(l, given);
}

function happen<S>(l: Life<S>, given: Fact): void {
  const { gameStarts, handStarts } = l.lifecycle;
  const before = l.referee.standing(l.table);
  l.referee.happen(l.table, given);
  const after = l.referee.standing(l.table);
  if (given.type === gameStarts) Object.assign(l, { refused: [], offeredBy: null, reason: null, inGame: true });
  if (given.type === handStarts) Object.assign(l, { continued: null, pausesAt: [] });
  if (given.type === handStarts) Object.assign(l, { hands: l.hands + 1, used: l.used + 1, inHand: true });
  if (l.inHand && !after.inHand) endHand(l, after.result !== null && !l.isStopping);
  if (after.result && l.referee.keepsResigned && given.data.reason === "resignation") l.reason = "resignation";
  if (!before.result && after.result) Object.assign(l, { isCounted: false, isStopping: false });
}

/** A hand is over. If the end of the game has ended it, the pause comes after the next game has begun. */
function endHand<S>(l: Life<S>, withGame: boolean): void {
  const { gameStarts, handStarts } = l.lifecycle;
  l.inHand = false;
  if (l.options.pause_between_hands !== true || l.referee.neverPauses) return;
  Object.assign(l, { continued: [], pausesAt: withGame ? [handStarts] : [gameStarts, handStarts] });
}

const begins = <S>(l: Life<S>, { seq, commit, type }: Event) =>
  must(commit === seq || l.carries, seq, `${type} begins a commit.`);

// --- Facts of the match -------------------------------------------------------------------------

type Handler = <S>(l: Life<S>, event: Event, data: Fields) => void;

/** A command comes while nothing is due. */
function waits<S>(l: Life<S>, event: Event): void {
  must(l.stage === "playing", event.seq, `${event.type} comes while nobody plays.`);
  const next = nextOf(l);
  const what = next.kind === "due" ? next.fact.type : "Another event";
  must(next.kind === "decision", event.seq, `${what} is due here.`);
  begins(l, event);
}

/** What is due by the match itself. */
const isDue: Handler = (l, event, data) => {
  const wrong = l.stage === "playing" ? judgeFact(nextOf(l), fact(event.type, data)) : `${event.type} cannot be here.`;
  must(wrong === null, event.seq, wrong ?? "");
  must(event.commit !== event.seq || l.tablesOver, event.seq, `${event.type} belongs to the commit before it.`);
  must(event.cause === "auto" || event.cause === l.cause, event.seq, "The cause is another.");
  if (l.queue.length) l.queue.shift();
};

const isPlayer = <S>(l: Life<S>, event: Event, seat: number) =>
  must(whole(seat, l.seats) && l.isPerson[seat] && !l.byBot[seat], event.seq, "No player has this seat.");
const inLobby = <S>(l: Life<S>, event: Event) =>
  must(l.stage === "lobby", event.seq, `${event.type} comes after the start.`);

/** End the game early: its last fact is due next. */
function stop<S>(l: Life<S>, reason: Stop["reason"], resigned: readonly number[]): void {
  Object.assign(l, { reason, isStopping: true, requests: l.requests.map(() => null) });
  l.referee.stop(l.table, { reason, resigned });
}

function resign<S>(l: Life<S>, seat: number, isWhole: boolean): void {
  const isBetween = !l.inGame || l.hands === 0;
  Object.assign(l, { asking: null, offeredBy: null });
  if (l.referee.keepsResigned && !isBetween) {
    l.resigned.push(seat);
    l.referee.resign?.(l.table, seat);
    if (l.resigned.length === l.seats - 1) l.reason = "resignation";
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

const expire: Handler = (l, event, { seat, decision, defaults }) => {
  const request = whole(seat, l.seats) ? l.requests[seat] : null;
  must(request && request.asked.decision === decision, event.seq, "The seat was not asked for this decision.");
  must(event.commit === event.seq && event.cause === "timeout", event.seq, "A clock does this.");
  must(l.now >= request.deadline, event.seq, "The decision is not due yet.");
  const its = Number(seat);
  if (!request.asked.seconds) l.defaults[its] = at(l.defaults, its) + 1;
  must(defaults === l.defaults[its], event.seq, "Another number of decisions has expired.");
  Object.assign(l, { asking: null, mover: null });
  l.requests[its] = null;
  spendTime(l, its, request, request.total);
  afterExpiry(l, request.asked);
};

/** Do what `on_expiry` says: the default move, a bot, or resignation (rules 1.8). */
function afterExpiry<S>(l: Life<S>, { seat, decision, seconds }: Asked): void {
  const how = seconds ? "default_action" : l.clock.options.on_expiry;
  const isTooMany = !seconds && at(l.defaults, seat) >= Number(l.clock.options.max_defaults);
  if (how === "forfeit") l.queue.push(fact("SeatResigned", { seat, whole_match: false }));
  if (how === "bot" || (how === "default_action" && isTooMany)) l.queue.push(fact("SeatHandedToBot", { seat }));
  if (how !== "default_action") return;
  l.queue.push(decision === "continue" ? fact("HandContinued", { seat }) : l.referee.standard(l.table, seat));
}

/** If no person has ever moved, and bots play for all of them, the match is abandoned (rules 1.9.5). */
function abandonIfAlone<S>(l: Life<S>): void {
  const persons = range(l.seats).filter((seat) => l.isPerson[seat]);
  const isAlone = persons.length > 0 && !l.hasMoved && !l.queue.length && persons.every((seat) =>
    l.byBot[seat] && at(l.defaults, seat) >= Number(l.clock.options.max_defaults));
  if (!isAlone || l.reason === "abandoned" || l.cause !== "timeout") return;
  l.isOver = true;
  stop(l, "abandoned", []);
}

const startMatch: Handler = (l, event, data) => {
  inLobby(l, event);
  must(l.players.every((player, seat) => player !== null || !l.isPerson[seat]), event.seq, "A seat is still free.");
  const plans = l.first.seats as Fields[];
  const seats = plans.map(({ kind, level }, seat) => ({
    kind: l.isPerson[seat] ? "player" : kind, level: level ?? null, player: l.players[seat] ?? null, seat,
  }));
  must(same(data.seats, seats) && same(data.options, l.options) && same(data.nonces, l.nonces), event.seq,
    "The match starts with other seats, options or nonces.");
  l.stage = "playing";
};

const HANDLERS: Record<string, Handler> = {
  FairnessCommitted: (l, event, { links }) => {
    must(l.stage === "lobby" || !l.referee.standing(l.table).inHand, event.seq, "An epoch begins between hands.");
    must(l.used >= l.links - 1, event.seq, "The links have not run out.");
    Object.assign(l, { links, used: 0, epoch: l.epoch + 1, nonces: l.nonces.map(() => "") });
  },
  StacksArrived: () => { throw new Unjudged("The stakes of many tables are not judged here."); },
  SeatTaken: (l, event, { seat, player }) => {
    inLobby(l, event);
    must(event.cause === (event.commit === event.seq ? "move" : "auto"), event.seq, "The cause is another.");
    must(whole(seat, l.seats) && l.isPerson[seat] && l.players[seat] === null, event.seq, "This seat is not free.");
    l.players[seat] = String(player);
  },
  SeatLeft: (l, event, { seat }) => {
    inLobby(l, event);
    must(whole(seat, l.seats) && l.players[seat] !== null, event.seq, "Nobody has this seat.");
    l.players[seat] = null;
    l.nonces[seat] = "";
  },
  NonceCommitted: (l, event, { epoch }) => must(epoch === l.epoch, event.seq, "This is another epoch."),
  NoncesAwaited: (l, event, { epoch, credited, stage, until }) => {
    must(epoch === l.epoch, event.seq, "This is another epoch.");
    must(stage === "hashes" || stage === "nonces", event.seq, "Nonces are awaited in two stages.");
    must(event.cause !== "auto" || event.commit !== event.seq, event.seq, "It belongs to the commit before it.");
    if (l.stage !== "lobby" || l.inGroup || event.cause === "timeout") return;
    const end = toText(l.now + 1000 * (Number(l.options.nonce_seconds) || 60));
    must(credited === 0 && until === end, event.seq, "The nonces are awaited for another time.");
  },
  NoncesClosed: (l, event, { epoch }) => must(epoch === l.epoch, event.seq, "This is another epoch."),
  NonceSubmitted: (l, event, { seat, nonce, epoch }) => {
    must(epoch === l.epoch, event.seq, "This is another epoch.");
    l.nonces[Number(seat)] = String(nonce);
  },
  MatchStarted: startMatch,
  AllTablesOver: (l) => { l.tablesOver = true; },
  SeedRevealed: (l, event, data) => {
    isDue(l, event, data);
    l.revealed += 1;
  },
  DecisionRequested: (l, event, data) => {
    isDue(l, event, data);
    const next = withPause(l, gameNext(l));
    const asked = next.kind === "decision" ? next.asked.find(({ seat }) => seat === data.seat) : undefined;
    if (!asked) return;
    const deadline = Date.parse(String(data.deadline));
    l.requests[asked.seat] = { asked, total: timeFor(l.clock, asked), deadline };
  },
  DecisionTimedOut: expire,
  ClockCredited: (l, event, { seat, seconds, deadline }) => {
    const request = whole(seat, l.seats) ? l.requests[seat] : null;
    must(request, event.seq, "The seat has no deadline.");
    const later = request.deadline + 1000 * Number(seconds);
    must(deadline === toText(later), event.seq, "The deadline is not so many seconds later.");
    l.requests[Number(seat)] = { ...request, deadline: later };
  },
  BankSpent: isDue,
  UndoKept: (l, event, { seat, left }) => {
    must(l.before && seat === l.mover && left === l.beforeLeft, event.seq, "This is not the move that was made.");
    l.undo = { seat: Number(seat), table: l.before, left: l.beforeLeft };
    Object.assign(l, { granted: [], asking: null });
  },
  UndoLost: (l, event) => {
    must(l.options.take_backs === true, event.seq, "No move could be taken back.");
    l.undo = null;
  },
  SeatResigned: (l, event, data) => {
    const seat = Number(data.seat);
    const isForced = l.queue.length > 0;
    if (isForced) isDue(l, event, data);
    else waits(l, event);
    isPlayer(l, event, seat);
    if (!isForced) must(event.cause === "move" || event.cause === "operator", event.seq, "A player resigns.");
    resign(l, seat, data.whole_match === true);
  },
  SeatHandedToBot: (l, event, data) => {
    isDue(l, event, data);
    l.byBot[Number(data.seat)] = true;
    l.requests[Number(data.seat)] = null;
  },
  SeatTakenBack: (l, event, { seat }) => {
    waits(l, event);
    must(whole(seat, l.seats) && l.isPerson[seat] && l.byBot[seat] && !l.resigned.includes(seat), event.seq,
      "No bot plays for this player.");
    l.byBot[seat] = false;
    l.defaults[seat] = 0;
  },
  DrawOffered: (l, event, { seat }) => {
    waits(l, event);
    isPlayer(l, event, Number(seat));
    must(l.seats === 2 && l.offeredBy === null && !l.refused.includes(Number(seat)), event.seq,
      "This seat cannot offer a draw.");
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
    must(l.undo && seat === l.undo.seat, event.seq, "This seat has no move to take back.");
    Object.assign(l, { granted: [], asking: seat });
  },
  TakeBackGranted: (l, event, { seat }) => {
    waits(l, event);
    must(l.asking !== null && seat !== l.asking && !l.granted.includes(Number(seat)), event.seq, "Nobody has asked.");
    l.granted.push(Number(seat));
  },
  TakeBackRefused: (l, event, { seat }) => {
    waits(l, event);
    must(l.asking !== null && seat !== l.asking, event.seq, "Nobody has asked.");
    Object.assign(l, { asking: null, undo: null });
  },
  MoveTakenBack: (l, event, { seat, deadlines }) => {
    must(l.undo && l.asking === seat && l.undo.seat === seat && hasAgreed(l), event.seq,
      "This move is not taken back.");
    const { table, left } = l.undo;
    Object.assign(l, { table, asking: null, mover: null, granted: [], restored: { seat, left }, undo: null });
    l.requests = l.requests.map((request, one) =>
      (one === seat || at(deadlines as unknown[], one) === null ? null : request));
  },
  HandContinued: (l, event, { seat }) => {
    if (l.queue.length) isDue(l, event, { seat });
    else waits(l, event);
    must(l.continued && !l.continued.includes(Number(seat)), event.seq, "No hand waits for this seat.");
    l.continued.push(Number(seat));
    l.hasMoved ||= event.cause === "move";
    if (event.cause === "move") l.defaults[Number(seat)] = 0;
    if (event.cause === "move") answerRequest(l, Number(seat), l.requests[Number(seat)]?.asked);
  },
  GameWon: (l, event, data) => {
    const ended = l.referee.standing(l.table).result;
    isDue(l, event, data);
    if (ended) countGame(l, ended);
  },
  MatchEnded: (l, event, data) => {
    if (l.stage === "lobby") {
      must(["cancelled", "expired"].includes(String(data.reason)) && data.result === null, event.seq,
        "Nothing was played.");
    } else {
      must(event.cause === "auto", event.seq, "The cause is another.");
      isDue(l, event, data);
    }
    l.stage = "over";
  },
  MatchAnnulled: (l, event) => {
    must(l.stage === "over", event.seq, "The match is not over.");
    l.stage = "annulled";
  },
};

/** The public fields of the facts of a match. */
const FIELDS: Record<string, string> = {
  FairnessCommitted: "commitment epoch links scheme", StacksArrived: "stakes", SeatTaken: "player player_key seat",
  KeyProved: "seat signature", SeatLeft: "seat", NoncesAwaited: "credited epoch stage until",
  NonceCommitted: "epoch hash seat", NonceSubmitted: "epoch nonce seat", NoncesClosed: "epoch stage",
  CommitmentsShared: "hashes", CommitmentsAborted: "seats", DealsShared: "nonces", MatchStarted: "nonces options seats",
  AllTablesOver: "", SeedRevealed: "epoch hand_key hand_no link seed",
  DecisionRequested: "deadline decision opened seat", DecisionTimedOut: "decision defaults seat",
  ClockCredited: "deadline seat seconds why", BankSpent: "left moves seat", UndoKept: "left seat", UndoLost: "",
  SeatResigned: "seat whole_match", SeatHandedToBot: "seat", SeatTakenBack: "seat", DrawOffered: "seat",
  DrawAccepted: "seat", DrawDeclined: "seat", TakeBackRequested: "seat", TakeBackGranted: "seat",
  TakeBackRefused: "seat", MoveTakenBack: "deadlines seat", MoveSigned: "seat", CauseSealed: "seat",
  HandContinued: "seat", GameWon: "scores winner", StacksLeft: "stacks", MatchEnded: "reason result",
  MatchAnnulled: "reason",
};

/** The cause of the facts that have only one. */
const CAUSE_OF: Record<string, string> = {
  FairnessCommitted: "auto", NoncesAwaited: "auto", MatchStarted: "auto", SeedRevealed: "auto",
  DecisionRequested: "auto", GameWon: "auto", DrawOffered: "move", DrawAccepted: "move", DrawDeclined: "move",
  TakeBackRequested: "move", TakeBackGranted: "move", TakeBackRefused: "move", MatchAnnulled: "operator",
};

/** Take a fact of the match: it has its fields, and names a seat of the match. */
function takeOfLife<S>(l: Life<S>, event: Event): void {
  const { type, data, seq } = event;
  must(hasFields(data, FIELDS[type] ?? ""), seq, "The event has other fields than its type.");
  must(!has(data, "seat") || whole(data.seat, l.seats), seq, "There is no such seat.");
  must(CAUSE_OF[type] === undefined || event.cause === CAUSE_OF[type], seq, "The cause is another.");
  HANDLERS[type]?.(l, event, data);
}

const answersOffer = <S>(l: Life<S>, event: Event, seat: unknown) => {
  waits(l, event);
  must(l.offeredBy !== null && seat === 1 - l.offeredBy, event.seq, "No draw was offered to this seat.");
  l.offeredBy = null;
};

const hasAgreed = <S>(l: Life<S>) => range(l.seats).every((seat) =>
  seat === l.undo?.seat || l.byBot[seat] || l.granted.includes(seat)
    || l.players[seat] === l.players[l.undo?.seat ?? 0]);

function countGame<S>(l: Life<S>, ended: Result): void {
  const side = winningSide(l, ended) ?? [];
  l.wins = l.wins.map((wins, seat) => wins + (side.includes(seat) ? 1 : 0));
  l.totals = l.totals.map((total, seat) => total + at(ended.scores, seat));
  Object.assign(l, { games: l.games + 1, last: ended, isCounted: true, undo: null, inGame: false });
}

// --- The whole ----------------------------------------------------------------------------------

/** Give an event with all its parts; null if one of them is shut. */
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
  if (seq === commit) Object.assign(l, { cause, now: Date.parse(time), carries: false });
  must(CAUSES.includes(cause) && (cause === l.cause || cause === "auto"), seq, "The cause is another.");
  if (l.stage === "annulled" || (l.stage === "over" && type !== "MatchAnnulled"))
    must(false, seq, "The match is over.");
  if (OF_LIFE.has(type)) takeOfLife(l, event);
  else takeOfGame(l, event, given);
  if (type === "MoveSigned" || type === "CauseSealed") l.carries = true;
  if (l.stage === "playing") abandonIfAlone(l);
}

/** Do what an event says; a forged one lacks what is read of it. */
function guarded<T>(seq: number, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof Unfit) throw new Wrong(seq, error.message);
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    throw new Wrong(seq, "The event does not hold what its type has to.");
  }
}

/** The time for which a page is not painted, at most, in milliseconds. */
const LONGEST_MS = 8;

const CREATION = "clock creator deal_group deal_known game options preset rules seats series tournament visibility";
const CLOCK = "bank_seconds cap_seconds days_off grace_seconds increment_seconds kind max_defaults minor_seconds "
  + "on_expiry per_decision_seconds period_moves period_seconds periods time_zone vacation";

const hasFields = (value: unknown, names: string) =>
  isObject(value) && Object.keys(value).sort().join(" ") === names;
const isObjectOrNull = (value: unknown) => value === null || isObject(value);

/** Return whether a match can have been created so. */
function isCreation(data: Fields): boolean {
  const plans = data.seats as Fields[];
  return hasFields(data, CREATION) && hasFields(data.clock, CLOCK) && hasFields(data.series, "best_of")
    && [data.deal_group, data.deal_known, data.tournament].every(isObjectOrNull)
    && (typeof data.creator === "string" || data.creator === null)
    && ["public", "unlisted", "private"].includes(String(data.visibility))
    && plans.every((plan) => ["bot", "open", "invite"].includes(String(plan.kind))
      && Object.keys(plan).every((name) => ["kind", "level", "player"].includes(name)));
}

/**
 * Judge all events of a match by the rules, as far as their parts are open. Raises `Wrong` at the first that breaks
 * them, and `Unjudged` if the rest is shut.
 */
export async function judgeMatch<State>(
  events: readonly Event[], referee: Referee<State>, part: { lifecycle: Lifecycle; reveal: string },
  breathes: () => Promise<unknown> = async () => {},
): Promise<string> {
  const [first, ...others] = events;
  if (!first) throw new RangeError("There are no events.");
  must(first.type === "MatchCreated" && first.cause === "move", 1, "A match begins with its creation.");
  must(guarded(1, () => isCreation(first.data)), 1, "A match is not created so.");
  const life = guarded(1, () => newLife(referee, part, first.data));
  life.now = Date.parse(first.at);
  if (hasCalendar(life.clock)) throw new Unjudged("Days off and vacations are not judged here.");
  let begun = performance.now();
  for (const event of others) {
    const given = OF_LIFE.has(event.type) ? fact(event.type, event.data) : factOf(event);
    if (!given) throw new Unjudged(`The moves are right up to event ${event.seq - 1}; what follows is not disclosed.`);
    guarded(event.seq, () => take(life, event, given));
    if (performance.now() - begun > LONGEST_MS) {
      await breathes();
      begun = performance.now();
    }
  }
  return `All ${events.length} events follow from the moves by the rules.`;
}
