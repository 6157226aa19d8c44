/**
 * Keeps the token in this tab, or in this browser if the reader wishes. It is never in an address or a copied command.
 * Each path of a host may have another server, with its own token.
 */

import {keep, kept} from "./kept.ts";

/** @param {string} root the server's base URL */
export function tokenOf(root) {
  const key = `dealt.token ${new URL(root).pathname}`;
  /** @type {Set<() => void>} */
  const listeners = new Set();

  let isKept = Boolean(kept("localStorage", key));
  let value = kept("localStorage", key) ?? kept("sessionStorage", key) ?? "";

  const write = () => {
    for (const where of /** @type {const} */ (["sessionStorage", "localStorage"])) {
      keep(where, key, (where === "localStorage") === isKept ? value || null : null);
    }
    for (const listener of listeners) listener();
  };

  // Another tab of this browser has stored, changed or removed the token.
  addEventListener("storage", (event) => {
    if (event.storageArea === window.localStorage && event.key === key && (event.newValue || isKept)) {
      value = event.newValue ?? "";
      isKept = Boolean(value);
      for (const listener of listeners) listener();
    }
  });

  return {
    key,
    get value() { return value; },
    get isKept() { return isKept; },
    /** @param {string} given */
    use(given) { value = given.trim(); write(); },
    /** Keep the token in this browser, or only in this tab. @param {boolean} wished */
    keep(wished) { isKept = wished; write(); },
    forget() { value = ""; isKept = false; write(); },
    /** @param {() => void} listener */
    onChange(listener) { listeners.add(listener); },
  };
}

/** @typedef {ReturnType<typeof tokenOf>} Token */
