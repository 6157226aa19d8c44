/** The start page: the reader's matches, open tables, and all games. */

import {face, look} from "./cards.js";
import {says} from "../words/table.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";

/**
 * @typedef {object} Starting
 * @property {import("./store.ts").State} state
 * @property {string} root
 * @property {unknown} trouble the last error, in words
 * @property {(isOpen: boolean) => void} unfold
 * @property {unknown} me the controls of the player
 * @property {(game: Api.ListedGame) => void} play
 * @property {unknown} lists the lists of the reader's matches
 * @property {unknown} joins open tables
 */

const FAN = ["TC", "JD", "QH", "AS"];
/** The cards that decorate the start page. */

/** @param {Starting} starting */
export function start(starting) {
  const {state, root} = starting;
  return html`
    <header class="hero"><h1 tabindex="-1" id="title">${says.welcome}</h1><p class="lead">${says.lead}</p>
      <div aria-hidden="true">${FAN.map((card) => html`<span class=${look(card)}>${face(card)}</span>`)}</div></header>
    <div class="top"><p class="ways"><a class="button" href="#tournaments">${says.tournaments}</a> <a class="button"
      href="#leaderboard">${says.leaderboards}</a></p>${named(starting)}</div>
    ${starting.trouble}${starting.lists}${starting.joins}
    <section><h2>${says.games}</h2><ul class="games">${repeat(state.games, ({game}) => game, (game, i) => html`
      <li><span class="cover hue-${i % 6}" aria-hidden="true">${game.title.slice(0, 1)}</span>
        <h3>${game.title}</h3>
        <p class="soft">${says.players(game.seats.min, game.seats.max)}${game.minutes
          ? `, ${says.minutes(game.minutes.least, game.minutes.most)}` : ""}</p>
        <p>${game.summary}</p>
        <p class="ways"><button type="button" class="main" ?disabled=${state.isSending}
          aria-label=${says.play(game.title)} @click=${() => starting.play(game)}>${says.playNow}</button>
          ${game.seats.max > 1 ? html`<a class="button" href="#new=${game.game}"
          aria-label=${says.makeTableOf(game.title)}>${says.makeTable}</a>` : nothing}
          <a href="${root}/docs/rules/${game.game}"
            aria-label=${says.rulesOf(game.title)}>${says.rules}</a></p></li>`)}</ul></section>
    <p class="ways"><a class="button" href="${root}/docs">${says.forPrograms}</a></p>`;
}

/** @param {Starting} starting */
function named({state, unfold, me}) {
  return html`<details class="named" @toggle=${(/** @type {Event} */ event) =>
    unfold(/** @type {HTMLDetailsElement} */ (event.target).open)}>
    <summary>${state.player === null ? says.playedElsewhere : says.youPlayAs(state.player)}</summary>${me}</details>`;
}
