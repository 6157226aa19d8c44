/** Checks a tournament's external events by the tournament rulebook (docs/proof.md, "Records of tournaments"). */

import { hex, isHex64, sha256, unhex } from "../bytes.mjs";
import { same } from "../deals.mjs";
import { levelsBefore, placesAfter } from "./deciding.mjs";
import { areEnough, teamSize } from "./duplicate.mjs";
import { REASONS } from "./events.mjs";
import { mustBePlayedAgain } from "./knockout.mjs";
import { conserved } from "./many_tables.mjs";
import { TOLD_OF_PODS } from "./preparing.mjs";
import { at, there } from "./state.mjs";
import { swissLength, withoutTable } from "./swiss.mjs";

/**
 * @typedef {import("./state.mjs").Tournament} Tournament
 * @typedef {import("./state.mjs").Seat} Seat
 * @typedef {import("./state.mjs").Result} Result
 */

/**
 * `need` states a condition of the event; `then` states which event must be next; `draw` draws from a link.
 * @typedef {object} Telling
 * @property {(holds: unknown) => void} need
 * @property {(kind: string, fields: unknown) => void} then
 * @property {(purpose: string, link: number, seed: string) => import("../words.mjs").Draw} draw
 */

/** @param {Tournament} t @param {string} player */
const takesPart = (t, player) => there(t).some((one) => t.players[one] === player);
/** @param {Tournament} t @param {string} by */
const runs = (t, by) => by === t.organiser || t.helpers.includes(by);

/**
 * @param {Tournament} t
 * @param {{player: string, nonce?: string, rating: number | null, reliability?: number | null | undefined}} entering
 */
function mayEnter(t, { player, nonce = "", rating, reliability }) {
  return /^([0-9a-f]{16,64})?$/.test(nonce) && !t.barred.has(player) && !takesPart(t, player)
    && !t.waiting.has(player) &&
    [...t.players, ...t.gaveUp].filter((one) => one === player).length < 3
      && (!t.entry.by_invite || t.invited.has(player) || runs(t, player)) && isWithin(t.entry, rating)
      && (reliability ?? 0) >= (t.entry.least_reliability ?? 0);
}

/** @param {import("./plan.mjs").Entry} entry @param {number | null} rating */
function isWithin({ least_rating: least, most_rating: most }, rating) {
  if (rating === null) return least === undefined && most === undefined;
  return rating >= (least ?? rating) && rating <= (most ?? rating);
}

/** @param {Tournament} t @param {{player: string, club: string | null, nonce?: string}} entering */
function enters(t, { player, club, nonce }) {
  if (club !== null) t.clubs.set(t.players.length, club);
  t.players.push(player);
  if (nonce !== undefined) t.nonces.push(nonce);
}

/**
 * Move the first player of the waiting list to a place that becomes free while entries are open.
 * @param {Tournament} t
 * @param {Telling["then"]} then
 */
function movesUp(t, then) {
  const [first] = t.waiting;
  if (t.begun || !first) return;
  const [player, { club, nonce }] = first;
  t.waiting.delete(player);
  then("PlayerMovedUp", { entrant: t.players.length, player, club, nonce, waiting: [...t.waiting.keys()] });
  enters(t, { player, club, nonce });
}

/** @param {Tournament} t @param {{entrant: number, after: number}} leaving @param {Telling} telling */
function leaves(t, { entrant, after }, { need, then }) {
  need(there(t).includes(entrant) && after === t.round);
  t.left.set(entrant, after);
  movesUp(t, then);
}

/**
 * @param {Tournament} t
 * @param {string} player
 * @param {Telling["then"]} then
 */
function stopsWaiting(t, player, then) {
  if (!t.waiting.delete(player)) return;
  then("PlayerStoppedWaiting", { player, waiting: [...t.waiting.keys()] });
  t.gaveUp.push(player);
}

