/** Takes the reader to a table, as a guest if necessary: a new one, or an open one. */

import {api, happens, state, token, tries} from "./app.js";
import {noteCreated} from "./following.js";
import {news} from "./listing.js";
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

/** @param {unknown} body */
export const make = (body) => goesTo(() => api.call("POST", `/matches?fields=${MADE}`, body, api.keyed()));

/** Create a match, and go to it. @param {() => Promise<import("./following.js").Made>} makes */
export async function goesTo(makes) {
  if (state.isSending) return;
  happens({is: "sending"});
  await guest();
  const made = await makes();
  noteCreated(made);
  location.hash = `m=${made.id}`;
}

/** Sit down at an open table. @param {{id: string, seats: Pick<Api.Seat, "kind">[]}} match */
export async function join(match) {
  const seat = match.seats.findIndex((one) => one.kind === "open");
  happens({is: "sending"});
  await guest();
  try {
    await api.call("PUT", `/matches/${match.id}/seats/${seat}`, {});
  } catch (error) {
    void tries(news);
    throw error;
  }
  if (state.id === match.id) happens({is: "sent"});
  location.hash = `m=${match.id}`;
}
