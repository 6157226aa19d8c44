// Which tables between two versions are shown, and for how long.

import assert from "node:assert/strict";
import {test} from "node:test";

import {timeOf, told, worthALook} from "../../api/web/static/moving/moments.js";
import {some} from "./some.mjs";

/** @param {string[]} trick @returns {Api.Scene} */
const scene = (trick, points = 0) =>
  some({zones: {trick: {spots: trick.map((card) => ({card}))}}, seats: [{numbers: {points}}]});
/** @param {Api.Scene[]} scenes @returns {import("../../api/web/static/table/store.js").Step[]} */
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

/** @param {number} hand @param {string[]} trick */
const dealt = (hand, trick) => some({...scene(trick), numbers: {hand}});

test("how a hand ended is shown for longer, also where nothing shall move", () => {
  const after = steps(dealt(1, ["2C", "KC"]), dealt(1, ["2C", "KC", "AC"]), dealt(2, []), dealt(2, ["3D"]));
  const shows = (/** @type {number} */ speed) => told(dealt(1, ["2C"]), after, speed)
    .map(({step, ms}) => [step.version, ms]);
  assert.deepEqual(shows(1), [[2, 450], [3, 2500], [4, 450]]);
  assert.deepEqual(shows(2), [[2, 225], [3, 1250], [4, 225]]);
  assert.deepEqual(shows(0), [[3, 2500]]);
});

test("the last table of a hand that lies there already is not shown again", () => {
  assert.deepEqual(told(dealt(1, ["2C"]), steps(dealt(1, ["2C"]), dealt(2, []), dealt(2, ["3D"])), 0), []);
});

test("where no other hand begins nothing is shown at no speed", () => {
  assert.deepEqual(told(scene([]), steps(scene(["2C"]), scene(["2C", "KC"])), 0), []);
});
