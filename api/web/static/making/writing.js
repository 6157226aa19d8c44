/** Keeps the input of a form until it is sent. */

import {keepUnsent, unsent} from "./unsent.js";

/** @typedef {Record<string, string>} Written the input of a form, by the names of its fields */

/**
 * Return the kept input of a form, a listener that keeps changes, and a function that removes it.
 * @param {string} place
 */
export const writing = (place) => ({
  was: /** @type {Written} */ (unsent(place) ?? {}),
  writes: (/** @type {Event} */ {currentTarget}) =>
    keepUnsent(place, Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (currentTarget)))),
  ends: () => keepUnsent(place, null),
});
