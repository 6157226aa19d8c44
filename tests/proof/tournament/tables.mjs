// Tables of a tournament and the matches that were played at them (docs/proof.md, "Records of tournaments").

import { get, isObject, same } from "../../../api/web/static/past/verify/deals.mjs";

/** Whether a match, whose record holds, is another than its table says. */
export function differs(cited, { events }) {
  const { type, terms, head, seats, players, left, place, absent, result, stakes, deals } = cited;
  const first = events[0].data, end = events.find((event) => event.type === "MatchEnded"), forfeited = type === "TableForfeited", adjudicated = type === "TableAdjudicated";
  if (!same(get(first, "tournament"), place)) return true;
  const brought = events.find((event) => event.type === "StacksArrived");
  if (!same(brought ? get(brought.data, "stakes") ?? null : null, stakes)) return true;
  const announced = [terms.game, terms.preset, terms.options, terms.clock];
  if (!same([first.game, first.preset ?? null, first.options, first.clock], announced) || first.seats.length !== seats.length) return true;
  if (terms.best_of !== null && terms.best_of !== get(first.series, "best_of")) return true;
  if (adjudicated ? !events.some(({ digest }) => digest === head) : end?.digest !== head) return true;

  const sits = first.seats.map(() => null);
  for (const { type: kind, data } of events) {
    if (kind === "SeatTaken") sits[data.seat] = data.player;
    if (kind === "SeatLeft") sits[data.seat] = null;
  }
  const bot = first.seats.map(({ kind }, seat) => kind === "bot" && sits[seat] === null);
  const fits = seats.every((one, seat) => {
    if (bot[seat]) return one === null || ((seats.length > 2 || deals) && left.has(one));
    return one !== null && (sits[seat] === players[seat] || (forfeited && sits[seat] === null));
  });
  if (!fits) return true;
  if (adjudicated) return false;

  const ended = get(end.data, "result");
  if (forfeited) {
    const entrants = seats.filter((one) => one !== null);
    const away = seats.filter((one, seat) => one !== null && !bot[seat] && sits[seat] === null);
    return isObject(ended) || !same(absent, away.length || deals ? away : entrants);
  }
  return !isObject(ended) || !same(result, made(ended, events, seats, deals));
}

/** What the deals of a match follow from: its group, what their seeds are bound by, and all nonces. */
export function dealsOf({ events }) {
  const bound = events.find(({ type }) => type === "FairnessCommitted")?.data.commitment ?? null;
  const nonces = events.filter(({ type }) => type === "DealsShared").map(({ data }) => data.nonces);
  return [get(get(events[0].data, "deal_group") ?? {}, "id") ?? get(events[0].data, "tournament") ?? null, bound, nonces];
}

/** The result of a table by that of its match. */
function made({ places, wins, scores }, events, seats, deals) {
  const won = events.filter(({ type }) => type === "GameWon").map(({ data }) => get(data, "winner") ?? null);
  const took = events.find(({ type }) => type === "StacksLeft");
  const games = won.length, drawn = won.filter((one) => one === null).length;
  return {
    seats, games, drawn, ...(took && { chips: get(took.data, "stacks") }), wins: wins.map((own) => Math.min(own, games - drawn)),
    places: places.map((place) => 1 + places.filter((other) => other < place).length),
    ...(deals ? { scores } : {}),
  };
}
