/** Seats, what they bring, and nonces: the lobby, and later epochs (rules 1.5, 1.6). */

import { sha256, hex } from "./bytes.mjs";
import { isObject, isText, must, same, whole } from "./deals.mjs";
import { timeFor } from "./clock_referee.ts";
import type { Clock } from "./clock_referee.ts";
import { at, fact, range } from "./referee_kit.ts";
import type { Fact, Fields } from "./referee.ts";

type Event = import("./record.mjs").Event;
type Stage = "" | "hashes" | "hashes_closed" | "nonces" | "nonces_closed";

export interface Lobby {
  readonly options: Fields; readonly plans: readonly Fields[]; readonly seats: number;
  readonly group: Fields | null; readonly known: Fields | null; readonly isOfTournament: boolean;
  /** The time for nonces in later epochs, in milliseconds. */
  readonly later: number;
  players: (string | null)[]; keys: (string | null)[]; brought: boolean[];
  hashes: (string | null)[]; nonces: (string | null)[];
  epoch: number; links: number; stage: Stage; until: number | null; credited: number;
  committed: string[][] | null; isShared: boolean;
  /** The seat acting in this commit, its last step, and whether it was free before. */
  sitting: { seat: number; step: number; wasFree: boolean } | null;
  /** The seats taken in the first commit. */
  sat: number[];
}

export function newLobby(first: Fields, clock: Clock): Lobby {
  const plans = first.seats as Fields[];
  const nobody = plans.map(() => null);
  return {
    options: first.options as Fields, plans, seats: plans.length,
    group: isObject(first.deal_group) ? first.deal_group : null,
    known: isObject(first.deal_known) ? first.deal_known : null, isOfTournament: isObject(first.tournament),
    later: Math.max(60_000, Math.min(1000 * Math.floor(timeFor(clock, { seat: 0 }) / 1000), 86_400_000)),
    players: nobody, keys: nobody, brought: plans.map(() => false),
    hashes: nobody, nonces: nobody, epoch: 0, links: 0, stage: "",
    until: null, credited: 0, committed: null, isShared: false, sitting: null, sat: [],
  };
}

const isBot = (l: Lobby, seat: number) => at(l.plans, seat).kind === "bot";
export const isCollecting = (l: Lobby) => l.stage === "hashes" || l.stage === "nonces";
const isCommitting = (l: Lobby) => l.options.nonce_commit === true;

/** Return a stage's time in milliseconds; 0 if nonces are not awaited. */
function stageTime(l: Lobby): number {
  const set = 1000 * Number(l.options.nonce_seconds);
  if (set > 0) return set;
  if (l.epoch > 1) return l.later;
  return isCommitting(l) ? 60_000 : 0;
}

function hasAll(l: Lobby, people: readonly number[]): boolean {
  if (l.stage === "hashes") return people.every((seat) => l.hashes[seat] !== null);
  return people.every((seat) => l.nonces[seat] !== null || (isCommitting(l) && l.hashes[seat] === null));
}

const isFull = (l: Lobby) => range(l.seats).every((seat) => isBot(l, seat) || l.players[seat] !== null);

/** Return whether a group's table has all its hashes and waits for the other tables. */
function waitsForHashes(l: Lobby, people: readonly number[]): boolean {
  if (!l.group || l.epoch > 1 || !isFull(l) || !isCommitting(l) || l.committed) return false;
  return !people.length || l.stage === "hashes_closed" || (l.stage === "hashes" && hasAll(l, people));
}

/** Return the stage that is due, in which seats may send hashes or nonces. */
export function stageDue(l: Lobby, people: readonly number[], now: number): Fact | null {
  if (!stageTime(l) || !people.length || waitsForHashes(l, people)) return null;
  const until = new Date(now + stageTime(l)).toISOString();
  const awaited = (stage: string) => fact("NoncesAwaited", { epoch: l.epoch, stage, until, credited: 0 });
  if (l.stage === "") return awaited(isCommitting(l) ? "hashes" : "nonces");
  if (l.stage === "hashes_closed" || (l.stage === "hashes" && hasAll(l, people))) return awaited("nonces");
  return null;
}

/** Return what is due before a later epoch deals: a fact, "wait" while nonces are awaited, or null. */
export function epochDue(l: Lobby, people: readonly number[], now: number): Fact | "wait" | null {
  if (l.epoch === 1 || l.stage === "nonces_closed" || l.isShared || l.known) return null;
  const stage = stageDue(l, people, now);
  if (stage) return stage;
  if (!isCollecting(l)) return null;
  return hasAll(l, people) ? fact("NoncesClosed", { epoch: l.epoch, stage: "nonces" }) : "wait";
}

