/** Puts the cards of the reader's hand in another order. Runs without a browser, for any game. */

const RANKS = "23456789TJQKA";

/** Return a number that grows with the rank of a card; -1 if the card has none. */
const rankOf = (card: string | null): number => (card?.length === 2 ? RANKS.indexOf(card[0] ?? "") : -1);

/**
 * Return a scene in which the reader's hand is ordered by rank; cards of the same rank keep their order. A hand with
 * other cards than those of a usual pack keeps its order, as does one with face-down cards.
 */
export function sortedByRank(scene: Api.Scene): Api.Scene {
  const zones = Object.entries(scene.zones).map(([id, zone]) => {
    const isSorted =
      zone.kind === "hand" && zone.seat === scene.seat && zone.spots.every((spot) => rankOf(spot.card) >= 0);
    const spots = [...zone.spots].sort((a, b) => rankOf(a.card) - rankOf(b.card));
    return [id, isSorted ? { ...zone, spots } : zone];
  });
  return { ...scene, zones: Object.fromEntries(zones) };
}
