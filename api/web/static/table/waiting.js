/** Puts matches in the order of what waits for the reader, and says times in words. Nothing here knows a browser. */

import {says} from "../words/table.js";

/**
 * @typedef {{match: any, says: string, since: string, isMine: boolean, deadline: string | null}} Row a match, and what it waits for
 * @typedef {{kind: string, match: string, game: string, since_text: string, deadline: string | null}} Waiting an item of the inbox
 */

const RANKS = ["playing", "lobby"];

/**
 * Give the matches that wait for the reader, the nearest deadline first, as the inbox has them; then those that go on, those that have not
 * begun, and those that are over.
 * @param {any[]} matches @param {Waiting[]} inbox @param {Record<string, import("./store.js").Turn>} turns @returns {Row[]}
 */
export function inOrder(matches, inbox, turns) {
  const waits = inbox.filter((one, i) => inbox.findIndex(({match}) => match === one.match) === i)
    .map((one) => ({match: matches.find(({id}) => id === one.match) ?? {id: one.match, game: one.game, status: "playing", seats: []},
      says: says.asked[one.kind] ?? one.kind, since: one.since_text, isMine: true, deadline: one.deadline}));
  const rank = (/** @type {any} */ match) => (RANKS.indexOf(match.status) + RANKS.length + 1) % (RANKS.length + 1);
  const others = matches.filter(({id}) => !inbox.some(({match}) => match === id)).sort((a, b) => rank(a) - rank(b))
    .map((match) => ({match, says: waitsFor(turns[match.id]) ?? says.goesOn[match.status] ?? match.status, since: "", isMine: false,
      deadline: turns[match.id]?.deadline ?? null}));
  return [...waits, ...others];
}

/** @param {import("./store.js").Turn | undefined} turn */
const waitsFor = (turn) => turn?.names.length ? says.waitsFor(turn.names) : undefined;

/** Name whom a match waits for. @param {any} match @returns {import("./store.js").Turn} */
export const turnOf = ({seats, to_act, deadline}) =>
  ({names: to_act.map((/** @type {number} */ seat) => seats[seat]?.player?.name ?? says.seatWithin(seat)), deadline});

const MOST_ASKED = 6;

/** Give the matches of which it shall be asked whom they wait for: those of several people, as bots do not let others wait. @param {any[]} matches @param {Waiting[]} inbox */
export const toAsk = (matches, inbox) => matches.filter(({id, status, seats}) => status === "playing" && !inbox.some(({match}) => match === id)
  && seats.filter((/** @type {any} */ seat) => seat.player).length > 1).slice(0, MOST_ASKED);

/** Give the tables at which somebody may sit down who sits at none of them yet. @param {any[]} lobbies @param {any[]} mine */
export const toJoin = (lobbies, mine) => lobbies.filter(({id, seats}) =>
  seats.some((/** @type {any} */ seat) => seat.kind === "open") && !mine.some((match) => match.id === id));

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** Say how much time is left, coarsely where there is much. @param {number} ms */
export function left(ms) {
  if (ms <= 0) return says.timeIsUp;
  if (ms < HOUR) return says.minutesLeft(Math.floor(ms / MINUTE), Math.floor(ms % MINUTE / 1000));
  if (ms < DAY) return says.hoursLeft(Math.floor(ms / HOUR), Math.floor(ms % HOUR / MINUTE));
  return says.daysLeft(Math.floor(ms / DAY), Math.floor(ms % DAY / HOUR));
}
