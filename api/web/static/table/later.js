/** Brings modules and looks when they are wanted: a start needs none of them. */

const MOST = 6, AGAIN_MS = 1_000;

/**
 * What is asked for again is asked for by another address: a browser keeps a module that was cut in its head, and is
 * empty.
 * @type {{by: string, reaches: () => Promise<unknown>}}
 */
export const again = {by: "",
  /** Wait until the server answers, of which the page tells; it is told how. */
  reaches: async () => {}};

/** Wait until what is painted now is there. */
export const rests = () => new Promise((rested) => { setTimeout(rested); });

/**
 * Bring a module, also over a line that is cut now and then.
 * @template T
 * @param {() => Promise<T>} bring
 * @returns {Promise<T>}
 */
export async function brings(bring) {
  for (let n = 1;; n += 1) {
    try {
      const module = await bring();
      if (Object.keys(/** @type {object} */ (module)).length) return module;
    } catch (error) {
      if (n === MOST) throw error;
    }
    await again.reaches();
    again.by = `?${n}`;
    await new Promise((resolve) => { setTimeout(resolve, n * AGAIN_MS); });
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
 * Take the looks that stand beside a module.
 * @param {URL} address
 * @returns {Promise<void>} resolves when they are there
 */
export const looks = ({href}) => new Promise((came) => {
  const link = Object.assign(document.createElement("link"), {rel: "stylesheet", href});
  link.onload = link.onerror = () => {
    if (areThere(link)) return came();
    link.remove();
    // At its own address the browser has it, cut as it is.
    setTimeout(() => looks(new URL(`${href}?`)).then(came), AGAIN_MS);
  };
  document.head.append(link);
});
