// What a table that is thought out becomes as a request.

import assert from "node:assert/strict";
import {test} from "node:test";

import {changed, fields, fresh, request, withOption, withPreset, withSeats, withSitter} from "../../api/web/static/making/draft.js";

const options = {
  target: {type: "integer", minimum: 1, maximum: 9, default: 5},
  limit: {type: ["integer", "null"], minimum: 1, default: null},
  dealer: {enum: ["cut", "random", null], default: "cut"},
  moon: {type: "boolean", default: true},
  variant: {type: ["string", "integer", "null"], pattern: "^[1-4]$", default: "2"},
  ladder: {type: "array", default: [1, 2]},
};
const game = {game: "any", seats: {min: 2, max: 4, usual: 3}, options: {properties: options}, presets: {club: {target: 7, moon: false}, plain: {}}};

test("every option has a field, also one of a kind that no other game has", () => {
  assert.deepEqual(fields(game).map(({kind}) => kind), ["number", "number", "choice", "yes", "text", "json"]);
});

test("a table that nobody has changed says nothing of the options", () => {
  const {options: said, preset, seats, series} = request(fresh(game));
  assert.deepEqual([said, preset, series], [{}, "plain", undefined]);
  assert.deepEqual(seats, [{kind: "me"}, {kind: "invite"}, {kind: "bot", level: "steady"}]);
});

test("what is changed is sent as its kind of value, and nothing else", () => {
  const put = {target: "6", limit: "3", dealer: "null", moon: "false", variant: "4", ladder: "[3]"};
  const draft = Object.entries(put).reduce((now, [name, said]) => withOption(now, name, said), fresh(game));
  assert.deepEqual(request(draft).options, {target: 6, limit: 3, dealer: null, moon: false, variant: "4", ladder: [3]});
  assert.deepEqual(request(withOption(withOption(draft, "limit", ""), "variant", "")).options,
    {target: 6, dealer: null, moon: false, variant: null, ladder: [3]});
});

test("a preset fills the fields, and what differs from it is sent beside it", () => {
  const club = withPreset(withOption(fresh(game), "limit", "2"), "club");
  assert.deepEqual([club.said.target, club.said.moon, club.said.limit], ["7", "false", ""]);
  assert.deepEqual(request(withOption(club, "target", "5")).options, {target: 5});
  assert.deepEqual(changed(withOption(club, "target", "7")), []);
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
