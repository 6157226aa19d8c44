/** Sorts the reader's matches by urgency, and says which players each waits for. Runs without a browser. */

import {says} from "../words/making.js";

/**
 * @typedef {{match: Api.MatchOfList, says: string, since: string, isMine: boolean, deadline: string | null}} Row a
 *   match, and the text about what it waits for
 */

const RANKS = ["playing", "lobby"];

/**
 * Sort matches: those that wait for the reader by deadline, as in the inbox; then running, waiting and finished ones.
 * @param {Api.ListedMatch[]} matches @param {import("../table/waiting.ts").Waiting[]} inbox @param {Record<string,
 *   import("../table/store.ts").Turn>} turns @returns {Row[]}
 */
export function inOrder(matches, inbox, turns) {
  /** @type {Row[]} */
  const waits = inbox.filter((one, i) => inbox.findIndex(({match}) => match === one.match) === i)
    .map((one) =>
      ({match: matches.find(({id}) => id === one.match)
          ?? {id: one.match, game: one.game, status: "playing", seats: []},
      says: movesIn(one, turns) ?? says.asked[one.kind] ?? one.kind, since: one.since_text, isMine: true,
      deadline: one.deadline}));
  const rank = (/** @type {Api.ListedMatch} */ match) =>
    (RANKS.indexOf(match.status) + RANKS.length + 1) % (RANKS.length + 1);
  const others = matches.filter(({id}) => !inbox.some(({match}) => match === id)).sort((a, b) => rank(a) - rank(b))
    .map((match) =>
      ({match, says: waitsFor(turns[match.id]) ?? says.goesOn[match.annulled ? "annulled" : match.status]
          ?? match.status, since: "", isMine: false,
      deadline: turns[match.id]?.deadline ?? null}));
  return [...waits, ...others];
}

/** @param {import("../table/store.ts").Turn | undefined} turn */
const waitsFor = (turn) => turn?.names.length ? says.waitsFor(turn.names) : undefined;

/**
 * Return the names of the players that a match waits for.
 * @param {Api.Match} match @returns {import("../table/store.ts").Turn}
 */
export const turnOf = ({seats, to_act, deadline}) =>
  ({names: to_act.map((/** @type {number} */ seat) => seats[seat]?.player?.name ?? says.seatWithin(seat)), deadline});

const MOST_ASKED = 6, MOST_NAMED = 3;

/**
 * Say what the reader can do in a match that waits for a move.
 * @param {import("../table/waiting.ts").Waiting} waiting
 * @param {Record<string, import("../table/store.ts").Turn>} turns
 */
function movesIn({kind, match}, turns) {
  const moves = kind === "turn" && turns[match]?.moves || [];
  return moves.length ? says.yourTurnTo(moves.slice(0, MOST_NAMED), moves.length > MOST_NAMED) : undefined;
}

/** Return the names of the offered moves, each once. @param {{moves: {args: Api.Schema}[]}} offer */
export const offerOf = ({moves}) =>
  ({names: [], deadline: null, moves: [...new Set(moves.flatMap(({args}) => args?.title ?? []))]});

/**
 * Return the items of the inbox whose legal moves are to be read.
 * @param {import("../table/waiting.ts").Waiting[]} inbox
 */
export const toMove = (inbox) => inbox.filter(({kind}) => kind === "turn").slice(0, MOST_ASKED);

/**
 * Return the matches whose players to act are to be read: those with several people, as bots do not make others wait.
 * @param {Api.ListedMatch[]} matches
 * @param {import("../table/waiting.ts").Waiting[]} inbox
 */
export const toAsk = (matches, inbox) =>
  matches.filter(({id, status, seats}) => status === "playing" && !inbox.some(({match}) => match === id)
  && seats.filter((seat) => seat.player).length > 1).slice(0, MOST_ASKED);

/**
 * Return the matches that wait for the reader and are not in a list.
 * @param {{id: string}[]} matches
 * @param {import("../table/waiting.ts").Waiting[]} inbox
 */
export const unlisted = (matches, inbox) =>
  [...new Set(inbox.map(({match}) => match))].filter((match) => !matches.some(({id}) => id === match))
  .slice(0, MOST_ASKED);
