/** Says how much time is left, and at which tables there is room. Nothing here knows a browser. */

import {says} from "../words/table.js";

/**
 * @typedef {{kind: string, match: string, seat: number, version: number, game: string, since_text: string,
 *   deadline: string | null}} Waiting an item of the inbox
 */

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** Say how much time is left, coarsely where there is much. @param {number} ms */
export function left(ms) {
  if (ms <= 0) return says.timeIsUp;
  if (ms < HOUR) return says.minutesLeft(Math.floor(ms / MINUTE), Math.floor(ms % MINUTE / 1000));
  if (ms < DAY) return says.hoursLeft(Math.floor(ms / HOUR), Math.floor(ms % HOUR / MINUTE));
  return says.daysLeft(Math.floor(ms / DAY), Math.floor(ms % DAY / HOUR));
}

/**
 * Give the tables at which somebody may sit down who sits at none of them yet.
 * @param {Api.ListedMatch[]} lobbies
 * @param {Api.ListedMatch[]} mine
 * @returns {Api.ListedMatch[]}
 */
export const withRoom = (lobbies, mine) => lobbies.filter(({id, seats}) =>
  seats.some((seat) => seat.kind === "open") && !mine.some((match) => match.id === id));
