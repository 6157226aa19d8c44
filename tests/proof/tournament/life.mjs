// What a tournament goes through: every event is what the rulebook of tournaments makes of those before it (docs/proof.md).

import { hmac, sha256, hex, unhex } from "../../../api/web/static/past/verify/bytes.mjs";
import { isText, must, same } from "../../../api/web/static/past/verify/deals.mjs";
import { below, shuffle, words } from "../../../api/web/static/past/verify/words.mjs";
import { areEnough, teamSize } from "./duplicate.mjs";
import { Counts, FORMATS, isTime as isTimeToPair, mustBePlayedAgain, swissLength, withoutTable } from "./formats.mjs";
import { areChips, areStakes, conserved, payouts } from "./many_tables.mjs";
import { areAwardable, canBePlayed, exactly, isEntry, isHex, isInt, isPlan, isPrize, isTerms, isTime, leftOut, listOf, maybe, oneOf } from "./plan.mjs";

const texts = listOf(isText), ints = listOf(isInt);
const isSeating = listOf(maybe(isInt));
const isResult = exactly({ seats: isSeating, places: listOf(isInt), wins: listOf(isInt), games: isInt, drawn: isInt, chips: areChips, scores: leftOut(ints) });
const played = { round: isInt, table: isInt, match: isText, head: isText, result: isResult };

/** The fields of each type of event. */
export const FIELDS = {
  TournamentAnnounced: {
    name: isText, organiser: isText, helpers: texts, plan: isPlan, terms: isTerms, prizes: listOf(isPrize), closes: maybe(isTime),
    entry: isEntry,
  },
  DrawsCommitted: { commitment: isText, links: isInt },
  PlayersInvited: { players: texts, by: isText },
  PlayerEntered: { entrant: isInt, player: isText, club: maybe(isText), nonce: isText, rating: maybe(isInt) },
  PlayerWaits: { player: isText, club: maybe(isText), nonce: isText, rating: maybe(isInt) },
  PlayerMovedUp: { entrant: isInt, player: isText, club: maybe(isText), nonce: isText, waiting: texts },
  PlayerStoppedWaiting: { player: isText, waiting: texts },
  PlayerEnteredLate: { entrant: isInt, player: isText, club: maybe(isText), rating: maybe(isInt) },
  PlayerWithdrew: { entrant: isInt, after: isInt },
  PlayerDisqualified: { entrant: isInt, after: isInt, reason: isText, by: isText },
  PlayerDropped: { entrant: isInt, after: isInt },
  PlayerRested: { entrant: isInt },
  PlayerReturned: { entrant: isInt },
  EntriesClosed: { by: maybe(isText), link: isInt, seed: isText, order: ints, rounds: maybe(isInt) },
  RoundPaired: { round: isInt, stage: oneOf("main", "elimination"), link: isInt, seed: isText, tables: listOf(isSeating) },
  TablesPaired: { round: isInt, link: isInt, seed: isText, tables: listOf(isSeating) },
  PairingEnded: {},
  StackMoved: { round: isInt, entrant: isInt, stack: isInt, before: isInt, table: isInt },
  TableBroken: { round: isInt, table: isInt },
  TableStaked: { round: isInt, table: isInt, stakes: areStakes },
  ByeGiven: { round: isInt, entrant: isInt },
  TableFinished: played,
  TableDrawn: { ...played, attempt: isInt },
  TableForfeited: { ...played, absent: ints, result: maybe(isResult), attempt: isInt },
  TableAdjudicated: { ...played, late: ints },
  TableRuled: { round: isInt, table: isInt, result: isResult, reason: isText, by: isText },
  RoundClosed: { round: isInt, ranked: ints, places: ints },
  TournamentPaused: { by: isText, reason: isText },
  TournamentResumed: { by: isText },
  PrizeAwarded: { entrant: isInt, prize: isPrize },
  PayoutMade: { entrant: isInt, percent: isText },
  TournamentEnded: { ranked: ints, places: ints },
  TournamentCancelled: { by: maybe(isText), reason: isText },
};

