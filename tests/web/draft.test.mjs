// What a table that is thought out becomes as a request.

import assert from "node:assert/strict";
import {test} from "vitest";

import {changed, fields, fresh, presetOf, request, withOptions, withOption, withPreset, withSeats, withSitter,
  wrong} from "../../api/web/static/making/draft.js";
import {some} from "./some.mjs";

/** @type {Record<string, Api.Schema>} */
const options = {
  target: {type: "integer", minimum: 1, maximum: 9, default: 5},
  limit: {type: ["integer", "null"], minimum: 1, default: null},
  dealer: {enum: ["cut", "random", null], default: "cut"},
  moon: {type: "boolean", default: true},
  variant: {type: ["string", "integer", "null"], pattern: "^[1-4]$", default: "2"},
  ladder: {type: "array", default: [1, 2]},
  packs: {type: "array", items: {type: "string", enum: ["a", "b"]}, default: ["a", "b"]},
};
/** @type {Api.Game} */
const game = some({game: "any", seats: {min: 2, max: 4, usual: 3}, options: {properties: options},
  presets: {club: {target: 7, moon: false}, plain: {}}, usual_preset: "plain"});

test("every option has a field, also one of a kind that no other game has", () => {
  assert.deepEqual(fields(game).map(({kind}) => kind), ["number", "number", "choice", "yes", "text", "json", "list"]);
});

test("a table that nobody has changed says nothing of the options", () => {
  const {options: said, preset, seats, series} = request(fresh(game));
  assert.deepEqual([said, preset, series], [{}, "plain", undefined]);
  assert.deepEqual(seats, [{kind: "me"}, {kind: "invite"}, {kind: "bot", level: "steady"}]);
});

test("what an address says of options stands in the form, and what it says besides does not", () => {
  const said = new URLSearchParams({new: "any", target: "6", dealer: "random", variant: "4", moon: "false", deer: "7"});
  assert.deepEqual(request(withOptions(fresh(game), said)).options,
    {target: 6, dealer: "random", moon: false, variant: "4"});
  assert.deepEqual(withOptions(fresh(game), new URLSearchParams()), fresh(game));
});

test("what is changed is sent as its kind of value, and nothing else", () => {
  const put = {target: "6", limit: "3", dealer: "null", moon: "false", variant: "4", ladder: "[3]", packs: "[\"b\"]"};
  const draft = Object.entries(put).reduce((now, [name, said]) => withOption(now, name, said), fresh(game));
  assert.deepEqual(request(draft).options,
    {target: 6, limit: 3, dealer: null, moon: false, variant: "4", ladder: [3], packs: ["b"]});
  assert.deepEqual(request(withOption(withOption(draft, "limit", ""), "variant", "")).options,
    {target: 6, dealer: null, moon: false, variant: null, ladder: [3], packs: ["b"]});
});

test("a preset fills the fields, and what differs from it is sent beside it", () => {
  const club = withPreset(withOption(fresh(game), "limit", "2"), "club");
  assert.deepEqual([club.said["target"], club.said["moon"], club.said["limit"]], ["7", "false", ""]);
  assert.deepEqual(request(withOption(club, "target", "5")).options, {target: 5});
  assert.deepEqual(changed(withOption(club, "target", "7")), []);
});

test("the preset of a table follows its options, also where they were changed by hand", () => {
  const byHand = withOption(withOption(fresh(game), "target", "7"), "moon", "false");
  assert.deepEqual([presetOf(fresh(game)), presetOf(byHand)], ["plain", "club"]);
  assert.equal(presetOf(withOption(byHand, "limit", "2")), "plain");
});

test("more seats are as the last one, and fewer leave those that stay as they are", () => {
  const four = withSeats(withSitter(fresh(game), 2, "strong"), 4);
  assert.deepEqual(four.others, ["invite", "strong", "strong"]);
  assert.deepEqual(withSeats(four, 2).others, ["invite"]);
});

test("a seat for anybody puts the table into the public list", () => {
  assert.equal(request(fresh(game)).visibility, "unlisted");
  assert.equal(request(withSitter(fresh(game), 1, "open")).visibility, "public");
});

test("a clock and a series are sent as the API has them", () => {
  const {clock, series} = request({...fresh(game), clock: "day", bestOf: "3"});
  assert.deepEqual([clock, series], [{per_decision_seconds: 86_400}, {best_of: 3}]);
});

test("what a server refuses is said at the field that it is about, and at none where there is none", () => {
  const errors = {"options.target": ["Too much."], "options.ladder.0": ["No rung."], "seats.1.level": ["No such bot."],
    "series.best_of": ["Odd."], "options.unknown": ["What?"], seats: ["Too few."]};
  assert.deepEqual(wrong(game, errors),
    {target: "Too much.", ladder: "No rung.", "seat-1": "No such bot.", "best-of": "Odd.", "": "What? Too few."});
});
