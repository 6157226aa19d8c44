/** Finds the match that a tournament event cites, and its terms (docs/proof.md, "tables"). */

import { levelsBefore, termsAt } from "./deciding.mjs";
import { isDuplicate, standsIn } from "./told.mjs";
import { at, range } from "./state.mjs";

/** @typedef {import("./state.mjs").Tournament} Tournament @typedef {import("./state.mjs").Cited} Cited */
/** @typedef {import("./events.mjs").Told} Told */
/** @typedef {Pick<Cited, "kind" | "absent" | "result" | "late">} Ending */

/** @typedef {{round: number, table: number, pod: number, match: string, head: string}} Of fields of events */

const BEFORE_ROUNDS = 0;

/** @type {Record<string, (data: never) => Ending>} */
const TABLES = {
  TableFinished: (/** @type {Told["TableFinished"]} */ { result, absent = [] }) =>
    ({ kind: "played", absent, result, late: [] }),
  TableDrawn: (/** @type {Told["TableDrawn"]} */ { result, absent = [] }) =>
    ({ kind: "played", absent, result, late: [] }),
  TableForfeited: (/** @type {Told["TableForfeited"]} */ { absent }) =>
    ({ kind: "forfeited", absent, result: null, late: [] }),
  TableAdjudicated: (/** @type {Told["TableAdjudicated"]} */ { late, absent = [] }) =>
    ({ kind: "adjudicated", absent, result: null, late }),
};
/** @type {Record<string, (data: never) => Ending>} */
const PODS = {
  PodFinished: (/** @type {Told["PodFinished"]} */ { without }) =>
    ({ kind: "prepared", absent: without, result: null, late: [] }),
  PodRepeated: (/** @type {Told["PodRepeated"]} */ { absent }) =>
    ({ kind: "forfeited", absent, result: null, late: [] }),
};

/**
 * Return the match that an event cites, given the tournament before it; null if none.
 * @param {Tournament} t
 * @param {{type: string, data: Record<string, unknown>}} event
 * @returns {{match: string, by: (seq: number) => Cited} | null}
 */
export function cites(t, { type, data }) {
  const table = TABLES[type], pod = PODS[type], of = /** @type {Of} */ (data), all = /** @type {never} */ (data);
  if (table && t.tables[of.table]) return atTable(t, of, table(all));
  return pod && t.pods[of.pod] ? inPod(t, of, pod(all)) : null;
}

/**
 * @param {Tournament} t
 * @param {{round: number, table: number, match: string, head: string}} data
 * @param {Ending} ending
 */
function atTable(t, { round, table, match, head }, ending) {
  const seats = at(t.tables, table), attempt = at(t.attempts, table);
  const byBots = new Set(isDuplicate(t) ? seats.filter((one) => standsIn(t, one)) : seats.length > 2
    ? t.left.keys() : []);
  const players = seats.map((one) => (one === null ? null : at(t.players, one)));
  const cited = {
    ...ending, head, seats, players, byBots, terms: termsAt(t, table),
    place: { id: t.id, round, table, attempt },
    stakes: t.stakes[table] ?? null,
    deals: isDuplicate(t) ? `${round} ${attempt}` : null, pod: null, before: levelsBefore(t, table),
  };
  return { match, by: (/** @type {number} */ seq) => ({ ...cited, seq }) };
}

/** @param {Tournament} t @param {{pod: number, match: string, head: string}} data @param {Ending} ending */
function inPod(t, { pod, match, head }, ending) {
  const { entrants, attempt } = at(t.pods, pod), { terms = t.terms, fewest = 0 } = t.preparation ?? {};
  const bots = range(Math.max(0, fewest - entrants.length)).map(() => null), seats = [...entrants, ...bots];
  const cited = {
    ...ending, head, seats, players: [...entrants.map((one) => at(t.players, one)), ...bots],
    byBots: /** @type {Set<number>} */ (new Set()),
    terms, place: { id: t.id, round: BEFORE_ROUNDS, table: pod, attempt }, stakes: null, deals: null, pod,
    before: null,
  };
  return { match, by: (/** @type {number} */ seq) => ({ ...cited, seq }) };
}
