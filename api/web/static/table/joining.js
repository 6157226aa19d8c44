/** Takes the reader to a table, as a guest if necessary: a new one, or an open one. */

import {LEFT, Refused} from "./api.js";
import {api, dispatch, state, token, attempt} from "./app.js";
import {noteCreated} from "./following.js";
import {news} from "./listing.js";
import {hashOfNonce, newNonce} from "./nonces.ts";
import {says} from "../words/table.js";

/** Get a token, as a guest if there is none. */
export async function guest(name = says.guest) {
  if (!token.value) {
    const made = await api.call("POST", "/players", {name}, api.keyed());
    token.use(made.token);
    token.keep(true);
  }
}

/** Play a game against bots. @param {Api.ListedGame} game */
export async function playNow(game) {
  const bots = Array.from({length: game.seats.usual - 1}, () => ({kind: "bot", level: "steady"}));
  // The only human player may look at the end of a hand for as long as they like.
  await make({game: game.game, preset: game.usual_preset, options: {pause_between_hands: true},
    seats: [{kind: "me"}, ...bots]});
}

export const MADE = "id,status,version,to_act,your_seats";

/**
 * @typedef {object} NewMatch a request for a match; the caller sits in seat 0
 * @property {Record<string, Api.Json>} options
 * @property {({kind?: unknown} | undefined)[]} seats
 */

/** Create a match in which the reader's nonce counts, and go to it. @param {NewMatch & Record<string, unknown>} body */
export const make = (body) => goesTo(async () => {
  const nonce = newNonce(), created = await api.call("POST", `/matches?fields=${MADE}`,
    await withPromise(body, nonce), api.keyed());
  return created.status === "lobby" ? giveNonce(created, 0, nonce) : created;
});

/**
 * Promise a nonce in a request for a match against bots, which would start before the nonce could be sent. A nonce in
 * the request itself would not count: the server would know it before it commits to the shuffles.
 * @param {NewMatch} body @param {string} nonce
 */
async function withPromise(body, nonce) {
  const [mine, ...others] = body.seats, isAlone = others.every((one) => one?.kind === "bot");
  const hash = isAlone && !("nonce_commit" in body.options) ? await hashOfNonce(nonce) : null;
  return hash
    ? {...body, options: {...body.options, nonce_commit: true}, seats: [{...mine, nonce_hash: hash}, ...others]} : body;
}

/**
 * Send the nonce of a seat in the lobby; return the match. It goes on without a nonce that is refused.
 * @template {import("./following.js").Made} M
 * @param {M} match @param {number} seat @param {string} nonce
 * @returns {Promise<M>}
 */
async function giveNonce(match, seat, nonce) {
  try {
    // With a key the page repeats a request that got no answer. If the first one arrived, the second is refused.
    const now = await api.call("PUT", `/matches/${match.id}/seats/${seat}?fields=${MADE}`, {nonce}, api.keyed());
    return {...match, ...now};
  } catch (error) {
    if (!(error instanceof Refused) || error.code === LEFT) throw error;
    return match;
  }
}

/**
 * Take a seat of a match with a nonce.
 * @param {string} id @param {number} seat
 * @param {{invite?: string}} body @param {Record<string, string>} [by] headers
 */
export async function takeSeat(id, seat, body = {}, by = {}) {
  const nonce = newNonce(), path = /** @type {const} */ (`/matches/${id}/seats/${seat}?fields=${MADE}`);
  const {options, seats} =
    await api.call("GET", `/matches/${id}?fields=options.nonce_commit,seats.kind`, undefined, by);
  if (!options.nonce_commit) {
    await api.call("PUT", path, {...body, nonce});
    return;
  }
  // Where other people promise nonces too, the page would have to wait for them to reveal its own.
  const isAlone = seats.every(({kind}, i) => i === seat || kind === "bot");
  const hash = isAlone ? await hashOfNonce(nonce) : null;
  const taken = await api.call("PUT", path, hash ? {...body, nonce_hash: hash} : body);
  if (hash) await giveNonce(taken, seat, nonce);
}

/** Create a match, and go to it. @param {() => Promise<import("./following.js").Made>} makes */
export async function goesTo(makes) {
  if (state.isSending) return;
  dispatch({is: "sending"});
  await guest();
  const made = await makes();
  noteCreated(made);
  location.hash = `m=${made.id}`;
}

/** Sit down at an open table. @param {{id: string, seats: Pick<Api.Seat, "kind">[]}} match */
export async function join(match) {
  const seat = match.seats.findIndex((one) => one.kind === "open");
  dispatch({is: "sending"});
  await guest();
  try {
    await takeSeat(match.id, seat);
  } catch (error) {
    void attempt(news);
    throw error;
  }
  if (state.id === match.id) dispatch({is: "sent"});
  location.hash = `m=${match.id}`;
}
