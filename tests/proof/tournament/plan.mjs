// What a tournament may be announced with, as docs/proof.md lists it.

import { get, has, isObject, isText } from "../../../api/web/static/past/verify/deals.mjs";

export const isInt = Number.isInteger;
export const isHex = (x) => isText(x) && /^[0-9a-f]{64}$/.test(x);
export const maybe = (is) => (x) => x === null || is(x);
export const listOf = (is) => (x) => Array.isArray(x) && x.every(is);
export const oneOf = (...words) => (x) => words.includes(x);
export const isTime = (x) => isText(x) && !Number.isNaN(Date.parse(x)) && new Date(x).toISOString() === x;

const isThere = (x) => x !== undefined;
/** A field of a record that is left out where it says nothing. */
export const leftOut = (is) => (x) => x === undefined || is(x);

/** Whether an object has just these fields. */
export const exactly = (fields) => (x) =>
  isObject(x) && Object.keys(x).every((name) => has(fields, name)) && Object.entries(fields).every(([name, is]) => is(get(x, name)));

export const isTruth = (x) => typeof x === "boolean";
const within = (low, high) => (x) => isInt(x) && x >= low && x <= high;
const seconds = within(0, 366 * 86_400);

const isClock = exactly({
  per_decision_seconds: seconds, bank_seconds: seconds, on_expiry: oneOf("default_action", "bot", "forfeit"),
  max_defaults: within(1, 1000), kind: oneOf("simple", "fischer", "byo_yomi", "canadian"), increment_seconds: seconds,
  cap_seconds: seconds, period_seconds: seconds, periods: within(0, 100), period_moves: within(0, 100), minor_seconds: seconds,
  grace_seconds: within(0, 86_400), days_off: listOf(within(1, 7)), time_zone: isText, vacation: isTruth,
});

export const isPlan = exactly({
  format: oneOf("swiss", "round_robin", "league", "single_elimination", "double_elimination", "shoot_out", "arena", "multi_table", "duplicate"),
  seats: isInt, fewest: isInt,
  rounds: leftOut(isInt), legs: isInt, cut: isInt, advance: isInt, fill: oneOf("bye", "short", "bots"), most: isInt, late: isInt,
  show_up_seconds: isInt, round_days: leftOut(isInt), overdue: oneOf("lost", "drawn"), ends: leftOut(isTime),
  hands: leftOut(isInt), stack: leftOut(isInt), levels: leftOut(oneOf("clock")), better_score: leftOut(oneOf("high", "low")), teams: leftOut(oneOf("tables", "pairs")),
});
export const isEntry = exactly({
  visibility: oneOf("public", "private"), by_invite: isTruth, least_rating: leftOut(isInt), most_rating: leftOut(isInt),
});
export const isTerms = exactly({ game: isText, options: isThere, preset: maybe(isText), clock: isClock, best_of: maybe(isInt) });
export const isPrize = exactly({ place: isInt, boosters: isThere, promo: maybe(isText) });

/** Whether a plan can be played. */
export function canBePlayed(plan) {
  if (plan.format === "multi_table") return canBePlayedAtMany(plan);
  const { format, seats, fewest, rounds, legs, cut, advance, fill, most, late, show_up_seconds: shows, round_days: days, overdue } = plan;
  const swiss = format === "swiss", arena = format === "arena", duplicate = format === "duplicate", shootOut = format === "shoot_out";
  const large = shootOut || (format === "single_elimination" && seats > 2);
  const meetAll = format === "round_robin" || format === "league";
  return (
    plan.hands === undefined && plan.stack === undefined && plan.levels === undefined && fewest >= 2 && fewest <= seats && seats <= 10 && (shootOut ? seats > 2 && advance === 1 : swiss || arena || duplicate || large || seats === 2) &&
    (large ? fill !== "bye" && !(fill === "short" && fewest > 2) && advance >= 1 && advance <= Math.floor(seats / 2) : advance === 1) &&
    (rounds === undefined || ((swiss || duplicate) && rounds >= 1 && rounds <= 60)) &&
    [0, 4, 8].includes(cut) && (!cut || (swiss && seats === 2 && fill !== "bots")) &&
    legs >= 1 && legs <= 4 && (legs === 1 || format === "league") &&
    (fill !== "short" || fewest < seats) && (fill === "bye" || swiss || duplicate || large) &&
    most >= 2 && most <= 1024 && late >= 0 && late <= 60 && (late === 0 || swiss) &&
    shows >= 60 && shows <= 365 * 86_400 && (days === undefined || (days >= 1 && days <= 365 && !large)) &&
    (plan.ends !== undefined) === arena && (plan.better_score !== undefined) === duplicate && (plan.teams === undefined || duplicate) && (plan.teams !== "pairs" || (seats >= 4 && seats % 2 === 0)) &&
    (!duplicate || (fill === "bots" && days === undefined && overdue === "lost")) &&
    (overdue === "lost" || !(cut || large || format.includes("elimination"))) &&
    (!meetAll || legs * (most - 1 + (most % 2)) <= 60)
  );
}

/** 12: whether a tournament of many tables can be played. */
function canBePlayedAtMany({ seats, fewest, rounds, legs, cut, advance, fill, most, late, show_up_seconds: shows, round_days: days, overdue, ends, hands, stack, better_score: score, teams }) {
  const none = [rounds, days, ends, score, teams].every((x) => x === undefined) && legs === 1 && cut === 0 && advance === 1 && late === 0;
  return (
    none && overdue === "lost" && fill === "short" && fewest === 2 && seats > 2 && seats <= 10 && most >= 2 && most <= 1024 &&
    shows >= 60 && shows <= 365 * 86_400 && hands >= 1 && hands <= 100 && stack >= 1
  );
}

const isCount = (x) => isInt(x) && x > 0;

export function areAwardable(prizes) {
  const places = prizes.map(({ place }) => place);
  return (
    places.every((place) => place >= 1) && new Set(places).size === places.length &&
    prizes.every(({ boosters }) => isObject(boosters) && Object.values(boosters).every(isCount))
  );
}
