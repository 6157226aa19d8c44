/** Shows a table that has not begun: who sits there, links for friends; and the invitation that such a link opens. */

import {knowsMe} from "../me/knowing.js";
import {counts, expectation, ratings} from "../players/rated.js";
import {Refused} from "../table/api.js";
import {api, happens, repaint, root, state, tries} from "../table/app.js";
import {copied} from "../table/copying.js";
import {guest, join} from "../table/joining.js";
import {games} from "../table/listing.js";
import {nameOf, titleOfGame} from "../table/seating.js";
import {looks} from "../table/later.js";
import {trouble} from "../table/trouble.js";
import {says} from "../words/making.js";
import {says as common} from "../words/table.js";
import {html, nothing} from "../table/vendor/lit-html/lit-html.js";

looks(new URL("making.css", import.meta.url));

/** The seats of a table that has not begun, with links for those that are kept. @param {Api.Match} match */
export function lobby(match) {
  const link = (/** @type {any} */ one) =>
    `${location.origin}${root}/play#m=${match.id}&seat=${one.seat}&invite=${one.invite}`;
  const links = (match.invites ?? []).filter((one) => one.invite);
  const isFree = match.your_seat === null && match.seats.some((one) => one.kind === "open");
  knowsMe();
  const kept = match.your_seat === null
    ? match.seats.find((one) => one.kind === "invite" && one.player && one.player.id === state.me) : null;
  const {beside} = ratings(match);
  return html`<section class="lobby"><h2>${says.whoSitsHere}</h2><p class="counts">${counts(match)}</p>
    <ul>${match.seats.map((seat) => html`<li class=${seat.player || seat.kind === "bot" ? "" : "free"}>
      <span class="disc hue-${seat.seat % 6}" aria-hidden="true">${seat.player || seat.kind === "bot"
        ? nameOf(match, seat.seat)[0] : "+"}</span>
      <span>${nameOf(match, seat.seat)}${beside(seat.seat)} <small>${seat.player
        ? "" : says.isKept[seat.kind] ?? seat.kind}</small></span></li>`)}</ul>
    ${kept ? html`<p><strong>${says.keptForYou}</strong></p><p><button type="button" class="main"
      ?disabled=${state.isSending} @click=${() =>
      void tries(() => takes(match, kept.seat))}>${common.sitDown}</button></p>` : nothing}
    ${match.tournament || match.rated ? expectation(match) : nothing}
    ${isFree ? html`<p><button type="button" class="main" ?disabled=${state.isSending}
      @click=${() => void tries(() => join(match))}>${common.sitDown}</button></p>` : nothing}
    ${links.map((one) => html`<label>${says.sendLink(one.seat)}
      <input readonly .value=${link(one)} @focus=${(/** @type {Event} */ event) =>
        /** @type {HTMLInputElement} */ (event.target).select()}></label>
      <button type="button" @click=${() => void copied(link(one))}>${says.copyLink}</button>`)}</section>`;
}

/** Say that there is no table to show, and where to go from there; why it is so is said below. */
export const missing = () => html`<header class="hero"><h2>${says.noTable}</h2><p class="lead">${says.whyNoTable}</p>
  <p><a class="button" href="#">${says.otherTables}</a></p></header>`;

/** Take the seat that is kept for who reads this. @param {Api.Match} match @param {number} seat */
async function takes(match, seat) {
  happens({is: "sending"});
  await api.call("PUT", `/matches/${match.id}/seats/${seat}`, {});
  happens({is: "sent"});
}

/**
 * The table to which the address leads; null while it is asked for.
 * @type {{of: import("../table/store.js").Invited, match: any} | null}
 */
let there = null;

/** Read the table to which an address leads. @param {import("../table/store.js").Invited} invited */
async function looksAt(invited) {
  there = {of: invited, match: null};
  await tries(async () => {
    const [match] = await Promise.all([api.match(invited.id, {"Dealt-Invite": encodeURI(invited.code)}), games()]);
    if (there?.of !== invited) return;
    there = {of: invited, match};
    // who sits there comes back by the link too
    if (match.your_seat !== null && whyNot(match, invited.seat)) sits(invited);
    repaint();
  });
}

/** Say why nobody can sit down by this link; empty: one can. @param {Api.Match} match @param {number | null} seat */
function whyNot(match, seat) {
  if (!match) return "";
  if (match.status !== "lobby") return says.hasBegun;
  const free = keptOf(match);
  return (seat === null ? free.length : free.includes(seat)) ? "" : says.isTaken;
}

export function invitation() {
  const {invited} = state;
  if (!invited) return nothing;
  if (there?.of !== invited) void looksAt(invited);
  const match = there?.match, why = whyNot(match, invited.seat);
  const by = {"Dealt-Invite": encodeURI(invited.code)},
    people = (match?.seats ?? []).flatMap((/** @type {any} */ one) => one.player ? [one.player.name] : []);
  return html`<div class="hero"><h1 tabindex="-1"
    id="title">${match ? says.invitedTo(titleOfGame(state.games, match.game)) : says.invited}</h1>${trouble()}
    ${people.length && !why ? html`<p class="lead">${says.sitThere(people)}</p>` : nothing}
    <p class="lead">${why || says.seatIsKept}</p>${match && !why
      ? html`<p>${counts(match)}</p>${match.rated ? expectation(match, by) : nothing}` : nothing}
    <p>${why ? html`<a class="button" href="#m=${invited.id}">${common.lookAtIt}</a>`
      : html`<button type="button" class="main" ?disabled=${state.isSending}
        @click=${() => void tries(sitDown)}>${common.sitDown}</button>`} <a class="back"
        href="#">${common.allGames}</a></p></div>`;
}

/** Take the seat that the address keeps. */
async function sitDown() {
  const {invited} = state;
  if (!invited) return;
  happens({is: "sending"});
  await guest();
  const seats = invited.seat === null ? await kept(invited) : [invited.seat];
  for (const seat of seats) {
    try {
      await api.call("PUT", `/matches/${invited.id}/seats/${seat}`, {invite: invited.code});
      break;
    } catch (error) {
      if (seat !== seats.at(-1) && error instanceof Refused && error.code === "bad_invite") continue;
      there = null;  // it is read anew, as somebody else may have been sooner
      throw error;
    }
  }
  sits(invited);
}

/** Go to the table, in the place of the invitation, which is over. @param {{id: string}} invited */
const sits = ({id}) => location.replace(`#m=${id}`);

/**
 * Read which seats wait for a friend; a code does not say for which it is.
 * @param {{id: string, code: string}} invited
 * @returns {Promise<number[]>}
 */
async function kept({id, code}) {
  return keptOf(await api.match(id, {"Dealt-Invite": encodeURI(code)}));
}

/** Give the seats that wait for a friend. @param {Api.Match} match @returns {number[]} */
const keptOf = (match) => match.seats.filter((one) => one.kind === "invite" && !one.player).map((one) => one.seat);
