/** Tells entrants in pods what to do, and until when. Runs without a browser. */

import {left} from "../table/waiting.ts";
import {says} from "../words/pods.js";

const SECOND_MS = 1_000;

/** Return whether entrants are in pods now. @param {Api.Tournament} t */
export const isPreparing = (t) => t.preparation !== null && t.status === "playing" && !t.round;

/**
 * @param {Api.MatchAtTable} mine the reader's pod
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
