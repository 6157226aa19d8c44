/** Describes tournaments and their events in words. Runs without a browser. */

import {called, presetsOf, titled} from "../making/option_words.js";
import {listed, moment, number} from "../words/language.js";
import {says} from "../words/tournaments.js";

const DAY_S = 86_400, HOUR_S = 3_600, MINUTE_S = 60, SECOND_MS = 1_000, RATED = "rated";

/** Say a duration roughly. @param {number} seconds */
export const span = (seconds) => seconds % DAY_S === 0 ? says.days(seconds / DAY_S) : seconds % HOUR_S === 0
  ? says.hours(seconds / HOUR_S) : says.minutes(Math.round(seconds / MINUTE_S));

/** Describe the status of a tournament. @param {Api.Tournament | Api.ListedTournament} one */
export function standing(one) {
  if (one.status !== "playing") return says.status[one.status] ?? one.status;
  if ("paused" in one && one.paused) return says.isPaused;
  if (one.continuous) return says.isPlayed;
  if (!one.round) return says.isPrepared;
  return one.rounds ? says.roundOf(one.round, one.rounds) : says.round(one.round);
}

/**
 * Describe the format and the size of tables.
 * @param {Pick<Api.Tournament, "format" | "rounds" | "seats"> & Partial<Api.Tournament>} t
 */
export const format = (t) => [says.formats[t.format] ?? t.format, t.rounds ? says.rounds(t.rounds) : "",
  t.cut ? says.cutTo(t.cut) : "",
  t.seats === 2 ? "" : says.tablesOf(t.seats)].filter(Boolean).join(says.comma);

/**
 * Return the other settings, each as a label and a value.
 * @param {Api.Tournament} t
 * @param {(clock: Api.Tournament["clock"]) => string} clock
 * @param {Api.Game | null} game the game that names the options; null until read
 * @returns {[string, string][]}
 */
export function facts(t, clock, game) {
  /** @type {[string, string | false | null][]} */
  const all = [
    [says.factFormat, format(t)],
    [says.factRules, game && rules(t, game)],
    [says.factRated, t.options[RATED] ? says.yes : says.no],
    [says.factClock, clock(t.clock)],
    [says.factStack, t.stack === null ? null : number(t.stack)],
    [says.factSeries, t.series.best_of > 1 && says.bestOf(t.series.best_of)],
    [says.factFill, t.seats > 2 || t.fill !== "bye" ? says.fills[t.fill] ?? t.fill : null],
    [says.factLegs, t.legs > 1 && says.times(t.legs)],
    [says.factAdvance, t.seats > 2 && t.format.endsWith("elimination") && number(t.advance)],
    [says.factTie, game && decided(t, game)],
    [says.factPlaces, number(t.most)],
    [says.factWaiting, t.most_waiting !== null && number(t.most_waiting)],
    [says.factLate, t.late > 0 && says.lateUntil(Math.min(t.late + 1, t.rounds ?? Infinity))],
    [says.factShowUp, span(t.show_up_seconds)],
    [says.factDeadline, t.round_days !== null
      && `${says.days(t.round_days)}${says.comma}${says.overdue[t.overdue] ?? t.overdue}`],
    [says.factEntry, [t.by_invite && says.byInvite, bounds(t),
        t.least_reliability !== null && says.reliable(t.least_reliability)].filter(Boolean).join(says.comma)],
    [says.factSeen, t.visibility === "private" && says.isPrivate],
    [says.factBegins, t.status === "announced" && t.closes_at !== null && moment(new Date(t.closes_at))],
    [says.factEnds, t.ends_at && moment(new Date(t.ends_at))],
    [says.factLasts, t.ends_at && t.closes_at && t.status === "announced"
      && span((Date.parse(t.ends_at) - Date.parse(t.closes_at)) / SECOND_MS)],
    [says.factCreated, moment(new Date(t.created_at))],
  ];
  return all.flatMap(([name, said]) => said ? [/** @type {[string, string]} */ ([name, said])] : []);
}

