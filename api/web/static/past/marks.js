/** Finds the marks of a match, as where a hand begins. Nothing here knows a browser. */

const MOST_TICKS = 60;

/**
 * Give the versions that a slider marks: those of the hands and of all smaller parts, as far as they can be told apart.
 * @param {import("../table/store.js").Past["marks"]} marks
 */
export function ticks(marks) {
  let found = /** @type {number[]} */ ([]);
  for (const kind of new Set(marks.map(({at}) => at.split(":")[0]))) {
    const more =
      [...new Set([...found, ...marks.filter(({at}) => at.split(":")[0] === kind).map(({version}) => version)])];
    if (more.length <= MOST_TICKS) found = more;
  }
  return found.sort((a, b) => a - b);
}

/**
 * Give the version of the next mark of a kind, or of the one before; where a match has no marks of that kind, of any.
 * Where none follows, it is
 * the version that is shown: the end is what looking back must not give away.
 * @param {import("../table/store.js").Past} past @param {string} kind @param {1 | -1} way
 */
export function marked({marks, version}, kind, way) {
  const alike = marks.filter(({at}) => at.startsWith(`${kind}:`)),
    there = (alike.length ? alike : marks).map((mark) => mark.version);
  return way > 0 ? there.find((one) => one > version) ?? version : there.filter((one) => one < version).at(-1) ?? 1;
}