/** Return what is due in the lobby: a nonce stage, or the start. */
export function lobbyDue(l: Lobby, now: number): Fact | null {
  if (!isFull(l)) return null;
  const people = range(l.seats).filter((seat) => !isBot(l, seat));
  const stage = stageDue(l, people, now);
  if (stage) return stage;
  if ((isCollecting(l) && !hasAll(l, people)) || (l.group && !l.isShared)) return null;
  const seats = l.plans.map(({ level }, seat) => ({
    kind: isBot(l, seat) ? "bot" : "player", level: level ?? null, player: l.players[seat] ?? null, seat,
  }));
  return fact("MatchStarted", { nonces: l.nonces.map((nonce) => nonce ?? ""), options: l.options, seats });
}

// --- Taking seats -------------------------------------------------------------------------------

const STEPS = ["SeatTaken", "KeyProved", "entry", "NonceCommitted", "NonceSubmitted"];

/** Check that a player takes a seat or adds to it; all of it must be in one commit, in the order of `STEPS`. */
export function sit(l: Lobby, event: Event, what: string, seat: number): void {
  const { seq, commit, cause, type } = event;
  const step = STEPS.indexOf(what);
  const isFirst = commit === 1 && (!l.sitting || l.sitting.seat !== seat);
  const wasFree = what === "SeatTaken" || isSittingDown(l, event, seat);
  must(cause === "auto" ? commit === 1 : cause === "move" || (cause === "timeout" && l.isOfTournament), seq,
    `${type} has the wrong cause.`);
  if (isFirst || commit === seq) {
    must(!(commit === 1 && l.sat.includes(seat)), seq, "The seat is already taken.");
    must(commit !== 1 || what === "SeatTaken" || (what === "entry" && isBot(l, seat)), seq, "The seat has no player.");
    must(what !== "KeyProved", seq, "KeyProved must follow SeatTaken in the same commit.");
    l.sat.push(seat);
  } else must(l.sitting?.seat === seat && l.sitting.step < step, seq, `${type} is not possible here.`);
  l.sitting = { seat, step, wasFree };
}

/** Return whether this event's commit gave the seat to its player. */
const isSittingDown = (l: Lobby, { seq, commit }: Event, seat: number): boolean =>
  commit !== seq && l.sitting?.seat === seat && l.sitting.wasFree;

export function takeSeat(l: Lobby, event: Event, { seat, player, player_key: key }: Fields): void {
  must(whole(seat, l.seats) && !isBot(l, seat) && l.players[seat] === null, event.seq, "The seat is not free.");
  must(isText(player) && (key === null || isText(key)), event.seq, "SeatTaken must name a player.");
  sit(l, event, "SeatTaken", seat);
  const most = Number(l.options.seats_per_player ?? l.seats);
  must(l.players.filter((one) => one === player).length < most, event.seq,
    "A player has more seats than `seats_per_player` allows.");
  l.players = l.players.map((one, s) => (s === seat ? player : one));
  l.keys = l.keys.map((one, s) => (s === seat ? key : one));
}

/** Record that a seat brings something to the game. */
export function bring(l: Lobby, event: Event, seat: unknown): void {
  must(whole(seat, l.seats) && !l.brought[seat], event.seq, "Each seat may bring something to the game only once.");
  must(isBot(l, seat) ? event.commit === 1 : l.players[seat] !== null, event.seq, "The seat has no player.");
  sit(l, event, "entry", seat);
  l.brought = l.brought.map((one, s) => one || s === seat);
}

export function leaveSeat(l: Lobby, event: Event, { seat }: Fields): void {
  const people = range(l.seats).filter((one) => !isBot(l, one));
  must(whole(seat, l.seats) && l.players[seat] !== null, event.seq, "The seat has no player.");
  must(event.commit === event.seq && (event.cause === "move" || (event.cause === "timeout" && l.isOfTournament)),
    event.seq, "Only a player, or in tournaments the clock, may leave a seat, in its own commit.");
  must(!(isCommitting(l) && (isCollecting(l) || l.committed)) && !waitsForHashes(l, people), event.seq,
    "Seats cannot be left after hashes of nonces are collected.");
  const without = <T>(row: (T | null)[]) => row.map((one, s) => (s === seat ? null : one));
  Object.assign(l, {
    players: without(l.players), keys: without(l.keys), hashes: without(l.hashes),
    nonces: without(l.nonces), stage: "", until: null,
    brought: l.brought.map((one, s) => one && s !== seat),
  });
}

// --- Nonces -------------------------------------------------------------------------------------

/**
 * Return whether a nonce is accepted: before the start, or while nonces are awaited; never for known deals, nor once a
 * group is ready. The last player to sit down at a group's table may give one, although the seat makes the table ready.
 */
function takesNonces(l: Lobby, event: Event, seat: number): boolean {
  const people = range(l.seats).filter((one) => !isBot(l, one));
  return !l.known && (l.epoch === 1 || isCollecting(l))
    && (isSittingDown(l, event, seat) || (!waitsForHashes(l, people) && !(l.group && isReady(l))));
}

/** Return whether a group's table waits for the others to begin. */
function isReady(l: Lobby): boolean {
  const people = range(l.seats).filter((seat) => !isBot(l, seat));
  return isFull(l) && !(isCommitting(l) && !l.committed) && !stageDue(l, people, 0)
    && !(isCollecting(l) && !hasAll(l, people));
}

