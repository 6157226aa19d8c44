/** Keeps what is being written until it is sent: over reloads and ways back, in this window alone. */

import {keep, kept} from "../kept.ts";

const NAME = "dealt.unsent ";

/** Keep what is written at a place; null: nothing any longer. @param {string} place @param {unknown} what */
export function keepUnsent(place, what) {
  keep("sessionStorage", NAME + place, what === null ? null : JSON.stringify(what));
}

/** Give what was written at a place; null: nothing. @param {string} place @returns {unknown} */
export function unsent(place) {
  try { return JSON.parse(kept("sessionStorage", NAME + place) ?? "null"); } catch { return null; }
}

/** Keep nothing any longer: somebody else may come. */
export function forgetUnsent() {
  try { for (const one of Object.keys(sessionStorage)) if (one.startsWith(NAME)) sessionStorage.removeItem(one);
    } catch { /* nothing was kept */ }
}
