/** Shows a table that has not begun: its players, and links for friends; and the invitation that such a link opens. */

import {comesAs, isNameless, knowsMe} from "../me/knowing.js";
import {counts, expectation, ratings} from "../players/rated.js";
import {Refused} from "../table/api.js";
import {api, dispatch, repaint, root, state, token, attempt} from "../table/app.js";
import {copied} from "../table/copying.js";
import {guest, join, takeSeat} from "../table/joining.js";
import {games} from "../table/listing.js";
import {nameOf, titleOfGame} from "../table/seating.js";
import {loadStyles} from "../table/later.js";
import {readsPainted} from "../table/painted.js";
import {trouble} from "../table/trouble.js";
import {moment} from "../words/language.js";
import {says} from "../words/making.js";
import {says as common} from "../words/table.js";
import {html, nothing} from "lit-html";
import makingStyles from "./making.css?url";

loadStyles(makingStyles);

/** The time by which all seats must be taken; null until it is known. */
let last = {id: "", by: /** @type {string | null} */ (null)};

/** Show the time by which all seats must be taken. @param {Api.Match} match */
function until({id, tournament}) {
  if (last.id !== id) {
    last = {id, by: null};
    readsPainted(async () => {
      const {seats_until: by} = await api.call("GET", `/matches/${id}?fields=seats_until`);
      if (last.id === id) last = {id, by};
    }, () => { last = {id: "", by: null}; });
  }
  if (!last.by) return "";
  return (tournament ? says.seatsUntilAt : says.seatsUntil)(moment(new Date(last.by)));
}

/** The seats of a table that has not begun, with links for those reserved for friends. @param {Api.Match} match */
export function lobby(match) {
  const link = (/** @type {{seat: number, invite?: string | null}} */ one) =>
    `${location.origin}${root}/play#m=${match.id}&seat=${one.seat}&invite=${one.invite}`;
  const links = (match.invites ?? []).filter((one) => one.invite);
  const isFree = match.your_seat === null && match.seats.some((one) => one.kind === "open");
  knowsMe();
  const kept = match.your_seat === null
    ? match.seats.find((one) => one.kind === "invite" && one.player && one.player.id === state.me) : null;
  const {beside} = ratings(match);
  return html`<section class="lobby"><h2>${says.whoSitsHere}</h2><p class="counts">${counts(match)}</p>
    <p class="until">${until(match)}</p>
    <ul>${match.seats.map((seat) => html`<li class=${seat.player || seat.kind === "bot" ? "" : "free"}>
      <span class="disc hue-${seat.seat % 6}" aria-hidden="true">${seat.player || seat.kind === "bot"
        ? nameOf(match, seat.seat)[0] : "+"}</span>
      <span>${nameOf(match, seat.seat)}${beside(seat.seat)} <small>${seat.player
        ? "" : says.isKept[seat.kind] ?? seat.kind}</small></span></li>`)}</ul>
    ${kept ? html`<p><strong>${says.keptForYou}</strong></p><p><button type="button" class="main"
      ?disabled=${state.isSending} @click=${() =>
      void attempt(() => takes(match, kept.seat))}>${common.sitDown}</button></p>` : nothing}
    ${match.tournament || match.rated ? expectation(match) : nothing}
    ${isFree ? html`<p><button type="button" class="main" ?disabled=${state.isSending}
      @click=${() => void attempt(() => join(match))}>${common.sitDown}</button></p>` : nothing}
    ${links.map((one) => html`<label>${says.sendLink(one.seat)}
      <input readonly .value=${link(one)} @focus=${(/** @type {Event} */ event) =>
        /** @type {HTMLInputElement} */ (event.target).select()}></label>
      <button type="button" @click=${() => void copied(link(one))}>${says.copyLink}</button>${isShareable
        ? html` <button type="button" @click=${() =>
          void navigator.share({url: link(one)}).catch(() => {})}>${says.shareLink}</button>` : nothing}`)}
    ${match.invites && !match.tournament ? html`<details class="cancels"><summary>${says.cancel}</summary>
      <p>${says.aboutCancel}</p><p><button type="button" ?disabled=${state.isSending}
        @click=${() => void attempt(() => cancels(match.id))}>${says.cancelTable}</button></p></details>`
      : nothing}</section>`;
}

/** Whether this browser can hand an address to other apps. */
const isShareable = "share" in navigator;

/** Cancel a table, and go back to the start. @param {string} id */
async function cancels(id) {
  dispatch({is: "sending"});
  await api.call("DELETE", `/matches/${id}`);
  location.hash = "";
}

/** Show that there is no table at this address, with the way to others. The reason follows below. */
export const missing = () => html`<header class="hero"><h2>${says.noTable}</h2><p class="lead">${says.whyNoTable}</p>
  <p><a class="button" href="#">${says.otherTables}</a></p></header>`;

/** Take the seat that is reserved for the reader. @param {Api.Match} match @param {number} seat */
async function takes(match, seat) {
  dispatch({is: "sending"});
  await takeSeat(match.id, seat);
  dispatch({is: "sent"});
}

/** @typedef {import("../table/store.ts").Invited} Invited */

