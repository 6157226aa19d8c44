/** Keeps little in the browser, in `localStorage` or in `sessionStorage`: as far as it admits that, and has room. */

/** @typedef {"sessionStorage" | "localStorage"} Where */

/** Give what is kept by a name; null: nothing. @param {Where} where @param {string} name */
export function kept(where, name) {
  try { return window[where].getItem(name); } catch { return null; }
}

/**
 * Keep something by a name; null: nothing any longer.
 * @param {Where} where
 * @param {string} name
 * @param {string | null} value
 */
export function keep(where, name, value) {
  try {
    if (value === null) window[where].removeItem(name);
    else window[where].setItem(name, value);
  } catch { /* it is kept by the page alone, as long as that is open */ }
}
