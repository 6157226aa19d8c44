/** Names players of tournaments, with links to their profiles. */

import {state} from "../table/app.js";
import {says} from "../words/tournaments.js";
import {html, nothing} from "lit-html";

/** @typedef {{id: string, name: string | null, handle: string | null} | null | undefined} Player null for a bot */

/** @param {Player} player */
export const plainName = (player) => player ? player.name ?? says.erased : says.bot;

/** Name a player, with a link to the profile if there is a handle. @param {Player} player */
export const person = (player) =>
  html`${player?.handle ? html`<a class="who" href="#player=${player.handle}">${plainName(player)}</a>`
  : html`<span class="who">${plainName(player)}</span>`}
  ${player && player.id === state.me ? html`<span class="chip mine">${says.you}</span>` : nothing}`;
