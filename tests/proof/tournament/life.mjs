// What a tournament goes through: every event is what the rulebook of tournaments makes of those before it (docs/proof.md).

import { hmac, sha256, hex, unhex } from "../../../api/web/static/past/verify/bytes.mjs";
import { isText, must, same } from "../../../api/web/static/past/verify/deals.mjs";
import { below, shuffle, words } from "../../../api/web/static/past/verify/words.mjs";
import { FORMATS, mustBePlayedAgain, swissLength, withoutTable } from "./formats.mjs";
import { areAwardable, canBePlayed, exactly, isEntry, isHex, isInt, isPlan, isPrize, isTerms, isTime, listOf, maybe, oneOf } from "./plan.mjs";

const isSeating = listOf(maybe(isInt));
const isResult = exactly({ seats: isSeating, places: listOf(isInt), wins: listOf(isInt), games: isInt, drawn: isInt });
const texts = listOf(isText), ints = listOf(isInt);
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
  EntriesClosed: { by: maybe(isText), link: isInt, seed: isText, order: ints, rounds: maybe(isInt) },
  RoundPaired: { round: isInt, stage: oneOf("main", "elimination"), link: isInt, seed: isText, tables: listOf(isSeating) },
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
  const { plan, prizes, entry } = announced.data;
  must(canBePlayed(plan) && areAwardable(prizes) && (entry.visibility === "public" || entry.by_invite), 1, "This cannot be announced.");
  must(isHex(committed.data.commitment) && committed.data.links === 61, 2, "The seeds are not bound so.");
  const t = {
    ...announced.data, id, commitment: committed.data.commitment, over: false, begun: false, paused: false, link: 0, round: 0, open: false,
    players: [], clubs: new Map(), nonces: [], left: new Map(), barred: new Set(), invited: new Set(), gaveUp: [], missed: new Set(), waiting: new Map(), order: [], rounds: null,
    stage: "main", tables: [], results: [], attempts: [], byes: [], played: [], cited: new Map(),
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
    const before = { left: new Set(t.left.keys()), attempt: t.attempts[data.table] };
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
  t.cited.set(match, { seq, type, terms: t.terms, head, seats, players, left, place, absent, result });
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

const areTooFew = (t) => there(t).length < 2 || withoutTable(there(t).length, t.plan) === there(t).length;

const arePlaces = (places, seats) =>
  places.length === seats &&
  (places.every((place) => place === 1 + places.filter((other) => other < place).length) || places.every((place) => place === seats));

/** A table of the open round, and what has come of it. */
function isTableOf(t, { round, table, result }) {
  return t.open && round === t.round && table >= 0 && table < t.tables.length && same(result.seats, t.tables[table]) &&
    arePlaces(result.places, result.seats.length) && result.wins.length === result.seats.length;
}

const isMatchOf = (t, { table, result: { wins, games, drawn } }) =>
  t.results[table] === null && drawn >= 0 && wins.every((won) => won >= 0 && won <= games - drawn);

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
    those.length > 0 && new Set(those).size === those.length && those.every((one) => t.tables[table].includes(one));
}

const TOLD = {
  PlayersInvited(t, { players, by }, { need }) {
    need(runs(t, by) && players.length && new Set(players).size === players.length && !players.some((one) => t.invited.has(one)));
    players.forEach((one) => t.invited.add(one));
    need(t.invited.size <= 2048);
  },
  PlayerEntered(t, data, { need }) {
    need(mayEnter(t, data) && !t.begun && there(t).length < t.plan.most && data.entrant === t.players.length);
    enters(t, data);
  },
  PlayerWaits(t, data, { need }) {
    need(mayEnter(t, data) && !t.begun && there(t).length >= t.plan.most);
    t.waiting.set(data.player, data);
  },
  PlayerEnteredLate(t, data, { need }) {
    need(mayEnter(t, data) && t.begun && !t.players.includes(data.player) && data.entrant === t.players.length);
    need(t.round <= t.plan.late && t.round < (t.rounds ?? 0) && there(t).length < t.plan.most);
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
    need(rounds === (t.plan.format === "swiss" ? swissLength(t.plan, entrants.length) : null));
    Object.assign(t, { begun: true, order, rounds });
  },
  TableFinished(t, data, { need }) {
    need(isTableOf(t, data) && isMatchOf(t, data) && !again(t, data));
    t.results[data.table] = data.result;
  },
  TableDrawn(t, data, { need }) {
    need(isTableOf(t, data) && isMatchOf(t, data) && again(t, data) && data.attempt === t.attempts[data.table] + 1);
    t.attempts[data.table] = data.attempt;
  },
  TableForfeited(t, { absent, attempt, result, ...data }, { need, then }) {
    need(awaitsThose(t, data, absent));
    const made = lastAre(t.tables[data.table], absent), replayed = again(t, { result: made });
    need(same(result, replayed ? null : made) && attempt === t.attempts[data.table] + Number(replayed));
    t.results[data.table] = result;
    t.attempts[data.table] = attempt;
    for (const entrant of absent.filter((one) => t.missed.has(one) && !t.left.has(one))) {
      then("PlayerDropped", { entrant, after: t.round });
      t.left.set(entrant, t.round);
    }
    absent.forEach((one) => t.missed.add(one));
  },
  TableAdjudicated(t, { late, result, ...data }, { need }) {
    need(awaitsThose(t, data, late));
    const seats = t.tables[data.table], made = lastAre(seats, t.plan.overdue === "lost" ? late : []);
    need(same(result, again(t, { result: made }) ? lastAre(seats, seats) : made));
    t.results[data.table] = result;
  },
  TableRuled(t, data, { need }) {
    need(runs(t, data.by) && isTableOf(t, data) && !again(t, data));
    need(data.result.wins.every((won) => won === 0) && data.result.games === 0 && data.result.drawn === 0);
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
  TournamentCancelled(t, { by, reason }, { need }) {
    need(by === null ? !t.begun && t.closes !== null && areTooFew(t) && reason === "Too few have entered." : runs(t, by));
    t.over = true;
  },
};

// --- What follows by itself (7.3) ---------------------------------------------------------------

/** See that what must follow now does; says whether more may follow. */
function consequence(t, next, seq, then) {
  if (!t.begun || t.over || t.paused || (t.open && t.results.includes(null))) return false;
  if (t.open) {
    t.played.push({ tables: t.results, byes: t.byes });
    t.open = false;
    then("RoundClosed", { round: t.round, ...ranked(t) });
    return true;
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
  const { stage, tables, byes } = paired;
  t.round += 1;
  then("RoundPaired", { round: t.round, stage, link, seed, tables });
  for (const entrant of byes) then("ByeGiven", { round: t.round, entrant });
  Object.assign(t, { stage, tables, byes, open: true, results: tables.map(() => null), attempts: tables.map(() => 0) });
  return true;
}

const NO_DRAW = { below: () => 0, shuffle: (items) => items };

function ranked(t) {
  const places = FORMATS[t.plan.format].places(t);
  const order = [...t.order].sort((a, b) => places.get(a) - places.get(b));
  return { ranked: order, places: order.map((one) => places.get(one)) };
}

function ends(t, then) {
  const { ranked: order, places } = ranked(t);
  for (const prize of t.prizes) {
    order.forEach((entrant, i) => places[i] === prize.place && then("PrizeAwarded", { entrant, prize }));
  }
  then("TournamentEnded", { ranked: order, places });
  t.over = true;
}
