// Which cards move when a table changes, and from where.

import assert from "node:assert/strict";
import {test} from "vitest";

import {paths, speedOf} from "../../api/web/static/moving/paths.ts";

/** @typedef {ReturnType<typeof at>} Place */

/** @param {number} x @param {number} y */
const at = (x, y, width = 40) => ({x, y, width});
/** @param {Record<string, [Place, string]>} cards @param {Record<string, Place>} [sources] */
const seen = (cards, sources = {}) =>
  ({cards: new Map(Object.entries(cards).map(([key, [place, from]]) => [key, {place, from}])),
    sources: new Map(Object.entries(sources))});

test("a card that was seen comes from where it was, as large as it was there", () => {
  const [path] = paths(seen({QS: [at(10, 200, 60), "0"]}), seen({QS: [at(100, 50, 30), "0"]}));
  assert.deepEqual(path, {key: "QS", dx: -90, dy: 150, scale: 2, delay: 0});
});

test("a new card comes from the hand of the seat that laid it, and several one after the other", () => {
  const before = seen({}, {1: at(0, 0), stock: at(50, 50)});
  const found = paths(before, seen({QS: [at(10, 10), "1"], KS: [at(20, 10), "stock"], AS: [at(30, 10), "9"]}));
  assert.deepEqual(found.map(({key, dx, dy}) => [key, dx, dy]), [["QS", -10, -10], ["KS", 30, 40]]);
  const [first, second] = found.map(({delay}) => delay);
  assert.ok(first !== undefined && second !== undefined && first < second);
});

test("what lies where it lay does not move", () => {
  assert.deepEqual(paths(seen({QS: [at(10, 10), "0"]}), seen({QS: [at(11, 10), "0"]})), []);
});

test("a speed that is none is the usual one", () => {
  assert.deepEqual(["0", "4", "7", null, ""].map(speedOf), [0, 4, 1, 1, 1]);
});