/** @param {Tournament} t */
export const isDuplicate = (t) => t.plan.format === "duplicate";
/**
 * 13.5: return whether a bot plays for an entrant in the open round.
 * @param {Tournament} t
 * @param {Seat} one
 * @returns {one is number}
 */
export const standsIn = (t, one) => one !== null && (t.away.includes(one) || (t.left.get(one) ?? Infinity) < t.round);
/** @param {Tournament} t */
const fillsNone = (t) => (isDuplicate(t) ? !areEnough(t, there(t))
  : withoutTable(there(t).length, t.plan) === there(t).length);
/** @param {Tournament} t */
const areTooFew = (t) => there(t).length < 2 || fillsNone(t);

/** @param {number[]} places @param {number} seats */
const arePlaces = (places, seats) =>
  places.length === seats &&
  (places.every((place) => place === 1 + places.filter((other) => other < place).length)
    || places.every((place) => place === seats));

/** @typedef {{round: number, table: number}} Table a table of the open round */

/** @param {Tournament} t @param {Table} data */
const isOpen = (t, { round, table }) => t.open && round === t.round && table >= 0 && table < t.tables.length;

/**
 * Return whether this is a table of the open round, with a possible result.
 * @param {Tournament} t @param {Table & {result: Result}} data
 */
function isTableOf(t, { round, table, result }) {
  return isOpen(t, { round, table }) && same(result.seats, t.tables[table]) &&
    arePlaces(result.places, result.seats.length) && result.wins.length === result.seats.length;
}

/**
 * 5.5: return a table's result from that of its match.
 * @param {Tournament} t
 * @param {number} table
 * @param {Result} made
 */
const afterTie = (t, table, made) => ({ ...made, places: placesAfter(levelsBefore(t, table), made.places) });

/** @param {Tournament} t @param {Table & {result: Result}} data */
const isMatchOf = (t, { table, result, result: { wins, games, drawn, scores } }) =>
  same(result, afterTie(t, table, result)) && t.results[table] === null && drawn >= 0
    && (isDuplicate(t) ? scores?.length === wins.length : scores === undefined)
    && wins.every((won) => won >= 0 && won <= games - drawn);

/**
 * 12.9: return whether stacks leave exactly those tables to which stacks were brought.
 * @param {Tournament} t
 * @param {Table & {result: Result}} data
 */
const hasItsStacks = (t, { table, result: { chips } }) =>
  t.stakes.length ? chips !== undefined && conserved(at(t.stakes, table), chips) : chips === undefined;

/** @param {Tournament} t @param {Result} result */
const isAgain = (t, result) => t.stage === "elimination"
  && mustBePlayedAgain(t, result, t.tables.length === 1 && !t.byes.length);

/**
 * Return the result of an unfinished table: these entrants are last, all others first.
 * @param {Seat[]} seats
 * @param {Seat[]} last
 * @returns {Result}
 */
function lastAre(seats, last) {
  const others = seats.filter((one) => !last.includes(one)).length;
  const places = seats.map((one) => (!last.includes(one) ? 1 : others ? others + 1 : seats.length));
  return { seats, places, wins: seats.map(() => 0), games: 0, drawn: 0 };
}

/**
 * Return whether an open table awaits its match's result, and these are some of its entrants.
 * @param {Tournament} t
 * @param {Table} table
 * @param {number[]} those
 */
function awaitsThose(t, { round, table }, those) {
  return isOpen(t, { round, table }) && t.results[table] === null &&
    (those.length > 0 || isDuplicate(t)) && new Set(those).size === those.length
      && those.every((one) => t.tables[table]?.includes(one));
}

/** @param {Tournament} t */
export const isArena = (t) => t.plan.format === "arena";
/** @param {Tournament} t */
const isOn = (t) => isArena(t) && t.begun && !t.pairingOver;

/** @param {import("./plan.mjs").Plan} plan @param {number} n */
const roundsOf = (plan, n) => (plan.format === "swiss" ? swissLength(plan, n) : plan.format === "duplicate"
  ? plan.rounds ?? plan.seats : null);