/**
 * Describe options and their values.
 * @param {Record<string, unknown>} options
 * @param {(name: string, one: unknown) => boolean} wanted
 * @param {Api.Game} game
 */
const chosen = (options, wanted, {options: {properties}}) => Object.entries(options)
  .filter(([name, one]) => name in properties && wanted(name, one))
  .map(([name, one]) => says.option(called(name, properties[name]), typeof one === "boolean"
    ? one ? says.yes : says.no : typeof one === "number" ? number(one) : titled(properties[name], one)));

/**
 * Describe the rules at the tables: the preset, and differences from it; not the options that the game sets itself.
 * @param {Api.Tournament} t
 * @param {Api.Game} game
 */
function rules({preset, options}, game) {
  const usual = Object.keys(game.presets).find((one) => !Object.keys(game.presets[one] ?? {}).length) ?? "",
    name = preset ?? usual;
  const given = (/** @type {string} */ option) =>
    game.presets[name]?.[option] ?? game.options.properties[option]?.["default"];
  return [presetsOf(game).find(([one]) => one === name)?.[1] ?? "",
    ...chosen(options, (option, one) => option !== RATED && given(option) !== null
      && JSON.stringify(one) !== JSON.stringify(given(option)), game)]
    .filter(Boolean).join("; ");
}

/**
 * Say how ties for advancement are broken: by one more game, and the options that differ in it.
 * @param {Api.Tournament} t
 * @param {Api.Game} game
 */
function decided({format, cut, options, deciding_options: deciding}, game) {
  if (!deciding || !(cut || format.endsWith("elimination"))) return null;
  return says.oneGame(chosen(deciding, (name, one) => one !== options[name], game));
}

/** @param {Api.Tournament} t */
const bounds = ({least_rating: least, most_rating: most}) => least !== null || most !== null
  ? says.rated(least, most) : "";

/** @typedef {{boosters: Record<string, number>, promo: string | null}} Prize the prize for a place */

/**
 * Describe a prize in words.
 * @param {Prize} prize
 * @param {Record<string, string>} names the names of sets and cards
 */
export const prizeIn = ({boosters, promo}, names) =>
  [...Object.entries(boosters).map(([set, count]) => says.boosters(Number(count), names[set] ?? set)),
    ...(promo ? [says.promo(names[promo] ?? promo)] : [])];

/**
 * @typedef {{by?: string, organiser?: string, entrant?: number, player?: string, reason?: string, round?: number,
 *   table?: number, pod?: number, tables?: unknown[], pods?: unknown[], players?: unknown[], percent?: string,
 *   prize?: Prize}} Data
 *   the fields of events
 */

/**
 * Describe an event; empty if it is of no interest to players.
 * @param {{type: string, data: object}} event
 * @param {(entrant: number) => string} entrant
 * @param {(id: string) => string} player
 * @param {Record<string, string>} [names] the names of sets and cards
 */
export function told({type, data: given}, entrant, player, names = {}) {
  const data = /** @type {Data} */ (given);
  const by = data.by ?? data.organiser, who = data.entrant !== undefined ? entrant(data.entrant)
    : data.player !== undefined ? player(data.player) : "";
  return says.told[type]?.({by: by ? player(by) : "", who, reason: data.reason ?? "", round: data.round ?? 0,
      table: (data.table ?? data.pod ?? 0) + 1,
    count: (data.tables ?? data.pods ?? data.players ?? []).length,
    prize: data.prize ? listed(prizeIn(data.prize, names)) : "",
    percent: data.percent ? rate(data.percent, 1) : ""}) ?? "";
}

const PER_CENT = 100, TENTHS = 10;

/**
 * Write an exact fraction as a rounded percentage.
 * @param {string} rate such as 5/12
 * @param {number} [whole] the value that counts as 1
 */
export function rate(rate, whole = PER_CENT) {
  const [over, under = "1"] = rate.split("/");
  return number(Math.round(Number(over) / Number(under) * whole * TENTHS) / TENTHS);
}
