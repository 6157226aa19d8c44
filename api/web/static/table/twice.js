/**
 * Ignores the second press of a double click, and repeats of a held key, after a press that made a move or opened a
 * question: another control may now be in its place. A deliberate second press never waits.
 */

const TWICE_MS = 400;

let isRepeated = false, spentAt = -Infinity;

/** Note that the last press has had its effect. */
export function noteEffect() { spentAt = performance.now(); }

/** Return whether a press repeats the last one. @param {PointerEvent} event */
const isTwice = ({detail, pointerType}) => detail
  ? detail > 1 && pointerType !== "touch" && performance.now() - spentAt < TWICE_MS
  : isRepeated && spentAt > -Infinity;

addEventListener("keydown", ({repeat}) => {
  isRepeated = repeat;
  if (!repeat) spentAt = -Infinity;  // the last effect came from another press
}, {capture: true});
addEventListener("click", (event) => {
  if (!event.isTrusted || !isTwice(/** @type {PointerEvent} */ (event))) return;
  event.preventDefault();
  event.stopPropagation();
}, {capture: true});
