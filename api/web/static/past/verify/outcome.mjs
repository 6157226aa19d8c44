/** Checks what a record says of its match against the events (docs/proof.md, "The record"). */

import { get, has, must, same, whole } from "./deals.mjs";
import { disclosesLater, isObject } from "./record.mjs";

export function result({ match }, events) {
  const first = events[0];
  for (const name of ["game", "rules", "visibility", "options", "preset", "series", "clock"]) {
    must(match[name] === undefined || same(match[name], get(first.data, name)), 1, `${name} is another.`);
  }
  must(match.created_at === undefined || match.created_at === first.at, 1, "It was created at another time.");
  checkSeats(match.seats, sitting(events));
  const last = events.length;
  const end = events.find((event) => event.type === "MatchEnded");
  must(match.status === statusOf(events, end), last, "The status is another.");
  must(same(match.result, end && get(end.data, "result")), end ? end.seq : last, "The result is another.");
  if (!end) return { skipped: "The match is not over.", excused: true };
  const after = events.slice(events.indexOf(end) + 1);
  const annulled = after.length === 1 && after[0].type === "MatchAnnulled" && after[0].commit === after[0].seq;
  must(!after.length || annulled, end.seq, "Nothing may follow MatchEnded but that it is annulled.");
  const shut = events.some(({ seals, parts }) =>
    Object.entries(seals).some(([name, sealed]) => Object.keys(sealed).some((reader) => !has(parts[name] ?? {}, reader))),
  );
  if (shut) return { skipped: "The play is not disclosed.", excused: disclosesLater(events) };
  return `The match ended: ${end.data.reason}${annulled ? ", and was annulled" : ""}.`;
}

function statusOf(events, end) {
  if (!end) return events.some((event) => event.type === "MatchStarted") ? "playing" : "lobby";
  return ["played", "resignation", "draw"].includes(end.data.reason) ? "finished" : String(end.data.reason);
}

function sitting(events) {
  const plans = get(events[0].data, "seats");
  const kinds = (Array.isArray(plans) ? plans : []).filter(isObject).map((plan) => plan.kind ?? null);
  const levels = (Array.isArray(plans) ? plans : []).filter(isObject).map((plan) => plan.level ?? null);
  const seats = kinds.map((kind, seat) => ({ seat, kind, player: null, level: levels[seat], by: 1 }));
  for (const { seq, type, data } of events) {
    if (!["SeatTaken", "SeatLeft"].includes(type) || !whole(data.seat, seats.length)) continue;
    const player = data.player ?? null;
    Object.assign(seats[data.seat], { player, kind: player === null ? kinds[data.seat] : "player", by: seq });
  }
  return seats;
}

function checkSeats(said, seats) {
  const agrees = ({ seat, kind, player, level }, there) =>
    same(seat, there.seat) && same(kind, there.kind) &&
    (player === undefined || same(player && player.id, there.player)) &&
    (level === undefined || same(level, there.level));
  must(said.length === seats.length, 1, "There are not so many seats.");
  said.forEach((seat, i) => must(agrees(seat, seats[i]), seats[i].by, "Another sits there."));
}
