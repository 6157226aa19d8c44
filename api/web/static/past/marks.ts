/** Finds the marks of a match, such as the beginnings of hands. Runs without a browser. */

import type { Past } from "../table/store.ts";

const MOST_TICKS = 60;

/** Return the versions to mark on a slider: hands, and smaller parts if there is room for their ticks. */
export function ticks(marks: Past["marks"]): number[] {
  let found: number[] = [];
  for (const kind of new Set(marks.map(({ at }) => at.split(":")[0]))) {
    const ofKind = marks.filter(({ at }) => at.split(":")[0] === kind).map(({ version }) => version);
    const more = [...new Set([...found, ...ofKind])];
    if (more.length <= MOST_TICKS) found = more;
  }
  return found.sort((a, b) => a - b);
}

/**
 * Return the version of the next mark of a kind, or of the one before; of any kind if the match has no such mark. If
 * none follows, return the version that is shown, because a replay must not give away where the match ends.
 */
export function marked({ marks, version }: Pick<Past, "marks" | "version">, kind: string, way: 1 | -1): number {
  const alike = marks.filter(({ at }) => at.startsWith(`${kind}:`));
  const there = (alike.length ? alike : marks).map((mark) => mark.version);
  return way > 0 ? (there.find((one) => one > version) ?? version) : (there.filter((one) => one < version).at(-1) ?? 1);
}
