/** Says which tables between two versions are shown, and for how long. Runs without a browser, for any game. */

import type { Step } from "../table/store.ts";

/** Milliseconds for one table, for a trick that is full, and for revealed cards that are turned down again. */
const MOMENT_MS = 600;
const TRICK_MS = 900;
const REVEALED_MS = 1_600;
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

/** Count the open cards that lie between the seats in a layout; the last trick is over. */
const open = (scene: Api.Scene | undefined, layout: string): number =>
  Object.values(scene?.zones ?? {})
    .filter((zone) => zone.seat === null && zone.layout === layout && zone.kind !== "last_trick")
    .reduce((count, zone) => count + zone.spots.filter(({ face }) => face === "up").length, 0);

/** Return the milliseconds for a table: what is gone from the next one is seen for longer. */
export function timeOf(scene: Api.Scene, next: Api.Scene | undefined, speed: number): number {
  const isGone = (layout: string) => open(scene, layout) > 1 && !open(next, layout);
  return (isGone("row") ? REVEALED_MS : isGone("around") ? TRICK_MS : MOMENT_MS) / speed;
}

/** Return the seats to act at a table. */
export const toAct = (scene: Api.Scene): number[] =>
  (scene?.seats ?? []).filter(({ badges }) => badges.includes("turn")).map(({ seat }) => seat);
