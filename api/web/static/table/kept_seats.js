/** Sits down where a seat is kept for the reader, at a table that waits: of a tournament, or of a rematch. */

import {api} from "./app.js";

/**
 * Take the seats of a match that are kept for a player; nothing happens where there are none, or it has begun.
 * @param {Pick<Api.Match, "id" | "status" | "seats">} match
 * @param {string | null | undefined} player an id
 */
export async function sitsDown({id, status, seats}, player) {
  if (status !== "lobby" || !player) return;
  for (const one of seats)
    if (one.kind === "invite" && one.player?.id === player)
      await api.call("PUT", `/matches/${id}/seats/${one.seat}`, {});
}

/** Give the id of the reader, if they sit at a match. @param {Pick<Api.Match, "seats" | "your_seat">} match */
export const ownId = ({seats, your_seat: own}) => seats[own ?? -1]?.player?.id;
