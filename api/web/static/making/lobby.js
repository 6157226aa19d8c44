/** Shows a table that has not begun: who sits there, links for friends; and the invitation that such a link opens. */

import {Refused} from "../table/api.js";
import {api, happens, root, state, tries} from "../table/app.js";
import {copied} from "../table/copying.js";
import {guest, join} from "../table/joining.js";
import {nameOf} from "../table/seating.js";
import {looks} from "../table/later.js";
import {trouble} from "../table/trouble.js";
import {says} from "../words/making.js";
import {says as common} from "../words/table.js";
import {html, nothing} from "../table/vendor/lit-html/lit-html.js";

looks(new URL("making.css", import.meta.url));

/** The seats of a table that has not begun, with links for those that are kept. @param {any} match */
export function lobby(match) {
  const link = (/** @type {any} */ one) => `${location.origin}${root}/play#m=${match.id}&seat=${one.seat}&invite=${one.invite}`;
  const links = (match.invites ?? []).filter((/** @type {any} */ one) => one.invite);
  const isFree = match.your_seat === null && match.seats.some((/** @type {any} */ one) => one.kind === "open");
  return html`<section class="lobby"><h2>${says.whoSitsHere}</h2>
    <ul>${match.seats.map((/** @type {any} */ seat) => html`<li class=${seat.player || seat.kind === "bot" ? "" : "free"}>
      <span class="disc hue-${seat.seat % 6}" aria-hidden="true">${seat.player || seat.kind === "bot" ? nameOf(match, seat.seat)[0] : "+"}</span>
      <span>${nameOf(match, seat.seat)} <small>${seat.player ? "" : says.isKept[seat.kind] ?? seat.kind}</small></span></li>`)}</ul>
    ${isFree ? html`<p><button type="button" class="main" ?disabled=${state.isSending} @click=${() => void tries(() => join(match))}>${common.sitDown}</button></p>` : nothing}
    ${links.map((/** @type {any} */ one) => html`<label>${says.sendLink(one.seat)}
      <input readonly .value=${link(one)} @focus=${(/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select()}></label>
      <button type="button" @click=${() => void copied(link(one))}>${says.copyLink}</button>`)}</section>`;
}

export function invitation() {
  return html`<div class="hero"><h1 tabindex="-1" id="title">${says.invited}</h1>${trouble()}
    <p class="lead">${says.seatIsKept}</p>
    <p><button type="button" class="main" ?disabled=${state.isSending} @click=${() => void tries(sitDown)}>${common.sitDown}</button> <a class="back" href="#">${common.allGames}</a></p></div>`;
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
      if (seat === seats.at(-1) || !(error instanceof Refused) || error.code !== "bad_invite") throw error;
    }
  }
  location.hash = `m=${invited.id}`;
}

/** Read which seats wait for a friend; a code does not say for which it is. @param {{id: string, code: string}} invited @returns {Promise<number[]>} */
async function kept({id, code}) {
  const match = await api.match(id, {"Dealt-Invite": code});
  return match.seats.filter((/** @type {any} */ one) => one.kind === "invite" && !one.player).map((/** @type {any} */ one) => one.seat);
}
