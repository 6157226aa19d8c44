// A tournament that is being thought out, the request that is made of it, and how it is said in words.

import assert from "node:assert/strict";
import {test} from "node:test";

import {AT, BY_HAND, fillsOf, formatsOf, planned, request, STYLES, withRated, withSaid, withStyle} from "../../api/web/static/tournaments/plan.js";
import {format, rate, span, standing, told} from "../../api/web/static/tournaments/plan_words.js";
import {changes, line} from "../../api/web/static/players/rating_line.js";

const game = (min, max, usual) => ({game: "any", seats: {min, max, usual}, presets: {standard: {}}, options: {properties: {}}});
const NOW = Date.parse("2026-01-01T00:00:00Z");

test("every style is announced as the API takes it", () => {
  for (const style of Object.keys(STYLES)) {
    const body = request(withStyle(planned(game(2, 6, 4)), style), NOW);
    assert.deepEqual([body.seats, body.format, body.fill], [2, STYLES[style].format, "bye"]);
    assert.ok(Date.parse(body.closes_at) > NOW);
  }
});

test("entries close by hand, after a time, or at a time", () => {
  const plan = planned(game(2, 2, 2)), closes = (said) => request(withSaid(plan, said), NOW).closes_at;
  assert.equal(closes({closes: BY_HAND}), null);
  assert.equal(closes({closes: "60"}), "2026-01-01T01:00:00.000Z");
  assert.equal(closes({closes: AT, at: "2026-05-01T20:00"}), new Date("2026-05-01T20:00").toISOString());
});

test("tables of more than two play a Swiss or a knock-out, in which nobody has a bye", () => {
  const four = planned(game(3, 6, 4));
  assert.equal(four.seats, 4);
  assert.deepEqual(formatsOf(4), ["swiss", "single_elimination", "shoot_out", "arena"]);
  assert.equal(withStyle(four, "everybody").format, "swiss");
  const out = withSaid(four, {format: "single_elimination"});
  assert.deepEqual([fillsOf(out), out.fill, out.days], [["bots"], "bots", ""]);
  assert.deepEqual(fillsOf(four), ["bye", "short", "bots"]);
});

test("what a format cannot have is let go", () => {
  const swiss = withSaid(planned(game(2, 4, 2)), {rounds: "5", late: "2", cut: "8", fill: "bots"});
  assert.deepEqual([swiss.cut, swiss.fill], ["8", "bye"]);
  const league = request(withSaid(swiss, {format: "league", legs: "2"}), NOW);
  assert.deepEqual([league.rounds, league.late, league.cut, league.legs], [null, 0, 0, 2]);
  assert.equal(request(withSaid(swiss, {format: "round_robin", legs: "2"}), NOW).legs, 1);
  const three = withSaid(swiss, {seats: 3});
  assert.deepEqual([three.cut, three.format], ["0", "swiss"]);
});

test("an arena ends some time after its entries have closed, and no other format has an end", () => {
  const arena = withSaid(withStyle(planned(game(2, 2, 2)), "arena"), {closes: "10", lasts: "30"});
  assert.deepEqual([request(arena, NOW).closes_at, request(arena, NOW).ends_at], ["2026-01-01T00:10:00.000Z", "2026-01-01T00:40:00.000Z"]);
  assert.equal(request(withSaid(arena, {closes: BY_HAND}), NOW).ends_at, "2026-01-01T00:30:00.000Z");
  assert.equal("ends_at" in request(withSaid(arena, {format: "swiss"}), NOW), false);
});

test("tables count for ratings where there is a clock", () => {
  const any = {...game(2, 2, 2), options: {properties: {rated: {type: "boolean", default: false}}}}, plan = planned(any);
  const rated = (one) => request(one, NOW).options.rated;
  assert.equal(rated(plan), true);
  assert.equal(rated(withRated(plan, false)), undefined);
  assert.equal(rated(withRated({...plan, table: {...plan.table, clock: "none"}}, true)), undefined);
  assert.equal(rated(withStyle({...plan, table: {...plan.table, clock: "none"}}, "evening")), true);
  assert.deepEqual(request(planned(game(2, 2, 2)), NOW).options, {});
});

test("helpers are named by their handles, however they are parted", () => {
  assert.deepEqual(request(withSaid(planned(game(2, 2, 2)), {helpers: " @ann, ben\ncem"}), NOW).helpers, ["ann", "ben", "cem"]);
});

test("a tournament says what it is and how far", () => {
  const swiss = {format: "swiss", rounds: 5, cut: 8, seats: 2, round: 2, status: "playing", paused: false};
  assert.equal(format(swiss), "Swiss, 5 rounds, then the best 8 play a knock-out");
  assert.equal(format({...swiss, rounds: null, cut: 0, seats: 4}), "Swiss, tables of 4");
  assert.deepEqual([swiss, {...swiss, rounds: null}, {...swiss, paused: true}, {...swiss, status: "over"}, {...swiss, format: "arena"}].map(standing), ["Round 2 of 5", "Round 2", "Paused", "Over", "Being played"]);
  assert.deepEqual([60, 900, 7200, 259_200].map(span), ["1 minute", "15 minutes", "2 hours", "3 days"]);
});

test("rates are read in per cent, exactly to a tenth", () => {
  assert.deepEqual(["5/12", "1", "2/3", "1/3", "0"].map((one) => rate(one)), ["41.7", "100", "66.7", "33.3", "0"]);
});

test("what happened is told in words, and what nobody would say is not", () => {
  const entrant = (no) => ["Ann", "Ben"][no], player = (id) => `player ${id}`;
  const says = (type, data) => told({type, data}, entrant, player);
  assert.equal(says("TournamentAnnounced", {organiser: "o"}), "player o announced the tournament.");
  assert.equal(says("PlayerDisqualified", {entrant: 1, by: "o", reason: "Two accounts."}), "player o took Ben out: Two accounts.");
  assert.equal(says("RoundPaired", {round: 2, tables: [[0, 1]]}), "Round 2 was paired: 1 table.");
  assert.equal(says("TableRuled", {table: 0, by: "o", reason: "Left."}), "player o ruled table 1: Left.");
  assert.equal(says("EntriesClosed", {by: null}), "Entries closed. The order was drawn.");
  assert.equal(says("PayoutMade", {entrant: 0, percent: "35/2"}), "Ann got 17.5 % of all that was put in.");
  assert.equal(says("DrawsCommitted", {}), "");
});

test("the line of a rating goes from the oldest to the latest, and stays within its box", () => {
  const {points, least, most} = line([1500, 1400, 1450], 600, 160);
  assert.deepEqual([least, most, points.map(([x]) => x)], [1400, 1500, [0, 300, 600]]);
  assert.ok(points.every(([, y]) => y > 0 && y < 160));
  assert.ok(points[2][1] < points[0][1] && points[0][1] < points[1][1]);
  assert.deepEqual(line([1000], 600, 160).points, [[0, 80]]);
  assert.deepEqual(changes([1500, 1400, 1450]), [100, -50, null]);
});
