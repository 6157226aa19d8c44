// What standing orders in fields become as a document, and the other way round.

import assert from "node:assert/strict";
import {test} from "vitest";

import {another, documentOf, draftOf, earlier, languageOf, wrong} from "../../api/web/static/away/ordering.js";

const card = {type: "string", pattern: "^..$"}, cards = {type: "array", items: card};
const number = {anyOf: [{type: "integer"}, {type: "array"}, {type: "object"}]};
const chosen = {card: {type: "string", enum: ["highest", "lowest"]}, suit: {type: "string", enum: ["C", "led"]},
  below: {anyOf: [card, {const: "winning"}]}, except: cards};
/** @param {string} move @param {Record<string, Api.Schema>} [rest] @param {string[]} [required] */
const way = (move, rest = {}, required = []) => ({type: "object", required: ["move", ...required],
  properties: /** @type {Api.Ordered} */ ({...rest, move: {const: move}})});
const language = languageOf({properties: {orders: {items: {properties: {
  if: {properties: {phase: {anyOf: [{enum: ["passing", "playing"]}]}, score: number,
      hand: {properties: {all: cards, none: cards}}, led: {anyOf: [{type: "string", enum: ["C", "D"]}]}}},
  do: {items: {anyOf: [way("draw"), way("draw", {args: {properties: {}}}, ["args"]),
        way("pass", {args: {properties: {cards}, required: ["cards"]}}, ["args"]), way("play", chosen, ["card"])]}},
}}}}});

test("an order begins with a move that may be made now, or else with the first", () => {
  const begun = [[], [{name: "play"}], [{name: "claim"}]].map((offered) =>
    documentOf({isForced: false, orders: [another(language, offered)]}, language).orders[0]?.do[0]?.move);
  assert.deepEqual(begun, ["draw", "play", "draw"]);
});

/** @type {Api.Orders} */
const full = {auto_play_forced: true, orders: [
  {if: {phase: "passing", score: {min: 3, max: 9}, hand: {all: ["QS", "KS"]}},
    do: [{move: "pass", args: {cards: ["QS", "KS"]}}, {move: "draw"}]},
  {do: [{move: "play", card: "highest", suit: "led", below: "winning", except: ["QS"]}]},
]};

test("every way to make a move is offered once", () => {
  assert.deepEqual(language.moves.map(({label}) => label), ["draw", "pass, these", "play, chosen"]);
});

test("moves, facts and what is chosen are called by the titles of the schema, where it has some", () => {
  const titled = languageOf({properties: {orders: {items: {properties: {
    if: {properties: {hand: {title: "Own hand", properties: {all: cards}}, led: {anyOf: [{type: "string"}]}}},
    do: {items: {anyOf: [{title: "Take upcard", ...way("take_upcard")},
      way("lay_off", {args: {properties: {card: {title: "Card to lay", ...card}}, required: ["card"]}}, ["args"])]}},
  }}}}});
  assert.deepEqual(titled.moves.map(({label}) => label), ["Take upcard", "lay off, these"]);
  assert.deepEqual(titled.facts.map(({field}) => field.title), ["Own hand", "led"]);
  assert.equal(titled.moves[1]?.fields[0]?.title, "Card to lay");
});

test("a document that is read and written again is the same", () => {
  const draft = draftOf(full, language);
  assert.deepEqual(draft.orders.map(({kept}) => kept), [null, null]);
  assert.deepEqual(documentOf(draft, language), full);
});

test("what the fields cannot show is kept as it was given", () => {
  const odd = {auto_play_forced: false, orders: [{if: {score: [1, 2]}, do: [{move: "draw", args: {}}]}]};
  const draft = draftOf(odd, language);
  assert.deepEqual(draft.orders[0]?.kept, odd.orders[0]);
  assert.deepEqual(documentOf(draft, language), odd);
});

test("what is written is sent as its kind of value, and what is empty is not", () => {
  const conditions = [{fact: "score", way: "max", said: "5"}, {fact: "hand", way: "none", said: "QS, KS"}];
  const actions = [{key: language.moves[2]?.key ?? "", said: {card: "lowest", below: " "}}];
  assert.deepEqual(documentOf({isForced: false, orders: [{conditions, actions, kept: null}]}, language).orders,
    [{if: {score: {max: 5}, hand: {none: ["QS", "KS"]}}, do: [{move: "play", card: "lowest"}]}]);
  const wrong = [{fact: "score", way: "is", said: "many"}];
  const orders = [{...another(language, []), conditions: wrong}];
  assert.deepEqual(documentOf({isForced: false, orders}, language).orders,
    [{if: {score: "many"}, do: [{move: "draw"}]}]);
});

test("an order goes before another, as the first that fits is carried out", () => {
  assert.deepEqual(earlier(["a", "b", "c"], 2), ["a", "c", "b"]);
  assert.deepEqual(earlier(["a", "b"], 0), ["a", "b"]);
});

test("what is wrong is said at the fields of its row: at the one that is named, else at those with nothing in them",
  () => {
  const draft = draftOf(full, language), at = (/** @type {string[]} */ ...places) =>
    wrong(places.map((place) => `orders.${place}`), draft, language);
  assert.deepEqual(at("0.if.score"), {"0-if-1": ["score"], "0-if-2": ["score"]});
  assert.deepEqual(at("0.do.0.args"), {"0-do-0": ["cards"]});
  assert.deepEqual(at("1.do.0.below"), {"1-do-0": ["below"]});
  Object.assign(draft.orders[1]?.actions[0] ?? {}, {said: {suit: "C", except: "QS"}});
  assert.deepEqual(at("1.do.0"), {"1-do-0": ["card", "below"]});
  for (const place of ["0.if.moon", "0.do.1", "0.do", "9.do.0"])
    assert.deepEqual(at(place), {"": [`orders.${place}`]}, place);
  assert.deepEqual(wrong(["_schema"], draft, language), {"": ["_schema"]});
});
