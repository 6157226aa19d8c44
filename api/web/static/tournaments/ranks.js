/** Shows the players of a tournament, and the standings. */

import {found} from "./happenings.js";
import {person} from "./people.js";
import {rate} from "./plan_words.js";
import {number} from "../words/language.js";
import {says as common} from "../words/table.js";
import {says} from "../words/tournaments.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";

/** @typedef {import("./tournament_place.js").Placed} Placed */

const MANY = 15;

/** Show a search field, if there are many players. @param {Placed} placed @param {number} count */
export const finding = ({ground, happened}, count) => count < MANY ? nothing : html`<label class="finds">${says.find}
  <input type="search" .value=${ground.wanted} @input=${(/** @type {Event} */ event) =>
    happened({is: "finds", wanted: /** @type {HTMLInputElement} */ (event.target).value})}></label>`;

/**
 * Return the shown rows.
 * @template T
 * @param {Placed} placed
 * @param {T[]} rows
 */
export const shown = ({ground: {first, most}}, rows) => rows.slice(first, first + most);

/** Show the button for earlier rows. @param {Placed} placed */
const before = ({ground, happened}) => ground.first ? html`<p><button type="button"
  @click=${() => happened({is: "widens", isBefore: true})}>${says.showBefore(ground.first)}</button></p>` : nothing;

/** Show the button for more rows. @param {Placed} placed @param {unknown[]} rows */
export function rest({ground, happened}, rows) {
  const more = rows.length - ground.first - ground.most;
  if (!rows.length && ground.wanted) return html`<p class="empty">${says.nobodyFound}</p>`;
  return more > 0 ? html`<p><button type="button"
    @click=${() => happened({is: "widens"})}>${says.showMore(more)}</button></p>` : nothing;
}

/** @param {Placed} placed */
export function playersPart(placed) {
  const {ground} = placed;
  if (!ground.entries) return html`<p role="status">${common.oneMoment}</p>`;
  const {items, waiting} = ground.entries;
  if (!items.length) return html`<p class="empty">${says.noPlayers}</p>`;
  const inside = new Set(items.flatMap((one) => one.left_after === null ? one.player.id : []));
  const all = items.filter((one) => one.left_after === null || !inside.has(one.player.id));
  const rows = found(all, ground.wanted,
    ({player, club}) => [player.name, player.handle, club]);
  return html`${finding(placed, all.length)}<ol
    class="entrants">${repeat(shown(placed, rows), ({entrant}) => entrant,
      (one) => html`<li>${person(one.player)}
      ${one.club ? html`<span class="soft">${one.club}</span>` : nothing}${one.rests
        ? html`<span class="chip">${says.rests}</span>` : nothing}${one.left_after === null
        ? nothing : html`<span class="chip">${one.out ? says.wasTakenOut : says.hasLeft}</span>`}</li>`)}</ol>${rest(
        placed, rows)}
    ${waiting.length ? html`<h2>${says.waiting}</h2><ol
      class="entrants">${waiting.map((one) => html`<li>${person(one)}</li>`)}</ol>` : nothing}`;
}

/** @param {Placed} placed */
export function standingsPart(placed) {
  const {ground} = placed, t = ground.tournament;
  if (!ground.standings) return html`<p role="status">${common.oneMoment}</p>`;
  if (!ground.standings.items.length) return html`<p class="empty">${says.notYet}</p>`;
  const all = ground.standings.items, rows =
    found(all, ground.wanted, ({player}) => [player.name, player.handle]);
  return html`${finding(placed, all.length)}${ground.standings.round || t.continuous ? nothing
    : html`<p class="soft">${says.nothingCounts}</p>`}${mine(placed, rows)}${before(placed)}<table
    class="ranks"><caption>${t.continuous && t.status === "playing" ? says.soFar
      : says.afterRound(ground.standings.round)}</caption>
    <thead><tr><th scope="col" class="n">${says.place}</th><th scope="col">${says.player}</th><th scope="col"
      class="n">${all[0]?.chips === null ? says.points : says.chips}</th>
      <th scope="col" class="n tie">${says.opponents}</th><th scope="col" class="n tie">${says.games}</th><th
        scope="col" class="n tie">${says.opponentsGames}</th></tr></thead>
    <tbody>${repeat(shown(placed, rows), ({entrant}) => entrant,
      (row) => html`<tr tabindex=${row.entrant === t.your_entrant ? -1 : nothing}
        class="${row.entrant === t.your_entrant ? "me" : ""} ${row.left ? "gone" : ""}">
      <td class="n">${row.place}</td><th scope="row">${person(row.player)}${row.byes
        ? html` <small class="soft">${says.byes(row.byes)}</small>` : nothing}${row.left
        ? html` <small class="soft">${says.hasLeft}</small>` : nothing}</th>
      <td class="n"><strong>${number(row.chips ?? row.points)}</strong></td><td
        class="n tie">${rate(row.opponents)}</td><td class="n tie">${rate(row.games)}</td><td
        class="n tie">${rate(row.opponents_games)}</td></tr>`)}</tbody></table>
    ${rest(placed, rows)}${ties(t)}`;
}

/**
 * Show the reader's place, with a button that leads there if its row is not shown.
 * @param {Placed} placed
 * @param {Api.Standings["items"]} rows
 */
function mine(placed, rows) {
  const {ground: {tournament: t, standings}, happened} = placed;
  const at = rows.findIndex(({entrant}) => entrant === t.your_entrant), own = rows[at];
  if (!own || shown(placed, rows).includes(own)) return nothing;
  return html`<p class="own-place">${says.placeAmong(own.place, standings?.items.length ?? 0)} <button type="button"
    @click=${() => { happened({is: "turns", row: at});
      /** @type {HTMLElement | null} */ (document.querySelector(".ranks .me"))?.focus();
    }}>${says.showOwn}</button></p>`;
}

/** Explain how ties are broken. @param {Api.Tournament} t */
const ties = (t) => html`<details><summary>${says.aboutTies}</summary>
  ${t.format.endsWith("elimination") || t.cut ? html`<p>${says.tiesKnockOut}</p>` : nothing}
  <p>${t.seats === 2 ? says.tiesDuel : says.tiesTable}</p><p>${says.tiesThen}</p>
  <ol class="steps">${says.ties.map((one) => html`<li>${one}</li>`)}</ol><p>${says.tiesThird}</p></details>`;
