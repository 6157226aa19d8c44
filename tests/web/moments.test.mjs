// Which tables between two versions are shown, and for how long.

import assert from "node:assert/strict";
import {test} from "vitest";

import {timeOf, toAct, worthALook} from "../../api/web/static/moving/moments.ts";
import {some} from "./some.mjs";

/** @param {string[]} trick @returns {Api.Scene} */
const scene = (trick, points = 0) =>
  some({zones: {trick: {spots: trick.map((card) => ({card}))}}, seats: [{numbers: {points}}]});
/** @param {Api.Scene[]} scenes @returns {import("../../api/web/static/table/store.ts").Step[]} */
const steps = (...scenes) => scenes.map((scene, i) => ({version: i + 2, commit: i + 2, at: "", text: "", scene}));
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

/** @param {Api.SceneZone["layout"]} layout @param {number} count @returns {Api.Scene} */
const lying = (layout, count) =>
  some({zones: {there: {seat: null, layout, kind: "there", spots: Array.from({length: count}, () => ({face: "up"}))}}});

test("a table is shown for 600 ms, and for less at a higher speed", () => {
  assert.equal(timeOf(lying("around", 2), lying("around", 3), 1), 600);
  assert.equal(timeOf(lying("around", 2), lying("around", 3), 2), 300);
});

test("a full trick lies for 900 ms before it is taken", () => {
  assert.equal(timeOf(lying("around", 4), lying("around", 0), 1), 900);
});

test("revealed cards lie open for 1.6 s before they are turned down again", () => {
  assert.equal(timeOf(lying("row", 2), lying("row", 0), 1), 1600);
});

test("the seats with the badge of the turn act", () => {
  assert.deepEqual(toAct(some({seats: [{seat: 0, badges: []}, {seat: 1, badges: ["turn"]}]})), [1]);
});
