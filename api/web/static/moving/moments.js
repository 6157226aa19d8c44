/**
 * Says which tables between two versions are worth a look, and for how long. Nothing here knows a browser, or a game.
 */

/** @typedef {import("../table/store.js").Step} Step */

const MOMENT_MS = 450, MOST_MS = 4_000;  // for one table, and for all that are shown one after the other
const END_MS = 2_500;  // for the last table of a hand, which nobody finds again on the table
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

/** Say which hand is played. @param {Api.Scene} scene */
const handOf = (scene) => scene?.numbers?.hand;

/** Say whether another hand has begun. @param {Api.Scene} before @param {Api.Scene} now */
export const isOtherHand = (before, now) => handOf(before) !== handOf(now);

/**
 * Choose what is shown between two tables, and for how many milliseconds each. At no speed nothing is shown but how
 * hands ended.
 * @param {Api.Scene} scene what is shown now
 * @param {Step[]} steps
 * @param {number} speed
 * @returns {{step: Step, ms: number}[]}
 */
export function told(scene, steps, speed) {
  const worth = worthALook(scene, steps), last = steps.at(-1);
  return worth.map((step, i) => {
    const next = worth[i + 1] ?? last, isEnd = next !== undefined && isOtherHand(step.scene, next.scene);
    return {step, ms: isEnd ? END_MS / (speed || 1) : speed ? timeOf(worth.length, speed) : 0};
  }).filter(({ms}) => ms);
}

/** Give the time for each of so many tables. @param {number} count @param {number} speed */
export const timeOf = (count, speed) => Math.min(MOMENT_MS, MOST_MS / Math.max(1, count)) / speed;
