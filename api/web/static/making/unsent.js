/** Keeps what is being written until it is sent: over reloads and ways back, in this window alone. */

const NAME = "dealt.unsent ";

/** Keep what is written at a place; null: nothing any longer. @param {string} place @param {any} what */
export function keepUnsent(place, what) {
  try {
    if (what === null) sessionStorage.removeItem(NAME + place);
    else sessionStorage.setItem(NAME + place, JSON.stringify(what));
  } catch { /* it is kept by the page alone, where the browser keeps nothing */ }
}

/** Give what was written at a place; null: nothing. @param {string} place @returns {any} */
export function unsent(place) {
  try { return JSON.parse(sessionStorage.getItem(NAME + place) ?? "null"); } catch { return null; }
}

/** Keep nothing any longer: somebody else may come. */
export function forgetUnsent() {
  try { for (const one of Object.keys(sessionStorage)) if (one.startsWith(NAME)) sessionStorage.removeItem(one); } catch { /* nothing was kept */ }
}
