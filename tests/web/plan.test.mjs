// A tournament that is being thought out, the request that is made of it, and how it is said in words.

import assert from "node:assert/strict";
import {test} from "vitest";

import {AT, BY_HAND, fieldsOf, formatsOf, OWN, planned, request, STYLES, stylesOf, withField, withPlace, withSaid,
  withStyle} from "../../api/web/static/tournaments/plan.js";
import {facts, format, rate, span, standing, told} from "../../api/web/static/tournaments/plan_words.js";
import {changes, line} from "../../api/web/static/players/rating_line.js";
import {some} from "./some.mjs";

/** @typedef {import("../../api/web/static/tournaments/plan.js").Plan} Plan */
/** @typedef {Api.Offer["fields"]} Fields */

const OPTIONS = {properties: {rated: {type: "boolean", default: false}}};
/**
 * @param {number} min
 * @param {number} max
 * @param {number} usual
 * @param {Api.Game["presets"]} presets
 * @returns {Api.Game}
 */
const game = (min, max, usual, presets) =>
  some({game: "any", seats: {min, max, usual}, presets, usual_preset: Object.keys(presets)[0], options: OPTIONS});
const NOW = Date.parse("2026-01-01T00:00:00Z");
/** @param {number} minimum @param {number} maximum */
const number = (minimum, maximum) => ({type: ["integer", "null"], minimum, maximum, default: null});
/** @param {[string, ...string[]]} names */
const one_of = (...names) => ({type: "string", enum: names, default: names[0]});
/**
 * @param {string} format
 * @param {number} seats
 * @param {Fields["properties"]} [properties]
 * @param {Partial<Api.Offer>} [more]
 * @returns {Api.Offer}
 */
const offer = (format, seats, properties = {}, more = {}) =>
  ({format, seats, presets: ["seed"], whole_matches: true, fields: {properties}, ...more});
/** @param {Api.Offer[]} items @param {Partial<Api.Offers>} [more] @returns {Api.Offers} */
const offers = (items, more = {}) => ({items, preparations: [], prizes: false, ...more});
const ALL = offers([
  offer("swiss", 2, {rounds: number(1, 60), cut: {type: "integer", enum: [0, 4, 8], default: 0},
      fill: one_of("bye", "bots"), late: number(0, 60), round_days: number(1, 365)}),
  offer("swiss", 4, {rounds: number(1, 60), fill: one_of("bye", "short", "bots")}), offer("round_robin", 2),
  offer("league", 2, {legs: number(1, 4)}),
  offer("single_elimination", 2), offer("single_elimination", 4, {fill: one_of("bots")}),
  offer("arena", 2, {ends_at: {type: "string"}}),
  offer("multi_table", 4, {most_waiting: number(0, 1024)}, {presets: ["freezeout"], whole_matches: false}),
  offer("a_new_one", 2, {wishes: one_of("few", "many")}),
], {preparations: [{game: "pods", preset: "sealed", title: "Pods", options: {pool: "tournament"}}]});
const MANY = game(2, 4, 4, {seed: {}, freezeout: {stake: 9}});
const evening = () => planned(MANY, ALL);
/** What is asked for: what of it is a format's own, no type names. @param {Plan} plan */
const asked = (plan) => /** @type {ReturnType<typeof request> & Record<string, unknown>} */ (request(plan, NOW));

test("every style that the offers admit is announced as the API takes it", () => {
  assert.deepEqual(stylesOf(ALL), Object.keys(STYLES).filter((style) => style !== "same_deals"));
  for (const style of stylesOf(ALL)) {
    const body = asked(withStyle(evening(), style));
    assert.deepEqual([body.seats, body.format], [style === "many" ? 4 : 2, STYLES[style]?.format]);
    assert.ok(Date.parse(body.closes_at ?? "") > NOW);
  }
  assert.equal(asked(withStyle(evening(), "season"))["round_days"], 21);
  assert.equal(asked(withStyle(withStyle(evening(), "season"), "evening"))["round_days"], undefined);
});

