/** Finds the marks of a match, as where a hand begins. Nothing here knows a browser. */

/**
 * Give the version of the next mark of a kind, or of the one before; the ends, where there is none.
 * @param {import("../table/store.js").Past} past @param {string} kind @param {1 | -1} way
 */
export function marked({steps, marks, version}, kind, way) {
  const there = marks.filter(({at}) => at.startsWith(`${kind}:`)).map((mark) => mark.version);
  const found = way > 0 ? there.find((one) => one > version) : there.filter((one) => one < version).at(-1);
  return found ?? (way > 0 ? steps.length : 1);
}
