/** Reads what waits for the reader: the own matches, what is asked of them, and whom the others wait for. */

import {offerOf, toAsk, toMove, turnOf, unlisted} from "./order.js";
import {api, happens, state} from "../table/app.js";
import {pages, wanted} from "../table/listing.js";

/** @typedef {import("../table/store.ts").Turn} Turn */

/** Read the matches of the reader: the newest, and all that are not over, be they as old as they may. */
async function matches() {
  const newest = await pages("player=me", wanted.mine);
  const rest = newest.isMore
    ? await Promise.all(["playing", "lobby"].map((status) => pages(`player=me&status=${status}`))) : [];
  return {...newest, items: [...new Map([newest, ...rest].flatMap(({items}) => items).map((match) => [match.id, match]))
      .values()]};
}

/** What the reader may do, by the match, the seat, and the version since which that is so. @type {Map<string, Turn>} */
const known = new Map();

/**
 * Read what the reader may do in a match that waits, once for each decision.
 * @param {import("../table/waiting.ts").Waiting} waiting @returns {Promise<readonly [string, Turn]>}
 */
async function offersOf({match, seat, version}) {
  const key = [match, seat, version].join();
  const turn = known.get(key)
    ?? offerOf(await api.call("GET", `/matches/${match}/moves?seat=${seat}&fields=moves.args.title`));
  known.set(key, turn);
  return [match, turn];
}

/** Read what waits for the reader. @param {() => ReturnType<typeof pages>} open reads tables with room */
export async function own(open) {
  const [, mine, inbox, lobbies] =
    await Promise.all([state.me ? null : api.call("GET", "/players/me")
      .then(({id, name}) => happens({is: "named", id, name})),
    matches(), api.call("GET", "/inbox"), open()]);
  const there = {mine: mine.items, inbox: inbox.items, open: lobbies.items,
    more: {mine: mine.isMore, open: lobbies.isMore}};
  happens({is: "came", ...there});
  // A seat may be kept for the reader at a table that is not among the reader's matches yet.
  const kept = /** @type {Api.ListedMatch[]} */ (/** @type {unknown} */ (
    await Promise.all(unlisted(mine.items, inbox.items).map((id) => api.match(id)))));
  if (kept.length) happens({is: "came", ...there, mine: [...mine.items, ...kept]});
  const offers = await Promise.all(toMove(inbox.items).map(offersOf));
  const asked = await Promise.all(toAsk(mine.items, inbox.items).map(({id}) => api.match(id)));
  happens({is: "turns", turns: Object.fromEntries([...offers,
    ...asked.map((match) => /** @type {const} */ ([match.id, turnOf(match)]))])});
}