/**
 * Follow a tournament from its first event to its last. Throws `Wrong` at the first that is not what it must be; gives the matches that it
 * cites, by their ids.
 */
export function follow(id, events) {
  const [announced, committed] = events;
  must(announced.type === "TournamentAnnounced" && committed?.type === "DrawsCommitted", 1, "A tournament is announced, and bound.");
  const { plan, prizes, entry, closes } = announced.data, links = { arena: 1025, multi_table: 1001 }[plan.format] ?? 61;
  must(canBePlayed(plan) && areAwardable(prizes) && (entry.visibility === "public" || entry.by_invite) && !(plan.ends <= closes) && !(plan.levels && closes === null), 1, "This cannot be announced.");
  must(isHex(committed.data.commitment) && committed.data.links === links, 2, "The seeds are not bound so.");
  const t = {
    ...announced.data, links, id, commitment: committed.data.commitment, over: false, begun: false, paused: false, link: 0, round: 0, open: false,
    players: [], clubs: new Map(), nonces: [], left: new Map(), barred: new Set(), invited: new Set(), gaveUp: [], resting: new Set(), away: [], pairingOver: false, missed: new Counts(), waiting: new Map(), order: [], rounds: null,
    stage: "main", tables: [], stakes: [], results: [], attempts: [], byes: [], played: [], cited: new Map(),
  };
  for (let at = 2; at < events.length; ) {
    const { type, data } = events[at];
    const told = TOLD[type];
    must(told && !t.over, at + 1, "This cannot happen here.");
    const first = at;
    /** What must be so; else the event cannot stand here. */
    const need = (holds) => must(holds, first + 1, "This is refused, or is not what the rules make of it.");
    at += 1;
    /** The next event must be this one. */
    const then = (kind, fields) => {
      const next = events[at];
      must(next && next.type === kind && same(next.data, fields), at + 1, "Something else must follow.");
      at += 1;
    };
    const table = t.tables[data.table] ?? [], byBots = isDuplicate(t) ? table.filter((one) => standsIn(t, one)) : [...t.left.keys()];
    const before = { left: new Set(byBots), attempt: t.attempts[data.table] };
    told(t, data, { need, then, draw: (purpose, link, seed) => drawing(t, first, purpose, link, seed) });
    if (isText(data.match)) cites(t, first + 1, type, data, before);
    for (let more = true; more; ) more = consequence(t, events[at], at + 1, then);
  }
  return t.cited;
}

/** Note which match was played at a table, by the event that says so. */
function cites(t, seq, type, { round, table, match, head, absent, result }, { left, attempt }) {
  const place = { id: t.id, round, table, attempt };
  const seats = t.tables[table], players = seats.map((one) => (one === null ? null : t.players[one]));
  const deals = isDuplicate(t) ? `${round} ${attempt}` : null;
  t.cited.set(match, { deals, seq, type, stakes: t.stakes[table] ?? null, terms: t.terms, head, seats, players, left, place, absent, result });
}

// --- Draws (8) ----------------------------------------------------------------------------------

function drawing(t, at, purpose, link, seed) {
  must(link === t.link + 1 && isHex(seed) && hashed(seed, link) === t.commitment, at + 1, "The seed is not that of the next link.");
  t.link = link;
  const stream = words(hmac(unhex(seed), `ct1|${t.id}|1|${link}|${purpose}|0|${t.nonces.join(",")}`));
  return { below: (bound) => below(stream, bound), shuffle: (items) => shuffle(stream, items) };
}

function hashed(seed, times) {
  let at = unhex(seed);
  for (let i = 0; i < times; i++) at = sha256(at);
  return hex(at);
}

// --- What is told -------------------------------------------------------------------------------

const there = (t) => t.players.map((_, one) => one).filter((one) => !t.left.has(one));
const takesPart = (t, player) => there(t).some((one) => t.players[one] === player);
const runs = (t, by) => by === t.organiser || t.helpers.includes(by);