test("entries close by hand, after a time, or at a time", () => {
  const closes = (/** @type {Partial<Plan>} */ said) => asked(withSaid(evening(), said)).closes_at;
  assert.equal(closes({closes: BY_HAND}), null);
  assert.equal(closes({closes: "60"}), "2026-01-01T01:00:00.000Z");
  assert.equal(closes({closes: AT, at: "2026-05-01T20:00"}), new Date("2026-05-01T20:00").toISOString());
});

test("a format that nobody here has heard of is offered with what may be said of it", () => {
  const plan = withSaid(evening(), {format: "a_new_one"});
  assert.ok(formatsOf(plan).includes("a_new_one"));
  assert.deepEqual(fieldsOf(plan).map(({name, kind}) => [name, kind]), [["wishes", "choice"]]);
  assert.equal(asked(plan)["wishes"], undefined);
  assert.equal(asked(withField(plan, "wishes", '"many"'))["wishes"], "many");
});

test("what a format cannot have is let go, and of what there is no choice is said for who announces", () => {
  const swiss = withField(withField(evening(), "rounds", "5"), "cut", "8");
  assert.deepEqual([asked(swiss)["rounds"], asked(swiss)["cut"]], [5, 8]);
  const league = withField(withSaid(swiss, {format: "league"}), "legs", "2");
  assert.deepEqual([asked(league)["rounds"], asked(league)["cut"], asked(league)["legs"]],
    [undefined, undefined, 2]);
  const four = withSaid(evening(), {format: "single_elimination", seats: 4});
  assert.deepEqual([fieldsOf(four), asked(four)["fill"]], [[], "bots"]);
  assert.equal(withSaid(four, {seats: 2}).seats, 2);
});

test("the bounds of a field are those that hold with what is said of another", () => {
  /**
   * @param {string} name
   * @param {Api.Json[]} values
   * @param {Api.Schema} most
   * @param {{required?: string[]}} [more]
   */
  const bound = (name, values, most, more = {}) => ({if: {properties: {[name]: {enum: values}}, ...more}, then:
    {properties: {most}}});
  /** @type {Fields} */
  const fields = {properties: {most: number(2, 60), fill: one_of("bye", "bots"), legs: number(1, 4)}, allOf: [
    bound("fill", ["bye"], {minimum: 4}), bound("legs", [2, 3], {maximum: 20}, {required: ["legs"]})]};
  const plan = planned(MANY, offers([offer("swiss", 2, {}, {fields})]));
  const most = (/** @type {Plan} */ said) => {
    const {minimum, maximum} = fieldsOf(said).find(({name}) => name === "most")?.schema ?? {};
    return [minimum, maximum];
  };
  assert.deepEqual(most(plan), [4, 60]);
  assert.deepEqual(most(withField(plan, "fill", '"bots"')), [2, 60]);
  assert.deepEqual(most(withField(plan, "legs", "3")), [4, 20]);
  assert.deepEqual(most(withField(plan, "legs", "4")), [4, 60]);
});

test("tables of many take the rules with which they are played, and are not rated", () => {
  const many = withStyle(evening(), "many"), body = asked(many);
  assert.deepEqual([body.seats, body.preset, body.options["rated"], body.series],
    [4, "freezeout", undefined, undefined]);
  assert.equal(asked(withStyle(many, "evening")).options["rated"], true);
});

test("an arena ends some time after its entries have closed, and no other format has an end", () => {
  const arena = withSaid(withStyle(evening(), "arena"), {closes: "10", lasts: "30"});
  assert.deepEqual([asked(arena).closes_at, asked(arena)["ends_at"]],
    ["2026-01-01T00:10:00.000Z", "2026-01-01T00:40:00.000Z"]);
  assert.equal(asked(withSaid(arena, {closes: BY_HAND}))["ends_at"], "2026-01-01T00:30:00.000Z");
  assert.equal("ends_at" in asked(withSaid(arena, {format: "swiss"})), false);
});

test("tables count for ratings where there is a clock", () => {
  const rated = (/** @type {Partial<Plan>} */ said) => asked(withSaid(evening(), said)).options["rated"];
  assert.deepEqual([{}, {isRated: false}, {clock: "none"}].map(rated), [true, undefined, undefined]);
  assert.equal(asked(withStyle(withSaid(evening(), {clock: "none"}), "evening")).options["rated"], true);
});

