// Targets, and what pays, that are chosen by one press of what lies on the table.

import assert from "node:assert/strict";
import {test} from "vitest";

import {aimed, aimsAt, takenBack} from "../../api/web/static/choosing/aims.ts";
import {liesThere} from "../../api/web/static/choosing/pairs.ts";
import {argsOf, fresh, partsOf} from "../../api/web/static/choosing/parts.ts";
import {some} from "./some.mjs";

const front = ["/zones/front-0", "/zones/front-1", "/seats"], lands = "/zones/lands-0";
/** @typedef {import("../../api/web/static/table/store.ts").Move} Move */

/** @param {string} title @param {string[]} values @param {number} least @param {number} most */
const target = (title, values, least, most) => ({title, type: "array", uniqueItems: true, minItems: least,
  maxItems: most, items: {enum: values}, "x-at": front});
/** @param {Record<string, ReturnType<typeof target>>} targets @param {[string[], string[]][]} [pay]
 *   @returns {Move} */
const spell = (targets, pay = []) => ({name: "cast", place: 0, example: {name: "cast", args: {card: "o1",
  targets: {a: targets["a"]?.items.enum.slice(0, 1) ?? []}}}, args: {required: ["card", "targets"], properties: {
  card: {enum: ["o1"], "x-at": "/zones/hand-0"},
  targets: {type: "object", required: Object.keys(targets), properties: targets},
  ...(pay.length ? {pay: {title: "Pay", type: "array", uniqueItems: true, items: {properties: {
    id: {"x-at": [lands, ...front]}, color: {title: "Color"}},
    anyOf: pay.map(([ids, colors]) => ({properties: {id: {enum: ids}, color: {enum: colors}}}))}}} : {})}}});
const bolt = spell({a: target("Target", ["o8", "o9", "1"], 1, 1)});
/** @param {Api.Json | undefined} value */
const thingOf = (value) => value && typeof value === "object" && "id" in value ? value.id : value;
const after = (/** @type {Move} */ move, /** @type {string[]} */ ...things) =>
  things.reduce((draft, thing) => aimed(draft, aimsAt(partsOf(move, {card: "o1"}))
    .find((aims) => thingOf(aims[0]?.value) === thing) ?? []), fresh(move, {card: "o1"}));
const cast = (/** @type {Move} */ move, /** @type {string[]} */ ...things) => argsOf(move, after(move, ...things));

test("a target is the reader's own choice: no example is aimed", () => {
  assert.deepEqual(fresh(bolt, {card: "o1"}).said, {"targets.a": []});
  assert.deepEqual(fresh(spell({a: target("Target", ["o8"], 1, 1)}), {card: "o1"}).said, {"targets.a": ["o8"]});
});

test("a press chooses, another takes its place, and what is pressed again is taken back", () => {
  assert.deepEqual(cast(bolt, "o8").targets, {a: ["o8"]});
  assert.deepEqual(cast(bolt, "o8", "1").targets, {a: ["1"]});
  assert.deepEqual(cast(bolt, "o8", "o8").targets, {a: []});
});

test("what may be one target or the other is the first that is free, then the next, then none", () => {
  const fight = spell({a: target("Target 1", ["o8", "o9"], 1, 1), b: target("Target 2", ["o8", "o9"], 1, 1)});
  assert.deepEqual(cast(fight, "o8", "o9").targets, {a: ["o8"], b: ["o9"]});
  assert.deepEqual(cast(fight, "o8", "o8").targets, {a: [], b: ["o8"]});
  assert.deepEqual(cast(fight, "o8", "o8", "o8").targets, {a: [], b: []});
});

test("a source gives one colour, pressed again another, and then none; a target may be one as well", () => {
  const paid = spell({a: target("Target", ["o8", "o9"], 0, 2)},
    [[["o5"], ["G", "U"]], [["o8"], ["G"]]]);
  assert.deepEqual(cast(paid, "o5").pay, [{id: "o5", color: "G"}]);
  assert.deepEqual(cast(paid, "o5", "o5").pay, [{id: "o5", color: "U"}]);
  assert.deepEqual(cast(paid, "o5", "o5", "o5").pay, []);
  assert.deepEqual([cast(paid, "o8").targets, cast(paid, "o8", "o8").pay], [{a: ["o8"]}, [{id: "o8", color: "G"}]]);
});

test("what was pressed last is taken back first, and then the move that was begun", () => {
  const proposed = fresh(bolt, {card: "o1"}), parts = partsOf(bolt, {card: "o1"});
  assert.deepEqual(takenBack(after(bolt, "o8"), parts, proposed), proposed);
  assert.equal(takenBack(proposed, parts, proposed), null);
});

test("targets are pressed on the table where all of them are seen there, as in a pile that opens", () => {
  const spots = ["o8", "o9"].map((id) => ({id, card: "A beast"}));
  const parts = partsOf(bolt, {card: "o1"});
  /** @returns {Api.Scene} */
  const scene = (/** @type {Api.SceneZone["layout"]} */ layout, seats = [{seat: 1}]) =>
    some({seats, zones: {"front-1": {layout, spots}}});
  const lies = (/** @type {Api.Scene} */ shown) =>
    parts.every((part) => liesThere(part, {scene: shown, pressed: new Map()}));
  assert.ok(lies(scene("row")));
  assert.ok(lies(scene("pile")) && !lies(scene("row", [])));
});
