/** The shapes on cards, as paths of our own: ranks are strokes, suits are filled. No font draws a card. */

/** Suits in a square from -12 to 12, in absolute commands whose arguments are all points. */
export const SUITS: Readonly<Record<string, string>> = {
  H: `M0 11C-7 5-11.4 1-11.4-4.4C-11.4-8.2-8.8-10.4-5.9-10.4C-3.3-10.4-1.1-8.9 0-6.3C1.1-8.9 3.3-10.4 5.9-10.4
    C8.8-10.4 11.4-8.2 11.4-4.4C11.4 1 7 5 0 11Z`,
  D: "M0-11.8C2.6-7.2 5.6-3.4 9.2 0C5.6 3.4 2.6 7.2 0 11.8C-2.6 7.2-5.6 3.4-9.2 0C-5.6-3.4-2.6-7.2 0-11.8Z",
  S: `M0-11.6C4-5.4 10.8-2 10.8 4C10.8 7.3 8.4 9.4 5.6 9.4C3.5 9.4 1.9 8.5 1 7C1.3 9.4 2.3 11 4 11.8L-4 11.8
    C-2.3 11-1.3 9.4-1 7C-1.9 8.5-3.5 9.4-5.6 9.4C-8.4 9.4-10.8 7.3-10.8 4C-10.8-2-4-5.4 0-11.6Z`,
  C: `M0-11.4C3-11.4 5.2-9.2 5.2-6.4C5.2-4.6 4.3-3.2 3-2.1C4-2.7 5-3 6-3C8.9-3 11.1-.8 11.1 2.1
    C11.1 5 8.9 7.2 6 7.2C3.8 7.2 2 6.2 1 4.6C1.2 8.2 2.3 10.4 4.2 11.8L-4.2 11.8C-2.3 10.4-1.2 8.2-1 4.6
    C-2 6.2-3.8 7.2-6 7.2C-8.9 7.2-11.1 5-11.1 2.1C-11.1-.8-8.9-3-6-3C-5-3-4-2.7-3-2.1
    C-4.3-3.2-5.2-4.6-5.2-6.4C-5.2-9.2-3-11.4 0-11.4Z`,
};

export interface Stroke {
  readonly width: number;
  readonly path: string;
}

/** Digits and letters, as strokes in a box 52 high, which begins at the left edge of the stroke. */
const STROKES: Readonly<Record<string, Stroke>> = {
  0: { width: 32, path: "M16 4C8 4 4 12 4 26C4 40 8 48 16 48C24 48 28 40 28 26C28 12 24 4 16 4Z" },
  1: { width: 17, path: "M2 14L11 4L12 4L12 52" },
  2: { width: 34, path: "M4 17C4 9 9 4 17 4C25 4 30 9 30 16C30 26 17 32 5 48L32 48" },
  3: { width: 34, path: "M4 4L29 4L15 21C25 21 31 26 31 34C31 43 25 48 17 48C9 48 4 44 3 37" },
  4: { width: 36, path: "M25 52L25 5L4 37L36 37" },
  5: { width: 34, path: "M30 4L9 4L7 24C10 21 13 20 17 20C25 20 31 25 31 34C31 43 25 48 17 48C10 48 5 45 3 39" },
  6: {
    width: 35,
    path: "M28 8C25 5 22 4 19 4C9 4 4 14 4 29C4 41 9 48 18 48C26 48 31 42 31 34C31 26 26 21 18 21C10 21 4 27 4 35",
  },
  7: { width: 34, path: "M2 4L30 4C22 18 15 32 13 52" },
  8: {
    width: 35,
    path: `M17.5 24C11 24 6 20 6 14C6 8 11 4 17.5 4C24 4 29 8 29 14C29 20 24 24 17.5 24C9.5 24 4 29 4 36
      C4 43 9.5 48 17.5 48C25.5 48 31 43 31 36C31 29 25.5 24 17.5 24Z`,
  },
  9: {
    width: 35,
    path: "M7 44C10 47 13 48 16 48C26 48 31 38 31 23C31 11 26 4 17 4C9 4 4 10 4 18C4 26 9 31 17 31C25 31 31 25 31 17",
  },
  A: { width: 40, path: "M3 52L18.5 4L21.5 4L37 52M9 35L31 35" },
  J: { width: 30, path: "M12 4L26 4M22 4L22 35C22 43 19 48 13 48C7 48 4 44 3 37" },
  Q: { width: 40, path: "M19 4C9 4 4 12 4 26C4 40 9 48 19 48C29 48 34 40 34 26C34 12 29 4 19 4ZM20 35L36 51" },
  K: { width: 38, path: "M5 0L5 52M33 1L7 31M15 22L35 52" },
};

const GAP = 7;
const POINT = /(-?\d*\.?\d+)[ ,]?(-?\d*\.?\d+)/g;

/** Move the points of a path, and scale it; a negative scale turns it by half a turn. */
export const placed = (path: string, x: number, y: number, wide: number, high = wide): string =>
  path.replace(
    POINT,
    (_, dx: string, dy: string) => ` ${round(x + wide * Number(dx))} ${round(y + high * Number(dy))}`,
  );

const round = (n: number): number => Math.round(n * 10) / 10;

/** Return whether every letter of a text has a stroke. */
export const isDrawn = (text: string): boolean => text !== "" && [...text].every((one) => one in STROKES);

/** Write a rank or a number as strokes 52 high, from the left. */
export function written(text: string): Stroke {
  let width = -GAP;
  let path = "";
  for (const one of text) {
    const stroke = STROKES[one] ?? { width: 0, path: "" };
    path += placed(stroke.path, width + GAP, 0, 1);
    width += GAP + stroke.width;
  }
  return { width, path };
}

/** The side of the square in which suits are written. */
const SQUARE = 24;

/** Draw a suit around a point; a negative size turns it. */
export const suitAt = (suit: string, x: number, y: number, size: number): string =>
  placed(SUITS[suit] ?? "", x, y, size / SQUARE);
