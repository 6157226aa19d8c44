/** Holds a number that is being chosen, as it stands in its field. Nothing here knows a browser, or a game. */

import {schemaOf} from "../table/moves.js";
import {says} from "../words/choosing.js";

/**
 * @typedef {{name: string, title: string, low: number, high: number, step: number, useful: {title: string,
 *   value: number}[]}} Amount
 */

const STEPS = 20;  // where no step is named, so many lead from one bound to the other

/**
 * Read the number that a move asks for, and what its schema says of it.
 * @param {import("../table/store.js").Move} move
 * @param {string} name
 * @returns {Amount}
 */
export function amountOf(move, name) {
  const part = schemaOf(move, name), low = part.minimum ?? 0, high = /** @type {number} */ (part.maximum);
  return {name, title: part.title ?? name, low, high,
    step: part["x-step"] ?? Math.max(1, Math.floor((high - low) / STEPS)),
    useful: part["x-useful"] ?? (high > low ? [{title: says.least, value: low}, {title: says.most, value: high}] : [])};
}

/**
 * Give the number that a text says, if it may be chosen.
 * @param {Amount} amount
 * @param {string} said
 * @returns {number | null}
 */
export function chosen({low, high}, said) {
  const value = said.trim() === "" ? NaN : Number(said);
  return Number.isInteger(value) && value >= low && value <= high ? value : null;
}

/**
 * Take a step up or down; from what is no number, to the nearest bound.
 * @param {Amount} amount
 * @param {string} said
 * @param {1 | -1} way
 */
export function stepped({low, high, step}, said, way) {
  const value = Number(said);
  if (said.trim() === "" || !Number.isFinite(value)) return String(low);
  return String(Math.min(high, Math.max(low, Math.round(value) + way * step)));
}