function mayEnter(t, { player, nonce = "", rating }) {
  return /^([0-9a-f]{16,64})?$/.test(nonce) && !t.barred.has(player) && !takesPart(t, player) && !t.waiting.has(player) &&
    [...t.players, ...t.gaveUp].filter((one) => one === player).length < 3 && (!t.entry.by_invite || t.invited.has(player) || runs(t, player)) && isWithin(t.entry, rating);
}

function isWithin({ least_rating: least, most_rating: most }, rating) {
  if (rating === null) return least === undefined && most === undefined;
  return rating >= (least ?? rating) && rating <= (most ?? rating);
}

function enters(t, { player, club, nonce }) {
  if (club !== null) t.clubs.set(t.players.length, club);
  t.players.push(player);
  if (nonce !== undefined) t.nonces.push(nonce);
}

/** While entries are open, who has waited longest gets the place that has become free. */
function movesUp(t, then) {
  if (t.begun || !t.waiting.size) return;
  const [[player, { club, nonce }]] = t.waiting;
  t.waiting.delete(player);
  then("PlayerMovedUp", { entrant: t.players.length, player, club, nonce, waiting: [...t.waiting.keys()] });
  enters(t, { player, club, nonce });
}

function leaves(t, { entrant, after }, { need, then }) {
  need(there(t).includes(entrant) && after === t.round);
  t.left.set(entrant, after);
  movesUp(t, then);
}

const isDuplicate = (t) => t.plan.format === "duplicate";
/** 13.5: whether a bot has the seat of an entrant in the open round. */
const standsIn = (t, one) => one !== null && (t.away.includes(one) || (t.left.has(one) && t.left.get(one) < t.round));
const fillsNone = (t) => (isDuplicate(t) ? !areEnough(t, there(t)) : withoutTable(there(t).length, t.plan) === there(t).length);
const areTooFew = (t) => there(t).length < 2 || fillsNone(t);

const arePlaces = (places, seats) =>
  places.length === seats &&
  (places.every((place) => place === 1 + places.filter((other) => other < place).length) || places.every((place) => place === seats));

/** A table of the open round, and what has come of it. */
function isTableOf(t, { round, table, result }) {
  return t.open && round === t.round && table >= 0 && table < t.tables.length && same(result.seats, t.tables[table]) &&
    arePlaces(result.places, result.seats.length) && result.wins.length === result.seats.length;
}

const isMatchOf = (t, { table, result: { wins, games, drawn, scores } }) =>
  (isDuplicate(t) ? scores?.length === wins.length : scores === undefined) && t.results[table] === null && drawn >= 0 && wins.every((won) => won >= 0 && won <= games - drawn);

/** 12.9: stacks leave a table to which stacks were brought, and no other. */
const hasItsStacks = (t, { table, result: { chips } }) =>
  t.stakes.length ? chips !== undefined && conserved(t.stakes[table], chips) : chips === undefined;

const again = (t, { result }) => t.stage === "elimination" && mustBePlayedAgain(t, result, t.tables.length === 1 && !t.byes.length);

/** The result of a table that was not played to its end: these entrants are last, all others first. */
function lastAre(seats, last) {
  const others = seats.filter((one) => !last.includes(one)).length;
  const places = seats.map((one) => (!last.includes(one) ? 1 : others ? others + 1 : seats.length));
  return { seats, places, wins: seats.map(() => 0), games: 0, drawn: 0 };
}

/** Whether an open table awaits the result of its match, and these are some of those who sit at it. */
function awaitsThose(t, { round, table }, those) {
  return t.open && round === t.round && table >= 0 && table < t.tables.length && t.results[table] === null &&
    (those.length > 0 || isDuplicate(t)) && new Set(those).size === those.length && those.every((one) => t.tables[table].includes(one));
}

const isArena = (t) => t.plan.format === "arena";
const isOn = (t) => isArena(t) && t.begun && !t.pairingOver;
export const LAPSED = "Nobody has closed entries for a year.";
export const TOO_LATE = "Entries were not closed before its time was over.";

const roundsOf = (plan, n) => (plan.format === "swiss" ? swissLength(plan, n) : plan.format === "duplicate" ? plan.rounds ?? plan.seats : null);

