/** Brings modules and looks when they are wanted: a start needs none of them. */

import {keep, kept} from "../kept.ts";

const MOST = 6, MOST_RELOADS = 3, AGAIN_MS = 1_000;

/** What the page says of itself to those who wait for a module. */
export const page = {
  /** Wait until the server answers. @type {() => Promise<unknown>} */
  reaches: async () => {},
  /** Say whether a move is on its way, which a reload would not wait for. @type {() => boolean} */
  isSending: () => false};

/** The looks that have been asked for and are not there yet. @type {Set<Promise<void>>} */
const looksThatCome = new Set();

const after = (/** @type {number} */ ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

/** Wait until what is painted now is there. */
export const rests = () => new Promise((rested) => { setTimeout(rested); });

/**
 * Bring a module, also over a line that is cut now and then. A browser keeps a module that was cut, and is empty; and
 * after an upgrade the server no longer has the modules of the page that is open. In both cases the page is loaded
 * again, which keeps its place and its input.
 * @template T
 * @param {() => Promise<T>} bring
 * @returns {Promise<T>}
 */
export async function brings(bring) {
  const name = `dealt.reloaded/${bring}`;
  for (let n = 1;; n += 1) {
    try {
      const module = await bring();
      if (Object.keys(/** @type {object} */ (module)).length) {
        await Promise.all(looksThatCome);
        if (kept("sessionStorage", name)) keep("sessionStorage", name, null);
        return module;
      }
    } catch (error) {
      if (n === MOST) throw error;
    }
    await page.reaches();
    if (n > 1) await loadsAgain(name, String(bring));
    await after(n * AGAIN_MS);
  }
}

/**
 * Load the page again, once no move is on its way; not again and again.
 * @param {string} name under this name the number of reloads is kept
 * @param {string} code it imports the module that lacks
 */
async function loadsAgain(name, code) {
  const reloads = Number(kept("sessionStorage", name) ?? 0);
  if (reloads === MOST_RELOADS) return;
  while (page.isSending()) await after(AGAIN_MS);
  keep("sessionStorage", name, String(reloads + 1));
  // A file that was cut in its head may be kept, and is empty.
  const file = /\.\/[\w-]+\.js/.exec(code)?.[0];
  if (file) await keepsWhole(new URL(file, import.meta.url));
  location.reload();
  await new Promise(() => {});
}

/** Let the browser keep all of a file: a reload in the middle would leave it cut again. @param {URL} file */
async function keepsWhole(file) {
  for (let n = 1; n < MOST; n += 1) {
    try {
      const answer = await fetch(file, {cache: "reload"});
      if ((await answer.arrayBuffer()).byteLength) return;
    } catch { /* It was cut again. */ }
    await after(n * AGAIN_MS);
  }
}

/**
 * @param {() => void} came what to do when one has come
 * @returns {<T>(bring: () => Promise<T>) => T | null} gives a module, or null until it is there; asked again, it tries
 *   again
 */
export function later(came) {
  const there = new Map();
  return (bring) => {
    if (!there.has(bring)) {
      there.set(bring, null);
      void brings(bring).then((module) => { there.set(bring, module); came(); }, () => there.delete(bring));
    }
    return there.get(bring);
  };
}

/**
 * Say whether looks have come; those that were cut on their way have no rules, or none that may be read.
 * @param {HTMLLinkElement} link
 */
export function areThere(link) {
  try { return Boolean(link.sheet?.cssRules.length); } catch { return false; }
}

/**
 * Take the looks at an address; those that were cut are asked for again.
 * @param {string} href
 * @returns {Promise<void>} resolves when they are there
 */
export function looks(href) {
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
    // At its own address the browser has it, cut as it is.
    void after(n * AGAIN_MS).then(() => asksForLooks(`${href}?`, n + 1)).then(came);
  };
  document.head.append(link);
});
