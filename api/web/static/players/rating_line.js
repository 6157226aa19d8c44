/** Draws the history of a rating as a line. Runs without a browser. */

const ROOM = 20;
/** The minimum margin above the highest and below the lowest rating. */

/**
 * Return the points of a line that fills a box; ratings come latest first.
 * @param {number[]} ratings @param {number} width @param {number} height
 * @returns {{points: [number, number][], least: number, most: number}}
 */
export function line(ratings, width, height) {
  const inTime = [...ratings].reverse(), least = Math.min(...inTime), most = Math.max(...inTime);
  const low = least - ROOM, span = most - least + 2 * ROOM, step = inTime.length > 1 ? width / (inTime.length - 1) : 0;
  return {points: inTime.map((rating, i) =>
      [Math.round(i * step), Math.round(height - (rating - low) / span * height)]), least, most};
}

/**
 * Return the change by each match, with ratings latest first; null if the previous rating is unknown.
 * @param {number[]} ratings
 */
export const changes = (ratings) =>
  ratings.map((rating, i) => i + 1 < ratings.length ? rating - (ratings[i + 1] ?? rating) : null);
