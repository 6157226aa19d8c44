/** Shows the best players of a game, and the reader's place among them. */

import {poolInWords} from "./rated.js";
import {state} from "../table/app.js";
import {titleOfGame} from "../table/seating.js";
import {trouble} from "../table/trouble.js";
import {moment, number} from "../words/language.js";
import {says} from "../words/players.js";
import {says as common} from "../words/table.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";

/**
 * Draw a select field.
 * @param {string} label
 * @param {string} name
 * @param {[string, string][]} rows
 * @param {string} chosen
 * @param {(one: string) => void} goes
 */
const choice = (label, name, rows, chosen, goes) => html`<label>${label} <select name=${name}
  @change=${(/** @type {Event} */ event) => goes(/** @type {HTMLSelectElement} */ (event.target).value)}>${
  rows.map(([one, said]) => html`<option value=${one} ?selected=${one === chosen}
    .selected=${one === chosen}>${said}</option>`)}</select></label>`;

/** @param {import("./players.js").Board} board @param {() => void} more */
export function leaderboard(board, more) {
  const {game, pace, of, title, classes, items, me, next} = board;
  const goes = (/** @type {string} */ one, /** @type {string} */ how, /** @type {string} */ kind = "") => {
    location.hash = `leaderboard=${one}&pace=${how}${kind && `&of=${kind}`}`; };
  const kinds = classes.some((one) => one.of === of) ? classes : [...classes, {of, title}];
  return html`<div class="bar"><a class="back" href="#">${common.allGames}</a></div>
    <h1 tabindex="-1" id="title">${says.best(titleOfGame(state.games, game))}</h1>${trouble()}
    <div class="asking">
      ${choice(says.game, "game", state.games.map((one) => [one.game, one.title]), game, (one) => goes(one, pace))}
      ${kinds.length > 1 ? choice(says.kind, "of", kinds.map((one) => [one.of, one.title || says.usual]), of,
        (one) => goes(game, pace, one)) : nothing}
      ${choice(says.pace, "pace", Object.entries(says.paces), pace, (one) => goes(game, one, of))}</div>
    ${me ? html`<p class="yours"><strong>${says.yourPlace(me.place, me.rating)}</strong></p>` : nothing}
    ${items.length ? html`<table class="ranks board"><caption
      class=${kinds.length > 1 || !title ? "unseen" : nothing}>${poolInWords({title, pace})}</caption>
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
