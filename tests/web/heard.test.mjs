// Which sounds belong to a change of a table.

import assert from "node:assert/strict";
import {test} from "vitest";

import {soundsOf} from "../../api/web/static/sounds/heard.ts";
import {some} from "./some.mjs";

/**
 * @param {number} hand @param {number} trick how many cards lie there
 * @param {Partial<import("../../api/web/static/sounds/heard.ts").Heard>} [more]
 */
const table = (hand, trick, more = {}) => ({isMine: false, isOver: false, isWon: false, isLow: false, ...more,
  scene: some({zones: {hand: {kind: "hand", count: hand}, trick: {kind: "trick", count: trick}}})});

test("nothing is heard if nothing has changed", () => {
  assert.deepEqual(soundsOf(table(3, 1), table(3, 1)), []);
});

test("cards are heard when they are dealt, played, drawn and gathered", () => {
  assert.deepEqual(soundsOf(table(0, 0), table(13, 0)), ["deal"]);
  assert.deepEqual(soundsOf(table(3, 1), table(2, 2)), ["play"]);
  assert.deepEqual(soundsOf(table(3, 0), table(4, 0)), ["play"]);
  assert.deepEqual(soundsOf(table(3, 1), table(2, 1)), ["play"]);
  assert.deepEqual(soundsOf(table(3, 4), table(3, 0)), ["gather"]);
});

test("turn is heard when it begins", () => {
  assert.deepEqual(soundsOf(table(3, 1), table(3, 2, {isMine: true})), ["play", "turn"]);
  assert.deepEqual(soundsOf(table(3, 1, {isMine: true}), table(3, 1, {isMine: true})), []);
});

test("short time is heard once", () => {
  const mine = {isMine: true}, low = {isMine: true, isLow: true};
  assert.deepEqual(soundsOf(table(3, 1, mine), table(3, 1, low)), ["low"]);
  assert.deepEqual(soundsOf(table(3, 1, low), table(3, 1, low)), []);
});

test("end is heard once, and sounds otherwise if the reader has won", () => {
  const over = {isOver: true};
  assert.deepEqual(soundsOf(table(1, 3), table(1, 3, over)), ["over"]);
  assert.deepEqual(soundsOf(table(1, 3), table(1, 3, {...over, isWon: true})), ["win"]);
  assert.deepEqual(soundsOf(table(1, 3, over), table(1, 3, over)), []);
});
