/** Says what is awaited of who prepares for a tournament, and until when. Nothing here knows a browser. */

import {left} from "../table/waiting.ts";
import {says} from "../words/pods.js";

const SECOND_MS = 1_000;

/** Say whether entrants prepare now. @param {Api.Tournament} t */
export const isPreparing = (t) => t.preparation !== null && t.status === "playing" && !t.round;

/**
 * @param {Api.MatchAtTable} mine the match of the reader's pod
 * @param {Api.Tournament} t
 * @param {number} now in milliseconds
 */
export function awaited({status, your_seat: seat, to_act: toAct, deadline, created_at: begun}, t, now) {
  const until = (/** @type {number} */ at) => left(at - now);
  if (status === "lobby" && seat === null)
    return says.sitDown(until(Date.parse(begun) + t.show_up_seconds * SECOND_MS));
  if (status === "lobby") return says.waitForOthers;
  return toAct.includes(seat ?? -1) ? says.yourChoice(deadline ? until(Date.parse(deadline)) : "") : says.othersChoose;
}
