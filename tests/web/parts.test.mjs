// What a move of several parts is put together of, and what is sent of it.

import assert from "node:assert/strict";
import {test} from "vitest";

import {argsOf, asTheyLie, barred, fresh, keyOf, lacking, moved, partsOf, put, regrouped, runsOf,
  toggled} from "../../api/web/static/choosing/parts.ts";
import {some} from "./some.mjs";

/** @typedef {import("../../api/web/static/choosing/parts.ts").Part} Part */

const meld = {type: "array", items: {enum: ["2C", "3C", "4C", "5C", "9D"]}, minItems: 3, uniqueItems: true};
const knock = {name: "knock", place: 0, example: {name: "knock", args: {discard: "9D"}}, args: {required: ["discard"],
  properties: {discard: {title: "Discard", enum: ["5C", "9D"]},
    melds: {title: "Melds", type: ["array", "null"], items: meld, minItems: 1, maxItems: 3}},
  "x-proposals": [{discard: "9D", melds: [["2C", "3C", "4C", "5C"]]}, {discard: "5C", melds: [["2C", "3C", "4C"]]}]}};
const row = {type: "array", items: {enum: ["a", "b", "c"], "x-free": ["c"]}};
const deck = {name: "submit", place: 0, example: {name: "submit", args: {main: ["a"]}},
  args: {required: ["main"], properties: {main: {...row, minItems: 2}, side: row},
  "x-proposals": [{main: ["a", "a", "c"], side: ["b"]}]}};
const spell = {name: "cast", place: 0, example: {name: "cast", args: {card: "o1", targets: {a: ["o2"]}}},
  args: {required: ["card", "targets"], properties: {card: {enum: ["o1"]},
  targets: {type: "object", required: ["a"],
    properties: {a: {type: "array", uniqueItems: true, minItems: 1, maxItems: 1, items: {enum: ["o2", "o3"]}}}},
  x: {type: ["integer", "null"], minimum: 0}}}};
const [melds] = /** @type {[Part]} */ (partsOf(knock, {discard: "9D"}));

test("it begins with what is proposed for what has been chosen", () => {
  assert.deepEqual(argsOf(knock, fresh(knock, {discard: "5C"})), {discard: "5C", melds: [["2C", "3C", "4C"]]});
  assert.deepEqual(argsOf(deck, fresh(deck, {})), {main: ["a", "a", "c"], side: ["b"]});
  assert.deepEqual(argsOf(spell, fresh(spell, {card: "o1"})), {card: "o1", targets: {a: ["o2"]}});
});

test("a card is taken out of its group, and put into the one that takes what is pressed", () => {
  const groups = [["2C", "3C", "4C", "5C"], []];
  assert.deepEqual(regrouped(groups, "5C", 1), [["2C", "3C", "4C"], []]);
  assert.deepEqual(regrouped(groups, "9D", 1), [["2C", "3C", "4C", "5C"], ["9D"]]);
  assert.deepEqual(regrouped([], "9D", 0), [["9D"]]);
});

test("empty groups are not sent, and none at all are left to the server", () => {
  const draft = fresh(knock, {discard: "9D"});
  assert.deepEqual(argsOf(knock, put(draft, melds, [["2C", "3C", "4C"], []])),
    {discard: "9D", melds: [["2C", "3C", "4C"]]});
  assert.deepEqual(argsOf(knock, put(draft, melds, [[]])), {discard: "9D"});
});

test("what is lacking is said, and nothing where the schema is content", () => {
  const draft = fresh(knock, {discard: "9D"});
  assert.deepEqual(lacking(knock, draft), []);
  assert.deepEqual(lacking(knock, put(draft, melds, [["2C", "3C"]])), ["Melds: at least 3 cards each."]);
  const [main] = /** @type {[Part]} */ (partsOf(deck));
  assert.equal(lacking(deck, put(fresh(deck, {}), main, ["a"])).length, 1);
  const [target, x] = /** @type {[Part, Part]} */ (partsOf(spell, {card: "o1"}));
  assert.deepEqual([keyOf(target), lacking(spell, put(fresh(spell, {card: "o1"}), target, []))],
    ["targets.a", ["a: choose 1."]]);
  assert.equal(lacking(spell, put(fresh(spell, {card: "o1"}), x, "-1")).length, 1);
});

test("a pair is chosen as a card is", () => {
  const pair = {card: "2S", meld: 1};
  assert.deepEqual(toggled([pair], {card: "2S", meld: 1}), []);
  assert.deepEqual(toggled([], pair), [pair]);
});

test("a copy goes from the deck to what lies beside it and back; of what is free there are always more", () => {
  assert.deepEqual(moved(["a", "a", "b"], ["c"], "a", false), [["a", "b"], ["a", "c"]]);
  assert.deepEqual(moved(["a", "c"], [], "c", true), [["a"], []]);
  assert.deepEqual(moved([], ["a"], "c", false), [[], ["a", "c"]]);
});

test("a list that must be empty is nothing to choose, and is named as such", () => {
  const keep = {name: "keep", place: 0, example: {name: "keep", args: {}}, args: {properties:
    {bottom: {title: "Bottom", type: "array", maxItems: 0, uniqueItems: true, items: {enum: ["a"]}}}}};
  assert.deepEqual([partsOf(keep), barred(keep), barred(deck)], [[], ["Bottom"], []]);
});

test("what is offered stands in the order in which it lies on the table", () => {
  /** @type {Api.Scene} */
  const scene = some({zones: {lands: {spots: [{id: "o9"}, {id: "o2"}, {id: null}]}}});
  assert.deepEqual([asTheyLie(["o2", "o9"], scene), asTheyLie(["b", "a"], scene)], [["o9", "o2"], ["b", "a"]]);
});

test("names are parted where another first word begins, and cards are not", () => {
  assert.deepEqual(runsOf(["own dawn", "own main_1", "opponent dawn"]),
    [["own dawn", "own main_1"], ["opponent dawn"]]);
  assert.deepEqual(runsOf(["2C", "2D", 3, "end"]), [["2C", "2D", 3, "end"]]);
});

test("a list does not offer the value of the argument that it may not hold", () => {
  const feast = {name: "use", place: 0, example: {name: "use", args: {object: "o2", sacrifice: ["o3"]}},
    args: {required: ["object", "sacrifice"], properties: {object: {enum: ["o2", "o3"]},
      sacrifice: {type: "array", uniqueItems: true, minItems: 1, maxItems: 1, items: {enum: ["o2", "o3", "o4"]},
        "x-other": "object"}}}};
  assert.deepEqual(partsOf(feast, {object: "o3"}).map(({values}) => values), [["o2", "o4"]]);
});
