// Tables of a tournament and the matches that were played at them (docs/proof.md, "Records of tournaments").

import { get, isObject, same } from "../../../api/web/static/past/verify/deals.mjs";

/** Whether a match, whose record holds, is another than its table says. */
export function differs({ players, game, head, result }, { events }) {
  const [first, last] = [events[0].data, events.at(-1)];
  const sits = first.seats.map(({ kind, player }) => (kind === "invite" || kind === "bot" ? null : player ?? null));
  for (const { type, data } of events) {
    if (type === "SeatTaken") sits[data.seat] = data.player;
    if (type === "SeatLeft") sits[data.seat] = null;
  }
  const won = events.filter(({ type }) => type === "GameWon").map(({ data }) => get(data, "winner") ?? null);
  const ended = get(last.data, "result");
  const is = isObject(ended) && {
    seats: result.seats, places: ended.places, wins: ended.wins, games: won.length, drawn: won.filter((one) => one === null).length,
  };
  return first.game !== game || last.digest !== head || !same(sits, players) || !same(is, result);
}
