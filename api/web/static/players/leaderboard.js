/** Shows who plays a game best, and where the reader stands. */

import {poolInWords} from "./rated.js";
import {state} from "../table/app.js";
import {titleOfGame} from "../table/seating.js";
import {trouble} from "../table/trouble.js";
import {moment, number} from "../words/language.js";
import {says} from "../words/players.js";
import {says as common} from "../words/table.js";
import {html, nothing} from "../table/vendor/lit-html/lit-html.js";
import {repeat} from "../table/vendor/lit-html/directives/repeat.js";

/** @param {Event} event */
const valueOf = (event) => /** @type {HTMLSelectElement} */ (event.target).value;

/** @param {import("./players.js").Board} board @param {() => void} more */
export function leaderboard(board, more) {
  const {game, pace, of, items, me, next} = board;
  const goes = (/** @type {string} */ one, /** @type {string} */ how) => {
    location.hash = `leaderboard=${one}&pace=${how}`; };
  return html`<div class="bar"><a class="back" href="#">${common.allGames}</a></div>
    <h1 tabindex="-1" id="title">${says.best(titleOfGame(state.games, game))}</h1>${trouble()}
    <div class="asking"><label>${says.game} <select name="game"
      @change=${(/** @type {Event} */ event) =>
      goes(valueOf(event), pace)}>${state.games.map((one) =>
      html`<option value=${one.game} ?selected=${one.game === game}
        .selected=${one.game === game}>${one.title}</option>`)}</select></label>
      <label>${says.pace} <select name="pace" @change=${(/** @type {Event} */ event) =>
        goes(game, valueOf(event))}>${Object.entries(says.paces)
        .map(([name, said]) => html`<option value=${name} ?selected=${name === pace}
          .selected=${name === pace}>${said}</option>`)}</select></label></div>
    ${me ? html`<p class="yours"><strong>${says.yourPlace(me.place, me.rating)}</strong></p>` : nothing}
    ${items.length ? html`<table class="ranks board"><caption>${poolInWords({of, pace})}</caption>
      <thead><tr><th scope="col" class="n">${says.place}</th><th scope="col">${says.player}</th><th scope="col"
        class="n">${says.rating}</th><th scope="col" class="n">${says.matches}</th><th scope="col"
        class="n">${says.won}</th><th scope="col" class="late">${says.when}</th></tr></thead>
      <tbody>${repeat(items, ({player}) => player.id,
        (row) => html`<tr class=${row.player.id === state.me ? "me" : ""}><td class="n">${number(row.place)}</td>
        <th scope="row"><a class="who" href="#player=${row.player.handle}">${row.player.name}</a>${row.player.id
          === state.me ? html` <span class="chip mine">${says.you}</span>` : nothing}</th>
        <td class="n"><strong>${row.rating}</strong></td><td class="n">${number(row.matches)}</td><td
          class="n">${number(row.wins)}</td><td
          class="soft late">${moment(new Date(row.last_at))}</td></tr>`)}</tbody></table>`
      : html`<p class="empty">${says.nobody}</p>`}
    ${next ? html`<p><button type="button" @click=${more}>${says.more}</button></p>` : nothing}
    <p class="soft">${says.aboutBoard}</p>`;
}
