// How a replay groups events into moves and hands, and at which versions it stops.

import assert from "node:assert/strict";
import {test} from "vitest";

import {firstDeal, partsOf, stopAt, stopFrom, stopsOf, toldAt} from "../../api/web/static/past/played.ts";
import {some} from "./some.mjs";

/** Events by their commits, with the number of the hand. @param {[commit: number, hand: number | null][]} events */
const events = (events) => events.map(([commit, hand], i) => (
  {version: i + 1, commit, text: `event ${i + 1}`, scene: hand === null ? null : some({numbers: {hand}})}));

/** Two hands: the last move of the first one brings the second. */
const STEPS = /** @type {Parameters<typeof partsOf>[0]} */ (events(
  [[1, null], [1, 0], [1, 1], [4, 1], [5, 1], [5, 1], [5, 2], [5, 2], [9, 2]]));
const MARKS = [{at: "game:1", version: 3, text: "Game 1"}, {at: "hand:1", version: 3, text: "Hand 1"},
  {at: "trick:1.1", version: 3, text: "Hand 1, trick 1"}, {at: "hand:2", version: 8, text: "Hand 2"}];
const PARTS = partsOf(STEPS, MARKS);

test("a move ends with what it caused, before the next deal", () => {
  const bounds = PARTS.map(({title, version, moves}) =>
    [title, version, moves.map((one) => [one.from, one.version])]);
  assert.deepEqual(bounds,
    [["Hand 1", 3, [[4, 4], [5, 6]]], ["Hand 2", 8, [[9, 9]]]]);
});

test("a trick is named at its first move", () => {
  assert.deepEqual(PARTS.flatMap(({moves}) => moves.map(({title}) => title)), ["trick 1", "", ""]);
});

test("a replay begins at the first deal, and stops at deals and after moves", () => {
  const stops = stopsOf(PARTS);
  assert.deepEqual([firstDeal(MARKS), stops], [3, [3, 4, 6, 8, 9]]);
  assert.deepEqual([stopFrom(stops, 4, 1), stopFrom(stops, 5, 1), stopFrom(stops, 5, -1), stopFrom(stops, 9, 1)],
    [6, 6, 4, 9]);
  assert.deepEqual([stopAt(stops, 7), stopAt(stops, 2)], [6, 0]);
});

test("a version is told by its move up to there, in three texts at most", () => {
  assert.deepEqual([3, 5, 6].map((version) => toldAt(PARTS, STEPS, version)),
    [["event 3"], ["event 5"], ["event 5", "event 6"]]);
  const long = /** @type {typeof STEPS} */ (events([[1, 1], [2, 1], [2, 1], [2, 1], [2, 1]]));
  const parts = partsOf(long, [{at: "game:1", version: 1, text: "Game 1"}]);
  assert.deepEqual(toldAt(parts, long, 5), ["event 2", "event 4", "event 5"]);
});

test("a hand without a number ends with its commit", () => {
  const steps = STEPS.map((step) => ({...step, scene: /** @type {Api.Scene} */ (some({numbers: {}}))}));
  assert.deepEqual(partsOf(steps, MARKS)[0]?.moves.map(({version}) => version), [4, 8]);
});
