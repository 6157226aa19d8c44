/** Says whom matches wait for, and times in words. Nothing here knows a browser. */

import {says} from "../words/table.js";

/**
 * @typedef {{kind: string, match: string, game: string, since_text: string, deadline: string | null}} Waiting an item
 *   of the inbox
 */

/** Name whom a match waits for. @param {Api.Match} match @returns {import("./store.js").Turn} */
export const turnOf = ({seats, to_act, deadline}) =>
  ({names: to_act.map((/** @type {number} */ seat) => seats[seat]?.player?.name ?? says.seatWithin(seat)), deadline});

const MOST_ASKED = 6;

/**
 * Give the matches of which it shall be asked whom they wait for: those of several people, as bots do not let others
 * wait.
 * @param {Api.ListedMatch[]} matches
 * @param {Waiting[]} inbox
 */
export const toAsk = (matches, inbox) =>
  matches.filter(({id, status, seats}) => status === "playing" && !inbox.some(({match}) => match === id)
  && seats.filter((seat) => seat.player).length > 1).slice(0, MOST_ASKED);

/** Give the matches that wait for the reader and are not in a list. @param {any[]} matches @param {Waiting[]} inbox */
export const unlisted = (matches, inbox) =>
  [...new Set(inbox.map(({match}) => match))].filter((match) => !matches.some(({id}) => id === match))
  .slice(0, MOST_ASKED);

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** Say how much time is left, coarsely where there is much. @param {number} ms */
export function left(ms) {
  if (ms <= 0) return says.timeIsUp;
  if (ms < HOUR) return says.minutesLeft(Math.floor(ms / MINUTE), Math.floor(ms % MINUTE / 1000));
  if (ms < DAY) return says.hoursLeft(Math.floor(ms / HOUR), Math.floor(ms % HOUR / MINUTE));
  return says.daysLeft(Math.floor(ms / DAY), Math.floor(ms % DAY / HOUR));
}
