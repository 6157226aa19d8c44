/** Says which cards move when a table changes, and from where. Runs without a browser, for any game. */

/** A place within the table, in pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export interface Card {
  readonly place: Place;
  /** The place that the card comes from, if it was not seen before. */
  readonly from: string;
}

export interface Seen {
  readonly cards: Map<string, Card>;
  readonly sources: Map<string, Place>;
}

/** Where a card is drawn first, relative to its place, and the delay in milliseconds before it moves. */
export interface Path {
  readonly key: string;
  readonly dx: number;
  readonly dy: number;
  readonly scale: number;
  readonly delay: number;
}

/** A distance in pixels that players do not notice. */
const NEAR = 2;
/** Milliseconds between the starts of two cards, and before the start of the last. */
const STAGGER_MS = 70;
const MOST_MS = 560;

/** Return the paths of cards: known cards come from where they were, new ones from their source, one by one. */
export function paths(before: Seen, now: Seen): Path[] {
  let nth = 0;
  return [...now.cards].flatMap(([key, { place, from }]) => {
    const known = before.cards.get(key)?.place;
    const start = known ?? before.sources.get(from);
    if (!start?.width || !place.width) return [];
    const dx = start.x - place.x;
    const dy = start.y - place.y;
    const scale = known ? start.width / place.width : 1;
    if (Math.hypot(dx, dy) < NEAR && Math.abs(scale - 1) < 0.05) return [];
    return [{ key, dx, dy, scale, delay: known ? 0 : Math.min(MOST_MS, STAGGER_MS * nth++) }];
  });
}

export const SPEEDS = [0, 0.5, 1, 2, 4];

/** Return the speed that a text says; 1 if it says none. */
export const speedOf = (said: string | null): number => SPEEDS.find((one) => String(one) === said) ?? 1;
