/** Keeps what is being written in a form until it is sent. */

import {keepUnsent, unsent} from "./unsent.js";

/** @typedef {Record<string, string>} Written what is written in a form, by the names of its fields */

/** Give what was written in a form, what hears what is written on, and what ends that. @param {string} place */
export const writing = (place) => ({
  was: /** @type {Written} */ (unsent(place) ?? {}),
  writes: (/** @type {Event} */ {currentTarget}) =>
    keepUnsent(place, Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (currentTarget)))),
  ends: () => keepUnsent(place, null),
});
