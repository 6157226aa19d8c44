/** Stores texts in `localStorage` or `sessionStorage`, if the browser allows it and has room. */

export type Where = "sessionStorage" | "localStorage";

/** Return the text stored under a name; null if there is none. */
export function kept(where: Where, name: string): string | null {
  try {
    return window[where].getItem(name);
  } catch {
    return null;
  }
}

/** Store a text under a name; null removes it. */
export function keep(where: Where, name: string, value: string | null): void {
  try {
    if (value === null) window[where].removeItem(name);
    else window[where].setItem(name, value);
  } catch {
    // The text is lost when the page is closed.
  }
}