test("a clock of one's own is asked for in seconds", () => {
  const clock = (/** @type {Partial<Plan>} */ said) => asked(withSaid(evening(), {clock: OWN, ...said})).clock;
  assert.deepEqual(clock({each: "45"}), {per_decision_seconds: 45, bank_seconds: 0});
  assert.deepEqual(clock({each: "", bank: "180", increment: "2"}),
    {per_decision_seconds: 0, bank_seconds: 180, kind: "fischer", increment_seconds: 2, cap_seconds: 182});
});

test("who announces decks that are built first says how, and the tables take what was gained", () => {
  const body = asked(withSaid(withStyle(evening(), "decks"), {pod: "4", podSeconds: "600"}));
  assert.deepEqual(body.preparation, {game: "pods", preset: "sealed", clock: {per_decision_seconds: 600}, seats: 4});
  assert.deepEqual([body.options["pool"], body["fill"], body["late"]], ["tournament", undefined, undefined]);
  const other = asked(withStyle(withStyle(evening(), "decks"), "evening"));
  assert.deepEqual([other.preparation, other.options["pool"]], [undefined, undefined]);
});

test("boosters are awarded by place", () => {
  assert.deepEqual(asked(withSaid(evening(), {boosters: ["4", "", "1", ""], set: "core"})).prizes,
    [{place: 1, boosters: {core: 4}}, {place: 3, boosters: {core: 1}}]);
  assert.equal(asked(evening()).prizes, undefined);
  const five = withPlace(withSaid(evening(), {boosters: ["4", "", "", ""], set: "core"}));
  assert.deepEqual([five.boosters.length, five.promos.length], [5, 5]);
  assert.deepEqual(asked(withSaid(five, {promos: ["c-7", "", "", "", "c-9"]})).prizes,
    [{place: 1, boosters: {core: 4}, promo: "c-7"}, {place: 5, boosters: {}, promo: "c-9"}]);
});

test("entries are for who has kept so many deadlines, if that is said", () => {
  assert.equal(asked(evening()).least_reliability, null);
  assert.equal(asked(withSaid(evening(), {reliability: "90"})).least_reliability, 90);
});

test("helpers are named by their handles, however they are parted", () => {
  assert.deepEqual(asked(withSaid(evening(), {helpers: " @ann, ben\ncem"})).helpers, ["ann", "ben", "cem"]);
});

test("a tournament says what it is and how far", () => {
  /** @type {Api.Tournament} */
  const swiss = some({format: "swiss", rounds: 5, cut: 8, seats: 2, round: 2, status: "playing", paused: false});
  assert.equal(format(swiss), "Swiss, 5 rounds, then a knock-out of the best 8");
  assert.equal(format({...swiss, rounds: null, cut: 0, seats: 4}), "Swiss, tables of 4");
  /** @type {Partial<Api.Tournament>[]} */
  const others = [{}, {rounds: null}, {paused: true}, {status: "over"}, {continuous: true}];
  assert.deepEqual(others.map((one) => standing({...swiss, ...one})),
    ["Round 2 of 5", "Round 2", "Paused", "Over", "Running"]);
  assert.deepEqual([60, 900, 7200, 259_200].map(span), ["1 minute", "15 minutes", "2 hours", "3 days"]);
});

test("rates are read in per cent, exactly to a tenth", () => {
  assert.deepEqual(["5/12", "1", "2/3", "1/3", "0"].map((one) => rate(one)), ["41.7", "100", "66.7", "33.3", "0"]);
});

