// What is made of the schemas of legal moves.

import assert from "node:assert/strict";
import {test} from "vitest";

import {isOpen, onTable, shapeOf} from "../../api/web/static/table/moves.js";
import {admits, completed, isOf} from "../../api/web/static/table/ways.js";

/**
 * @param {string} name
 * @param {Record<string, Api.Schema>} properties
 * @param {string[]} [required]
 * @param {Api.Schema} [more]
 */
const move = (name, properties, required = [], more = {}) =>
  ({name, place: 0, args: {title: name, type: "object", properties, required, ...more}, example: {name, args: {}}});
const hand = "/zones/hand-0";
const play = move("play", {card: {enum: ["QS", "2C"], "x-at": hand}}, ["card"]);
const pass = move("pass",
  {cards: {type: "array", items: {enum: ["QS", "2C", "3D"]}, minItems: 2, maxItems: 2, uniqueItems: true,
      "x-at": hand}}, ["cards"]);
const draw = move("draw", {}, [], {"x-at": "/zones/stock"});
const eights = move("play", {card: {enum: ["8H", "QS"], "x-at": hand}, suit: {enum: ["C", "D", null]}}, ["card"], {
  if: {properties: {card: {enum: ["8H"]}}},
  then: {properties: {suit: {enum: ["C", "D"]}}, required: ["suit"]},
  else: {properties: {suit: {type: "null"}}},
});

test("each kind of choice has a control of its own", () => {
  assert.equal(shapeOf(draw).kind, "plain");
  assert.equal(shapeOf(play).kind, "one");
  assert.deepEqual(shapeOf(pass),
    {kind: "some", name: "cards", values: ["QS", "2C", "3D"], least: 2, most: 2, given: {}});
  assert.deepEqual(shapeOf(move("bet", {to: {type: "integer", minimum: 2, maximum: 9}}, ["to"])),
    {kind: "number", name: "to"});
  const claim = move("claim", {trick: {type: "integer", minimum: 1, maximum: 3}, who: {enum: [1]}}, ["trick", "who"]);
  assert.deepEqual(shapeOf(claim), {kind: "form", names: ["trick", "who"]});
  assert.equal(shapeOf(move("odd", {rows: {type: "array", items: {type: "array"}}}, ["rows"])).kind, "example");
  assert.equal(shapeOf(move("submit_deck", {main: {type: "array", items: {enum: ["a", "b"]}}}, ["main"])).kind,
    "together");
  assert.equal(
    shapeOf(move("keep", {bottom: {type: "array", maxItems: 0, items: {enum: ["a"]}, uniqueItems: true}})).kind,
    "plain");
});

test("what lies on the table is pressed there, and nothing of it stands beside", () => {
  const {pressed, chosen, others} = onTable([play, draw]);
  assert.deepEqual([...pressed.keys()], [`${hand}:QS`, `${hand}:2C`, "/zones/stock"]);
  assert.deepEqual(pressed.get(`${hand}:2C`), [{label: "play", title: "play", move: "play", args: {card: "2C"}}]);
  assert.equal(chosen.size, 0);
  assert.deepEqual(others, []);
});

test("cards to choose are chosen on the table, and sent beside it", () => {
  const {pressed, chosen, others} = onTable([pass]);
  assert.equal(pressed.size, 0);
  assert.deepEqual(chosen.get(`${hand}:3D`), {value: "3D", most: 2});
  assert.deepEqual(others, [pass]);
});

test("a position is a place in a list, or in a list of places", () => {
  const turn = move("turn", {position: {enum: [0, 3], "x-at": "/zones/middle/spots"}}, ["position"]);
  const low = move("low", {seat: {enum: [1], "x-at": ["/zones/hand-0", "/zones/hand-1"]}}, ["seat"]);
  assert.deepEqual([...onTable([turn, low]).pressed.keys()],
    ["/zones/middle/spots/0", "/zones/middle/spots/3", "/zones/hand-1"]);
});

test("a card that may lie in one of several places is pressed wherever it lies", () => {
  const places = ["/zones/lands-0", "/zones/battlefield-0"], object = {enum: ["o3", "o7"], "x-at": places};
  assert.deepEqual([...onTable([move("tap", {object}, ["object"])]).pressed.keys()],
    ["/zones/lands-0:o3", "/zones/battlefield-0:o3", "/zones/lands-0:o7", "/zones/battlefield-0:o7"]);
  const row = {type: "array", items: {enum: ["o7"]}, minItems: 1, maxItems: 1, uniqueItems: true, "x-at": places};
  assert.deepEqual([...onTable([move("sacrifice", {row}, ["row"])]).chosen.keys()],
    ["/zones/lands-0:o7", "/zones/battlefield-0:o7"]);
});

test("two moves of one card are both there", () => {
  const knock = move("knock", {discard: {enum: ["2C"], "x-at": hand}}, ["discard"]);
  assert.deepEqual(onTable([play, knock]).pressed.get(`${hand}:2C`)?.map(({label}) => label), ["play", "knock"]);
});

