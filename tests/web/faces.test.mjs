// What is drawn on cards: a rank and a suit in two corners, pips in their order, and pictures on courts.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { numbered, pipsOf, suited } from "../../api/web/static/cards/face.ts";
import { isDrawn, placed, SUITS, written } from "../../api/web/static/cards/glyphs.ts";

const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const FACES = RANKS.flatMap((rank) => Object.keys(SUITS).map((suit) => ({ rank, suit })));

/** The text of a template, with what is in it. @param {any} part @returns {string} */
const drawn = (part) =>
  part?.strings
    ? part.strings
        .map((/** @type {string} */ text, /** @type {number} */ i) => {
          return text + (i < part.values.length ? drawn(part.values[i]) : "");
        })
        .join("")
    : String(part);
/** @param {string} text @param {string} part */
const count = (text, part) => text.split(part).length - 1;

describe("faces", () => {
  test.each(FACES)("$rank of $suit has its rank and its suit in both corners", ({ rank, suit }) => {
    const face = drawn(suited(rank, suit));
    expect([count(face, 'class="rank"'), count(face, 'class="of"')]).toEqual([2, 2]);
    expect(face).not.toContain("NaN");
    expect(face).not.toContain("undefined");
  });

  test("no two cards are drawn alike", () => {
    expect(new Set(FACES.map(({ rank, suit }) => drawn(suited(rank, suit)))).size).toBe(52);
  });

  test.each(RANKS.slice(0, 9))("%s has as many pips, which are the same upside down but for the seven", (rank) => {
    const pips = pipsOf(rank);
    const turned = pips.map(([x, y]) => [250 - x, 350 - y]);
    expect(pips).toHaveLength(Number(rank));
    if (rank !== "7") expect(new Set(turned.map(String))).toEqual(new Set(pips.map(String)));
    expect(pips.filter(([x, y]) => x < 50 || x > 200 || y < 50 || y > 300)).toEqual([]);
  });

  test("courts have pictures", () => {
    const all = ["J", "Q", "K"].flatMap((rank) => Object.keys(SUITS).map((suit) => drawn(suited(rank, suit))));
    expect(all.filter((face) => !face.includes('class="court"'))).toEqual([]);
  });

  test.each(Array.from({ length: 12 }, (_, i) => String(i + 1)))("%s is surrounded by as many dots", (text) => {
    const dots = drawn(numbered(text)).split('class="pips" d=').at(-1)?.split("/>")[0] ?? "";
    expect(count(dots, "M")).toBe(Number(text));
  });

  test("a short text without strokes is written", () => {
    expect(isDrawn("7-1")).toBe(false);
    expect(drawn(numbered("7-1"))).toContain(">7-1</text>");
  });
});

describe("paths", () => {
  test("points are moved and scaled, and a negative scale turns them", () => {
    expect(placed("M1 2L3-4Z", 10, 20, 2)).toBe("M 12 24L 16 12Z");
    expect(placed("M1 2", 0, 0, -1)).toBe("M -1 -2");
  });

  test("digits follow each other", () => {
    const [one, two] = [written("1"), written("11")];
    expect(two.width).toBeGreaterThan(2 * one.width);
  });
});

// --- Colours --------------------------------------------------------------------------------------------

/** @typedef {Record<string, string>} Tokens */

const tokens = new URL("../../api/web/static/theme/tokens.css", import.meta.url);
const css = readFileSync(tokens, "utf8").replace(/\/\*.*?\*\//gs, "");
/** The tokens of each rule. @type {Map<string, Tokens>} */
const rules = new Map(
  [...css.matchAll(/([^{}]+)\{([^{}]*)\}/g)].map(([, selector = "", body = ""]) => [
    selector.trim(),
    Object.fromEntries([...body.matchAll(/--([\w-]+):\s*([^;]+)/g)].map(([, name, value]) => [name, value])),
  ]),
);
const base = rules.get(":root") ?? {};
const felts = [...rules]
  .filter(([selector]) => selector.startsWith("[data-felt"))
  .map(([, own]) => ({ ...base, ...own }));

/** @param {string | undefined} value @param {boolean} isDark */
const colour = (value = "", isDark) => (/light-dark\((#\w+), (#\w+)\)/.exec(value)?.[isDark ? 2 : 1] ?? value).trim();

/** Return the relative luminance of a colour. @param {string} hex */
function luminance(hex) {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {string} one @param {string} other */
function contrast(one, other) {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** Texts, and the grounds that they are on. @type {[string, string[]][]} */
const TEXTS = [
  ["text", ["back", "panel"]],
  ["soft", ["back", "panel"]],
  ["main", ["back", "panel"]],
  ["red", ["back", "panel"]],
  ["on-main", ["main"]],
  ["on-red", ["red"]],
  ["on-gold", ["gold"]],
  ["on-felt", ["felt", "rim"]],
  ["soft-on-felt", ["felt", "rim"]],
  ["gold", ["felt", "rim"]],
];
/** @type {[string, string[]][]} */
const SUITS_ON_CARDS = ["suit-S", "suit-H", "suit-D", "suit-C"].map((name) => [name, ["card"]]);

describe("colours", () => {
  test.each([false, true])("texts have a contrast of 4.5 on their grounds, where dark is %s", (isDark) => {
    const fourColours = { ...base, ...rules.get('[data-colours="4"]') };
    const pale = [base, ...felts, fourColours].flatMap((tokens) =>
      [...TEXTS, ...SUITS_ON_CARDS].flatMap(([text, grounds]) =>
        grounds
          .filter((ground) => !(contrast(colour(tokens[text], isDark), colour(tokens[ground], isDark)) >= 4.5))
          .map((ground) => `${text} on ${ground}`),
      ),
    );
    expect(pale).toEqual([]);
    expect(felts).toHaveLength(3);
  });
});
