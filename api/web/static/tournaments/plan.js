/** Holds a tournament that is being thought out, and makes the request of it. Nothing here knows a browser, or a game. */

import {fields, fresh, request as ofTable, withOption, withPreset} from "../making/draft.js";

/**
 * @typedef {object} Plan
 * @property {import("../making/draft.js").Draft} table what is played at its tables
 * @property {string} style one of `STYLES`
 * @property {string} name
 * @property {string} format
 * @property {number} seats
 * @property {string} rounds empty: as many as it takes
 * @property {string} cut
 * @property {string} legs
 * @property {string} advance
 * @property {string} fill
 * @property {string} most empty: as many as the format admits
 * @property {string} late
 * @property {string} days for each table; empty: no deadline
 * @property {string} overdue
 * @property {string} closes one of `CLOSINGS`, in minutes
 * @property {string} lasts so many minutes an arena goes on
 * @property {boolean} isRated
 * @property {string} at the time at which entries close, where that was chosen
 * @property {string} visibility
 * @property {boolean} byInvite
 * @property {string} least the least rating
 * @property {string} highest the most rating
 * @property {string} helpers their handles
 */

/** What people announce, each with the format, the clock, and when entries close, in minutes. */
export const STYLES = /** @type {Record<string, {format: string, clock: string, closes: string, days: string}>} */ ({
  evening: {format: "swiss", clock: "quick", closes: "30", days: ""},
  knock_out: {format: "single_elimination", clock: "quick", closes: "30", days: ""},
  everybody: {format: "round_robin", clock: "quick", closes: "30", days: ""},
  arena: {format: "arena", clock: "quick", closes: "10", days: ""},
  season: {format: "swiss", clock: "day", closes: "10080", days: "21"},
});

export const BY_HAND = "", AT = "at";
export const CLOSINGS = [BY_HAND, "10", "30", "60", "1440", "10080", AT];
/** When entries close: by hand, after so many minutes, or at a time. */

const MINUTE_MS = 60_000, RATED = "rated", ARENA = "arena";

/** @param {any} game @returns {number} */
const usualSeats = ({seats}) => seats.min <= 2 && seats.max >= 2 ? 2 : seats.usual;

/** Begin with an evening of a game. @param {any} game as the catalogue lists it @param {Partial<Plan>} kept what was said of one of another game @returns {Plan} */
export function planned(game, kept = {}) {
  const plan = {style: "evening", name: "", rounds: "", cut: "0", legs: "1", advance: "1", most: "", late: "0", overdue: "lost", at: "", lasts: "60", isRated: true, visibility: "public", byInvite: false, least: "", highest: "", helpers: "", format: "swiss", closes: "", days: "", ...kept,
    table: fresh(game), seats: usualSeats(game), fill: "bye"};
  return withStyle(plan, plan.style);
}

/** Take a style; what it does not say stays. @param {Plan} plan @param {string} style @returns {Plan} */
export function withStyle(plan, style) {
  const {format, clock, closes, days} = STYLES[style] ?? {format: "swiss", clock: "quick", closes: "", days: ""};
  return withRated({...plan, style, closes, days, format, table: {...plan.table, clock}}, plan.isRated);
}

/** Change what was said of it, and what follows from that. @param {Plan} plan @param {Partial<Plan>} said @returns {Plan} */
export const withSaid = (plan, said) => fitting({...plan, ...said});

/** @param {Plan} plan @param {string} name @returns {Plan} */
export const withRules = (plan, name) => withRated({...plan, table: withPreset(plan.table, name)}, plan.isRated);

/** Say whether the tables can count for ratings: where there is a clock. @param {Plan} plan */
export const canBeRated = ({table}) => table.clock !== "none" && fields(table.game).some(({name}) => name === RATED);

