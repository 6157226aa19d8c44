/** Takes the seats that are reserved for the reader at a waiting table, of a tournament or a rematch. */

import {takeSeat} from "./joining.js";

/**
 * Take the seats reserved for a player, with nonces, if there are any and the match has not begun. The player who asked
 * for a rematch sits there already, and adds a nonce.
 * @param {Pick<Api.Match, "id" | "status" | "seats">} match
 * @param {string | null | undefined} player the player's id
 */
export async function sitsDown({id, status, seats}, player) {
  if (status !== "lobby" || !player) return;
  for (const one of seats)
    if (one.player?.id === player) await takeSeat(id, one.seat);
}

/** Return the id of the reader, if they sit at a match. @param {Pick<Api.Match, "seats" | "your_seat">} match */
export const ownId = ({seats, your_seat: own}) => seats[own ?? -1]?.player?.id;
