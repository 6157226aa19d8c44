// In which order matches wait, at which tables one may sit down, and how times are said.

import assert from "node:assert/strict";
import {test} from "vitest";

import {inOrder, offerOf, toAsk, toMove, turnOf, unlisted} from "../../api/web/static/making/order.js";
import {left, withRoom} from "../../api/web/static/table/waiting.ts";
import {warned, warning} from "../../api/web/static/away/warning.js";
import {some} from "./some.mjs";

/** @typedef {import("../../api/web/static/table/waiting.ts").Waiting} Waiting */

const STATUSES = /** @type {const} */ (["finished", "lobby", "playing", "playing"]);
/** @param {import("./some.mjs").Some<Api.ListedMatch>} one @returns {Api.ListedMatch} */
const listed = (one) => some(one);
const matches = STATUSES.map((status, i) => listed({id: `m${i}`, game: "any", status, seats: []}));
/** @param {Partial<Waiting>} one @returns {Waiting} */
const waits = (one) =>
  ({kind: "turn", match: "", seat: 0, version: 0, game: "any", since_text: "", deadline: null, ...one});

test("what waits for me comes first as the inbox has it, then what goes on, what has not begun, and what is over",
  () => {
  const inbox = [waits({match: "m3", deadline: "2026-01-01T00:00:00Z"}),
    waits({kind: "invitation", match: "m9", game: "other"})];
  const rows = inOrder(matches, inbox, {});
  assert.deepEqual(rows.map(({match}) => match.id), ["m3", "m9", "m2", "m1", "m0"]);
  assert.deepEqual(rows.map(({says}) => says),
    ["Your turn", "You are invited", "running", "waiting for players", "over"]);
  assert.deepEqual(rows.map(({isMine}) => isMine), [true, true, false, false, false]);
  assert.equal(rows[0]?.deadline, "2026-01-01T00:00:00Z");
});

test("a match that waits for a move names the moves, each once, and not more than have room", () => {
  const inbox = [waits({match: "m3"}), waits({kind: "request", match: "m2"})];
  const said = (/** @type {string[]} */ ...titles) => inOrder(matches, inbox,
    {m3: offerOf(some({moves: titles.map((title) => ({args: {title}}))})), m2: offerOf(some({moves: []}))})
    .slice(0, 2).map(({says}) => says);
  assert.deepEqual(said("Play card"), ["Your turn: play card", "Request to answer"]);
  assert.equal(said("Call 4", "Fold", "Fold", "Raise")[0], "Your turn: call 4, fold, raise");
  assert.equal(said("Check", "Fold", "Raise", "All in: 9")[0], "Your turn: check, fold, raise …");
  assert.equal(said()[0], "Your turn");
  assert.deepEqual(toMove(inbox).map(({match}) => match), ["m3"]);
});

test("a match that was annulled says so, and stands where those stand that are over", () => {
  const rows = inOrder(matches.flatMap((one, i) =>
    i === 0 ? {...one, annulled: "It was arranged."} : i === 2 ? one : []), [], {});
  assert.deepEqual(rows.map(({match, says}) => [match.id, says]), [["m2", "running"], ["m0", "void"]]);
});

test("a match that waits for two things is there once, with the nearest", () => {
  const inbox = [waits({match: "m2"}), waits({kind: "request", match: "m2"})];
  assert.deepEqual(inOrder(matches, inbox, {}).filter(({match}) => match.id === "m2").map(({says}) => says),
    ["Your turn"]);
});

test("a match that waits for others says for whom, and how long", () => {
  const turns = {m3: turnOf(some({seats: [{}, {player: {name: "Ann"}}], to_act: [1, 0],
    deadline: "2026-01-01T00:00:00Z"}))};
  const row = inOrder(matches, [], turns).find(({match}) => match.id === "m3");
  assert.deepEqual([row?.says, row?.deadline, row?.isMine], ["waiting for Ann, seat 0", "2026-01-01T00:00:00Z", false]);
});

test("it is asked whom a match waits for where people play and it is not the reader", () => {
  /** @param {string} id @param {Api.ListedMatch["status"]} status @param {string[]} names */
  const match = (id, status, ...names) =>
    listed({id, status, seats: names.map((name) => ({player: name ? {name} : null}))});
  const all = [match("a", "playing", "Me", "Ann"), match("b", "playing", "Me", ""),
    match("c", "finished", "Me", "Ann"), match("d", "playing", "Me", "Ben")];
  assert.deepEqual(toAsk(all, [waits({match: "d"})]).map(({id}) => id), ["a"]);
});

test("tables to join have a seat for anybody, and the reader does not sit there", () => {
  /** @param {string} id @param {Api.ListedSeat["kind"][]} kinds */
  const table = (id, ...kinds) => listed({id, seats: kinds.map((kind) => ({kind}))});
  const lobbies = [table("a", "player", "open"), table("b", "player", "invite"), table("c", "open")];
  assert.deepEqual(withRoom(lobbies, [listed({id: "c"})]).map(({id}) => id), ["a"]);
});

test("time is said coarsely where there is much of it", () => {
  assert.deepEqual([0, 9_500, 65_000, 3_700_000, 90_000_000, 200_000_000].map(left),
    ["no time left", "0:09 left", "1:05 left", "1 hr 1 min left", "1 day 1 hr left", "2 days 7 hr left"]);
});

test("a long time is announced as it runs short, and not at the beginning of a turn", () => {
  const minutes = [61, 60, 59, 6, 5, 4].map((n) => warning(n * 60_000, 90 * 60_000));
  assert.deepEqual(minutes, ["", "An hour left.", "", "", "Five minutes left.", ""]);
});

test("a warning is said twice, not each second; and not of the time that a turn has at most", () => {
  const said = (/** @type {number} */ whole) =>
    [...new Set(Array.from({length: whole}, (_, i) => warning((whole - i) * 1000, whole * 1000)))];
  assert.deepEqual(said(100), ["", "A minute left.", "Ten seconds left."]);
  assert.deepEqual([said(60), said(20), said(10)], [["", "Ten seconds left."], ["", "Ten seconds left."], [""]]);
});

test("how long a turn is counts from when its deadline is seen first", () => {
  const said = (/** @type {string} */ at, /** @type {number} */ left) => warned(at, Date.parse(at) - left);
  const [one, other] = ["2026-01-01T00:00:00Z", "2026-01-01T00:05:00Z"];
  assert.deepEqual([said(one, 90_000), said(one, 50_000), said(other, 50_000), said(other, 9_000)],
    ["", "A minute left.", "", "Ten seconds left."]);
});

test("what waits for the reader is asked for where no list has it, each match once", () => {
  const inbox = ["m1", "m9", "m9", "m8"].map((match) => waits({match}));
  assert.deepEqual(unlisted(matches, inbox), ["m9", "m8"]);
});
