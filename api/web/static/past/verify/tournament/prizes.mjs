/** Shares prizes, by section 11 of the tournament rulebook. */

import { range } from "./state.mjs";

/** @typedef {import("./plan.mjs").Prize} Prize @typedef {{entrant: number, prize: Prize}} Award */

/**
 * Return each entrant's award, in order.
 * @param {import("./state.mjs").Tournament} t
 * @param {number[]} order
 * @param {number[]} places
 * @returns {Award[]}
 */
export function awarded({ prizes }, order, places) {
  return [...new Set(places)].flatMap((place) => {
    const sharing = order.filter((_, i) => places[i] === place);
    return shares(place, prizes.filter((prize) => prize.place >= place && prize.place < place + sharing.length),
      sharing);
  });
}

/**
 * 11.1: entrants who share a place divide the prizes of as many places.
 * @param {number} place
 * @param {Prize[]} prizes
 * @param {number[]} sharing
 * @returns {Award[]}
 */
function shares(place, prizes, sharing) {
  /** @type {Map<string, number>} */
  const all = new Map();
  for (const { boosters } of prizes)
    for (const [set, n] of Object.entries(/** @type {Record<string, number>} */ (boosters)))
    all.set(set, (all.get(set) ?? 0) + n);
  const inOrder = [...prizes].sort((a, b) => a.place - b.place),
    promos = inOrder.flatMap(({ promo }) => (promo === null ? [] : [promo])), k = sharing.length;
  return range(k).flatMap((turn) => {
    const mine = [...all].map(([set, n]) => /** @type {const} */ ([set, Math.floor(n / k) + Number(turn < n % k)]))
      .filter(([, n]) => n > 0);
    const promo = promos[turn] ?? null, entrant = sharing[turn];
    return entrant !== undefined && (mine.length || promo !== null)
      ? [{ entrant, prize: { place, boosters: Object.fromEntries(mine), promo } }] : [];
  });
}
