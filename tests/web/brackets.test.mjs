// Where tables stand in the bracket of an elimination, and who has lost how often.

import assert from "node:assert/strict";
import {test} from "vitest";

import {columns, isThrough, lossesBefore, sides} from "../../api/web/static/tournaments/brackets.js";
import {some} from "./some.mjs";

/**
 * A table of which the first has won, unless it is open.
 * @param {number} a
 * @param {number | null} b
 * @returns {Api.RoundTable}
 */
const table = (a, b, isOpen = false) => some(
  {seats: [a, b].map((entrant, i) => ({entrant, advances: isOpen || entrant === null ? null : i === 0}))});
/** @param {number} number @param {Api.RoundTable[]} tables @param {number[]} [byes] @returns {Api.Round} */
const round = (number, tables, byes = []) =>
  some({round: number, tables, byes: byes.map((entrant) => ({entrant}))});
/** @param {{boxes: ReturnType<typeof sides>["once"]} | undefined} column */
const names = (column) => (column?.boxes ?? []).map((box) => "isToCome" in box ? "?" : "bye" in box
  ? `${box.bye.entrant}` : box.table.seats.map(({entrant}) => entrant).join("-"));

test("the tables of a round stand beside those to which their winners go, and a bye beside its own", () => {
  const rounds = [round(1, [table(2, 7), table(3, 6)], [0, 1]), round(2, [table(0, 3, true), table(1, 2, true)])];
  assert.deepEqual(columns(rounds, 2).map(names), [["0", "3-6", "1", "2-7"], ["0-3", "1-2"], ["?"]]);
  assert.deepEqual(columns(rounds, 2).map(({isHalf}) => isHalf), [true, true, false]);
});

test("whence nobody goes on stands last, and leads to no table", () => {
  /** @type {Api.RoundTable} */
  const lost = some({seats: [{entrant: 4, advances: false}, {entrant: 5, advances: false}]});
  const found = columns([round(1, [lost, table(0, 1), table(2, 3)]), round(2, [table(2, 0, true)])], 2);
  assert.deepEqual(names(found[0]), ["2-3", "0-1", "4-5"]);
  assert.equal(found[0]?.isHalf, false);
});

test("rounds to come are there down to the last table, but at tables of more than two nobody knows how many they are",
  () => {
  const first = [round(1, [table(0, 7, true), table(1, 6, true), table(2, 5, true), table(3, 4, true)])];
  assert.deepEqual(columns(first, 2).map(({boxes}) => boxes.length), [4, 2, 1]);
  assert.deepEqual(columns(first, 4).map(({boxes}) => boxes.length), [4]);
  assert.deepEqual(columns(first, 2).map((one) => one.round), [1, 2, 3]);
});

test("a knock-out after a Swiss begins with the round that it has there", () => {
  assert.deepEqual(columns([round(4, [table(0, 3), table(1, 2)]), round(5, [table(0, 1, true)])], 2)
    .map((one) => one.round), [4, 5]);
});

test("who has lost once is told from who has not; a bot has no number, and a round of its own does not count", () => {
  const second = round(2, [table(0, 2), table(1, 3, true)]),
    rounds = [round(1, [table(0, 1), table(2, null), table(4, 3)]), second];
  assert.deepEqual([...lossesBefore(rounds, 2)], [[1, 1], [3, 1]]);
  const {unbeaten, once} = sides(rounds, second);
  assert.deepEqual([names({boxes: unbeaten}), names({boxes: once})], [["0-2"], ["1-3"]]);
});

test("the last table, of who has lost nothing and who has lost once, is neither side's", () => {
  const rounds = [round(1, [table(0, 1), table(2, 3)]), round(2, [table(0, 2), table(1, 3)]),
    round(3, [table(2, 1)], [0]), round(4, [table(2, 0)]), round(5, [table(0, 2, true)])];
  const parted = rounds.map((one) => Object.values(sides(rounds, one)).map((boxes) => names({boxes})));
  assert.deepEqual(parted.slice(2), [[["0"], [], ["2-1"]], [[], ["2-0"], []], [[], [], ["0-2"]]]);
});

test("of a larger table as many have not lost as go on from it", () => {
  /** @type {Api.RoundTable} */
  const first = some({seats: [0, 1, 2, 3].map((entrant) => ({entrant, place: entrant + 1, advances: entrant < 2}))});
  assert.deepEqual([...lossesBefore([round(1, [first])], 2)], [[2, 1], [3, 1]]);
  assert.deepEqual([0, 1, 2, 3].map((seat) => isThrough(first, seat)), [true, true, false, false]);
});
