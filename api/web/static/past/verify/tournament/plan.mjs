/** Checks what tournaments may be announced with, as listed in docs/proof.md. */

import { isInteger, isObject, isText } from "../deals.mjs";
import { exactly, isThere, isTime, isTruth, leftOut, listOf, maybe, oneOf, within } from "./fields.mjs";

const seconds = within(0, 366 * 86_400);

const isClock = exactly({
  per_decision_seconds: seconds, bank_seconds: seconds, on_expiry: oneOf("default_action", "bot", "forfeit"),
  max_defaults: within(1, 1000), kind: oneOf("simple", "fischer", "byo_yomi", "canadian"), increment_seconds: seconds,
  cap_seconds: seconds, period_seconds: seconds, periods: within(0, 100), period_moves: within(0, 100),
  minor_seconds: seconds,
  grace_seconds: within(0, 86_400), days_off: listOf(within(1, 7)), time_zone: isText, vacation: isTruth,
});

const PLAN = {
  format: oneOf("swiss", "round_robin", "league", "single_elimination", "double_elimination", "shoot_out", "arena",
    "multi_table", "duplicate"),
  seats: isInteger, fewest: isInteger,
  rounds: leftOut(isInteger), legs: isInteger, cut: isInteger, advance: isInteger, fill: oneOf("bye", "short", "bots"),
  most: isInteger, late: isInteger,
  show_up_seconds: isInteger, round_days: leftOut(isInteger), overdue: oneOf("lost", "drawn"), ends: leftOut(isTime),
  stack: leftOut(isInteger), levels: leftOut(oneOf("clock")),
  better_score: leftOut(oneOf("high", "low")), teams: leftOut(oneOf("tables", "pairs")),
  most_waiting: leftOut(isInteger),
};
export const isPlan = exactly(PLAN);
/** @typedef {import("./fields.mjs").Shaped<typeof PLAN>} Plan */

const ENTRY = { visibility: oneOf("public", "private"), by_invite: isTruth, least_rating: leftOut(isInteger),
  most_rating: leftOut(isInteger), least_reliability: leftOut(isInteger) };
export const isEntry = exactly(ENTRY);
/** @typedef {import("./fields.mjs").Shaped<typeof ENTRY>} Entry the entry conditions */

const TERMS = { game: isText, options: isThere, preset: maybe(isText), clock: isClock, best_of: maybe(isInteger),
  deciding: leftOut(isThere) };
export const isTerms = exactly(TERMS);
/** @typedef {import("./fields.mjs").Shaped<typeof TERMS>} Terms the terms of the matches */

const PRIZE = { place: isInteger, boosters: isThere, promo: maybe(isText) };
export const isPrize = exactly(PRIZE);
/** @typedef {import("./fields.mjs").Shaped<typeof PRIZE>} Prize */

const PREPARATION = { terms: isTerms, seats: isInteger, fewest: isInteger };
export const isPreparation = exactly(PREPARATION);
/**
 * @typedef {import("./fields.mjs").Shaped<typeof PREPARATION>} Preparation the play before the first round
 */

/** Return whether a plan is playable. @param {Plan} plan */
export const canBePlayed = (plan) =>
  (plan.most_waiting === undefined || (plan.most_waiting >= 0 && plan.most_waiting <= 1024)) && canBePaired(plan);

/** @param {Plan} plan */
function canBePaired(plan) {
  if (plan.format === "multi_table") return canBePlayedAtMany(plan);
  const { format, seats, fewest, rounds, legs, cut, advance, fill, most, late, show_up_seconds: shows, round_days: days,
    overdue } = plan;
  const swiss = format === "swiss", arena = format === "arena", duplicate = format === "duplicate",
    shootOut = format === "shoot_out";
  const large = shootOut || (format.includes("elimination") && seats > 2);
  const meetAll = format === "round_robin" || format === "league";
  return (
    plan.stack === undefined && plan.levels === undefined && fewest >= 2 && fewest <= seats
      && seats <= 10 && (shootOut ? seats > 2 && advance === 1 : swiss || arena || duplicate || large || seats === 2) &&
    (large ? fill !== "bye" && !(fill === "short" && fewest > 2) && advance >= 1 && advance <= Math.floor(seats / 2)
      : advance === 1) &&
    (rounds === undefined || ((swiss || duplicate) && rounds >= 1 && rounds <= 60)) &&
    [0, 4, 8].includes(cut) && (!cut || (swiss && seats === 2 && fill !== "bots")) &&
    legs >= 1 && legs <= 4 && (legs === 1 || format === "league") &&
    (fill !== "short" || fewest < seats) && (fill === "bye" || swiss || duplicate || large) &&
    most >= 2 && most <= 1024 && late >= 0 && late <= 60 && (late === 0 || swiss) &&
    shows >= 60 && shows <= 365 * 86_400 && (days === undefined || (days >= 1 && days <= 365 && !large)) &&
    (plan.ends !== undefined) === arena && (plan.better_score !== undefined) === duplicate
      && (plan.teams === undefined || duplicate) && (plan.teams !== "pairs" || (seats >= 4 && seats % 2 === 0)) &&
    (!duplicate || (fill === "bots" && days === undefined && overdue === "lost")) &&
    (overdue === "lost" || !(cut || large || format.includes("elimination"))) &&
    (!meetAll || legs * (most - 1 + (most % 2)) <= 60)
  );
}

/** 12: return whether a multi-table tournament is playable. @param {Plan} plan */
function canBePlayedAtMany({ seats, fewest, rounds, legs, cut, advance, fill, most, late, show_up_seconds: shows,
    round_days: days, overdue, ends, stack, better_score: score, teams }) {
  const none = [rounds, days, ends, score, teams].every((x) => x === undefined) && legs === 1 && cut === 0
    && advance === 1 && late === 0;
  return (
    none && overdue === "lost" && fill === "short" && fewest === 2 && seats > 2 && seats <= 10 && most >= 2
      && most <= 1024 &&
    shows >= 60 && shows <= 365 * 86_400 && stack !== undefined && stack >= 1
  );
}

/**
 * Return whether a preparation before the first round is possible.
 * @param {Preparation} preparation @param {Plan} plan
 */
export const canBePrepared = ({ seats, fewest }, plan) =>
  fewest >= 2 && fewest <= seats && plan.format === "swiss" && plan.fill === "bye" && plan.late === 0;

/** @param {unknown} x */
const isCount = (x) => isInteger(x) && x > 0;

/** @param {Prize[]} prizes */
export function areAwardable(prizes) {
  const places = prizes.map(({ place }) => place);
  return (
    places.every((place) => place >= 1) && new Set(places).size === places.length &&
    prizes.every(({ boosters }) => isObject(boosters) && Object.values(boosters).every(isCount))
  );
}
