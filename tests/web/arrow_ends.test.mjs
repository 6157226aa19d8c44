// Arrows from cards to what they target or block.

import assert from "node:assert/strict";
import {test} from "vitest";

import {arrowsOf, curve} from "../../api/web/static/printed/arrow_ends.ts";

const zone = (/** @type {unknown[]} */ ...spots) => ({spots});

test("each card has an arrow to all that it aims at, and cards without an id have none", () => {
  const scene = /** @type {any} */ ({zones: {stack: zone({id: "s1", aims: ["o3", "1"]}, {id: "s2", aims: []}),
    "battlefield-0": zone({id: "o3", aims: ["o9"]}, {id: null, aims: []})}});
  assert.deepEqual(arrowsOf(scene), [{from: "s1", to: "o3"}, {from: "s1", to: "1"}, {from: "o3", to: "o9"}]);
});

test("an arrow ends before the middle of what it points to, and bends", () => {
  assert.equal(curve({x: 0, y: 0}, {x: 100, y: 0}), "M0 0Q50 -14 78 0");
});

test("an arrow between neighbours reaches the middle, as it would point nowhere otherwise", () => {
  assert.equal(curve({x: 0, y: 0}, {x: 0, y: 40}), "M0 0Q6 20 0 40");
});
