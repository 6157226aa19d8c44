/**
 * Lets the second press of a double click, and a key that is held, do nothing where the first press has made a move, or
 * has led to a question: something else may stand in its place. Who presses again on purpose never waits.
 */

const TWICE_MS = 400;

let isRepeated = false, spentAt = -Infinity;

/** Note that what was pressed last has done what it does. */
export function spends() { spentAt = performance.now(); }

/** Say whether a press is the same again. @param {PointerEvent} event */
const isTwice = ({detail, pointerType}) => detail
  ? detail > 1 && pointerType !== "touch" && performance.now() - spentAt < TWICE_MS
  : isRepeated && spentAt > -Infinity;

addEventListener("keydown", ({repeat}) => {
  isRepeated = repeat;
  if (!repeat) spentAt = -Infinity;  // what was done before was done by another press
}, {capture: true});
addEventListener("click", (event) => {
  if (!event.isTrusted || !isTwice(/** @type {PointerEvent} */ (event))) return;
  event.preventDefault();
  event.stopPropagation();
}, {capture: true});
