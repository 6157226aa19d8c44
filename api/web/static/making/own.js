/** Reads the reader's matches, their legal moves, and the players that the other matches wait for. */

import {offerOf, toAsk, toMove, turnOf, unlisted} from "./order.js";
import {api, dispatch, state} from "../table/app.js";
import {pages, wanted} from "../table/listing.js";

/** @typedef {import("../table/store.ts").Turn} Turn */

/** Read the reader's matches: the newest ones, and all unfinished ones of any age. */
async function matches() {
  const newest = await pages("player=me", wanted.mine);
  const rest = newest.isMore
    ? await Promise.all(["playing", "lobby"].map((status) => pages(`player=me&status=${status}`))) : [];
  return {...newest, items: [...new Map([newest, ...rest].flatMap(({items}) => items).map((match) => [match.id, match]))
      .values()]};
}

/** The reader's legal moves, by match, seat and version. @type {Map<string, Turn>} */
const known = new Map();

/**
 * Read the legal moves of a waiting match, once per decision.
 * @param {import("../table/waiting.ts").Waiting} waiting @returns {Promise<readonly [string, Turn]>}
 */
async function offersOf({match, seat, version}) {
  const key = [match, seat, version].join();
  const turn = known.get(key)
    ?? offerOf(await api.call("GET", `/matches/${match}/moves?seat=${seat}&fields=moves.args.title`));
  known.set(key, turn);
  return [match, turn];
}

/** Read everything that waits for the reader. @param {() => ReturnType<typeof pages>} open reads tables with room */
export async function own(open) {
  const [, mine, inbox, lobbies] =
    await Promise.all([state.me ? null : api.call("GET", "/players/me")
      .then(({id, name}) => dispatch({is: "named", id, name})),
    matches(), api.call("GET", "/inbox"), open()]);
  const there = {mine: mine.items, inbox: inbox.items, open: lobbies.items,
    more: {mine: mine.isMore, open: lobbies.isMore}};
  dispatch({is: "came", ...there});
  // A seat may be reserved for the reader in a match that is not in their list yet.
  const kept = /** @type {Api.ListedMatch[]} */ (/** @type {unknown} */ (
    await Promise.all(unlisted(mine.items, inbox.items).map((id) => api.match(id)))));
  if (kept.length) dispatch({is: "came", ...there, mine: [...mine.items, ...kept]});
  const offers = await Promise.all(toMove(inbox.items).map(offersOf));
  const asked = await Promise.all(toAsk(mine.items, inbox.items).map(({id}) => api.match(id)));
  dispatch({is: "turns", turns: Object.fromEntries([...offers,
    ...asked.map((match) => /** @type {const} */ ([match.id, turnOf(match)]))])});
}
