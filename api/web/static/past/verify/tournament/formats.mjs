/** Lists how each format pairs rounds and places entrants, by the tournament rulebook. */

import { bracketPlaces, bracketRound } from "./brackets.mjs";
import { doublePlaces, doubleRound } from "./double.mjs";
import { duplicatePlaces, duplicateRound } from "./duplicate.mjs";
import { knockoutPlaces, knockoutRound, shootOutPlaces } from "./knockout.mjs";
import { manyTables, placesByStack } from "./many_tables.mjs";
import { circle, leaguePlaces } from "./round_robin.mjs";
import { pointsOf, ranking } from "./standings.mjs";
import { swissPlaces, swissRound } from "./swiss.mjs";

/** @typedef {import("./state.mjs").Tournament} Tournament */
/**
 * @typedef {(t: Tournament, draw: import("../words.mjs").Draw) => import("./state.mjs").Round | null} Pair returns the
 *   next round; null if there is none
 */

/** @param {Tournament} t */
const byRanking = (t) => new Map(ranking(t.order, t.played, t.plan.seats).map((one, i) => [one, i + 1]));

/** @type {Record<import("./plan.mjs").Plan["format"], {pair: Pair, places: (t: Tournament) => Map<number, number>}>} */
export const FORMATS = {
  swiss: { pair: swissRound, places: swissPlaces },
  round_robin: { pair: circle, places: byRanking },
  league: { pair: circle, places: leaguePlaces },
  single_elimination: {
    pair: (t) => (t.plan.seats === 2 ? bracketRound(t.order, t.played, t.left) : knockoutRound(t)),
    places: (t) => (t.plan.seats === 2 ? bracketPlaces(t.order, t.played, t.left) : knockoutPlaces(t)),
  },
  double_elimination: { pair: doubleRound, places: doublePlaces },
  shoot_out: { pair: knockoutRound, places: shootOutPlaces },
  multi_table: { pair: manyTables, places: placesByStack },
  // Free players are paired while its only round is open; no round follows.
  arena: { pair: () => null, places: byRanking },
  duplicate: { pair: duplicateRound, places: (t) =>
    duplicatePlaces(t, pointsOf(t.order, t.played, t.plan.seats)) },
};