test("what happened is told in words, and what nobody would say is not", () => {
  const entrant = (/** @type {number} */ no) => ["Ann", "Ben"][no] ?? "";
  const player = (/** @type {string} */ id) => `player ${id}`;
  const says = (/** @type {string} */ type, /** @type {object} */ data) => told({type, data}, entrant, player);
  assert.equal(says("TournamentAnnounced", {organiser: "o"}), "player o announced the tournament.");
  assert.equal(says("PlayerDisqualified", {entrant: 1, by: "o", reason: "Two accounts."}),
    "player o disqualified Ben: Two accounts.");
  assert.equal(says("RoundPaired", {round: 2, tables: [[0, 1]]}), "Round 2 was paired: 1 table.");
  assert.equal(says("TableRuled", {table: 0, by: "o", reason: "Left."}), "player o ruled table 1: Left.");
  assert.equal(says("EntriesClosed", {by: null}), "Entries closed. The order was drawn.");
  assert.equal(says("PayoutMade", {entrant: 0, percent: "35/2"}), "Ann won 17.5 % of the prize pool.");
  const prize = {boosters: {fw1: 2}, promo: "fw1-007"}, names = {fw1: "Five Wells"};
  assert.equal(told({type: "PrizeAwarded", data: {entrant: 1, prize}}, entrant, player, names),
    "Ben won 2 boosters of Five Wells, a promo of fw1-007.");
  assert.equal(says("DrawsCommitted", {}), "");
});

test("the line of a rating goes from the oldest to the latest, and stays within its box", () => {
  const {points, least, most} = line([1500, 1400, 1450], 600, 160);
  assert.deepEqual([least, most, points.map(([x]) => x)], [1400, 1500, [0, 300, 600]]);
  assert.ok(points.every(([, y]) => y > 0 && y < 160));
  const [first = NaN, second = NaN, third = NaN] = points.map(([, y]) => y);
  assert.ok(third < first && first < second);
  assert.deepEqual(line([1000], 600, 160).points, [[0, 80]]);
  assert.deepEqual(changes([1500, 1400, 1450]), [100, -50, null]);
});

/** @type {Api.Game} */
const RULES = some({presets: {seed: {}, club: {hands: 7}}, preset_titles: {club: "As in clubs"}, options: {properties: {
  hands: {title: "Number of hands", type: "integer", default: 50},
  tie_break: {title: "Ties", enum: ["share", "cut"], default: "share", "x-titles": {cut: "One card each"}},
  open: {title: "All is shown", type: "boolean", default: true},
  target: {title: "Target", type: ["integer", "null"], default: null},
  rated: {title: "Rated", type: "boolean", default: false}}}});
/** @type {any} */
const TERMS = some({format: "single_elimination", cut: 0, seats: 2, rounds: null, clock: {}, series: {best_of: 1},
  most: 8, late: 0, show_up_seconds: 60, stack: null, preset: "seed",
  options: {hands: 50, tie_break: "share", open: true, target: 100, rated: true},
  deciding_options: {hands: 1, tie_break: "share"}, created_at: "2026-01-01T00:00:00Z"});
/** @param {string} name @param {Record<string, unknown>} [more] */
const factOf = (name, more = {}) =>
  Object.fromEntries(facts({...TERMS, ...more}, () => "", RULES))[name];

test("who is level in an elimination plays one game more, with the options that are others there", () => {
  const said = (/** @type {Record<string, unknown>} */ more) => factOf("Tied tables", more);
  assert.equal(said({}), "one more game, as short as possible (Number of hands: 1)");
  assert.equal(said({deciding_options: TERMS.options}), "one more game, as short as possible");
  assert.equal(said({deciding_options: null}), undefined);
  assert.equal(said({format: "swiss"}), undefined);
  assert.equal(said({format: "swiss", cut: 4}), "one more game, as short as possible (Number of hands: 1)");
});

test("the rules of the tables are said by the preset, and by the titles of what is other than there", () => {
  const said = (/** @type {Record<string, unknown>} */ options, preset = "seed") =>
    factOf("Rules at the tables", {preset, options: {...TERMS.options, ...options}});
  assert.equal(said({}), "Default rules");
  assert.equal(said({hands: 7}, "club"), "As in clubs");
  assert.equal(said({tie_break: "cut", open: false}, "club"),
    "As in clubs; Number of hands: 50; Ties: One card each; All is shown: no");
  assert.equal(Object.fromEntries(facts(TERMS, () => "", null))["Rules at the tables"], undefined);
});

test("players may enter until the round after those that may have been paired, and before the last", () => {
  const said = (/** @type {number} */ late, /** @type {number} */ rounds) =>
    factOf("Late entry", {format: "swiss", late, rounds}) ?? "";
  assert.match(said(2, 5), /^until round 3 is paired/);
  assert.match(said(9, 5), /^until round 5 is paired/);
  assert.equal(said(0, 5), "");
});
