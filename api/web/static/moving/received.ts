/** Says which cards of a hand its player has just received. Runs without a browser, for any game. */

/** The texts of the cards of the reader's hand, and those among them that are new since the last move. */
export interface Hand {
  readonly cards: readonly string[];
  readonly received: readonly string[];
}

export const EMPTY_HAND: Hand = { cards: [], received: [] };

/** Return the open cards of the hand of the seat to which a scene is shown. */
export const handOf = (scene: Api.Scene): string[] =>
  Object.values(scene?.zones ?? {})
    .filter((zone) => zone.kind === "hand" && zone.seat === scene.seat)
    .flatMap((zone) => zone.spots.map((spot) => spot.card ?? ""))
    .filter(Boolean);

/** Return the cards that are left of some after others were taken away one by one. */
function without(cards: readonly string[], others: readonly string[]): string[] {
  const left = [...cards];
  for (const card of others) if (left.includes(card)) left.splice(left.indexOf(card), 1);
  return left;
}

/**
 * Return the hand after a change. Cards that came are received until the player gives one away; a hand in which all
 * cards are new was dealt, and none is marked.
 */
export function changed(before: Hand, cards: readonly string[]): Hand {
  const gained = without(cards, before.cards);
  if (gained.length === cards.length) return { cards, received: [] };
  const isGiven = without(before.cards, cards).length > 0;
  return { cards, received: isGiven ? gained : [...before.received, ...gained] };
}

/** Return for each of some cards whether it is received; of cards with the same text, the last ones are. */
export function areReceived(cards: readonly string[], received: readonly string[]): boolean[] {
  const left = [...received];
  return [...cards]
    .reverse()
    .map((card) => left.includes(card) && left.splice(left.indexOf(card), 1).length > 0)
    .reverse();
}
