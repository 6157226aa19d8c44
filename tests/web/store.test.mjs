// What each happening makes of what the page shows.

import assert from "node:assert/strict";
import {test} from "vitest";

import {whole} from "../../api/web/static/table/api.js";
import {dataOf} from "../../api/web/static/table/streams.js";
import {askedAnew} from "../../api/web/static/table/ways.js";
import {marked} from "../../api/web/static/past/marks.ts";
import {after, EMPTY, MOST_LINES, toldBy} from "../../api/web/static/table/store.ts";
import {some} from "./some.mjs";

const opened = after(EMPTY, {is: "opened", id: "m"});
/** @typedef {import("../../api/web/static/table/store.ts").State} State */
/** @typedef {import("../../api/web/static/table/store.ts").Move} Move */
/** @typedef {import("../../api/web/static/table/store.ts").Past} Past */

/** @param {State} state @param {number} version @param {Move[]} [moves] @param {string[]} [also] @returns {State} */
const seen = (state, version, moves = [], also = [], id = "m") => after(state, {is: "seen", match: some({id, version}),
  offer: {version, seat: 0, prompt: "", moves, also: also.map((name) => some({name}))}});
/** @param {string} name @param {Api.Schema} args @returns {Move} */
const move = (name, args) => ({name, place: 0, args, example: {name, args: {}}});
/** @param {State} state @param {Past["marks"]} marks @param {number} version */
const past = (state, marks, version) => {
  const steps = Array.from({length: 9}, (_, i) => some({version: i + 1, at: "", text: ""}));
  return /** @type {Past} */ (after(state, {is: "remembered", steps, marks, version, seat: null}).past);
};

test("a scene is whole again that came without what is null or empty", () => {
  const scene = {phase: "play", seat: null, numbers: {pot: 0}, notes: [], last: null, steps: [],
    seats: [{seat: 0, badges: ["turn"], numbers: {}}, {seat: 1, badges: [], numbers: {net: -2}}],
    zones: {stock: {kind: "stock", layout: "pile", seat: null, spots: [], count: 3, numbers: {}, note: "",
      columns: null},
    hand: {kind: "hand", layout: "fan", seat: 0, count: 1, numbers: {}, note: "held", columns: 2,
      spots: [{face: "up", card: "QS", seat: null, marks: ["wins"], id: null, aims: []}]}}};
  assert.deepEqual(whole({phase: "play", numbers: {pot: 0}, seats: [{seat: 0, badges: ["turn"]},
    {seat: 1, numbers: {net: -2}}], zones: {stock: {kind: "stock", layout: "pile", count: 3},
    hand: {kind: "hand", layout: "fan", seat: 0, count: 1, note: "held", columns: 2,
      spots: [{face: "up", card: "QS", marks: ["wins"]}]}}}), scene);
  assert.deepEqual(whole({phase: "over", seats: []}),
    {phase: "over", seat: null, seats: [], zones: {}, numbers: {}, notes: [], last: null,
      steps: []});
  assert.equal(whole(null), null);
});

test("what was being chosen before a reload is chosen again", () => {
  const state = after(EMPTY, {is: "resumed", chosen: ["QS"], drafts: {bet: "12"}});
  assert.deepEqual([state.chosen, state.drafts], [["QS"], {bet: "12"}]);
});

test("an older answer does not come back over a newer one", () => {
  assert.equal(seen(seen(opened, 7), 6).match.version, 7);
  assert.equal(seen(seen(opened, 7), 9, [], [], "other").match.version, 7);
});

test("what is being chosen stays until something else is asked, whatever others do meanwhile", () => {
  const asked = (/** @type {State} */ state, /** @type {number} */ version, /** @type {string} */ card) =>
    seen(state, version, [move("pass", {enum: [card]})]);
  const held = after(after(asked(opened, 7, "QS"), {is: "chose", card: "QS", most: 3}),
    {is: "drafted", move: "pass", draft: "4"});
  assert.deepEqual([asked(held, 8, "QS").chosen, asked(held, 8, "QS").drafts], [["QS"], {pass: "4"}]);
  assert.deepEqual([asked(held, 8, "2C").chosen, asked(held, 8, "2C").drafts], [[], {}]);
});

test("a question stays open while what it asks about is offered, whatever others do meanwhile", () => {
  /** @param {State} state @param {number} version @param {string[]} cards */
  const asked = (state, version, cards, also = ["resign"]) =>
    seen(state, version, cards.length ? [move("play", {properties: {card: {enum: cards}}})] : [], also);
  const open = (/** @type {string} */ move, /** @type {Api.Values} */ args = {}) => after(asked(opened, 7, ["8D"]),
    {is: "asked", ask: {title: "?", options: [{label: "?", move, args}], anew: askedAnew}});
  assert.equal(asked(open("play", {card: "8D"}), 8, ["8D", "9C"], []).ask?.title, "?");
  assert.equal(asked(open("play", {card: "8D"}), 8, ["9C"]).ask, null);
  assert.equal(asked(open("resign"), 8, []).ask?.title, "?");
  assert.equal(asked(open("resign"), 8, ["8D"], ["offer_draw"]).ask, null);
});

