/** Keeps unsent input over reloads and navigation, in this window only. */

import {keep, kept} from "../kept.ts";

const NAME = "dealt.unsent ";

/** Keep the input of a place; null removes it. @param {string} place @param {unknown} what */
export function keepUnsent(place, what) {
  keep("sessionStorage", NAME + place, what === null ? null : JSON.stringify(what));
}

/** Return the input of a place; null if there is none. @param {string} place @returns {unknown} */
export function unsent(place) {
  try { return JSON.parse(kept("sessionStorage", NAME + place) ?? "null"); } catch { return null; }
}

/** Remove all input: another player may use this browser next. */
export function forgetUnsent() {
  try { for (const one of Object.keys(sessionStorage)) if (one.startsWith(NAME)) sessionStorage.removeItem(one);
    } catch { /* nothing was kept */ }
}