/**
 * The table at the address of an invitation, null until it is read; and whether the address is wrong.
 * @type {{of: Invited, match: Api.WholeMatch | null, isMissing?: boolean, isWrong?: boolean} | null}
 */
let there = null;

/** Read the table of an invitation. @param {Invited} invited */
async function looksAt(invited) {
  there = {of: invited, match: null};
  knowsMe();
  await attempt(async () => {
    const [match] = await Promise.all([read(invited), games()]);
    if (there?.of !== invited) return;
    there = {of: invited, match, isMissing: !match};
    // players at this table use the link to return to it
    if (match && match.your_seat !== null && hasNone(match, invited.seat)) sits(invited);
    repaint();
  });
}

const READ = "id,game,status,seats,your_seat,your_seats,invites,tournament,rated,options.seats_per_player";

/** Read a table with an invite code; null if there is none. @param {Invited} invited */
async function read({id, code}) {
  const by = {"Dealt-Invite": encodeURI(code)};
  try {
    return await api.call("GET", `/matches/${id}?fields=${READ}`, undefined, by);
  } catch (error) {
    if (error instanceof Refused && error.code === "not_found") return null;
    throw error;
  }
}

/** Say why a table has no reserved seat; empty if it has one. @param {Api.Match} match @param {number | null} seat */
function hasNone(match, seat) {
  if (match.status !== "lobby") return says.hasBegun;
  const free = keptOf(match);
  return (seat === null ? free.length : free.includes(seat)) ? "" : says.isTaken;
}

/** Say why the reader cannot sit down with this link; empty if they can. @param {Api.WholeMatch} match */
function whyNot(match) {
  const none = hasNone(match, there?.of.seat ?? null), most = Number(match.options.seats_per_player);
  if (none || !match.your_seats.length || match.your_seats.length < most)
    return none || (there?.isWrong ? says.wrongCode : "");
  return match.invites ? says.ownLink : says.sitsHere;
}

export function invitation() {
  const {invited} = state;
  if (!invited) return nothing;
  if (there?.of !== invited) void looksAt(invited);
  if (there?.isMissing) return html`<h1 tabindex="-1" id="title">${says.invited}</h1>${missing()}`;
  const match = there?.match, why = match ? whyNot(match) : "";
  const by = {"Dealt-Invite": encodeURI(invited.code)},
    people = (match?.seats ?? []).flatMap((one) => one.player?.name ?? []);
  return html`<div class="hero"><h1 tabindex="-1"
    id="title">${match ? says.invitedTo(titleOfGame(state.games, match.game)) : says.invited}</h1>${trouble()}
    ${people.length && !why ? html`<p class="lead">${says.sitThere(people)}</p>` : nothing}
    <p class="lead" role="status">${match ? why || says.seatIsKept : ""}</p>${match && !why
      ? html`<p>${counts(match)}</p>${match.rated ? expectation(match, by) : nothing}
      <form id="comes" @submit=${(/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        void attempt(() => sitDown(event));
      }}>${!token.value || state.me && isNameless()
        ? html`<label>${says.yourName} <input name="name" maxlength="40"
          autocomplete="nickname"></label>` : nothing}</form>` : nothing}
    <p>${why === says.ownLink ? html`<button type="button" class="main"
        @click=${() => void copied(location.href)}>${says.copyLink}</button> ` : nothing}${why
      ? html`<a class="button" href="#m=${invited.id}">${common.lookAtIt}</a>` : match
      ? html`<button form="comes" class="main" ?disabled=${state.isSending}>${common.sitDown}</button>` : nothing} <a
        class="back" href="#">${common.allGames}</a></p></div>`;
}

/** Take the seat of the invitation. @param {SubmitEvent} event */
async function sitDown(event) {
  const said = new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name");
  const {invited} = state, name = String(said ?? "").trim();
  if (!invited) return;
  dispatch({is: "sending"});
  await (name ? comesAs(name) : guest());
  const seats = invited.seat === null ? await kept(invited) : [invited.seat];
  for (const seat of seats) {
    try {
      await takeSeat(invited.id, seat, {invite: invited.code}, {"Dealt-Invite": encodeURI(invited.code)});
      break;
    } catch (error) {
      const isWrong = error instanceof Refused && error.code === "bad_invite";
      if (isWrong && seat !== seats.at(-1)) continue;
      if (isWrong && there) {
        there.isWrong = true;
        return dispatch({is: "sent"});
      }
      there = null;  // read it again: another player may have taken the seat
      throw error;
    }
  }
  sits(invited);
}

/** Go to the table; it replaces the invitation in the browser's history. @param {{id: string}} invited */
const sits = ({id}) => location.replace(`#m=${id}`);

/**
 * Read which seats are reserved for friends; a code does not say which one it is for.
 * @param {{id: string, code: string}} invited
 * @returns {Promise<number[]>}
 */
async function kept({id, code}) {
  return keptOf(await api.match(id, {"Dealt-Invite": encodeURI(code)}));
}

/** Return the seats that are reserved for friends. @param {Api.Match} match @returns {number[]} */
const keptOf = (match) => match.seats.filter((one) => one.kind === "invite" && !one.player).map((one) => one.seat);
