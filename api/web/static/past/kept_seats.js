/** Sits down where a seat is kept for the reader, at a table that waits: of a tournament, or of a rematch. */

import {api} from "../table/app.js";

/**
 * @param {Pick<Api.Match, "id" | "status" | "seats">} match
 * @param {string | null | undefined} player the id of who sits down
 */
export async function sitsDown({id, status, seats}, player) {
  if (status !== "lobby" || !player) return;
  for (const one of seats)
    if (one.kind === "invite" && one.player?.id === player)
      await api.call("PUT", `/matches/${id}/seats/${one.seat}`, {});
}
