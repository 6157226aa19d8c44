/** Shows a table that has not begun: who sits there, links for friends; and the invitation that such a link opens. */

import {root, state, tries} from "./app.js";
import {join, sitDown} from "./joining.js";
import {nameOf} from "./seating.js";
import {trouble} from "./trouble.js";
import {html, nothing} from "./vendor/lit-html/lit-html.js";

const SITS = /** @type {Record<string, string>} */ ({invite: "is kept for a friend", open: "is free for anybody", bot: ""});

/** The seats of a table that has not begun, with links for those that are kept. @param {any} match */
export function lobby(match) {
  const link = (/** @type {any} */ one) => `${location.origin}${root}/play#m=${match.id}&seat=${one.seat}&invite=${one.invite}`;
  const links = (match.invites ?? []).filter((/** @type {any} */ one) => one.invite);
  const isFree = match.your_seat === null && match.seats.some((/** @type {any} */ one) => one.kind === "open");
  return html`<section class="lobby"><h2>Who sits here</h2>
    <ul>${match.seats.map((/** @type {any} */ seat) => html`<li>${nameOf(match, seat.seat)} <span class="soft">${seat.player ? "" : SITS[seat.kind] ?? seat.kind}</span></li>`)}</ul>
    ${isFree ? html`<p><button type="button" class="main" ?disabled=${state.isSending} @click=${() => void tries(() => join(match))}>Sit down</button></p>` : nothing}
    ${links.map((/** @type {any} */ one) => html`<label>Send this link to a friend, for seat ${one.seat}
      <input readonly .value=${link(one)} @focus=${(/** @type {Event} */ event) => /** @type {HTMLInputElement} */ (event.target).select()}></label>
      <button type="button" @click=${() => navigator.clipboard?.writeText(link(one))}>Copy the link</button>`)}</section>`;
}

export function invitation() {
  return html`<h1 tabindex="-1" id="title">You are invited to a table</h1>${trouble()}
    <p class="lead">A seat is kept for you. You need no account: this browser keeps it.</p>
    <p><button type="button" class="main" ?disabled=${state.isSending} @click=${() => void tries(sitDown)}>Sit down</button> <a class="back" href="#">All games</a></p>`;
}
