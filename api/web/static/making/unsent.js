/** Keeps what is being written until it is sent: over reloads and ways back, in this window alone. */

import {keep, kept} from "../kept.js";

const NAME = "dealt.unsent ";

/** Keep what is written at a place; null: nothing any longer. @param {string} place @param {unknown} what */
export function keepUnsent(place, what) {
  keep("sessionStorage", NAME + place, what === null ? null : JSON.stringify(what));
}

/** Give what was written at a place; null: nothing. @param {string} place @returns {unknown} */
export function unsent(place) {
  try { return JSON.parse(kept("sessionStorage", NAME + place) ?? "null"); } catch { return null; }
}

/** @typedef {Record<string, string>} Written what is written in a form, by the names of its fields */

/** Give what was written in a form, what hears what is written on, and what ends that. @param {string} place */
export const writing = (place) => ({
  was: /** @type {Written} */ (unsent(place) ?? {}),
  writes: (/** @type {Event} */ {currentTarget}) =>
    keepUnsent(place, Object.fromEntries(new FormData(/** @type {HTMLFormElement} */ (currentTarget)))),
  ends: () => keepUnsent(place, null),
});

/** Keep nothing any longer: somebody else may come. */
export function forgetUnsent() {
  try { for (const one of Object.keys(sessionStorage)) if (one.startsWith(NAME)) sessionStorage.removeItem(one);
    } catch { /* nothing was kept */ }
}
