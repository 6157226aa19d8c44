/** The state of a tournament, as far as its events have been followed. */

/** @typedef {number | null} Seat its entrant's number; null for a bot */
/**
 * @typedef {{seat: number, stack: number, hand: number, before: number}} Chips the stack of a seat as it leaves a table
 */
/**
 * @typedef {{stacks: number[], hands_before: number, hands: number, last_gone: boolean, timed_from?: string | null |
 *   undefined}} Stakes the stacks brought to a table
 */
/**
 * @typedef {{seats: Seat[], places: number[], wins: number[], games: number, drawn: number, chips?: Chips[] |
 *   undefined, scores?: number[] | undefined}} Result the result of a table
 */
/**
 * @typedef {{tables: Result[], byes: number[], away?: number[]}} Played a finished round; `away` are no-shows at a
 *   duplicate's tables
 */
/** @typedef {{entrant: number, stack: number, before: number, table: number}} Move */
/**
 * @typedef {{stage: "main" | "elimination", tables: Seat[][], byes: number[], moved?: Move[], broken?: number[],
 *   stakes?: Stakes[]}} Round a round as paired
 */
/** @typedef {{id: string, round: number, table: number, attempt: number}} Place a match's place in its tournament */

/**
 * A match as cited by a tournament. `kind` says how much the event says about it; `absent` are no-shows; `byBots` may
 * be played by bots; `deals` names its shared deals, `pod` its pod; `before` has the seats' standing if a tie is
 * replayed; `late` are those who lost at the deadline.
 * @typedef {object} Cited
 * @property {number} seq @property {"played" | "forfeited" | "adjudicated" | "prepared"} kind
 * @property {import("./plan.mjs").Terms} terms @property {string} head @property {Seat[]} seats @property {(string |
 *   null)[]} players
 * @property {Set<number>} byBots @property {Place} place @property {number[]} absent @property {Result | null} result
 * @property {Stakes | null} stakes @property {string | null} deals @property {number | null} pod
 * @property {import("./deciding.mjs").Levels | null} before @property {number[]} late
 */

/**
 * A tournament's state. `tied` has the places of tables whose last match was tied; `left` has the number of rounds
 * paired when each entrant left; `missed` has each entrant's number of no-shows.
 * @typedef {import("./events.mjs").Told["TournamentAnnounced"] & {
 *   id: string, links: number, commitment: string, deals: string | null,
 *   dealsSeed: string | null, link: number, over: boolean, begun: boolean, paused: boolean,
 * players: string[], clubs: Map<number, string>, nonces: string[], left: Map<number, number>, barred: Set<string>,
 * invited: Set<string>,
 * gaveUp: string[], waiting: Map<string, {club: string | null, nonce: string}>, resting: Set<number>,
 * missed: Counts<number>,
 * order: number[], rounds: number | null, round: number, open: boolean, stage: "main" | "elimination", pairingOver:
 * boolean,
 * tables: Seat[][], stakes: Stakes[], results: (Result | null)[], attempts: number[],
 * tied: Map<number, number[]>, byes: number[], away: number[],
 * played: Played[],
 * preparation: import("./plan.mjs").Preparation | null, pods: Pod[], cited: Map<string, Cited>,
 * counted: Counts<string>}} Tournament
 */
/** @typedef {{entrants: number[], isOver: boolean, attempt: number}} Pod */

/** @param {number} n */
export const range = (n) => Array.from({ length: n }, (_, i) => i);

/**
 * Return an item that must exist.
 * @template T
 * @param {readonly T[]} list
 * @param {number} i
 * @returns {T}
 */
export function at(list, i) {
  const one = list[i];
  if (one === undefined) throw new RangeError(`nothing stands at ${i}`);
  return one;
}

/**
 * Return the value of a key that must exist.
 * @template K, T
 * @param {ReadonlyMap<K, T>} map
 * @param {K} key
 * @returns {T}
 */
export function of(map, key) {
  const one = map.get(key);
  if (one === undefined) throw new RangeError(`nothing is known of ${key}`);
  return one;
}

/** Counts by key. @template K @extends {Map<K, number>} */
export class Counts extends Map {
  /** @param {K} key */
  add(key) {
    this.set(key, this.of(key) + 1);
  }
  /** @param {K} key @returns {number} */
  of(key) {
    return this.get(key) ?? 0;
  }
}

/** Return the people at a table. @param {{seats: Seat[]}} table */
export const people = ({ seats }) => seats.filter((one) => one !== null);

/** Return the entrants who have not left. @param {Tournament} t */
export const there = (t) => t.players.map((_, one) => one).filter((one) => !t.left.has(one));
