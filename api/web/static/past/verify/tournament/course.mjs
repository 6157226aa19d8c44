/** Checks a tournament's automatic events (tournament 7.3): closing and pairing of rounds, prizes, the end. */

import { must } from "../deals.mjs";
import { drawing } from "./draws.mjs";
import { FORMATS } from "./formats.mjs";
import { payouts } from "./many_tables.mjs";
import { arePreparing, madePods } from "./preparing.mjs";
import { awarded } from "./prizes.mjs";
import { at, of } from "./state.mjs";
import { arenaTables, isTimeToPair } from "./swiss.mjs";
import { isArena } from "./told.mjs";

/** @typedef {import("./state.mjs").Tournament} Tournament @typedef {import("../record.mjs").Linked} Event */
/** @typedef {import("./told.mjs").Telling["then"]} Then */

/**
 * Check the events that must follow now; return whether more may follow.
 * @param {Tournament} t
 * @param {Event | undefined} next
 * @param {number} seq its number
 * @param {Then} then
 */
export function consequence(t, next, seq, then) {
  if (!t.begun || t.over || t.paused) return false;
  const areOpen = t.open && t.results.includes(null);
  if (isArena(t) && !t.pairingOver && t.link < t.links) return pairsWhoIsFree(t, next, seq, then, areOpen);
  if (areOpen || arePreparing(t)) return false;
  if (t.preparation && !t.pods.length) return makesPods(t, t.preparation, then);
  if (t.open) return closes(t, then);
  return isArena(t) ? ends(t, then) : pairs(t, next, seq, then);
}

/** @param {Tournament} t @param {import("./plan.mjs").Preparation} preparation @param {Then} then */
function makesPods(t, { seats }, then) {
  const pods = madePods(t.order, seats);
  t.pods = pods.map((entrants) => ({ entrants, isOver: false, attempt: 0 }));
  then("PodsMade", { pods });
  return true;
}

/** @param {Tournament} t @param {Then} then */
function closes(t, then) {
  t.played.push({ tables: t.results.filter((result) => result !== null), byes: t.byes, away: t.away });
  t.open = false;
  then("RoundClosed", { round: t.round, ...ranked(t) });
  t.counted.add("standings");
  return true;
}

const NO_DRAW = { below: () => 0, shuffle: /** @template T @param {readonly T[]} items */ (items) => [...items] };

/**
 * Check the next round's pairing, or the end.
 * @param {Tournament} t
 * @param {Event | undefined} next
 * @param {number} seq
 * @param {Then} then
 */
function pairs(t, next, seq, then) {
  must(next, seq, "A round must be paired next, or the tournament must end.");
  const { link, seed } = next.data;
  // A draw decides what the next round is, but not whether there is one.
  const drawn = next.type === "RoundPaired" ? drawing(t, seq, `pairing.${t.round + 1}`, link, seed) : NO_DRAW;
  const paired = FORMATS[t.plan.format].pair(t, drawn);
  if (!paired) return ends(t, then);
  const { stage, tables, byes, moved = [], broken = [], stakes = [] } = paired;
  t.round += 1;
  then("RoundPaired", { round: t.round, stage, link, seed, tables });
  for (const move of moved) then("StackMoved", { round: t.round, ...move });
  for (const table of broken) then("TableBroken", { round: t.round, table });
  stakes.forEach((each, table) => then("TableStaked", { round: t.round, table, stakes: each }));
  for (const entrant of byes) then("ByeGiven", { round: t.round, entrant });
  for (const _ of byes) t.counted.add("byes");
  t.counted.add("pairings");
  Object.assign(t, { stage, tables, stakes, byes, away: [], open: true, results: tables.map(() => null),
      attempts: tables.map(() => 0), tied: new Map() });
  return true;
}

/**
 * 10.2: check the pairing of an arena's free players, in its only round, which stays open; return whether it took
 * place.
 * @param {Tournament} t
 * @param {Event | undefined} next
 * @param {number} seq
 * @param {Then} then
 * @param {boolean} areOpen whether any tables are open
 */
function pairsWhoIsFree(t, next, seq, then, areOpen) {
  const busy = new Set([...t.resting, ...t.tables.filter((_, i) => t.results[i] === null).flat()]);
  const come = t.order.filter((one) => !t.left.has(one) && !t.resting.has(one));
  if (!isTimeToPair(come.filter((one) => !busy.has(one)).length, come.length, t.plan.seats, areOpen)) return false;
  must(next?.type === (t.open ? "TablesPaired" : "RoundPaired"), seq, "Free players must be paired next.");
  const { link, seed } = next.data;
  const drawn = drawing(t, seq, `pairing.${t.link}`, link, seed);
  const ended = { tables: t.results.filter((result) => result !== null), byes: [] };
  const tables = arenaTables(t, busy, [ended], drawn);
  then(next.type, { round: 1, ...(t.open ? {} : { stage: "main" }), link, seed, tables });
  t.counted.add("pairings");
  Object.assign(t, { round: 1, open: true, byes: [], stage: "main" });
  t.tables = [...t.tables, ...tables];
  t.results = [...t.results, ...tables.map(() => null)];
  t.attempts = [...t.attempts, ...tables.map(() => 0)];
  return true;
}

/** @param {Tournament} t */
function ranked(t) {
  const places = FORMATS[t.plan.format].places(t);
  const order = [...t.order].sort((a, b) => of(places, a) - of(places, b));
  return { ranked: order, places: order.map((one) => of(places, one)) };
}

/** 11.2: return whether an entrant was disqualified and gets no prize. @param {Tournament} t @param {number} entrant */
const isBarred = (t, entrant) => t.barred.has(at(t.players, entrant));

/** @param {Tournament} t @param {Then} then */
function ends(t, then) {
  const { ranked: order, places } = ranked(t);
  for (const one of awarded(t, order, places)) if (!isBarred(t, one.entrant)) then("PrizeAwarded", one);
  if (t.plan.format === "multi_table") for (const one of payouts(order, places)) if (!isBarred(t, one.entrant))
    then("PayoutMade", one);
  then("TournamentEnded", { ranked: order, places });
  t.counted.add("standings");
  t.over = true;
  return false;
}