/** Let the tables count for ratings, as far as they can. @param {Plan} plan @param {boolean} isRated @returns {Plan} */
export const withRated = (plan, isRated) => fitting({...plan, isRated,
  table: fields(plan.table.game).some(({name}) => name === RATED) ? withOption(plan.table, RATED, String(isRated && canBeRated(plan))) : plan.table});

/** Name the formats that are played at such tables. @param {number} seats */
export const formatsOf = (seats) => seats === 2 ? ["swiss", "single_elimination", "double_elimination", "round_robin", "league", ARENA] : ["swiss", "single_elimination", "shoot_out", ARENA];

/** Say whether the first of each table go on, at tables of more than two. @param {Plan} plan */
export const isKnockOut = ({format, seats}) => format === "shoot_out" || (format === "single_elimination" && seats > 2);

/** Name what may become of those who fill no table; none: only one thing may. @param {Plan} plan @returns {string[]} */
export function fillsOf(plan) {
  const {format, seats, cut, table} = plan, least = table.game.seats.min, isOut = isKnockOut(plan);
  if (format !== "swiss" && !isOut) return ["bye"];
  return ["bye", "short", "bots"].filter((fill) => fill === "bye" ? !isOut : fill === "short" ? least < seats && (!isOut || least <= 2) : cut === "0" || seats > 2);
}

/** Let go what a plan of such a format cannot have. @param {Plan} plan @returns {Plan} */
function fitting(plan) {
  const format = formatsOf(plan.seats).includes(plan.format) ? plan.format : "swiss", isSwiss = format === "swiss", isOut = isKnockOut({...plan, format});
  const cut = isSwiss && plan.seats === 2 ? plan.cut : "0";
  const fitted = {...plan, format, cut, rounds: isSwiss ? plan.rounds : "", late: isSwiss ? plan.late : "0", legs: format === "league" ? plan.legs : "1",
    advance: isOut && format !== "shoot_out" ? plan.advance : "1", days: isOut ? "" : plan.days, overdue: cut !== "0" || isOut || format.endsWith("elimination") ? "lost" : plan.overdue};
  const fills = fillsOf(fitted);
  return {...fitted, fill: fills.includes(plan.fill) ? plan.fill : fills[0] ?? "bye"};
}

/** @param {string} said */
const count = (said) => said === "" ? null : Number(said);

/** Say when entries close, as the API takes it. @param {Plan} plan @param {number} now in milliseconds */
function closesAt({closes, at}, now) {
  if (closes === BY_HAND) return null;
  return closes === AT ? (at ? new Date(at).toISOString() : null) : new Date(now + Number(closes) * MINUTE_MS).toISOString();
}

/** Say when an arena ends: so long after entries have closed, or from now on. @param {Plan} plan @param {number} now in milliseconds */
function endsAt(plan, now) {
  const begins = closesAt(plan, now);
  return new Date((begins === null ? now : Date.parse(begins)) + Number(plan.lasts) * MINUTE_MS).toISOString();
}

/** Make the request of it. @param {Plan} plan @param {number} now in milliseconds */
export function request(plan, now) {
  const {game, preset, options, clock, series} = /** @type {any} */ (ofTable(plan.table));
  return {
    name: plan.name.trim(), game, ...(preset ? {preset} : {}), options, clock, ...(series ? {series} : {}),
    format: plan.format, seats: plan.seats, rounds: count(plan.rounds), cut: Number(plan.cut), legs: Number(plan.legs), advance: Number(plan.advance),
    fill: plan.fill, ...(plan.most ? {most: Number(plan.most)} : {}), late: Number(plan.late), round_days: count(plan.days), overdue: plan.overdue,
    closes_at: closesAt(plan, now), ...(plan.format === ARENA ? {ends_at: endsAt(plan, now)} : {}), visibility: plan.visibility, by_invite: plan.byInvite, least_rating: count(plan.least), most_rating: count(plan.highest),
    helpers: plan.helpers.split(/[\s,]+/).filter(Boolean).map((one) => one.replace(/^@/, "")),
  };
}
