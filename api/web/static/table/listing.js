/** Reads what the start lists: games, matches, what waits, tables with room; and keeps it new while it is shown. */

import {api, happens, reads, state, token} from "./app.js";
import {toAsk, turnOf, unlisted} from "./waiting.js";

const NEWS_MS = 15_000, MORE = 30, PAGE = 100;

export async function names() {
  happens({is: "listed", games: (await api.call("GET", "/games?fields=game,title,seats,minutes,summary")).items});
}

/** Give the games, which are asked for once. */
export async function games() {
  if (!state.games.length) await names();
  return state.games;
}

/** How many matches of the reader's, and open tables, are listed for now. */
const wanted = {mine: 30, open: 10};

/** List more of them. @param {"mine" | "open"} which */
export async function more(which) {
  wanted[which] += MORE;
  await news();
}

/**
 * Read a list page by page, until there are so many.
 * @param {string} query
 * @param {number} [most]
 * @returns {Promise<{items: any[], isMore: boolean}>}
 */
async function listed(query, most = Infinity) {
  const items = /** @type {any[]} */ ([]);
  let next = "";
  do {
    const page = await api.call("GET",
      `/matches?${query}&limit=${Math.min(PAGE, most - items.length)}${next && `&cursor=${encodeURIComponent(next)}`}`);
    items.push(...page.items);
    next = page.next;
  } while (next && items.length < most);
  return {items, isMore: Boolean(next)};
}

/** Read the matches of the reader: the newest, and all that are not over, be they as old as they may. */
async function own() {
  const newest = await listed("player=me", wanted.mine);
  const rest = newest.isMore
    ? await Promise.all(["playing", "lobby"].map((status) => listed(`player=me&status=${status}`))) : [];
  return {...newest, items: [...new Map([newest, ...rest].flatMap(({items}) => items).map((match) => [match.id, match]))
      .values()]};
}

/** Read what waits for the reader, and where there is room. */
export async function news() {
  const open = listed("status=lobby", wanted.open);
  if (!token.value) {
    const {items, isMore} = await open;
    return happens({is: "came", mine: [], inbox: [], open: items, more: {mine: false, open: isMore}});
  }
  const [, mine, inbox, lobbies] =
    await Promise.all([state.me ? null : api.call("GET", "/players/me")
      .then(({id, name}) => happens({is: "named", id, name})),
    own(), api.call("GET", "/inbox"), open]);
  const there = {mine: mine.items, inbox: inbox.items, open: lobbies.items,
    more: {mine: mine.isMore, open: lobbies.isMore}};
  happens({is: "came", ...there});
  // A seat may be kept for the reader at a table that is not among the reader's matches yet.
  const kept = /** @type {any[]} */ (await Promise.all(unlisted(mine.items, inbox.items).map((id) => api.match(id))));
  if (kept.length) happens({is: "came", ...there, mine: [...mine.items, ...kept]});
  const asked = await Promise.all(toAsk(mine.items, inbox.items).map(({id}) => api.match(id)));
  happens({is: "turns", turns: Object.fromEntries(asked.map((match) => [match.id, turnOf(match)]))});
}

/** Show the start, and keep it new. @returns {() => void} ends it */
export function begin() {
  happens({is: "opened", id: null});
  void reads(async () => { await Promise.all([names(), news()]); });
  let isAsking = false;
  const anew = () => {
    if (document.hidden || isAsking) return;
    isAsking = true;
    void reads(news).finally(() => { isAsking = false; });
  };
  const again = window.setInterval(anew, NEWS_MS);
  document.addEventListener("visibilitychange", anew);
  return () => {
    clearInterval(again);
    document.removeEventListener("visibilitychange", anew);
  };
}
