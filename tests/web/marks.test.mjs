// What of a match is marked on the slider, and where a key leads.

import assert from "node:assert/strict";
import {test} from "vitest";

import {marked, ticks} from "../../api/web/static/past/marks.ts";
import {some} from "./some.mjs";

/** @typedef {import("../../api/web/static/table/store.ts").Past} Past */

/** @param {Past["marks"]} marks @param {number} version @returns {Past} */
const at = (marks, version) => some({steps: Array(300), marks, version});

/** Marks of hands and of tricks. @param {number} hands @param {number} tricks */
const marks = (hands, tricks) => Array.from({length: hands},
  (_, hand) => [{at: `hand:${hand}`, version: 100 * hand + 1, text: ""},
  ...Array.from({length: tricks}, (_, trick) =>
    ({at: `trick:${hand}-${trick}`, version: 100 * hand + trick + 1, text: ""}))]).flat();

test("hands and tricks are marked, each version once", () => {
  assert.deepEqual(ticks(marks(2, 3)), [1, 2, 3, 101, 102, 103]);
});

test("of what is too much to be told apart, the larger parts are marked", () => {
  assert.deepEqual(ticks(marks(10, 13)), Array.from({length: 10}, (_, hand) => 100 * hand + 1));
});

test(
  "before the first mark there is the beginning; after the last nothing is jumped to, as the end tells how it came out",
  () => {
  const past = at(marks(2, 3), 103);
  assert.deepEqual([marked(past, "hand", 1), marked(past, "trick", 1), marked(past, "hand", -1),
      marked({...past, version: 1}, "trick", -1)], [103, 103, 101, 1]);
});

test("in a game without tricks, the keys of tricks lead from each mark to the next", () => {
  const turns = [{at: "game:1", version: 5, text: ""}, {at: "turn:1.1", version: 6, text: ""},
    {at: "turn:1.2", version: 20, text: ""}];
  assert.deepEqual([6, 20].map((version) => marked(at(turns, version), "trick", 1)), [20, 20]);
  assert.equal(marked(at(marks(3, 0), 1), "trick", 1), 101);
  assert.equal(marked(at([], 7), "trick", 1), 7);
});
