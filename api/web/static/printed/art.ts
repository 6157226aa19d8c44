/** Draws a picture for a card from its name and types: a landscape with an emblem, the same in every match. */

import { svg, type TemplateResult } from "lit-html";

const WIDE = 72;
const HIGH = 96;

/** Emblems by the type of a card, as strokes in a square of 48. Other types have those of the last row. */
const EMBLEMS: Readonly<Record<string, readonly string[]>> = {
  creature: [
    "M10 10C12 20 16 22 24 22S36 20 38 10M14 22L24 41L34 22M20 28H21M27 28H28",
    "M8 34C20 34 32 26 40 10C38 26 32 36 20 40M15 33C23 31 29 25 33 19",
    "M24 7L38 12V23C38 32 31 38 24 41C17 38 10 32 10 23V12ZM24 7V41",
    "M10 11L16 19H32L38 11V28L30 36L24 41L18 36L10 28ZM18 27L21 29M30 27L27 29",
    "M16 32C16 24 32 24 32 32S16 40 16 32M12 20V23M20 12V16M28 12V16M36 20V23",
    "M24 42V8M24 30L14 20V11M24 25L34 15V8M24 36L37 27V21",
    "M8 38C10 24 18 12 38 8C36 24 30 36 14 40M14 34C20 26 25 21 31 16",
    "M24 9A7 7 0 1 1 24 23A7 7 0 1 1 24 9M10 42C11 31 16 27 24 27S37 31 38 42",
  ],
  land: [
    "M4 39L16 17L24 30L30 21L44 39Z",
    "M24 15A8 8 0 1 1 24 31A8 8 0 1 1 24 15M24 5V9M7 23H11M37 23H41M12 11L15 14M36 11L33 14M5 40H43",
    "M24 6V20M24 20C16 24 12 31 10 42M24 20C32 24 36 31 38 42M24 20V42",
    "M6 20C12 14 18 26 24 20S36 14 42 20M6 30C12 24 18 36 24 30S36 24 42 30M6 40C12 34 18 46 24 40S36 34 42 40",
    "M10 42V18L24 8L38 18V42M20 42V30H28V42M10 18H38",
  ],
  instant: [
    "M28 4L12 26H22L18 44L36 20H25Z",
    "M24 5L29 19L43 24L29 29L24 43L19 29L5 24L19 19Z",
    "M24 24C24 20 30 20 30 26S20 34 18 26S24 10 34 14S44 32 36 38",
    "M8 40L38 10M26 8L40 8V22M10 26L16 32M22 38L16 32",
  ],
  sorcery: [
    "M24 5C26 14 36 18 36 30A12 12 0 0 1 12 30C12 24 16 21 18 15C20 20 22 19 24 15Z",
    "M14 8H36V34C36 38 33 40 30 40H12M14 8C11 8 10 10 10 12H18M21 18H30M21 26H30",
    "M24 8A16 16 0 1 1 24 40A16 16 0 1 1 24 8M24 8L34 36L10 19H38L14 36Z",
  ],
  other: [
    "M4 24C12 12 36 12 44 24C36 36 12 36 4 24ZM24 18A6 6 0 1 1 24 30A6 6 0 1 1 24 18",
    "M14 8H34C34 20 30 26 24 26S14 20 14 8ZM24 26V38M16 40H32",
    "M24 8A16 16 0 1 1 24 40A16 16 0 1 1 24 8M24 14L30 24L24 34L18 24Z",
    "M16 16A7 7 0 1 1 16 30A7 7 0 1 1 16 16M23 23H42V30M35 23V28",
  ],
};

/** Return pseudo-random numbers from 0 to 1 for a text. */
export function numbersOf(text: string): () => number {
  let seed = 2166136261;
  for (const one of text) seed = Math.imul(seed ^ (one.codePointAt(0) ?? 0), 16777619);
  return () => {
    seed = Math.imul(seed ^ (seed >>> 15), 2246822519);
    seed = Math.imul(seed ^ (seed >>> 13), 3266489917);
    seed ^= seed >>> 16;
    return (seed >>> 0) / 2 ** 32;
  };
}

/** Return the outline of hills at a height. */
function hills(height: number, next: () => number): string {
  const rough = 4 + 8 * next();
  const points = [0, 1, 2, 3, 4, 5, 6].map(() => Math.round(height + rough * (next() - 0.5)));
  return `M0 ${HIGH}V${points[0]}${points
    .slice(1)
    .map((y, i) => `L${(i + 1) * (WIDE / 6)} ${y}`)
    .join("")}V${HIGH}Z`;
}

/** Draw the picture of a card; its colours come from the frame of the card. */
export function art(name: string, types: readonly string[]): TemplateResult {
  const next = numbersOf(name);
  const emblems = EMBLEMS[types.find((type) => type in EMBLEMS) ?? "other"] ?? [];
  const emblem = emblems[Math.floor(next() * emblems.length)] ?? "";
  const sun = { x: 12 + 48 * next(), y: 30 + 14 * next(), r: 6 + 7 * next() };
  const turn = Math.round(16 * (next() - 0.5));
  return svg`<circle class="sun" cx=${sun.x} cy=${sun.y} r=${sun.r} /><path class="far" d=${hills(56, next)} />
    <path class="near" d=${hills(74, next)} /><path class="emblem" transform=${`translate(20 36) scale(.66)
      rotate(${turn} 24 24)`}
    d=${emblem} />`;
}