test("what is put together begins with a card on the table, where one of its parts lies there", () => {
  const melds = {type: "array", items: {type: "array", items: {enum: ["QS"]}}, "x-at": hand};
  const knock = move("knock", {discard: {enum: ["2C"], "x-at": hand}, melds}, ["discard"]);
  assert.deepEqual(shapeOf(knock), {kind: "together", names: ["discard"]});
  assert.deepEqual(onTable([play, knock]).pressed.get(`${hand}:2C`)?.map(({label}) => label), ["play", "knock"]);
  assert.deepEqual(onTable([play, knock]).others, [knock]);  // below the table it is offered, or put together
  assert.deepEqual(onTable([move("lay_off", {melds})]).others.length, 1);
});

test("of moves with one name that is meant which admits what is chosen", () => {
  const both = ["a", "b"].map((card) => move("cast", {card: {enum: [card]}}, ["card"]));
  assert.deepEqual(both.map((one) => isOf(one, {label: "", move: "cast", args: {card: "b"}})), [false, true]);
});

test("what else belongs to a card is asked only where there is a choice", () => {
  assert.deepEqual(completed(eights, {card: "QS"}).map(({args}) => args), [{card: "QS"}]);
  assert.deepEqual(completed(eights, {card: "8H"}), [
    {label: "Clubs", title: "play", move: "play", args: {card: "8H", suit: "C"}},
    {label: "Diamonds", title: "play", move: "play", args: {card: "8H", suit: "D"}},
  ]);
});

test("a move that needs no choice, and yet has one, is open", () => {
  const wait = move("wait", {until: {title: "Until", enum: [null, "night"], "x-names": {night: "Nightfall"}}});
  assert.deepEqual([shapeOf(wait).kind, isOpen(wait), isOpen(draw)], ["plain", true, false]);
  assert.deepEqual(completed(wait, {}).map(({label, args}) => [label, args]),
    [["wait", {}], ["Nightfall", {until: "night"}]]);
});

test("a schema admits what it says", () => {
  assert.ok(admits({enum: [1, 2]}, 2));
  assert.ok(!admits({enum: [1, 2]}, 3));
  assert.ok(!admits({required: ["a"]}, {}));
});

test("a list that alone is open is chosen on the table, and what has one value is sent with it", () => {
  const cards = {type: "array", items: {enum: ["o5", "o7"]}, minItems: 1, maxItems: 1, uniqueItems: true};
  const asked = move("choose", {choice: {enum: ["discard"]}, value: {...cards, "x-at": hand}}, ["choice", "value"]);
  assert.deepEqual(shapeOf(asked),
    {kind: "some", name: "value", values: ["o5", "o7"], least: 1, most: 1, given: {choice: "discard"}});
  assert.deepEqual(onTable([asked]).chosen.get(`${hand}:o5`), {value: "o5", most: 1});
  assert.equal(shapeOf(move("choose", {choice: {enum: ["discard"]}, value: cards}, ["choice", "value"])).kind,
    "together");
});

test("a list whose move begins on the table leaves what is in it to other moves until then", () => {
  const row = {type: "array", items: {enum: ["o5"]}, minItems: 1, maxItems: 1, uniqueItems: true, "x-at": hand};
  const object = {enum: ["o1"], "x-at": hand};
  const trades = move("trade", {object, ability: {enum: [0]}, sacrifice: row}, ["object", "ability", "sacrifice"]);
  const fires = move("fire", {object: {enum: ["o5"], "x-at": hand}}, ["object"]);
  assert.deepEqual(shapeOf(trades), {kind: "together", names: ["object"]});
  const {pressed, chosen} = onTable([trades, fires]);
  assert.equal(chosen.size, 0);
  assert.deepEqual([...pressed.keys()], [`${hand}:o1`, `${hand}:o5`]);
});

test("what is left out anyway is not asked for, and values have the names that people give them", () => {
  const tap = (/** @type {Api.Schema} */ color) =>
    move("tap", {object: {enum: ["o1"], "x-at": hand}, color}, ["object"]);
  assert.deepEqual(completed(tap({enum: ["R", null], default: "R"}), {object: "o1"}).map(({args}) => args),
    [{object: "o1"}]);
  assert.deepEqual(completed(tap({enum: ["R", "S", null], "x-names": {R: "Root", S: "Sun"}}), {object: "o1"})
    .map(({label}) => label), ["tap", "Root", "Sun"]);
});

test("moves of one name are told apart by their titles", () => {
  const card = {enum: ["o5"], "x-at": hand}, plain =
    {...move("cast", {card}, ["card"]), args: {...play.args, properties: {card}, title: "Cast it"}};
  const byHand = {...plain, args: {...plain.args, title: "Cast, and choose what pays"}};
  const options = onTable([plain, byHand]).pressed.get(`${hand}:o5`) ?? [];
  assert.deepEqual(options.map((one) => [plain, byHand].filter((move) => isOf(move, one)).map(({args}) => args.title)),
    [["Cast it"], ["Cast, and choose what pays"]]);
});
