/** Keeps texts in the browser, in `localStorage` or `sessionStorage`, as far as the browser allows it and has room. */

export type Where = "sessionStorage" | "localStorage";

/** Return the text under a name; null if there is none. */
export function kept(where: Where, name: string): string | null {
  try {
    return window[where].getItem(name);
  } catch {
    return null;
  }
}

/** Keep a text under a name; null removes it. */
export function keep(where: Where, name: string, value: string | null): void {
  try {
    if (value === null) window[where].removeItem(name);
    else window[where].setItem(name, value);
  } catch {
    // Only the page has it, until it is closed.
  }
}
