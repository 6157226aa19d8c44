/** Brings somebody to a table: as a guest with a name, at one that is made, one that is open, or one with a seat kept. */

import {Refused} from "./api.js";
import {api, brought, happens, state, token, tries} from "./app.js";
import {news} from "./listing.js";

async function guest() {
  if (!token.value) {
    const made = await api.call("POST", "/players", {name: "Guest"});
    token.use(made.token);
    token.keep(true);
  }
}

/** Be called otherwise from now on. @param {string} called */
export async function rename(called) {
  const {id, name} = await api.call("PATCH", "/players/me", {name: called});
  happens({is: "named", id, name});
}

/** Play a game against bots. @param {any} game */
export async function playNow(game) {
  const bots = Array.from({length: game.seats.usual - 1}, () => ({kind: "bot", level: "steady"}));
  await make({game: game.game, seats: [{kind: "me"}, ...bots]});
}

/** Ask for all that a table of a game may have. @param {string} name */
export async function think(name) {
  happens({is: "opened", id: null});
  const [form, game] = await Promise.all([import("../making/form.js"), api.call("GET", `/games/${encodeURIComponent(name)}`)]);
  brought.form = form;
  happens({is: "making", draft: form.fresh(game)});
}

/** @param {any} body */
export async function make(body) {
  happens({is: "sending"});
  await guest();
  location.hash = `m=${(await api.call("POST", "/matches?fields=id", body)).id}`;
}

/** Sit down where anybody may. @param {any} match */
export async function join(match) {
  const seat = match.seats.find((/** @type {any} */ one) => one.kind === "open");
  happens({is: "sending"});
  await guest();
  try {
    await api.call("PUT", `/matches/${match.id}/seats/${seat.seat}`, {});
  } catch (error) {
    void tries(news);
    throw error;
  }
  if (state.id === match.id) happens({is: "sent"});
  location.hash = `m=${match.id}`;
}

/** Take the seat that the address keeps. */
export async function sitDown() {
  const {invited} = state;
  if (!invited) return;
  happens({is: "sending"});
  await guest();
  const seats = invited.seat === null ? await kept(invited) : [invited.seat];
  for (const seat of seats) {
    try {
      await api.call("PUT", `/matches/${invited.id}/seats/${seat}`, {invite: invited.code});
      break;
    } catch (error) {
      if (seat === seats.at(-1) || !(error instanceof Refused) || error.code !== "bad_invite") throw error;
    }
  }
  location.hash = `m=${invited.id}`;
}

/** Read which seats wait for a friend; a code does not say for which it is. @param {{id: string, code: string}} invited @returns {Promise<number[]>} */
async function kept({id, code}) {
  const match = await api.match(id, {"Dealt-Invite": code});
  return match.seats.filter((/** @type {any} */ one) => one.kind === "invite" && !one.player).map((/** @type {any} */ one) => one.seat);
}
