/** Places entrants by how far they have come. */

/**
 * The place of each by rows of numbers, the greater the better; who has come as far shares the place.
 * @param {Map<number, number[]>} far
 */
export function placesBy(far) {
  /** @param {number[]} a @param {number[]} b */
  const ahead = (a, b) => {
    const differs = a.findIndex((n, i) => n !== b[i]);
    return differs >= 0 && (a[differs] ?? 0) > (b[differs] ?? 0);
  };
  return new Map([...far].map(([one, mine]) => [one, 1 + [...far.values()].filter((other) => ahead(other, mine)).length]));
}
