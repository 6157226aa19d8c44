/** Loads modules and stylesheets on demand: the start page needs none of them. */

import {LEFT, patience} from "./api.js";
import {keep, kept} from "../kept.ts";

const MOST = 6, MOST_RELOADS = 3, AGAIN_MS = 1_000;
/** Finds the files that a built file imports. */
const IMPORTED = /from"(\.\/[\w-]+\.js)"/g;

/** What the page provides while modules are loaded. */
export const page = {
  /** Wait until the server answers. @type {() => Promise<unknown>} */
  reaches: async () => {},
  /** Return whether a move is being sent; a reload would lose it. @type {() => boolean} */
  isSending: () => false};

/** The stylesheets that are still loading. @type {Set<Promise<void>>} */
const looksThatCome = new Set();

const after = (/** @type {number} */ ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Fail after a time. @param {number} ms @returns {Promise<never>} */
const failsAfter = (ms) => new Promise((_, fails) => { AbortSignal.timeout(ms).onabort = fails; });

/** Wait until the current painting is visible. */
export const nextTask = () => new Promise((rested) => { setTimeout(rested); });

/**
 * Load a module, even over an unreliable connection. Browsers keep a truncated module as an empty one, and after an
 * upgrade, the server no longer has the modules of the open page. In both cases the page is reloaded; its place and
 * input are kept.
 * @template T
 * @param {() => Promise<T>} bring
 * @returns {Promise<T>}
 */
export async function loadModule(bring) {
  const name = `dealt.reloaded/${bring}`;
  for (let n = 1;; n += 1) {
    try {
      const module = await Promise.race([bring(), failsAfter(patience(n))]);
      if (!Object.keys(/** @type {object} */ (module)).length) throw new Error(name);
      await Promise.all(looksThatCome);
      if (kept("sessionStorage", name)) keep("sessionStorage", name, null);
      return module;
    } catch (error) {
      if (n === MOST) throw error;
    }
    await page.reaches();
    if (n > 1) await loadsAgain(name, String(bring));
    await after(n * AGAIN_MS);
  }
}

/**
 * Reload the page when no move is being sent, and not too often. A file that was cut in its headers may be in the cache
 * as an empty one, so all files of the module are requested first: after the last reload, that helps the reader's own.
 * @param {string} name the name that keeps the number of reloads
 * @param {string} code the function that imports the missing module
 */
async function loadsAgain(name, code) {
  const file = /\.\/[\w-]+\.js/.exec(code)?.[0], reloads = Number(kept("sessionStorage", name) ?? 0);
  if (file) await keepsWhole(file, new Set([import.meta.url]));
  if (reloads === MOST_RELOADS) return;
  while (page.isSending()) await after(AGAIN_MS);
  keep("sessionStorage", name, String(reloads + 1));
  location.reload();
  await new Promise(() => {});
}

/**
 * Fetch a file, and those it imports, completely into the cache: otherwise, the reload would get truncated ones again.
 * @param {string} file
 * @param {Set<string>} seen the addresses that need not be fetched
 */
async function keepsWhole(file, seen) {
  const {href} = new URL(file, import.meta.url);
  if (seen.has(href)) return;
  seen.add(href);
  for (let n = 1; n < MOST; n += 1) {
    try {
      const answer = await fetch(href, {cache: "reload", signal: AbortSignal.timeout(patience(n))}),
        code = await answer.text();
      const imported = [...code.matchAll(IMPORTED)].map(([, one = ""]) => keepsWhole(one, seen));
      if (code) return void await Promise.all(imported);
    } catch { /* It was truncated again. */ }
    await after(n * AGAIN_MS);
  }
}

/**
 * @param {() => void} came called when a module has loaded
 * @returns {<T>(bring: () => Promise<T>) => T | null} returns a module, or null until it has loaded; the next call
 *   tries again after a failure
 */
export function later(came) {
  const there = new Map();
  return (bring) => {
    if (!there.has(bring)) {
      there.set(bring, null);
      void loadModule(bring).then((module) => { there.set(bring, module); came(); }, (error) => {
        there.delete(bring);
        if (error.code !== LEFT) throw error;  // The page says so, and tries again when it is painted.
      });
    }
    return there.get(bring);
  };
}

/**
 * Return whether a stylesheet has loaded; truncated ones have no rules, or unreadable ones.
 * @param {HTMLLinkElement} link
 */
export function areThere(link) {
  try { return Boolean(link.sheet?.cssRules.length); } catch { return false; }
}

/**
 * Load the stylesheet at an address; truncated ones are requested again.
 * @param {string} href
 * @returns {Promise<void>} resolves when it has loaded
 */
export function loadStyles(href) {
  const there = asksForLooks(href).finally(() => { looksThatCome.delete(there); });
  looksThatCome.add(there);
  return there;
}

/** @param {string} href @returns {Promise<void>} */
const asksForLooks = (href, n = 1) => new Promise((came) => {
  const link = Object.assign(document.createElement("link"), {rel: "stylesheet", href});
  link.onload = link.onerror = () => {
    if (areThere(link) || n === MOST) return came();
    link.remove();
    // At its own address, the cache has the truncated file.
    void after(n * AGAIN_MS).then(() => asksForLooks(`${href}?`, n + 1)).then(came);
  };
  document.head.append(link);
});
