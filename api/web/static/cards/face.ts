/** Draws the faces of cards: one composition, which is the same at every size. */

import { html, nothing, svg, type TemplateResult } from "lit-html";
import { court } from "./courts.ts";
import { isDrawn, placed, SUITS, suitAt, written } from "./glyphs.ts";

/** The size of a card, in the units of its drawing. */
const WIDE = 250;
const HIGH = 350;
const MIDDLE = WIDE / 2;

// --- Pips -----------------------------------------------------------------------------------------------

const SIDE = 44;
const TOP = 67;
const STEP = (HIGH - 2 * TOP) / 6;
const PIP = 46;
const ACE = 128;

/** The rows, from 0 to 6, of the pips in the middle and of those at both sides. */
const PIPS: Readonly<Record<string, readonly [middle: readonly number[], sides: readonly number[]]>> = {
  2: [[0, 6], []],
  3: [[0, 3, 6], []],
  4: [[], [0, 6]],
  5: [[3], [0, 6]],
  6: [[], [0, 3, 6]],
  7: [[1.5], [0, 3, 6]],
  8: [
    [1.5, 4.5],
    [0, 3, 6],
  ],
  9: [[3], [0, 2, 4, 6]],
  10: [
    [1, 5],
    [0, 2, 4, 6],
  ],
};

/** Return the middles of a rank's pips; none for an ace and for courts. */
export function pipsOf(rank: string): [x: number, y: number][] {
  const [middle, sides] = PIPS[rank] ?? [[], []];
  const at = (row: number) => TOP + row * STEP;
  return [
    ...middle.map((row): [number, number] => [MIDDLE, at(row)]),
    ...sides.flatMap((row): [number, number][] => [-SIDE, SIDE].map((side) => [MIDDLE + side, at(row)])),
  ];
}

/** Pips of the lower half are upside down. */
const pips = (suit: string, rank: string): string =>
  rank === "A"
    ? suitAt(suit, MIDDLE, HIGH / 2, ACE)
    : pipsOf(rank)
        .map(([x, y]) => suitAt(suit, x, y, y > HIGH / 2 ? -PIP : PIP))
        .join("");

// --- The index ------------------------------------------------------------------------------------------

/** The middle of the column of the index, and the widest that a rank can be. */
const COLUMN = 28;
const WIDEST = 40;
const RANK_TOP = 16;
const RANK_HIGH = 52;
const SUIT_MIDDLE = 94;
const SUIT_SIZE = 36;

const written52 = (text: string, x: number, y: number, widest: number, scale: number): string => {
  const { width, path } = written(text);
  const wide = Math.min(scale, widest / width);
  return placed(path, x - (width * wide) / 2, y, wide, scale);
};

/** The index is in the upper left corner, and again in the lower right one, turned. */
function indices(rank: string, suit: string): TemplateResult {
  const drawn = svg`<path class="rank" d=${written52(rank, COLUMN, RANK_TOP, WIDEST, 1)} />${
    suit ? svg`<path class="of" d=${suitAt(suit, COLUMN, SUIT_MIDDLE, SUIT_SIZE)} />` : nothing
  }`;
  return svg`<g class="index">${drawn}</g><g class="low" transform="rotate(180 125 175)">${drawn}</g>`;
}

// --- Faces ----------------------------------------------------------------------------------------------

const drawn = new Map<string, TemplateResult>();

const whole = (inside: unknown): TemplateResult =>
  html`<svg class="face" viewBox="0 0 250 350" aria-hidden="true">${inside}</svg>`;

/** Draw a card of a suit. */
export function suited(rank: string, suit: string): TemplateResult {
  const key = rank + suit;
  const known = drawn.get(key);
  if (known) return known;
  const middle = rank in PIPS || rank === "A" ? svg`<path class="pips" d=${pips(suit, rank)} />` : court(rank, suit);
  const made = whole(svg`${middle}${indices(rank, suit)}`);
  drawn.set(key, made);
  return made;
}

const RING = 94;
const DOT = 11;
/** The arms of four curves that are nearly a circle. */
const ARM = DOT * 0.55;
const CIRCLE = `M0-${DOT}C${ARM}-${DOT} ${DOT}-${ARM} ${DOT} 0C${DOT} ${ARM} ${ARM} ${DOT} 0 ${DOT}
  C-${ARM} ${DOT}-${DOT} ${ARM}-${DOT} 0C-${DOT}-${ARM}-${ARM}-${DOT} 0-${DOT}Z`;

/** Draw this many dots around the middle. */
const ring = (count: number): string =>
  Array.from({ length: count }, (_, i) => {
    const turn = (2 * Math.PI * i) / count - Math.PI / 2;
    return placed(CIRCLE, MIDDLE + RING * Math.cos(turn), HIGH / 2 + RING * Math.sin(turn), 1);
  }).join("");

const MOST_DOTS = 12;
const LARGE = 1.75;

/** Draw a card with a number, surrounded by as many dots; or with another short text. */
export function numbered(text: string): TemplateResult {
  const known = drawn.get(text);
  if (known) return known;
  const count = Number(text);
  const made = !isDrawn(text)
    ? whole(svg`<text x="125" y="205" text-anchor="middle" font-size="90" font-weight="700">${text}</text>`)
    : whole(svg`<circle class="field" cx="125" cy="175" r="72" />
      <path class="pips" d=${count <= MOST_DOTS ? ring(count) : ""} />
      <path class="rank middle" d=${written52(text, MIDDLE, HIGH / 2 - (RANK_HIGH * LARGE) / 2, 110, LARGE)} />
      ${indices(text, "")}`);
  drawn.set(text, made);
  return made;
}

/** Draw a suit by itself. */
export const suitShape = (suit: string): TemplateResult =>
  html`<svg class="suit" viewBox="-12 -12 24 24" aria-hidden="true"><path d=${SUITS[suit] ?? ""} /></svg>`;
