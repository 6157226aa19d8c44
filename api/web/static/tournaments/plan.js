/** Holds the draft of a tournament, and makes the request from it. Runs without a browser, for any game and format. */

import {CLOCKS, fieldOf, fields, fresh, request as ofTable, withOption, withPreset} from "../making/draft.js";

/**
 * @typedef {object} Plan
 * @property {import("../making/draft.js").Draft} table the game at its tables
 * @property {Api.Offers} offers
 * @property {string} style one of `STYLES`
 * @property {string} name
 * @property {string} format
 * @property {number} seats
 * @property {Record<string, string>} said the texts of the format's fields; empty: the default
 * @property {string} clock one of `CLOCKS`, or `OWN`
 * @property {string} each the seconds per decision of a custom clock
 * @property {string} bank
 * @property {string} increment
 * @property {string} closes one of `CLOSINGS`, in minutes
 * @property {string} lasts the minutes of an arena
 * @property {boolean} isRated
 * @property {string} at the time at which entries close, if chosen
 * @property {string} visibility
 * @property {boolean} byInvite
 * @property {string} least the minimum rating
 * @property {string} highest the maximum rating
 * @property {string} reliability the minimum percentage of decisions on time
 * @property {string} helpers the co-organisers' handles
 * @property {string} prepares the index of the preparation; empty for none
 * @property {string} pod the maximum players of a pod
 * @property {string} podSeconds seconds per decision in a pod
 * @property {string[]} boosters the number for each place, from the first
 * @property {string[]} promos the promo card for each place; empty: none
 * @property {string} set the set of the boosters
 */

/**
 * @typedef {object} Style
 * @property {string} format
 * @property {string} clock
 * @property {string} closes when entries close: after this number of minutes, or by an event
 * @property {Record<string, string>} [said]
 * @property {boolean} [isPrepared]
 */

/** Kinds of tournaments, each with format, clock and minutes until entries close. */
export const STYLES = /** @type {Record<string, Style>} */ ({
  evening: {format: "swiss", clock: "quick", closes: "30"},
  knock_out: {format: "single_elimination", clock: "quick", closes: "30"},
  everybody: {format: "round_robin", clock: "quick", closes: "30"},
  arena: {format: "arena", clock: "quick", closes: "10"},
  many: {format: "multi_table", clock: "quick", closes: "30"},
  same_deals: {format: "duplicate", clock: "quick", closes: "30"},
  decks: {format: "swiss", clock: "quick", closes: "30", isPrepared: true},
  season: {format: "swiss", clock: "day", closes: "10080", said: {round_days: "21"}},
});

export const BY_HAND = "";
export const AT = "at";
export const OWN = "own";
/** Number of places with prizes, at first and at most. */
const PLACES = 4;
export const MOST_PLACES = 16;
/** When entries close: by hand, after so many minutes, or at a time. */
export const CLOSINGS = [BY_HAND, "10", "30", "60", "1440", "10080", AT];
/** Boosters for each place, unless the organiser chooses other numbers. */
export const USUAL_BOOSTERS = ["4", "2", "1", "1"];

const MINUTE_MS = 60_000, RATED = "rated", DUEL = 2;
// If players prepare, byes replace bots and no one enters late.
const NOT_PREPARED = ["fill", "late"];

/**
 * Start a plan for a game, of the usual style "evening".
 * @param {Api.Game} game as the catalogue lists it
 * @param {Api.Offers} offers
 * @param {Partial<Plan>} kept the settings of an earlier draft
 * @returns {Plan}
 */
export function planned(game, offers, kept = {}) {
  const seats = offers.items.some((one) => one.seats === DUEL) ? DUEL : game.seats.usual;
  const plan = {style: "evening", name: "", said: {}, each: "60", bank: "", increment: "", at: "", lasts: "60",
    isRated: true, visibility: "public", byInvite: false, least: "", highest: "", reliability: "",
    helpers: "", format: "swiss", closes: "", clock: "quick", pod: "", podSeconds: "300", ...kept, table: fresh(game),
    offers, seats, prepares: "", boosters: Array(PLACES).fill(""), promos: Array(PLACES).fill(""), set: ""};
  return withStyle(plan, stylesOf(offers).includes(plan.style) ? plan.style : "evening");
}

