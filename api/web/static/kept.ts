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

/** Return the value stored as JSON under a name of `localStorage`; null if there is none, or it cannot be read. */
export function keptValue<T>(name: string): T | null {
  try {
    return JSON.parse(kept("localStorage", name) ?? "null");
  } catch {
    return null;
  }
}
