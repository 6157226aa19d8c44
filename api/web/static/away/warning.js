/** Says how much time is left of the reader's turn where it has become short. Nothing here knows a browser. */

import {says} from "../words/warning.js";

const MINUTE = 60_000, CLEARLY = 1.25;
const ANNOUNCED = [{at: MINUTE / 6, lasts: MINUTE, says: says.tenSeconds},
  {at: MINUTE, lasts: MINUTE, says: says.aMinute},
  {at: 5 * MINUTE, lasts: MINUTE / 2, says: says.fiveMinutes}, {at: 60 * MINUTE, lasts: MINUTE / 2, says: says.anHour}];

/**
 * Say the time that is left so rarely that it may be read aloud, and of a turn that had clearly more than that.
 * @param {number} ms @param {number} whole so much there was when it was seen first
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