/** 13.1: return whether the team has a free place. @param {Tournament} t @param {string | null} club */
function hasRoom(t, club) {
  if (!t.plan.teams) return true;
  const here = [...there(t).map((one) => t.clubs.get(one)), ...[...t.waiting.values()].map((one) => one.club)];
  return club !== null && here.filter((one) => one === club).length < teamSize(t.plan);
}

/**
 * 6.3: check the consequences for no-shows.
 * @param {Tournament} t
 * @param {number[]} absent
 * @param {Telling["then"]} then
 */
function isMissing(t, absent, then) {
  for (const entrant of absent.filter((one) => !t.left.has(one))) {
    if (t.missed.has(entrant)) {
      then("PlayerDropped", { entrant, after: t.round });
      t.left.set(entrant, t.round);
    } else if (isArena(t) && !t.resting.has(entrant)) {
      then("PlayerRested", { entrant });
      t.resting.add(entrant);
    }
  }
  absent.forEach((one) => t.missed.add(one));
}

/**
 * Return whether a match may have begun without these entrants.
 * @param {Tournament} t @param {Table} data @param {number[]} absent
 */
const mayBeAbsent = (t, data, absent) => !absent.length
  || (!t.stakes.length && !isDuplicate(t) && awaitsThose(t, data, absent));

/**
 * @type {{[K in keyof import("./events.mjs").Told]?: (t: Tournament, data: import("./events.mjs").Told[K],
 *   telling: Telling) => void}}
 */
