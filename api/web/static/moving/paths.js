/** Says which cards move when a table changes, and from where. Nothing here knows a browser, or a game. */

/**
 * @typedef {{x: number, y: number, width: number}} Place within the table, in pixels
 * @typedef {{place: Place, from: string}} Card where a card lies, and the place that one comes from that was not seen
 *   before
 * @typedef {{cards: Map<string, Card>, sources: Map<string, Place>}} Seen
 * @typedef {{key: string, dx: number, dy: number, scale: number, delay: number}} Path where a card is drawn at first,
 *   beside where it lies
 */

// pixels that nobody sees; milliseconds between two cards, and before the last
const NEAR = 2, STAGGER_MS = 70, MOST_MS = 560;

/**
 * Those that were seen go from where they were; new ones from their source, one after the other.
 * @param {Seen} before
 * @param {Seen} now
 * @returns {Path[]}
 */
export function paths(before, now) {
  let nth = 0;
  return [...now.cards].flatMap(([key, {place, from}]) => {
    const known = before.cards.get(key)?.place, start = known ?? before.sources.get(from);
    if (!start || !start.width || !place.width) return [];
    const dx = start.x - place.x, dy = start.y - place.y, scale = known ? start.width / place.width : 1;
    if (Math.hypot(dx, dy) < NEAR && Math.abs(scale - 1) < 0.05) return [];
    return [{key, dx, dy, scale, delay: known ? 0 : Math.min(MOST_MS, STAGGER_MS * nth++)}];
  });
}

export const SPEEDS = [0, 0.5, 1, 2, 4];

/** Give the speed that a text says; 1 for what is none. @param {string | null} said */
export const speedOf = (said) => SPEEDS.find((one) => String(one) === said) ?? 1;
