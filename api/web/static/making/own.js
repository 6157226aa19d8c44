/** Reads what waits for the reader: the own matches, what is asked of them, and whom the others wait for. */

import {toAsk, turnOf, unlisted} from "./order.js";
import {api, happens, state} from "../table/app.js";
import {pages, wanted} from "../table/listing.js";

/** Read the matches of the reader: the newest, and all that are not over, be they as old as they may. */
async function matches() {
  const newest = await pages("player=me", wanted.mine);
  const rest = newest.isMore
    ? await Promise.all(["playing", "lobby"].map((status) => pages(`player=me&status=${status}`))) : [];
  return {...newest, items: [...new Map([newest, ...rest].flatMap(({items}) => items).map((match) => [match.id, match]))
      .values()]};
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
  const asked = await Promise.all(toAsk(mine.items, inbox.items).map(({id}) => api.match(id)));
  happens({is: "turns", turns: Object.fromEntries(asked.map((match) => [match.id, turnOf(match)]))});
}
