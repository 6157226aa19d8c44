/** Checks a record's description of its match against the events (docs/proof.md, "The record"). */

import { get, has, must, same, whole } from "./deals.mjs";
import { firstOf, isObject } from "./record.mjs";

/** @typedef {import("./record.mjs").Event} Event @typedef {import("./record.mjs").Seat} Seat */
/**
 * @typedef {{seat: number, kind: unknown, player: unknown, level: unknown, by: number}} Sitting a seat's player,
 *   and the event that seated them
 */

/** Fields that the first event has too. */
const SAID = /** @type {const} */ (["game", "rules", "visibility", "options", "preset", "series", "clock"]);
const PLAYED = ["played", "resignation", "draw"];

/** @param {import("./record.mjs").MatchRecord} record @param {Event[]} events */
export function result({ match }, events) {
  const first = firstOf(events);
  for (const name of SAID) {
    must(same(match[name], get(first.data, name)), 1, `The match was created with a different ${name}.`);
  }
  must(match.created_at === first.at, 1, "The stored creation time of the match is different.");
  checkSeats(match.seats, sitting(events));
  const last = events.length;
  const end = events.find((event) => event.type === "MatchEnded");
  must(match.status === statusOf(events, end), last, "The status is another.");
  must(same(match.result, end && get(end.data, "result")), end ? end.seq : last,
    "The result is not that of the last event.");
  if (!end) return "The match is not over, and has no result.";
  const after = events.slice(events.indexOf(end) + 1);
  const [next] = after;
  const annulled = after.length === 1 && next?.type === "MatchAnnulled" && next.commit === next.seq;
  must(!after.length || annulled, end.seq, "Only MatchAnnulled may follow MatchEnded.");
  const shut = events.some(({ seals, parts }) =>
    Object.entries(seals).some(([name, sealed]) =>
      Object.keys(sealed).some((reader) => !has(parts[name] ?? {}, reader))),
  );
  if (shut) return { skipped: "The result cannot be checked: the play is not disclosed.", isShut: true };
  return `The match ended: ${end.data.reason}${annulled ? ", and was voided" : ""}.`;
}

/** @param {Event[]} events @param {Event | undefined} end */
function statusOf(events, end) {
  if (!end) return events.some((event) => event.type === "MatchStarted") ? "playing" : "lobby";
  const reason = String(end.data.reason);
  return PLAYED.includes(reason) ? "finished" : reason;
}

/** @param {Event[]} events */
function sitting(events) {
  const plans = get(firstOf(events).data, "seats");
  const kinds = (Array.isArray(plans) ? plans : []).filter(isObject).map((plan) => plan.kind ?? null);
  const levels = (Array.isArray(plans) ? plans : []).filter(isObject).map((plan) => plan.level ?? null);
  /** @type {Sitting[]} */
  const seats = kinds.map((kind, seat) => ({ seat, kind, player: null, level: levels[seat], by: 1 }));
  for (const { seq, type, data } of events) {
    const its = whole(data.seat, seats.length) ? seats[data.seat] : undefined;
    if (!["SeatTaken", "SeatLeft"].includes(type) || !its) continue;
    const player = data.player ?? null;
    Object.assign(its, { player, kind: player === null ? kinds[its.seat] : "player", by: seq });
  }
  return seats;
}

/** @param {Seat[]} said @param {Sitting[]} seats */
function checkSeats(said, seats) {
  /** @param {Seat} one @param {Sitting} there */
  const agrees = ({ seat, kind, player, level }, there) =>
    same(seat, there.seat) && same(kind, there.kind) &&
    same(player && player.id, there.player) && same(level, there.level);
  must(said.length === seats.length, 1, "The seats do not follow from the events.");
  for (const [i, there] of seats.entries()) {
    const one = said[i];
    must(one && agrees(one, there), there.by, "The seats do not follow from the events.");
  }
}
