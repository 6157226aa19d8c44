/** Formats the time left, and finds tables with open seats. Independent of browsers. */

import { says } from "../words/table.js";

/** An item of the inbox. */
export interface Waiting {
  readonly kind: string;
  readonly match: string;
  readonly seat: number;
  readonly version: number;
  readonly game: string;
  readonly since_text: string;
  readonly deadline: string | null;
}

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000] as const;

/** Format the time left in two units. */
export function left(ms: number): string {
  if (ms <= 0) return says.timeIsUp;
  if (ms < HOUR) return says.minutesLeft(Math.floor(ms / MINUTE), Math.floor((ms % MINUTE) / 1000));
  if (ms < DAY) return says.hoursLeft(Math.floor(ms / HOUR), Math.floor((ms % HOUR) / MINUTE));
  return says.daysLeft(Math.floor(ms / DAY), Math.floor((ms % DAY) / HOUR));
}

/** Return the tables with an open seat at which the player does not sit yet. */
export const withRoom = (lobbies: readonly Api.ListedMatch[], mine: readonly Api.ListedMatch[]): Api.ListedMatch[] =>
  lobbies.filter(
    ({ id, seats }) => seats.some((seat) => seat.kind === "open") && !mine.some((match) => match.id === id),
  );
