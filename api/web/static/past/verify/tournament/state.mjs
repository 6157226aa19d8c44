/** Says what a tournament is at a moment, as far as its events have been followed. */

/** @typedef {number | null} Seat the number of the entrant who has it; null: a bot */
/**
 * @typedef {{seat: number, stack: number, hand: number, before: number}} Chips the stack of a seat as it leaves a table
 */
/**
 * @typedef {{stacks: number[], hands_before: number, hands: number, last_gone: boolean, timed_from?: string | null |
 *   undefined}} Stakes what is brought to a table
 */
/**
 * @typedef {{seats: Seat[], places: number[], wins: number[], games: number, drawn: number, chips?: Chips[] |
 *   undefined, scores?: number[] | undefined}} Result of a table
 */
/**
 * @typedef {{tables: Result[], byes: number[], away?: number[]}} Played a round that was played; `away` have not come
 *   to a table of a duplicate
 */
/** @typedef {{entrant: number, stack: number, before: number, table: number}} Move */
/**
 * @typedef {{stage: "main" | "elimination", tables: Seat[][], byes: number[], moved?: Move[], broken?: number[],
 *   stakes?: Stakes[]}} Round one as it is paired
 */
/** @typedef {{id: string, round: number, table: number, attempt: number}} Place of a match in its tournament */

/**
 * A match as a tournament cites it: by which event, for whom, with what. `kind` says how much the event tells of it;
 * `absent` who has not
 * come; `byBots` have seats that a bot may have; `deals` names the deals that it shares, `pod` the pod that it is of;
 * `before` is how the seats stand where it is played because of a tie;
 * `late` are those who have lost at the deadline.
 * @typedef {object} Cited
 * @property {number} seq @property {"played" | "forfeited" | "adjudicated" | "prepared"} kind
 * @property {import("./plan.mjs").Terms} terms @property {string} head @property {Seat[]} seats @property {(string |
 *   null)[]} players
 * @property {Set<number>} byBots @property {Place} place @property {number[]} absent @property {Result | null} result
 * @property {Stakes | null} stakes @property {string | null} deals @property {number | null} pod
 * @property {import("./deciding.mjs").Levels | null} before @property {number[]} late
 */

/**
 * `tied` has the places of the tables whose last match was tied; `left` the
 * rounds that had been paired as each left; `missed` how many tables each has not come to.
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
 * Give what stands at a place that must be there.
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
 * Give what is known of a key that must be there.
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

/** Counts things by their keys. @template K @extends {Map<K, number>} */
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

/** The people at a table. @param {{seats: Seat[]}} table */
export const people = ({ seats }) => seats.filter((one) => one !== null);

/** Those who have not left. @param {Tournament} t */
export const there = (t) => t.players.map((_, one) => one).filter((one) => !t.left.has(one));