export const TOLD = {
  ...TOLD_OF_PODS,
  PlayersInvited(t, { players, by }, { need }) {
    need(runs(t, by) && players.length && new Set(players).size === players.length
      && !players.some((one) => t.invited.has(one)));
    players.forEach((one) => t.invited.add(one));
    need(t.invited.size <= 2048);
  },
  PlayerEntered(t, data, { need }) {
    need(mayEnter(t, data) && hasRoom(t, data.club) && !t.begun && there(t).length < t.plan.most
      && data.entrant === t.players.length);
    enters(t, data);
  },
  PlayerWaits(t, data, { need }) {
    need(mayEnter(t, data) && hasRoom(t, data.club) && !t.begun && there(t).length >= t.plan.most
      && t.waiting.size < (t.plan.most_waiting ?? Infinity));
    t.waiting.set(data.player, data);
  },
  PlayerEnteredLate(t, data, { need }) {
    need(mayEnter(t, data) && t.begun && !t.players.includes(data.player) && data.entrant === t.players.length);
    need(isArena(t) ? !t.pairingOver : t.round <= t.plan.late && t.round < (t.rounds ?? 0));
    need(there(t).length < t.plan.most);
    t.order = [...t.order, data.entrant];
    enters(t, data);
  },
  PlayerStoppedWaiting(t, { player, waiting }, { need }) {
    need(t.waiting.delete(player) && same(waiting, [...t.waiting.keys()]));
    t.gaveUp.push(player);
  },
  PlayerWithdrew: leaves,
  PlayerDisqualified(t, data, telling) {
    const player = at(t.players, data.entrant), gone = t.left.get(data.entrant);
    telling.need(runs(t, data.by) && !t.barred.has(player));
    t.barred.add(player);
    if (gone === undefined) return leaves(t, data, telling);
    telling.need(data.after === gone && !takesPart(t, player));
    stopsWaiting(t, player, telling.then);
  },
  PlayerBarred(t, { player, by }, { need, then }) {
    need(runs(t, by) && !t.barred.has(player) && !t.players.includes(player));
    need(t.waiting.has(player) || t.gaveUp.includes(player) || t.invited.has(player));
    t.barred.add(player);
    stopsWaiting(t, player, then);
  },
  EntriesClosed(t, { by, link, seed, order, rounds }, { need, draw }) {
    const entrants = there(t);
    need(!t.begun && (by === null ? t.closes !== null : runs(t, by)));
    need(!areTooFew(t));
    need(same(order, draw("seating", link, seed).shuffle(entrants)));
    need(rounds === roundsOf(t.plan, entrants.length));
    Object.assign(t, { begun: true, order, rounds });
  },
  TableFinished(t, { absent = [], ...data }, { need, then }) {
    need(isTableOf(t, data) && isMatchOf(t, data) && !isAgain(t, data.result) && hasItsStacks(t, data)
      && mayBeAbsent(t, data, absent));
    t.results[data.table] = data.result;
    isMissing(t, absent, then);
  },
  TableDrawn(t, { absent = [], ...data }, { need, then }) {
    need(mayBeAbsent(t, data, absent));
    need(isTableOf(t, data) && isMatchOf(t, data) && isAgain(t, data.result) && hasItsStacks(t, data)
      && data.attempt === at(t.attempts, data.table) + 1);
    t.attempts[data.table] = data.attempt;
    t.tied.set(data.table, data.result.places);
    isMissing(t, absent, then);
  },
  TableForfeited(t, { absent, attempt, result, ...data }, { need, then }) {
    need(awaitsThose(t, data, absent) && !t.stakes.length);
    const made = afterTie(t, data.table, lastAre(at(t.tables, data.table), absent));
    const replayed = isDuplicate(t) || isAgain(t, made);
    need(same(result, replayed ? null : made) && attempt === at(t.attempts, data.table) + Number(replayed));
    t.results[data.table] = result;
    t.attempts[data.table] = attempt;
    isMissing(t, absent, then);
    t.away.push(...absent);
  },
  TableAdjudicated(t, { late, result, absent = [], ...data }, { need, then }) {
    need(awaitsThose(t, data, late) && mayBeAbsent(t, data, absent));
    const seats = at(t.tables, data.table), made = lastAre(seats, t.plan.overdue === "lost" ? late : []);
    need(same(result, isAgain(t, made) ? lastAre(seats, seats) : made));
    t.results[data.table] = result;
    isMissing(t, absent, then);
  },
  TableRuled(t, data, { need }) {
    need(runs(t, data.by) && isTableOf(t, data) && !isAgain(t, data.result) && !t.stakes.length
      && data.result.chips === undefined);
    need(data.result.scores === undefined && data.result.wins.every((won) => won === 0) && data.result.games === 0
      && data.result.drawn === 0);
    t.results[data.table] = data.result;
  },
  TournamentPaused(t, { by }, { need }) {
    need(runs(t, by) && t.begun && !t.paused);
    t.paused = true;
  },
  TournamentResumed(t, { by }, { need }) {
    need(runs(t, by) && t.paused);
    t.paused = false;
  },
  PlayerRested(t, { entrant }, { need }) {
    need(isOn(t) && there(t).includes(entrant) && !t.resting.has(entrant));
    t.resting.add(entrant);
  },
  PlayerReturned(t, { entrant }, { need }) {
    need(isOn(t) && there(t).includes(entrant) && t.resting.delete(entrant));
  },
  PairingEnded(t, _data, { need }) {
    need(isOn(t));
    t.pairingOver = true;
  },
  DealsDisclosed(t, { seed }, { need }) {
    need(t.dealsSeed === null && isHex64(seed) && hex(sha256(unhex(seed))) === t.deals);
    t.dealsSeed = seed;
  },
  TournamentCancelled(t, { by, reason }, { need }) {
    const tooLate = isArena(t) && !t.begun && reason === REASONS.tooLate;
    const lapses = !t.begun && t.closes === null && t.plan.ends === undefined && reason === REASONS.lapsed;
    need(by === null ? tooLate || lapses || !t.begun && t.closes !== null && areTooFew(t) && reason === REASONS.tooFew
      : runs(t, by));
    t.over = true;
  },
};
