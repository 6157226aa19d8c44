/** Puts matches in the order of what waits for the reader, and finds tables with room. Nothing here knows a browser. */

import {says} from "../words/making.js";

/**
 * @typedef {{match: Api.MatchOfList, says: string, since: string, isMine: boolean, deadline: string | null}} Row a
 *   match, and what it waits for
 */

const RANKS = ["playing", "lobby"];

/**
 * Give the matches that wait for the reader, the nearest deadline first, as the inbox has them; then those that go on,
 * those that have not
 * begun, and those that are over.
 * @param {Api.ListedMatch[]} matches @param {import("../table/waiting.js").Waiting[]} inbox @param {Record<string,
 *   import("../table/store.js").Turn>} turns @returns {Row[]}
 */
export function inOrder(matches, inbox, turns) {
  /** @type {Row[]} */
  const waits = inbox.filter((one, i) => inbox.findIndex(({match}) => match === one.match) === i)
    .map((one) =>
      ({match: matches.find(({id}) => id === one.match)
          ?? {id: one.match, game: one.game, status: "playing", seats: []},
      says: says.asked[one.kind] ?? one.kind, since: one.since_text, isMine: true, deadline: one.deadline}));
  const rank = (/** @type {Api.ListedMatch} */ match) =>
    (RANKS.indexOf(match.status) + RANKS.length + 1) % (RANKS.length + 1);
  const others = matches.filter(({id}) => !inbox.some(({match}) => match === id)).sort((a, b) => rank(a) - rank(b))
    .map((match) =>
      ({match, says: waitsFor(turns[match.id]) ?? says.goesOn[match.annulled ? "annulled" : match.status]
          ?? match.status, since: "", isMine: false,
      deadline: turns[match.id]?.deadline ?? null}));
  return [...waits, ...others];
}

/** @param {import("../table/store.js").Turn | undefined} turn */
const waitsFor = (turn) => turn?.names.length ? says.waitsFor(turn.names) : undefined;

/**
 * Give the tables at which somebody may sit down who sits at none of them yet.
 * @param {Api.ListedMatch[]} lobbies
 * @param {Api.ListedMatch[]} mine
 * @returns {Api.ListedMatch[]}
 */
export const withRoom = (lobbies, mine) => lobbies.filter(({id, seats}) =>
  seats.some((seat) => seat.kind === "open") && !mine.some((match) => match.id === id));
