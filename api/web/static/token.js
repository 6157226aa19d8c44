/**
 * Keeps the token: in this tab, or in this browser if that is wished. It is in no address and in no line to copy.
 * Below each path of a host lies another server, which has a token of its own.
 */

import {keep, kept} from "./kept.ts";

/** @param {string} root the address of the server */
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

  // Another tab of this browser has kept, changed or forgotten it.
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
    /** Keep it in this browser, or in this tab alone. @param {boolean} wished */
    keep(wished) { isKept = wished; write(); },
    forget() { value = ""; isKept = false; write(); },
    /** @param {() => void} listener */
    onChange(listener) { listeners.add(listener); },
  };
}

/** @typedef {ReturnType<typeof tokenOf>} Token */
