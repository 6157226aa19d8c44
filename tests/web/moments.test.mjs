// Which tables between two versions are shown, and for how long.

import assert from "node:assert/strict";
import {test} from "vitest";

import {isOtherHand, timeOf, worthALook} from "../../api/web/static/moving/moments.ts";
import {some} from "./some.mjs";

/** @param {string[]} trick @returns {Api.Scene} */
const scene = (trick, points = 0) =>
  some({zones: {trick: {spots: trick.map((card) => ({card}))}}, seats: [{numbers: {points}}]});
/** @param {Api.Scene[]} scenes @returns {import("../../api/web/static/table/store.ts").Step[]} */
const steps = (...scenes) => scenes.map((scene, i) => ({version: i + 2, at: "", text: "", scene}));
const shown = (/** @type {Api.Scene} */ before, /** @type {Api.Scene[]} */ ...after) =>
  worthALook(before, steps(...after)).map(({version}) => version);

test("each card that is laid is shown, but the last of what there is, which is shown anyway", () => {
  assert.deepEqual(shown(scene([]), scene(["2C"]), scene(["2C", "KC"]), scene(["2C", "KC", "AC"])), [2, 3]);
});

test("what changes nothing that can be seen takes no time", () => {
  assert.deepEqual(shown(scene([]), scene([]), scene(["2C"]), scene(["2C"]), scene([])), [3]);
});

test("points alone are a change", () => {
  assert.deepEqual(shown(scene([]), scene([], 4), scene([], 4)), [2]);
});

test("many tables are shown for a shorter time each, and at a higher speed", () => {
  assert.equal(timeOf(3, 1), 450);
  assert.equal(timeOf(3, 2), 225);
  assert.equal(timeOf(40, 1) * 40, 4000);
});

test("another hand is one of another number", () => {
  const of = (/** @type {number} */ hand) => /** @type {Api.Scene} */ (some({numbers: {hand}}));
  assert.deepEqual([isOtherHand(of(1), of(2)), isOtherHand(of(2), of(2)), isOtherHand(scene([]), scene([]))],
    [true, false, false]);
});