export function promise(l: Lobby, event: Event, { seat, epoch, hash }: Fields): void {
  must(whole(seat, l.seats) && l.players[seat] !== null && epoch === l.epoch, event.seq,
    "The nonce must be for a player of the current epoch.");
  must(isCommitting(l) && l.hashes[seat] === null && takesNonces(l, event, seat) && isText(hash), event.seq,
    "The server is not waiting for a hash from this seat.");
  must(event.commit === 1 || l.stage === "" || l.stage === "hashes", event.seq,
    "The server is not waiting for a hash from this seat.");
  sit(l, event, "NonceCommitted", seat);
  l.hashes = l.hashes.map((one, s) => (s === seat ? hash : one));
}

export function submit(l: Lobby, event: Event, { seat, epoch, nonce }: Fields): void {
  must(whole(seat, l.seats) && l.players[seat] !== null && epoch === l.epoch, event.seq,
    "The nonce must be for a player of the current epoch.");
  must(isText(nonce) && l.nonces[seat] === null && takesNonces(l, event, seat), event.seq,
    "The server is not waiting for a nonce from this seat.");
  const isKept = isCommitting(l) ? l.stage === "nonces" && hex(sha256(nonce)) === l.hashes[seat]
    : l.stage === "" || l.stage === "nonces";
  must(isKept, event.seq, "The nonce comes too early or too late, or does not match its hash.");
  sit(l, event, "NonceSubmitted", seat);
  l.nonces = l.nonces.map((one, s) => (s === seat ? nonce : one));
}

/** Extend a stage whose time is over. */
export function postpone(l: Lobby, event: Event, now: number, { epoch, stage, until, credited }: Fields): void {
  const more = typeof credited === "number" ? credited - l.credited : 0;
  must(event.commit === event.seq && event.cause === "timeout", event.seq,
    "This event must be caused by the clock, in its own commit.");
  must(isCollecting(l) && l.until !== null && l.until <= now && more > 0, event.seq,
    "The time for nonces is not over.");
  must(epoch === l.epoch && stage === l.stage && until === new Date(l.until + 1000 * more).toISOString(), event.seq,
    "The new time for nonces does not follow from the extension.");
  Object.assign(l, { until: l.until + 1000 * more, credited });
}

export function awaitNonces(l: Lobby, { stage, until }: Fields): void {
  Object.assign(l, { stage, until: Date.parse(String(until)), credited: 0, sitting: null });
}

/** Close a stage whose time is over. */
export function closeByTime(l: Lobby, event: Event, now: number, { epoch, stage }: Fields): void {
  must(event.commit === event.seq && event.cause === "timeout", event.seq,
    "This event must be caused by the clock, in its own commit.");
  must(isCollecting(l) && l.until !== null && l.until <= now, event.seq, "The time for nonces is not over.");
  must(epoch === l.epoch && stage === l.stage, event.seq, "Only the current stage of the current epoch can be closed.");
  closeStage(l, stage as "hashes" | "nonces");
}
export function closeStage(l: Lobby, stage: "hashes" | "nonces"): void {
  Object.assign(l, { stage: `${stage}_closed`, until: null });
}

export function beginEpoch(l: Lobby, { links }: Fields): void {
  const nobody = l.plans.map(() => null);
  Object.assign(l, { epoch: l.epoch + 1, links, stage: "", until: null, hashes: nobody, nonces: nobody });
}

// --- Duplicate groups ---------------------------------------------------------------------------

const isRows = (l: Lobby, rows: unknown): rows is string[][] => Array.isArray(rows) && rows.length === l.group?.tables
  && rows.every((row) => Array.isArray(row) && row.length === l.seats && row.every(isText));
const own = (l: Lobby, rows: string[][]) => at(rows, Number(l.group?.table));
const shares = (l: Lobby, event: Event) =>
  must(l.group && event.commit === event.seq && event.cause === "auto", event.seq,
    "This event must be automatic, in its own commit, and belongs to duplicate groups.");

export function shareHashes(l: Lobby, event: Event, { hashes }: Fields): void {
  const people = range(l.seats).filter((seat) => !isBot(l, seat));
  shares(l, event);
  must(isRows(l, hashes) && waitsForHashes(l, people), event.seq,
    "The hashes of a group must be those of all its tables, and occur once.");
  must(same(own(l, hashes), l.hashes.map((one) => one ?? "")), event.seq, "The hashes of this table differ.");
  Object.assign(l, { committed: hashes, stage: "hashes_closed", until: null });
}

export function shareNonces(l: Lobby, event: Event, { nonces }: Fields): void {
  shares(l, event);
  must(isReady(l) && isRows(l, nonces), event.seq,
    "The nonces of a group must be those of all its tables, including this one.");
  must(same(own(l, nonces), l.nonces.map((one) => one ?? "")), event.seq, "The nonces of this table differ.");
  l.isShared = true;
}
