// What the verdict on a match says: whether it is intact, and who could have chosen the deals.

import assert from "node:assert/strict";
import {test} from "vitest";

import {judged} from "../../api/web/static/past/judged.ts";
import {some} from "./some.mjs";

/** @typedef {Parameters<typeof judged>[1]} Report @typedef {Report["checks"][number]} Check */

const NAMES = ["chain", "seals", "shuffles", "rules", "result", "moves", "signatures"];

/** @param {string[]} types @param {object} [created] */
const played = (types = ["SeedRevealed", "MatchEnded"], created = {}) => ({events: [
  {type: "MatchCreated", data: {tournament: null, rules: "1.1", ...created}, seals: {hands: {0: "00"}}},
  ...types.map((type) => ({type, data: {}, seals: {}}))]});

/** A report whose checks passed, but for some. @param {Record<string, Partial<Check>>} but @param {object} more */
const report = (but = {}, more = {}) => {
  const checks = NAMES.map((name) => ({name, ok: true, skipped: false, detail: "", seq: null, ...but[name]}));
  const verdict = checks.some(({ok}) => !ok) ? "failed" : checks.some(({skipped}) => skipped) ? "unverifiable"
    : "verified";
  return /** @type {Report} */ (some({checks, verdict, signed: {known: true}, signed_seats: [{seat: 0, key: ""}],
    contributed: [0], ...more}));
};

test("a match to whose shuffles a player added is intact", () => {
  const {verdict, deals, unused, areMovesJudged} = judged(played(), report());
  assert.deepEqual([verdict, deals, unused, areMovesJudged], ["intact", "shared", [], true]);
});

test("without a player's number the server could have chosen the deals", () => {
  const {verdict, deals} = judged(played(), report({}, {contributed: []}));
  assert.deepEqual([verdict, deals], ["chosen", "server"]);
});

test("numbers from other tables of a group count", () => {
  const shared = played();
  shared.events.push({type: "DealsShared", data: {nonces: [["8f14e45fceea167a5a36dedd4bea2543"]]}, seals: {}});
  assert.equal(judged(shared, report({}, {contributed: []})).verdict, "intact");
});

test("a tournament's deals are left to its record", () => {
  const {verdict, deals} = judged(played(undefined, {tournament: "t"}), report({}, {contributed: []}));
  assert.deepEqual([verdict, deals], ["partial", "tournament"]);
});

test("a failed check is named, whatever else was found", () => {
  const {verdict, fault} = judged(played(), report({seals: {ok: false, seq: 7}, rules: {skipped: true}}));
  assert.deepEqual([verdict, fault?.name, fault?.seq], ["altered", "seals", 7]);
});

test("a check that could not be made leaves the verdict open", () => {
  const {verdict, areMovesJudged} = judged(played(), report({rules: {skipped: true}}));
  assert.deepEqual([verdict, areMovesJudged], ["partial", false]);
});

test("checks that had nothing to check are not used", () => {
  const {unused, verdict} = judged(played(), report({}, {signed: null, signed_seats: []}));
  assert.deepEqual([unused, verdict], [["moves", "signatures"], "intact"]);
  assert.deepEqual(judged(played(), report({}, {signed: {known: false}})).unused, ["signatures"]);
  const empty = {events: played([]).events.map((event) => ({...event, seals: {}}))};
  assert.deepEqual(judged(empty, report()).unused, ["seals", "shuffles", "result"]);
});

test("a hand that was dealt elsewhere has no deals to check", () => {
  const {verdict, deals, unused} = judged(played(["MatchEnded"], {rules: "phh"}), report({shuffles: {skipped: true}}));
  assert.deepEqual([verdict, deals, unused], ["partial", "elsewhere", ["shuffles"]]);
});
