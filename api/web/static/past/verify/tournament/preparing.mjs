/** Follows entrants' preparation in pods before the first round, by section 14 of the tournament rulebook. */

import { same } from "../deals.mjs";
import { at, range } from "./state.mjs";

/** @typedef {import("./state.mjs").Tournament} Tournament @typedef {import("./state.mjs").Pod} Pod */
/** @typedef {import("./events.mjs").Told} Told @typedef {import("./told.mjs").Telling} Telling */

/**
 * 14.2: return as few pods as possible, which differ by at most one player, larger ones first.
 * @param {number[]} order
 * @param {number} seats
 */
export function madePods(order, seats) {
  const count = Math.ceil(order.length / seats), each = Math.floor(order.length / count), more = order.length % count;
  return range(count).map((pod) => {
    const from = pod * each + Math.min(pod, more);
    return order.slice(from, from + each + Number(pod < more));
  });
}

/** @param {Tournament} t */
export const arePreparing = (t) => t.pods.some(({ isOver }) => !isOver);

/**
 * Return an unfinished pod of which these are entrants, none named twice.
 * @param {Tournament} t
 * @param {number} pod
 * @param {number[]} named
 * @param {Telling["need"]} need
 * @returns {Pod}
 */
function podOf(t, pod, named, need) {
  const its = t.pods[pod];
  need(its && !its.isOver && new Set(named).size === named.length && named.every((one) => its.entrants.includes(one)));
  return at(t.pods, pod);
}

/**
 * 14.3: remove entrants who gained nothing.
 * @param {Tournament} t @param {number[]} those @param {Telling["then"]} then
 */
function unprepared(t, those, then) {
  for (const entrant of those.filter((one) => !t.left.has(one))) {
    then("PlayerUnprepared", { entrant, after: t.round });
    t.left.set(entrant, t.round);
  }
}

/** @type {{[K in "PodFinished" | "PodRepeated"]: (t: Tournament, data: Told[K], telling: Telling) => void}} */
export const TOLD_OF_PODS = {
  PodFinished(t, { pod, without }, { need, then }) {
    podOf(t, pod, without, need).isOver = true;
    unprepared(t, without, then);
  },
  PodRepeated(t, { pod, absent, entrants, attempt }, { need, then }) {
    const its = podOf(t, pod, absent, need), rest = its.entrants.filter((one) => !absent.includes(one));
    need(absent.length && rest.length && same(entrants, rest) && attempt === its.attempt + 1);
    Object.assign(its, { entrants: rest, attempt });
    unprepared(t, absent, then);
  },
};
