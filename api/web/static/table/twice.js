/** Lets the second press of a double one do nothing where the first has made a move, or has led to a question. */

const TWICE_MS = 400, NEAR = 30;

let last = {x: 0, y: 0}, isRepeated = false,
  spent = /** @type {{at: number, x: number, y: number} | null} */ (null);

/** Note that what was pressed last has done what it does: something else may stand in its place now. */
export function spends() { spent = {...last, at: performance.now()}; }

/** Say whether a press is the same again: by a key that is held, or so soon, by a key or in the same place. */
function isTwice(/** @type {MouseEvent} */ {detail, timeStamp, clientX, clientY}) {
  if (!spent) return false;
  const isByKey = !detail;
  if (isByKey && isRepeated) return true;
  return timeStamp - spent.at < TWICE_MS
    && (isByKey || Math.hypot(clientX - spent.x, clientY - spent.y) < NEAR);
}

addEventListener("keydown", ({key, repeat}) => {
  isRepeated = repeat;
  if (!/^(Enter| )$/.test(key)) spent = null;  // who goes elsewhere means what is there
}, {capture: true});
addEventListener("click", (event) => {
  if (!event.isTrusted) return;
  if (isTwice(event)) {
    event.preventDefault();
    event.stopPropagation();
  } else {
    spent = null;
    last = {x: event.clientX, y: event.clientY};
  }
}, {capture: true});
