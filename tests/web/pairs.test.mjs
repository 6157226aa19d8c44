// Pairs that are chosen by pressing one end and then the other.

import assert from "node:assert/strict";
import {test} from "vitest";

import {alone, liesThere, possible, pressed} from "../../api/web/static/choosing/pairs.ts";
import {argsOf, fresh, partsOf, put} from "../../api/web/static/choosing/parts.ts";
import {some} from "./some.mjs";

const ours = "/zones/front-0", theirs = "/zones/front-1";
/** @typedef {import("../../api/web/static/choosing/parts.ts").Part} Part */

const row = (/** @type {Record<string, Api.Json[]>} */ ends) => ({required: Object.keys(ends),
  properties: Object.fromEntries(Object.entries(ends).map(([name, values]) => [name, {enum: values}]))});
const block = {name: "block", place: 0, example: {name: "block", args: {}}, args: {required: ["blocks"], properties: {
  blocks: {title: "Blocks", type: "array", uniqueItems: true, maxItems: 2, items: {
    anyOf: [row({blocker: ["o1"], attacker: ["o8", "o9"]}), row({blocker: ["o2"], attacker: ["o8"]})],
    properties: {blocker: {title: "Blocker", "x-at": ours}, attacker: {title: "Attacker", "x-at": theirs}}}}}}};
const [blocks] = /** @type {[Part]} */ (partsOf(block));
const after = (/** @type {[string, string][]} */ ...ends) =>
  ends.reduce((draft, [key, value]) => pressed(draft, blocks, key, value), fresh(block, {}));
const chosen = (/** @type {ReturnType<typeof after>} */ draft) =>
  /** @type {Api.Values[]} */ (argsOf(block, draft)["blocks"])
    .map(({blocker, attacker}) => `${blocker} ${attacker}`);
const spots = (/** @type {string[]} */ ...ids) => ({spots: ids.map((id) => ({id, card: "A beast"}))});
/** @param {string[]} theirs @returns {Api.Scene} */
const scene = (...theirs) => some({zones: {"front-0": spots("o1", "o2"), "front-1": spots(...theirs)}});
const there = {scene: scene("o8", "o9"), pressed: new Map()};

test("one end is pressed and then the other, in either order, and what is pressed again is taken back", () => {
  assert.deepEqual(chosen(after(["blocker", "o1"], ["attacker", "o9"])), ["o1 o9"]);
  assert.deepEqual(chosen(after(["attacker", "o9"], ["blocker", "o1"])), ["o1 o9"]);
  const again = after(["blocker", "o1"], ["attacker", "o9"], ["blocker", "o1"]);
  assert.deepEqual([chosen(again), again.held], [[], {part: "blocks", key: "blocker", value: "o1"}]);
  assert.deepEqual(after(["blocker", "o1"], ["blocker", "o1"]).held, null);
});

test("two may share their last end, and nothing is the first of two pairs", () => {
  const both = after(["blocker", "o1"], ["attacker", "o8"], ["blocker", "o2"], ["attacker", "o8"]);
  assert.deepEqual(chosen(both), ["o1 o8", "o2 o8"]);
  assert.deepEqual(chosen(after(["blocker", "o1"], ["attacker", "o8"], ["attacker", "o9"], ["blocker", "o1"])),
    ["o1 o9"]);
});

test("what does not fit to what is held is held instead", () => {
  assert.deepEqual(after(["blocker", "o2"], ["attacker", "o9"]).held, {part: "blocks", key: "attacker", value: "o9"});
});

test("pairs are pressed on the table where all of them lies there, and is pressed for nothing else", () => {
  assert.ok(liesThere(blocks, there));
  assert.ok(!liesThere(blocks, {...there, scene: scene("o8")}));
  assert.ok(!liesThere(blocks, {...there, pressed: new Map([[`${ours}:o2`, []]])}));
});

test("what lies in a heap is pressed there if each of its cards has a name of its own, else its top alone", () => {
  /** @param {Partial<Api.SceneSpot>[]} of @returns {Api.Scene} */
  const sceneOf = (...of) => some({zones: {"front-1": spots("o8", "o9"), "front-0": {layout: "pile", spots: of}}});
  const heap = (/** @type {Partial<Api.SceneSpot>[]} */ ...of) => ({...there, scene: sceneOf(...of)});
  assert.ok(liesThere(blocks, heap({id: "o1", card: "A beast"}, {id: "o2", card: "A beast"})));
  assert.ok(!liesThere(blocks, heap({card: "o1"}, {card: "o2"})));
});

test("the pairs that may still be made are those of what is held, if something is", () => {
  const left = (/** @type {ReturnType<typeof after>} */ draft) =>
    possible(draft, blocks).map(({blocker, attacker}) => `${blocker} ${attacker}`);
  assert.deepEqual(left(after()), ["o1 o8", "o1 o9", "o2 o8"]);
  assert.deepEqual(left(after(["blocker", "o1"], ["attacker", "o8"])), ["o1 o9", "o2 o8"]);
  assert.deepEqual(left(after(["blocker", "o1"])), ["o1 o8", "o1 o9"]);
});

test("a card that is laid off lies in no group, and the other way round", () => {
  const pair = {card: "2C", meld: 0}, cards = ["2C", "2D", "2H", "2S"];
  const lay = {name: "lay", place: 0, example: {name: "lay", args: {}}, args: {properties: {
    melds: {title: "Melds", type: "array", items: {type: "array", items: {enum: cards}, uniqueItems: true}},
    off: {title: "Off", type: "array", uniqueItems: true, maxItems: 1, items: {
      properties: {card: {title: "Card", "x-at": ours, enum: ["2C"]},
        meld: {title: "Meld", "x-at": [theirs], enum: [0]}}}}},
  "x-proposals": [{melds: [cards], off: []}]}};
  const parts = partsOf(lay), [melds, off] = /** @type {[Part, Part]} */ (parts);
  assert.deepEqual(parts.map(({kind}) => kind), ["groups", "pairs"]);
  const laid = alone(put(fresh(lay, {}), off, [pair]), parts, off, "2C");
  assert.deepEqual(laid.said, {melds: [["2D", "2H", "2S"]], off: [pair]});
  assert.deepEqual(alone(put(laid, melds, [cards]), parts, melds, "2C").said, {melds: [cards], off: []});
});
