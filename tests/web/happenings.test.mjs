// What is known of tournaments, and what each happening makes of it.

import assert from "node:assert/strict";
import {test} from "vitest";

import {found, next, NOTHING_YET, ROWS, toRead, waitsForPlayers} from "../../api/web/static/tournaments/happenings.js";
import {some} from "./some.mjs";

/** @typedef {import("../../api/web/static/tournaments/happenings.js").GroundHappening} GroundHappening */

const after = (/** @type {GroundHappening[]} */ ...happenings) => happenings.reduce(next, NOTHING_YET);
const open = /** @type {const} */ ({is: "opened", id: "a"});
/** @param {number} version @returns {GroundHappening} */
const seen = (version, id = "a") => ({is: "seen", tournament: some({id, version}), mine: null});

test("an answer that is older, or of a tournament that was left, changes nothing", () => {
  assert.equal(after(open, seen(3), seen(2)).tournament.version, 3);
  assert.equal(after(open, seen(3), seen(3)).tournament.version, 3);
  assert.equal(after(open, seen(3), seen(9, "b")).tournament.version, 3);
  /** @type {GroundHappening[]} */
  const others = [{is: "entered", id: "b", entries: some({})}, {is: "stands", id: "b", standings: some({})},
    {is: "paired", id: "b", round: some({round: 1})}, {is: "told", id: "b", events: [some({seq: 1})]},
    {is: "read", id: "b", what: "told", version: 1}];
  for (const late of others)
    assert.deepEqual(after(open, late), after(open), late.is);
});

test("another tournament begins with nothing, the same one keeps what was read", () => {
  /** @type {GroundHappening[]} */
  const read = [open, seen(3), {is: "stands", id: "a", standings: some({round: 1})}, {is: "finds", wanted: "ann"}];
  assert.deepEqual([after(...read, open).standings, after(...read, open).wanted], [{round: 1}, ""]);
  assert.deepEqual(after(...read, {is: "opened", id: "b"}), {...NOTHING_YET, id: "b"});
});

test("a page more is added to its own list, and to no other", () => {
  /** @param {string} which @param {string} id @param {boolean} [isMore] @returns {GroundHappening} */
  const page = (which, id, isMore = true) => ({is: "listed", list: {which, items: [some({id})], next: null}, isMore});
  const ids = (/** @type {GroundHappening[]} */ ...pages) => after(...pages).list?.items.map(({id}) => id);
  assert.deepEqual(ids(page("over", "a", false), page("over", "b")), ["a", "b"]);
  assert.deepEqual(ids(page("over", "a", false), page("mine", "b")), ["b"]);
  assert.deepEqual(ids(page("over", "a"), page("over", "c", false)), ["c"]);
});

test("events that are read twice are told once", () => {
  /** @param {number[]} seqs @returns {GroundHappening} */
  const told = (...seqs) => ({is: "told", id: "a", events: seqs.map((seq) => some({seq}))});
  assert.deepEqual(after(open, told(1, 2), told(2, 3)).told.map(({seq}) => seq), [1, 2, 3]);
});

test("a round that is over is not read again", () => {
  const ground = after(open, {is: "paired", id: "a", round: some({round: 1, closed: true})},
    {is: "paired", id: "a", round: some({round: 2, closed: false})});
  assert.deepEqual(toRead(ground, [1, 2, 3]), [2, 3]);
});

test("rows are shown some at a time, and from the first where something else is looked for", () => {
  assert.equal(after(open, {is: "widens"}).most, 2 * ROWS);
  assert.equal(after(open, {is: "widens"}, {is: "finds", wanted: "a"}).most, ROWS);
});

test("a name is found by any part of it, in capitals or small letters, and one that is not there is none", () => {
  const rows = [{name: "Ann"}, {name: "Joanna"}, {name: null}, {name: "Ben"}];
  const names = (/** @type {string} */ wanted) => found(rows, wanted, ({name}) => [name]).map(({name}) => name);
  assert.deepEqual(names(" aNN "), ["Ann", "Joanna"]);
  assert.deepEqual(names(""), ["Ann", "Joanna", null, "Ben"]);
  assert.deepEqual(names("zoe"), []);
});

test("a page of rows is turned to, begins anew where something is looked for, and grows at both ends", () => {
  const page = (/** @type {GroundHappening[]} */ ...more) => {
    const {first, most} = after(open, {is: "turns", row: 2 * ROWS + 7}, ...more);
    return [first, most];
  };
  assert.deepEqual(page(), [2 * ROWS, ROWS]);
  assert.deepEqual(page({is: "widens"}), [2 * ROWS, 2 * ROWS]);
  assert.deepEqual(page({is: "widens", isBefore: true}), [ROWS, 2 * ROWS]);
  assert.deepEqual(page({is: "finds", wanted: "a"}), [0, ROWS]);
});

test("a round is awaited while a player of an open table has not sat down", () => {
  /** @typedef {import("./some.mjs").Some<Api.RoundTable["seats"][number]>} Seat */
  /** @param {Api.RoundTable["how"]} how @param {Seat[]} seats @returns {Api.Round} */
  const round = (how, ...seats) => some({tables: [{how, seats}]}), ann = {player: {id: "a"}};
  assert.equal(waitsForPlayers(undefined), false);
  assert.equal(waitsForPlayers(round("open", {...ann, seated: true}, {player: null, seated: null})), false);
  assert.equal(waitsForPlayers(round("open", {...ann, seated: true}, {...ann, seated: false})), true);
  assert.equal(waitsForPlayers(round("open", {...ann, seated: null})), true);
  assert.equal(waitsForPlayers(round("ruled", {...ann, seated: null})), false);
});
