/** Describes an alarm: the server contradicts what it showed before. */

import { keptValue } from "../kept.ts";
import { root } from "../table/app.js";
import type { LogFault } from "./log_watch.ts";
import type { MatchFault } from "./match_watch.ts";

/** `match` is null for the log of the whole server; `before` and `now` are the two contradicting documents. */
export interface Alarm {
  why: LogFault | MatchFault;
  match: string | null;
  before: unknown;
  now: unknown;
}

/** The name under which this browser keeps an alarm until the player accepts the change. */
export const ALARM = `dealt.alarm ${root}/`;

/** Return the alarm that this browser keeps; null if there is none. */
export const keptAlarm = (): Alarm | null => keptValue(ALARM);
