/** Places entrants by how far they got. */

/** @typedef {import("./state.mjs").Played} Played @typedef {import("./state.mjs").Result} Result */

/**
 * Return each entrant's place by rows of numbers, higher is better; equal rows share a place.
 * @param {Map<number, number[]>} far @param {number[][]} [empty] rows of the entrants who could have advanced from
 *   tables that all have lost
 */
export function placesBy(far, empty = []) {
  /** @param {number[]} a @param {number[]} b */
  const compared = (a, b) => {
    const differs = a.findIndex((n, i) => n !== b[i]);
    return differs < 0 ? 0 : (b[differs] ?? 0) - (a[differs] ?? 0);
  };
  /** @type {Map<string, number>} */
  const first = new Map();
  [...far.values(), ...empty].sort(compared).forEach((mine, i) => first.has(`${mine}`) || first.set(`${mine}`, i + 1));
  return new Map([...far].map(([one, mine]) => [one, first.get(`${mine}`) ?? 0]));
}

/**
 * 5.8: return the tables that all have lost, with their round numbers from 1.
 * @param {Played[]} played
 * @returns {{n: number, round: Played, table: Result}[]}
 */
export const lostByAll = (played) =>
  played.flatMap((round, i) =>
    round.tables.filter((table) => !table.places.includes(1)).map((table) => ({ n: i + 1, round, table })));
