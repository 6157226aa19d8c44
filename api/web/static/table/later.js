/** Brings modules and looks when they are wanted: a start needs none of them. */

/**
 * @param {() => void} came what to do when one has come
 * @returns {<T>(bring: () => Promise<T>) => T | null} gives a module, or null until it is there; asked again, it tries again
 */
export function later(came) {
  const there = new Map();
  return (bring) => {
    if (!there.has(bring)) {
      there.set(bring, null);
      void bring().then((module) => { there.set(bring, module); came(); }, () => there.delete(bring));
    }
    return there.get(bring);
  };
}

/** Take the looks that stand beside a module. @param {URL} address */
export function looks({href}) {
  document.head.append(Object.assign(document.createElement("link"), {rel: "stylesheet", href}));
}
