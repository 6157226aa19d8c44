/** Says which tables between two versions are shown, and for how long. Nothing here knows a browser, or a game. */

import type { Step } from "../table/store.ts";

/** Milliseconds for one table, and for all that are shown one after the other. */
const MOMENT_MS = 450;
const MOST_MS = 4_000;
/** A page that is further behind shows nothing in between: it would take too long. */
export const MOST = 60;

/** Return the parts of a table whose changes can be seen. */
const seen = (scene: Api.Scene): string => JSON.stringify([scene?.zones, scene?.seats?.map((seat) => seat.numbers)]);

/** Leave out tables that look like the one before, and the last, which is shown at the end in any case. */
export function worthALook(scene: Api.Scene, steps: readonly Step[]): Step[] {
  let before = seen(scene);
  return steps.slice(0, -1).filter((step) => {
    const now = seen(step.scene);
    const isNew = now !== before;
    before = now;
    return isNew;
  });
}

/** Return whether another hand has begun. */
export const isOtherHand = (before: Api.Scene, now: Api.Scene): boolean => before?.numbers?.hand !== now?.numbers?.hand;

/** Return the milliseconds for each of so many tables. */
export const timeOf = (count: number, speed: number): number =>
  Math.min(MOMENT_MS, MOST_MS / Math.max(1, count)) / speed;