/** 13.1: whether there is a place in the team. */
function hasRoom(t, club) {
  if (!t.plan.teams) return true;
  const here = [...there(t).map((one) => t.clubs.get(one)), ...[...t.waiting.values()].map((one) => one.club)];
  return club !== null && here.filter((one) => one === club).length < teamSize(t.plan);
}

const TOLD = {
  PlayersInvited(t, { players, by }, { need }) {
    need(runs(t, by) && players.length && new Set(players).size === players.length && !players.some((one) => t.invited.has(one)));
    players.forEach((one) => t.invited.add(one));
    need(t.invited.size <= 2048);
  },
  PlayerEntered(t, data, { need }) {
    need(mayEnter(t, data) && hasRoom(t, data.club) && !t.begun && there(t).length < t.plan.most && data.entrant === t.players.length);
    enters(t, data);
  },
  PlayerWaits(t, data, { need }) {
    need(mayEnter(t, data) && hasRoom(t, data.club) && !t.begun && there(t).length >= t.plan.most);
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
  PlayerDisqualified(t, data, told) {
    told.need(runs(t, data.by) && there(t).includes(data.entrant));
    t.barred.add(t.players[data.entrant]);
    leaves(t, data, told);
  },
  EntriesClosed(t, { by, link, seed, order, rounds }, { need, draw }) {
    const entrants = there(t);
    need(!t.begun && (by === null ? t.closes !== null : runs(t, by)));
    need(!areTooFew(t));
    need(same(order, draw("seating", link, seed).shuffle(entrants)));
    need(rounds === roundsOf(t.plan, entrants.length));
    Object.assign(t, { begun: true, order, rounds });
  },
  TableFinished(t, data, { need }) {
    need(isTableOf(t, data) && isMatchOf(t, data) && !again(t, data) && hasItsStacks(t, data));
    t.results[data.table] = data.result;
  },
  TableDrawn(t, data, { need }) {
    need(isTableOf(t, data) && isMatchOf(t, data) && again(t, data) && hasItsStacks(t, data) && data.attempt === t.attempts[data.table] + 1);
    t.attempts[data.table] = data.attempt;
  },
  TableForfeited(t, { absent, attempt, result, ...data }, { need, then }) {
    need(awaitsThose(t, data, absent) && !t.stakes.length);
    const made = lastAre(t.tables[data.table], absent), replayed = isDuplicate(t) || again(t, { result: made });
    need(same(result, replayed ? null : made) && attempt === t.attempts[data.table] + Number(replayed));
    t.results[data.table] = result;
    t.attempts[data.table] = attempt;
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
    t.away.push(...absent);
  },
  TableAdjudicated(t, { late, result, ...data }, { need }) {
    need(awaitsThose(t, data, late));
    const seats = t.tables[data.table], made = lastAre(seats, t.plan.overdue === "lost" ? late : []);
    need(same(result, again(t, { result: made }) ? lastAre(seats, seats) : made));
    t.results[data.table] = result;
  },
  TableRuled(t, data, { need }) {
    need(runs(t, data.by) && isTableOf(t, data) && !again(t, data) && !t.stakes.length && data.result.chips === undefined);
    need(data.result.scores === undefined && data.result.wins.every((won) => won === 0) && data.result.games === 0 && data.result.drawn === 0);
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
  PairingEnded(t, data, { need }) {
    need(isOn(t));
    t.pairingOver = true;
  },
  TournamentCancelled(t, { by, reason }, { need }) {
    const tooLate = isArena(t) && !t.begun && reason === TOO_LATE;
    const lapses = !t.begun && t.closes === null && t.plan.ends === undefined && reason === LAPSED;
    need(by === null ? tooLate || lapses || !t.begun && t.closes !== null && areTooFew(t) && reason === "Too few have entered." : runs(t, by));
    t.over = true;
  },
};

// --- What follows by itself (7.3) ---------------------------------------------------------------

/** See that what must follow now does; says whether more may follow. */
function consequence(t, next, seq, then) {
  if (!t.begun || t.over || t.paused) return false;
  const tablesOpen = t.open && t.results.includes(null);
  if (isArena(t) && !t.pairingOver && t.link < t.links) return pairsWhoIsFree(t, next, seq, then, tablesOpen);
  if (tablesOpen) return false;
  if (t.open) {
    t.played.push({ tables: t.results, byes: t.byes, away: t.away });
    t.open = false;
    then("RoundClosed", { round: t.round, ...ranked(t) });
    return true;
  }
  if (isArena(t)) {
    ends(t, then);
    return false;
  }
  must(next, seq, "A round must follow, or the end.");
  const { link, seed } = next.data;
  // Which round follows is drawn; that none follows, no draw decides.
  const drawn = next.type === "RoundPaired" ? drawing(t, seq - 1, `pairing.${t.round + 1}`, link, seed) : NO_DRAW;
  const paired = FORMATS[t.plan.format].pair(t, drawn);
  if (!paired) {
    ends(t, then);
    return false;
  }
  const { stage, tables, byes, moved = [], broken = [], stakes = [] } = paired;
  t.round += 1;
  then("RoundPaired", { round: t.round, stage, link, seed, tables });
  for (const move of moved) then("StackMoved", { round: t.round, ...move });
  for (const table of broken) then("TableBroken", { round: t.round, table });
  stakes.forEach((each, table) => then("TableStaked", { round: t.round, table, stakes: each }));
  for (const entrant of byes) then("ByeGiven", { round: t.round, entrant });
  Object.assign(t, { stage, tables, stakes, byes, away: [], open: true, results: tables.map(() => null), attempts: tables.map(() => 0) });
  return true;
}

/** 10.2: pair tables of an arena, whose only round stays open; says whether it has been done. */
function pairsWhoIsFree(t, next, seq, then, tablesOpen) {
  const rests = t.order.filter((one) => t.resting.has(one));
  const away = new Set([...rests, ...t.tables.filter((_, i) => t.results[i] === null).flat()]);
  const come = t.order.filter((one) => !t.left.has(one) && !t.resting.has(one));
  if (!isTimeToPair(come.filter((one) => !away.has(one)).length, come.length, t.plan.seats, tablesOpen)) return false;
  must(next?.type === (t.open ? "TablesPaired" : "RoundPaired"), seq, "Whoever is free must be paired.");
  const { link, seed } = next.data;
  const drawn = drawing(t, seq - 1, `pairing.${t.link}`, link, seed);
  const ended = { tables: t.results.filter((result) => result !== null), byes: [] };
  const { tables } = FORMATS.arena.pair({ ...t, away, played: [ended] }, drawn);
  then(next.type, { round: 1, ...(t.open ? {} : { stage: "main" }), link, seed, tables });
  Object.assign(t, { round: 1, open: true, byes: [], stage: "main" });
  t.tables = [...t.tables, ...tables];
  t.results = [...t.results, ...tables.map(() => null)];
  t.attempts = [...t.attempts, ...tables.map(() => 0)];
  return true;
}

const NO_DRAW = { below: () => 0, shuffle: (items) => items };

function ranked(t) {
  const places = FORMATS[t.plan.format].places(t);
  const order = [...t.order].sort((a, b) => places.get(a) - places.get(b));
  return { ranked: order, places: order.map((one) => places.get(one)) };
}

/** 11.2: whether an entrant was disqualified, and gets nothing. */
const isBarred = (t, entrant) => t.barred.has(t.players[entrant]);

function ends(t, then) {
  const { ranked: order, places } = ranked(t);
  for (const prize of t.prizes) {
    order.forEach((entrant, i) => places[i] === prize.place && !isBarred(t, entrant) && then("PrizeAwarded", { entrant, prize }));
  }
  if (t.plan.format === "multi_table") for (const one of payouts(order, places)) if (!isBarred(t, one.entrant)) then("PayoutMade", one);
  then("TournamentEnded", { ranked: order, places });
  t.over = true;
}
