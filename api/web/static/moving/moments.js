/**
 * Says which tables between two versions are worth a look, and for how long. Nothing here knows a browser, or a game.
 */

/** @typedef {import("../table/store.js").Step} Step */

const MOMENT_MS = 450, MOST_MS = 4_000;  // for one table, and for all that are shown one after the other
export const MOST = 60;  // of what is so far behind nothing is shown: it would be over long ago

/** Say what of a table can be seen to change. @param {Api.Scene} scene */
const seen = (scene) => JSON.stringify([scene?.zones, scene?.seats?.map((seat) => seat.numbers)]);

/**
 * Leave out the tables that look as the one before, the last of which is what is shown at the end anyway.
 * @param {Api.Scene} scene what is shown now
 * @param {Step[]} steps
 * @returns {Step[]}
 */
export function worthALook(scene, steps) {
  let before = seen(scene);
  return steps.slice(0, -1).filter((step) => {
    const now = seen(step.scene), isNew = now !== before;
    before = now;
    return isNew;
  });
}

/** Say whether another hand has begun. @param {Api.Scene} before @param {Api.Scene} now */
export const isOtherHand = (before, now) => before?.numbers?.hand !== now?.numbers?.hand;

/** Give the time for each of so many tables. @param {number} count @param {number} speed */
export const timeOf = (count, speed) => Math.min(MOMENT_MS, MOST_MS / Math.max(1, count)) / speed;
