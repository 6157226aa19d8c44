// What may be done with a number before it is sent.

import assert from "node:assert/strict";
import {test} from "vitest";

import {amountOf, chosen, stepped} from "../../api/web/static/choosing/amounts.ts";

const move = (/** @type {Api.Schema} */ part) => ({name: "bet", place: 0,
  args: {properties: {to: {title: "Chips", type: "integer", ...part}}}, example: {name: "bet", args: {}}});
const bet = amountOf(move({minimum: 4, maximum: 200, "x-step": 2, "x-useful": [{title: "Pot", value: 7}]}), "to");

test("steps and useful amounts are those of the schema, and the bounds where it names none", () => {
  assert.deepEqual([bet.step, bet.useful], [2, [{title: "Pot", value: 7}]]);
  const plain = amountOf(move({minimum: 0, maximum: 100}), "to");
  assert.deepEqual([plain.step, plain.useful.map(({value}) => value)], [5, [0, 100]]);
  assert.deepEqual(amountOf(move({minimum: 8, maximum: 8}), "to").useful, []);
});

test("a step leads no further than the bounds", () => {
  assert.equal(stepped(bet, "7", 1), "9");
  assert.equal(stepped(bet, "199", 1), "200");
  assert.equal(stepped(bet, "5", -1), "4");
  assert.equal(stepped(bet, "900", -1), "200");
  assert.equal(stepped(bet, "", 1), "4");
});

test("only a whole number within the bounds can be sent", () => {
  assert.equal(chosen(bet, "4"), 4);
  for (const said of ["", " ", "3", "201", "4.5", "x", "1e99"]) assert.equal(chosen(bet, said), null, said);
});
