/** Brings modules and looks when they are wanted: a start needs none of them. */

const MOST = 6, AGAIN_MS = 1_000;

/** Bring a module, also over a line that is cut now and then. @template T @param {() => Promise<T>} bring @returns {Promise<T>} */
export async function brings(bring) {
  for (let n = 1; n < MOST; n += 1) {
    try { return await bring(); } catch { await new Promise((resolve) => { setTimeout(resolve, n * AGAIN_MS); }); }
  }
  return bring();
}

/**
 * @param {() => void} came what to do when one has come
 * @returns {<T>(bring: () => Promise<T>) => T | null} gives a module, or null until it is there; asked again, it tries again
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

/** Take the looks that stand beside a module. @param {URL} address */
export function looks({href}) {
  const onerror = () => { setTimeout(() => looks(new URL(href)), AGAIN_MS); };
  document.head.append(Object.assign(document.createElement("link"), {rel: "stylesheet", href, onerror}));
}
