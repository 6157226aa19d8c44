/** Finds the arrows between cards, and their curves. Runs without a browser, for any game. */

/** An arrow from a card, by its id, to another card, or to a seat by its number. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Return the arrows of a scene: from each card to all that it targets or blocks. */
export const arrowsOf = (scene: Api.Scene): Arrow[] =>
  Object.values(scene.zones).flatMap((zone) =>
    zone.spots.flatMap(({ id, aims }) => (id ? aims.map((to) => ({ from: id, to })) : [])),
  );

/** Arrows bend by this fraction of their length, and end this many pixels before the middle of their target. */
const BEND = 0.14;
const SHORT_PX = 22;

/** Return the path of an arrow between two points, as a curve that bends to its left. */
export function curve(from: Point, to: Point): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const by = length > 2 * SHORT_PX ? SHORT_PX / length : 0;
  const end = { x: to.x - dx * by, y: to.y - dy * by };
  const middle = { x: (from.x + to.x) / 2 + dy * BEND, y: (from.y + to.y) / 2 - dx * BEND };
  const [a, b, c] = [from, middle, end].map(({ x, y }) => `${Math.round(x)} ${Math.round(y)}`);
  return `M${a}Q${b} ${c}`;
}