/** Return the kinds of tournaments for a game. @param {Api.Offers} offers */
export const stylesOf = ({items, preparations}) =>
  Object.keys(STYLES).filter((style) => items.some(({format}) => format === STYLES[style]?.format)
  && (!STYLES[style]?.isPrepared || preparations.length > 0));

/** Change the kind. Settings that it does not name stay. @param {Plan} plan @param {string} style @returns {Plan} */
export function withStyle(plan, style) {
  const {format, clock, closes, said, isPrepared} = STYLES[style] ?? {format: "swiss", clock: "quick", closes: ""};
  const {round_days: _, ...kept} = plan.said;
  return fitting({...plan, style, closes, clock, format, prepares: isPrepared ? "0" : "", said: {...kept, ...said}});
}

/**
 * Change a setting, and what depends on it.
 * @param {Plan} plan
 * @param {Partial<Plan>} said
 * @returns {Plan}
 */
export const withSaid = (plan, said) => fitting({...plan, ...said});

/** Set a field of the format. @param {Plan} plan @param {string} name @param {string} value */
export const withField = (plan, name, value) => fitting({...plan, said: {...plan.said, [name]: value}});

/** @param {Plan} plan @param {string} name @returns {Plan} */
export const withRules = (plan, name) => fitting({...plan, table: withPreset(plan.table, name)});

/** Return whether the matches can be rated: they need a clock, and must be independent. @param {Plan} plan */
export const canBeRated = (plan) => plan.clock !== "none" && offerOf(plan).whole_matches && fields(plan.table.game)
  .some(({name}) => name === RATED);

/** Return the possible settings for a plan. @param {Plan} plan @returns {Api.Offer} */
export const offerOf = ({offers, format, seats}) =>
  offers.items.find((one) => one.format === format && one.seats === seats)
  ?? {format, seats, presets: [], whole_matches: true, fields: {properties: {}}};

/** Return the formats for tables of this size. @param {Plan} plan */
export const formatsOf = ({offers, seats, prepares}) =>
  offers.items.filter((one) => one.seats === seats && (!prepares || one.format === "swiss")).map(({format}) => format);

/** @param {Plan} plan */
export const seatsOf = ({offers}) => [...new Set(offers.items.map(({seats}) => seats))].sort((a, b) => a - b);

/** Return the fields of the format that offer a choice. @param {Plan} plan */
export const fieldsOf = (plan) => all(plan).filter(({schema}) => schema.enum?.length !== 1);

/** @param {Plan} plan */
const all = (plan) => Object.entries(offerOf(plan).fields.properties)
  .filter(([name]) => name !== "ends_at" && !(plan.prepares && NOT_PREPARED.includes(name)))
  .map(([name, schema]) => fieldOf(name, {...schema, ...narrower(plan, name)}));

/** Return the bounds of a field, given the other fields. @param {Plan} plan @param {string} name */
function narrower(plan, name) {
  const bounds = offerOf(plan).fields.allOf ?? [];
  const holds = (/** @type {Api.FieldsSaid} */ {properties, required = []}) =>
    Object.entries(properties).every(([other, field]) => {
      const said = plan.said[other];
      return said ? field.enum.includes(JSON.parse(said)) : !required.length;
    });
  return Object.assign({}, ...bounds.filter((one) => holds(one.if)).map(({then}) => then.properties[name]));
}

/** Change settings that do not go together. @param {Plan} plan @returns {Plan} */
function fitting(plan) {
  const {items} = plan.offers, usual = plan.table.game.seats.usual;
  const offer = items.find((one) => one.format === plan.format && one.seats === plan.seats)
    ?? items.find((one) => one.format === plan.format && one.seats === usual)
    ?? items.find(({format}) => format === plan.format) ?? items.find(({seats}) => seats === plan.seats) ?? items[0];
  if (!offer) return plan;
  const fitted = {...plan, format: offer.format, seats: offer.seats,
    table: offer.presets.includes(plan.table.preset) ? plan.table : withPreset(plan.table, offer.presets[0] ?? "")};
  const isThere = Object.fromEntries(all(fitted).map(({name}) => [name, plan.said[name] ?? ""]));
  const table = fields(plan.table.game).some(({name}) => name === RATED)
    ? withOption(fitted.table, RATED, String(plan.isRated && canBeRated(fitted))) : fitted.table;
  return {...fitted, said: isThere, table};
}

