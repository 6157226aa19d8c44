/** Shows players: a profile, or the leaderboard of a game. */

import {leaderboard} from "./leaderboard.js";
import {profile} from "./profile.js";
import {Refused} from "../table/api.js";
import {api, showError, dispatch, repaint, state, token, attempt} from "../table/app.js";
import {loadStyles} from "../table/later.js";
import {games} from "../table/listing.js";
import {trouble} from "../table/trouble.js";
import {says as ofTable} from "../words/making.js";
import {says} from "../words/players.js";
import {says as common} from "../words/table.js";
import {html} from "lit-html";
import playersStyles from "./players.css?url";
import tournamentsStyles from "../tournaments/tournaments.css?url";

loadStyles(playersStyles);
loadStyles(tournamentsStyles);

/**
 * @typedef {{player: Api.Profile, ratings: Api.Ratings, history: Api.RatingChange[], pool: string}} Known a profile,
 *   and the history of one of its ratings
 * @typedef {Api.Answer<"GET", "/leaderboards/{game}">} Board
 */

const HISTORY = 100, PAGE = 25;

/** @type {Known | null} */
let known = null;
/** @type {Board | null} */
let board = null;
let isLeft = false;

const said = () => new URLSearchParams(location.hash.slice(1));

/** @param {() => Promise<void>} what */
async function finds(what) {
  try { await what(); } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.code === "not_found") dispatch({is: "refused", problem: says.isGone});
    else showError(error);
  }
}

/** Begin with the page that the address names. @returns {() => void} ends it */
export function enter() {
  isLeft = false;
  void finds(said().has("player") ? reads : () => ranks(null));
  return () => { isLeft = true; };
}

/** Read a profile. The reader's own handle is read first. */
async function reads() {
  await games();
  const address = said(), wanted = address.get("player") ?? "";
  if (wanted === "me" && !token.value) return dispatch({is: "refused", problem: says.nobodyHere});
  const handle = wanted === "me" && token.value ? (await api.call("GET", "/players/me?fields=handle")).handle : wanted;
  const [player, ratings] =
    await Promise.all([api.call("GET", `/players/${encodeURIComponent(handle)}`),
      api.call("GET", `/players/${encodeURIComponent(handle)}/ratings`)]);
  const chosen = ratings.items.find((one) => poolOf(one) === address.get("pool"))
    ?? ratings.items[0];
  const history = chosen
    ? (await api.call("GET",
      `/players/${encodeURIComponent(handle)}/rating-changes?game=${chosen.game}&pace=${chosen.pace}&of=${
        chosen.of}&limit=${HISTORY}`)).items : [];
  if (isLeft) return;
  known = {player, ratings, history, pool: chosen ? poolOf(chosen) : ""};
  repaint();
}

/** @param {{game: string, of: string, pace: string}} one */
export const poolOf = ({game, of, pace}) => `${game}:${of}:${pace}`;

/** Read a leaderboard, or its next page. @param {string | null} cursor */
async function ranks(cursor) {
  const all = await games(), address = said(), wanted = address.get("leaderboard"),
    game = wanted || (all[0]?.game ?? "");
  if (!all.some((one) => one.game === game)) {
    board = null;
    return dispatch({is: "refused", problem: ofTable.noSuchGame});
  }
  const pace = address.get("pace") === "mail" ? "mail" : "live", of = address.get("of");
  const page = await api.call("GET",
    `/leaderboards/${game}?pace=${pace}${of ? `&of=${encodeURIComponent(of)}` : ""}&limit=${PAGE}${cursor
      ? `&cursor=${cursor}` : ""}`);
  if (isLeft) return;
  board = {...page, items: [...(cursor && board ? board.items : []), ...page.items]};
  repaint();
}

/** Show the page that the address names. */
export function shown() {
  const address = said();
  if (address.has("player")) {
    const isIt = known && (address.get("player") === known.player.handle
      || (address.get("player") === "me" && known.player.id === state.me));
    return known && isIt ? profile(known, poolOf, (listed) => void attempt(() => lists(listed)))
      : waiting(says.aPlayer);
  }
  return board ? leaderboard(board, () => void attempt(() => ranks(board?.next ?? null))) : waiting(says.leaderboards);
}

/** Show or hide the reader's ratings for others. @param {boolean} listed */
async function lists(listed) {
  await api.call("PATCH", "/players/me", {listed});
  await reads();
}

/** @param {string} title */
const waiting = (title) => html`<div class="bar"><a class="back" href="#">${common.allGames}</a></div><h1 tabindex="-1"
  id="title">${title}</h1>${trouble()}`;