test("a question asks for the ways that there are now to do what was pressed", () => {
  const cast = (/** @type {string[]} */ ...lands) => move("cast",
    {title: "Cast", required: ["card"], properties: {card: {enum: ["frog"]}, pay: {enum: lands}}});
  const began = [{label: "Cast", title: "Cast", move: "cast", args: {card: "frog"}}];
  const open = after(seen(opened, 7, [cast("hill", "isle")]),
    {is: "asked", ask: {title: "What with the frog?", options: [], began, anew: askedAnew}});
  const now = seen(open, 8, [cast("isle")]).ask;
  assert.deepEqual(now?.options.map(({args}) => args), [{card: "frog"}, {card: "frog", pay: "isle"}]);
  assert.equal(now?.began, began);
  assert.equal(seen(open, 8).ask, null);
});

test("no more cards are chosen than may be, and one that is chosen is given back", () => {
  const held = ["2C", "3C", "4C"].reduce((state, card) => after(state, {is: "chose", card, most: 2}), opened);
  assert.deepEqual(held.chosen, ["3C", "4C"]);
  assert.deepEqual(after(held, {is: "chose", card: "3C", most: 2}).chosen, ["4C"]);
});

test("an event is told once, also where the stream was lost and taken up again", () => {
  const told = [1, 2, 2, 1, 3].reduce((state, seq) =>
    after(state, {is: "told", event: some({seq, text: `${seq}`})}), opened);
  assert.deepEqual(told.log.map(({seq}) => seq), [1, 2, 3]);
});

test("the log is bounded", () => {
  let state = opened;
  for (let seq = 1; seq <= MOST_LINES + 5; seq += 1) state = after(state, {is: "told", event: some({seq, text: ""})});
  assert.equal(state.log.length, MOST_LINES);
});

test("the log is not ahead of the table, and no line of it goes while another comes", () => {
  const log = Array.from({length: 99}, (_, i) => ({seq: i + 1, type: "", text: ""}));
  assert.deepEqual(toldBy(log, 3).map(({seq}) => seq), [1, 2, 3]);
  assert.deepEqual(toldBy(log, 999), log);
});

test("another match begins with nothing of the one before", () => {
  const next = after(after(seen(opened, 7), {is: "refused", problem: "No."}), {is: "opened", id: "n"});
  assert.deepEqual([next.match, next.problem, next.log], [null, null, []]);
});

test("what is said stays in its order, also where it is taken back later", () => {
  /** @param {number} no @param {number} change @param {string | null} text @param {string | null} [deleted] */
  const said = (no, change, text, deleted = null) =>
    ({no, change, seat: 0, player: null, text, blocked: false, muted: false, deleted});
  const {chat} = [said(1, 1, "Hello"), said(2, 2, "Oh"), said(1, 3, null, "author"), said(2, 2, "Oh")]
    .reduce((state, message) => after(state, {is: "spoken", message}), opened);
  assert.deepEqual(chat.map(({no, text}) => [no, text]), [[1, null], [2, "Oh"]]);
});

test("no state is changed in place", () => {
  const before = structuredClone(opened);
  after(opened, {is: "told", event: some({seq: 1, text: "One."})});
  assert.deepEqual(opened, before);
});

test("an event is read off a block of a stream, a heartbeat is none", () => {
  assert.deepEqual(dataOf('id: 6\nevent: CardCut\ndata: {"seq": 6}'), [{seq: 6}]);
  assert.deepEqual(dataOf(": still here"), []);
});

test("why a move was refused is no longer said when the match is over, and stays said after it", () => {
  const refused = after(seen(opened, 7), {is: "refused", problem: "No."});
  const over = some({id: "m", version: 9, result: {}});
  assert.equal(seen(refused, 8).problem, "No.");
  const ended = after(refused, {is: "seen", match: over, offer: some({moves: [], also: []})});
  assert.equal(ended.problem, null);
  const later = after(ended, {is: "refused", problem: "Say something."});
  assert.equal(after(later, {is: "seen", match: over, offer: some({moves: [], also: []})}).problem, "Say something.");
});

test("nothing can be pressed until a move is answered, whatever is seen meanwhile", () => {
  const sending = after(seen(opened, 7), {is: "sending"});
  assert.ok(seen(sending, 7).isSending);
  assert.ok(seen(sending, 8).isSending);
  assert.ok(!after(sending, {is: "sent"}).isSending);
  assert.ok(!after(sending, {is: "refused", problem: "No."}).isSending);
});

test("a look back goes to marks, and not beyond the ends", () => {
  const marks = [{at: "hand:1", version: 3, text: ""}, {at: "trick:1.1", version: 4, text: ""},
    {at: "hand:2", version: 8, text: ""}];
  const back = past(opened, marks, 5);
  assert.deepEqual([marked(back, "hand", 1), marked(back, "hand", -1), marked(back, "trick", 1)], [8, 3, 5]);
  const turned = past(opened,
    [{at: "turnover:1.1", version: 2, text: ""}, {at: "turn:1.1", version: 6, text: ""}], 1);
  assert.equal(marked(turned, "turn", 1), 6);
  assert.equal(after({...opened, past: back}, {is: "stepped", version: 99}).past?.version, 9);
  assert.equal(after({...opened, past: back}, {is: "stepped", version: 0}).past?.version, 1);
});
