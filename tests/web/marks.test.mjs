// What of a match is marked on the slider, and where a key leads.

import assert from "node:assert/strict";
import {test} from "node:test";

import {marked, ticks} from "../../api/web/static/past/marks.js";

/** Marks of hands and of tricks. */
const marks = (hands, tricks) => Array.from({length: hands}, (_, hand) => [{at: `hand:${hand}`, version: 100 * hand + 1, text: ""},
  ...Array.from({length: tricks}, (_, trick) => ({at: `trick:${hand}-${trick}`, version: 100 * hand + trick + 1, text: ""}))]).flat();

test("hands and tricks are marked, each version once", () => {
  assert.deepEqual(ticks(marks(2, 3)), [1, 2, 3, 101, 102, 103]);
});

test("of what is too much to be told apart, the larger parts are marked", () => {
  assert.deepEqual(ticks(marks(10, 13)), Array.from({length: 10}, (_, hand) => 100 * hand + 1));
});

test("before the first mark and after the last there are the ends", () => {
  const past = {steps: Array(300), marks: marks(2, 3), version: 103};
  assert.deepEqual([marked(past, "hand", 1), marked(past, "hand", -1), marked({...past, version: 1}, "trick", -1)], [300, 101, 1]);
});
