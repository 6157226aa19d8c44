/** Puts matches in the order of what waits for the reader, and says times in words. Nothing here knows a browser. */

/**
 * @typedef {{match: any, says: string, since: string, isMine: boolean, deadline: string | null}} Row a match, and what it waits for
 * @typedef {{kind: string, match: string, game: string, since_text: string, deadline: string | null}} Waiting an item of the inbox
 */

const ASKED = /** @type {Record<string, string>} */ ({turn: "Your turn", request: "You are asked for an answer", invitation: "A seat is kept for you"});
const RANKS = ["playing", "lobby"];
const SAID = /** @type {Record<string, string>} */ ({playing: "goes on", lobby: "waits for players", finished: "is over", abandoned: "was given up",
  cancelled: "was cancelled", expired: "did not begin in time"});

/**
 * Give the matches that wait for the reader, the nearest deadline first, as the inbox has them; then those that go on, those that have not
 * begun, and those that are over.
 * @param {any[]} matches @param {Waiting[]} inbox @param {Record<string, import("./store.js").Turn>} turns @returns {Row[]}
 */
export function inOrder(matches, inbox, turns) {
  const waits = inbox.filter((one, i) => inbox.findIndex(({match}) => match === one.match) === i)
    .map((one) => ({match: matches.find(({id}) => id === one.match) ?? {id: one.match, game: one.game, status: "playing", seats: []},
      says: ASKED[one.kind] ?? one.kind, since: one.since_text, isMine: true, deadline: one.deadline}));
  const rank = (/** @type {any} */ match) => (RANKS.indexOf(match.status) + RANKS.length + 1) % (RANKS.length + 1);
  const others = matches.filter(({id}) => !inbox.some(({match}) => match === id)).sort((a, b) => rank(a) - rank(b))
    .map((match) => ({match, says: waitsFor(turns[match.id]) ?? SAID[match.status] ?? match.status, since: "", isMine: false,
      deadline: turns[match.id]?.deadline ?? null}));
  return [...waits, ...others];
}

/** @param {import("./store.js").Turn | undefined} turn */
const waitsFor = (turn) => turn?.names.length ? `waits for ${turn.names.join(", ")}` : undefined;

/** Name whom a match waits for. @param {any} match @returns {import("./store.js").Turn} */
export const turnOf = ({seats, to_act, deadline}) =>
  ({names: to_act.map((/** @type {number} */ seat) => seats[seat]?.player?.name ?? `seat ${seat}`), deadline});

const MOST_ASKED = 6;

/** Give the matches of which it shall be asked whom they wait for: those of several people, as bots do not let others wait. @param {any[]} matches @param {Waiting[]} inbox */
export const toAsk = (matches, inbox) => matches.filter(({id, status, seats}) => status === "playing" && !inbox.some(({match}) => match === id)
  && seats.filter((/** @type {any} */ seat) => seat.player).length > 1).slice(0, MOST_ASKED);

/** Give the tables at which somebody may sit down who sits at none of them yet. @param {any[]} lobbies @param {any[]} mine */
export const toJoin = (lobbies, mine) => lobbies.filter(({id, seats}) =>
  seats.some((/** @type {any} */ seat) => seat.kind === "open") && !mine.some((match) => match.id === id));

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

/** Say how much time is left, coarsely where there is much. @param {number} ms */
export function left(ms) {
  if (ms <= 0) return "no time left";
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}:${String(Math.floor(ms % MINUTE / 1000)).padStart(2, "0")} left`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h ${Math.floor(ms % HOUR / MINUTE)} min left`;
  const days = Math.floor(ms / DAY);
  return `${days} ${days === 1 ? "day" : "days"} ${Math.floor(ms % DAY / HOUR)} h left`;
}

/** Say the time that is left where it has become short: so rarely that it may be read aloud. @param {number} ms */
export const warning = (ms) => ms <= 0 ? "" : ms <= 10_000 ? "Ten seconds left." : ms <= MINUTE ? "A minute left."
  : ANNOUNCED.find(({at}) => ms <= at && ms > at - MINUTE / 2)?.says ?? "";

/** What is said of longer times only as they come, so that it is not said at the beginning of each turn. */
const ANNOUNCED = [{at: 5 * MINUTE, says: "Five minutes left."}, {at: HOUR, says: "An hour left."}];