/** @param {string} said */
const count = (said) => said === "" ? null : Number(said);

/** Return when entries close, for the API. @param {Plan} plan @param {number} now in milliseconds */
function closesAt({closes, at}, now) {
  if (closes === BY_HAND) return null;
  return closes === AT ? (at ? new Date(at).toISOString() : null)
    : new Date(now + Number(closes) * MINUTE_MS).toISOString();
}

/**
 * Return when an arena ends: this long after entries close, or from now.
 * @param {Plan} plan
 * @param {number} now in milliseconds
 */
function endsAt(plan, now) {
  const begins = closesAt(plan, now);
  return new Date((begins === null ? now : Date.parse(begins)) + Number(plan.lasts) * MINUTE_MS).toISOString();
}

/** Return whether a plan has an end. @param {Plan} plan */
export const hasEnd = (plan) => "ends_at" in offerOf(plan).fields.properties;

/** Return the clock of the tables. @param {Plan} plan */
function clockOf({clock, each, bank, increment}) {
  if (clock !== OWN) return CLOCKS[clock]?.clock;
  const more = Number(increment), spare = Number(bank);
  return {per_decision_seconds: Number(each), bank_seconds: spare,
    ...(more ? {kind: "fischer", increment_seconds: more, cap_seconds: spare + more} : {})};
}

/** Read the fields of the format, including those with only one value. @param {Plan} plan */
const readFields = (plan) => Object.fromEntries(all(plan).flatMap(({name, kind, schema}) => {
  const said = plan.said[name] ?? "";
  if (schema.enum?.length === 1) return [[name, schema.enum[0]]];
  return said === "" ? [] : [[name, kind === "number" ? Number(said) : JSON.parse(said)]];
}));

/** Make the request. @param {Plan} plan @param {number} now in milliseconds */
export function request(plan, now) {
  const {game, preset, options, series} = ofTable(plan.table),
    prepared = plan.offers.preparations[Number(plan.prepares)];
  const isPrepared = plan.prepares !== "" && prepared;
  return {
    name: plan.name.trim(), game, ...(preset ? {preset} : {}),
    options: {...options, ...(isPrepared ? prepared.options : {})}, clock: clockOf(plan),
    ...(series && offerOf(plan).whole_matches ? {series} : {}), format: plan.format, seats: plan.seats,
    ...readFields(plan),
    closes_at: closesAt(plan, now), ...(hasEnd(plan) ? {ends_at: endsAt(plan, now)} : {}), visibility: plan.visibility,
    by_invite: plan.byInvite, least_rating: count(plan.least), most_rating: count(plan.highest),
    least_reliability: count(plan.reliability),
    helpers: plan.helpers.split(/[\s,]+/).filter(Boolean).map((one) => one.replace(/^@/, "")),
    ...(isPrepared ? {preparation: {game: prepared.game, preset: prepared.preset,
          clock: {per_decision_seconds: Number(plan.podSeconds)}, ...(plan.pod ? {seats: Number(plan.pod)} : {})}}
      : {}),
    ...prizesOf(plan),
  };
}

/** Add a prize for one more place. @param {Plan} plan @returns {Plan} */
export const withPlace = (plan) => ({...plan, boosters: [...plan.boosters, ""], promos: [...plan.promos, ""]});

/** Make the request's prizes; none if no place has any. @param {Plan} plan */
function prizesOf({boosters, promos, set}) {
  const prizes = boosters.flatMap((many, i) => Number(many) || promos[i]
    ? [{place: i + 1, boosters: Number(many) ? {[set]: Number(many)} : {}, ...(promos[i] ? {promo: promos[i]} : {})}]
    : []);
  return prizes.length ? {prizes} : {};
}
