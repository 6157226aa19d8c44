/**
 * Reads the lists of the start page: games, matches, the inbox and open tables; and keeps them current while it is
 * shown.
 */

import {api, dispatch, reread, state, token} from "./app.js";
import {loadModule} from "./later.js";

/** Loads the lists of the reader's matches. */
export const LISTS = () => import("../making/match_lists.js");

const OPEN = "id,game,status,seats.kind,seats.player.name,seats.rating,rated";
const NEWS_MS = 15_000, MORE = 30, PAGE = 100;

export async function catalogue() {
  const {items: games} = await api.call("GET", "/games?fields=game,title,seats,minutes,summary,usual_preset");
  dispatch({is: "listed", games});
}

/** Return the games, which are read once. */
export async function games() {
  if (!state.games.length) await catalogue();
  return state.games;
}

/** Maximum number of the reader's matches, and of open tables, listed now. */
export const wanted = {mine: 30, open: 3};

/** Show more of a list. @param {"mine" | "open"} which */
export async function more(which) {
  wanted[which] += MORE;
  await news();
}

/**
 * Read pages of a list until it has this many items.
 * @param {string} query
 * @param {number} [most]
 * @returns {Promise<{items: Api.ListedMatch[], isMore: boolean}>}
 */
export async function pages(query, most = Infinity) {
  const items = /** @type {Api.ListedMatch[]} */ ([]);
  let next = /** @type {string | null} */ ("");
  do {
    const page = await api.call("GET",
      `/matches?${query}&limit=${Math.min(PAGE, most - items.length)}${next && `&cursor=${encodeURIComponent(next)}`}`);
    items.push(...page.items);
    next = page.next;
  } while (next && items.length < most);
  return {items, isMore: Boolean(next)};
}

/** Read the inbox, the reader's matches and open tables. */
export async function news() {
  const open = () => pages(`status=lobby&fields=${OPEN}`, wanted.open);
  if (!token.value) {
    const {items, isMore} = await open();
    return dispatch({is: "came", mine: [], inbox: [], open: items, more: {mine: false, open: isMore}});
  }
  await (await loadModule(LISTS)).own(open);
}

/** Show the start page, and keep it current. @returns {() => void} stops refreshing */
export function begin() {
  dispatch({is: "opened", id: null});
  void reread(async () => { await Promise.all([catalogue(), news()]); });
  let isAsking = false;
  const refresh = () => {
    if (document.hidden || isAsking) return;
    isAsking = true;
    void reread(news).finally(() => { isAsking = false; });
  };
  const again = window.setInterval(refresh, NEWS_MS);
  document.addEventListener("visibilitychange", refresh);
  return () => {
    clearInterval(again);
    document.removeEventListener("visibilitychange", refresh);
  };
}
