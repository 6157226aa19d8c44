/** Compares a tournament's tables with the matches played at them (docs/proof.md, "Records of tournaments"). */

import { get, isObject, same, whole } from "../deals.mjs";
import { firstOf } from "../record.mjs";
import { placesAfter } from "./deciding.mjs";
import { range } from "./state.mjs";

/**
 * @typedef {import("./state.mjs").Cited} Cited
 * @typedef {import("../record.mjs").Linked} Event
 * @typedef {import("../record.mjs").Data} Data
 */

/**
 * Return whether a match with a valid record differs from what its table says.
 * @param {Cited} cited @param {Event[]} events
 */
export function differs(cited, events) {
  const { kind, terms, head, seats, absent, result, stakes, deals } = cited;
  const first = firstOf(events).data, end = events.find((event) => event.type === "MatchEnded");
  if (!same(get(first, "tournament"), cited.place)) return true;
  const brought = events.find((event) => event.type === "StacksArrived");
  if (!same(brought ? get(brought.data, "stakes") : null, stakes)) return true;
  const announced = [terms.game, terms.preset, terms.options, terms.clock];
  if (!same([first.game, first.preset ?? null, first.options, first.clock], announced)) return true;
  if (terms.best_of !== null && terms.best_of !== (isObject(first.series) ? get(first.series, "best_of") : null))
    return true;
  const isAnyMoment = kind === "adjudicated" || kind === "prepared";
  if (isAnyMoment ? !events.some(({ digest }) => digest === head) : end?.digest !== head) return true;

  const there = sitting(events);
  if (there.length !== seats.length || seatsNowhere(events, seats.length)) return true;
  if (!there.every((sat, seat) => fits(cited, seat, sat))) return true;
  if ((kind === "played" || kind === "adjudicated")
    && !same(absent, seats.filter((one, seat) => one !== null && there[seat]?.isByTime))) return true;
  const until = kind === "adjudicated" ? events.findIndex(({ digest }) => digest === head) + 1 : events.length;
  const away = kind === "prepared" ? [] : neverCame(events.slice(0, until), there);
  if (isAnyMoment) return away.some((seat) => !cited.late.includes(Number(seats[seat])));
  const ended = end ? get(end.data, "result") : null;
  if (kind === "forfeited") {
    const away = seats.filter((one, seat) => one !== null && there[seat]?.isAway);
    return isObject(ended) || !same(absent, away.length || deals ? away : seats.filter((one) => one !== null));
  }
  return !isObject(ended) || !same(result, made(ended, events, cited, away));
}

/**
 * @typedef {{player: string | null, isBot: boolean, isAway: boolean, isByTime: boolean}} Sitting a seat's last
 *   player; `isByTime`: seated because the time for taking the seat was over
 */

/**
 * Return whether a player takes or leaves a seat that the match does not have, among events that stay sealed.
 * @param {Event[]} events @param {number} seats
 */
const seatsNowhere = (events, seats) => events.some(({ type, data }) =>
  (type === "SeatTaken" || type === "SeatLeft") && !whole(data.seat, seats));

/** @param {Event[]} events @returns {Sitting[]} */
function sitting(events) {
  const { seats } = firstOf(events).data;
  const plans = Array.isArray(seats) ? seats : [];
  /** @type {unknown[]} */
  const sits = plans.map(() => null);
  /** @type {Map<unknown, string>} */
  const causes = new Map();
  for (const { type, data, cause } of events) {
    if (type === "SeatTaken") causes.set(data.seat, cause), sits[Number(data.seat)] = data.player;
    if (type === "SeatLeft") sits[Number(data.seat)] = null;
  }
  return plans.map(({ kind }, seat) => {
    const player = sits[seat] === null ? null : String(sits[seat]), isBot = kind === "bot" && player === null;
    return { player, isBot, isAway: !isBot && player === null,
      isByTime: player !== null && causes.get(seat) === "timeout" };
  });
}

/**
 * 6.3: return the seats of players who never showed up: a bot has their seat, they have not taken it back, and every
 * earlier decision asked of them expired.
 * @param {Event[]} events
 * @param {Sitting[]} there
 */
function neverCame(events, there) {
  return range(there.length).filter((seat) => {
    const own = events.filter(({ data }) => data.seat === seat).map(({ type }) => type);
    const before = own.slice(0, own.indexOf("SeatHandedToBot"));
    const count = (/** @type {string} */ kind) => before.filter((type) => type === kind).length;
    return there[seat]?.isByTime && own.includes("SeatHandedToBot") && !own.includes("SeatTakenBack")
      && count("DecisionRequested") === count("DecisionTimedOut");
  });
}

/**
 * Rank a match's seats; no-shows are last.
 * @param {number[]} places
 * @param {number[]} away
 */
function ranked(places, away) {
  const rows = places.map((place, seat) => ({ place, isAway: Number(away.includes(seat)) }));
  return rows.map((mine) =>
    1 + rows.filter((row) => (row.isAway - mine.isAway || row.place - mine.place) < 0).length);
}

/**
 * Return whether a seat had its entrant: a bot may replace an absent one, and a player may not have shown up.
 * @param {Cited} cited
 * @param {number} seat
 * @param {Sitting} sitting
 */
function fits({ kind, seats, players, byBots }, seat, { player, isBot, isAway }) {
  const one = seats[seat] ?? null;
  if (isBot) return one === null || byBots.has(one);
  return one !== null && (player === players[seat] || (isAway && (kind === "forfeited" || kind === "prepared")));
}

/**
 * Return what a match's deals follow from: its group, the commitment of its seeds, and all nonces.
 * @param {Event[]} events
 */
export function dealsOf(events) {
  const { deal_group: group, tournament } = firstOf(events).data;
  const bound = events.find(({ type }) => type === "FairnessCommitted")?.data.commitment ?? null;
  const nonces = events.filter(({ type }) => type === "DealsShared").map(({ data }) => data.nonces ?? null);
  return [(isObject(group) ? get(group, "id") : null) ?? tournament ?? null, bound, nonces];
}

/**
 * Return a table's result from that of its match.
 * @param {Data} ended
 * @param {Event[]} events
 * @param {Cited} cited
 * @param {number[]} away the seats of no-shows
 * @returns {unknown}
 */
function made({ places, wins, scores }, events, { seats, deals, before }, away) {
  const won = events.filter(({ type }) => type === "GameWon").map(({ data }) => get(data, "winner") ?? null);
  const took = events.find(({ type }) => type === "StacksLeft");
  const games = won.length, drawn = won.filter((one) => one === null).length;
  const all = Array.isArray(places) ? places : [], own = Array.isArray(wins) ? wins : [];
  return {
    seats, games, drawn, ...(took && { chips: get(took.data, "stacks") }),
    wins: own.map((count, seat) => (away.includes(seat) ? 0 : Math.min(count, games - drawn))),
    places: placesAfter(before, ranked(all, away)),
    ...(deals ? { scores } : {}),
  };
}
