/** Warns the reader when the time of their turn runs short. Runs without a browser. */

import {says} from "../words/warning.js";

const MINUTE = 60_000, CLEARLY = 1.25;
const ANNOUNCED = [{at: MINUTE / 6, lasts: MINUTE, says: says.tenSeconds},
  {at: MINUTE, lasts: MINUTE, says: says.aMinute},
  {at: 5 * MINUTE, lasts: MINUTE / 2, says: says.fiveMinutes}, {at: 60 * MINUTE, lasts: MINUTE / 2, says: says.anHour}];

/**
 * Return the warning for this much time left. Warnings are rare enough for a screen reader, and only for turns that had
 * clearly more time.
 * @param {number} ms @param {number} whole the time left when the turn was first seen
 */
export const warning = (ms, whole) => ms <= 0 ? ""
  : ANNOUNCED.find(({at, lasts}) => ms <= at && ms > at - lasts && whole > at * CLEARLY)?.says ?? "";

let turn = {deadline: "", whole: 0};

/** Warn of a deadline. @param {string} deadline @param {number} now in milliseconds */
export function warned(deadline, now) {
  const left = Date.parse(deadline) - now;
  if (turn.deadline !== deadline) turn = {deadline, whole: left};
  return warning(left, turn.whole);
}
