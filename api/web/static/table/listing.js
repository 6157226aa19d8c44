/** Reads what the start lists: games, matches, what waits, tables with room; and keeps it new while it is shown. */

import {api, happens, reads, state, token} from "./app.js";
import {toAsk, turnOf} from "./waiting.js";

const NEWS_MS = 15_000;

export async function names() {
  happens({is: "listed", games: (await api.call("GET", "/games?fields=game,title,seats,minutes,summary")).items});
}

/** Give the games, which are asked for once. */
export async function games() {
  if (!state.games.length) await names();
  return state.games;
}

/** Read what waits for the reader, and where there is room. */
export async function news() {
  const open = api.call("GET", "/matches?status=lobby&limit=10");
  if (!token.value) return happens({is: "came", mine: [], inbox: [], open: (await open).items});
  const [, mine, inbox, lobbies] = await Promise.all([state.me ? null : api.call("GET", "/players/me").then(({id, name}) => happens({is: "named", id, name})),
    api.call("GET", "/matches?player=me&limit=30"), api.call("GET", "/inbox"), open]);
  happens({is: "came", mine: mine.items, inbox: inbox.items, open: lobbies.items});
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
