/** Shows the public profile of a player: ratings with their history, and reliability. */

import {poolInWords} from "./rated.js";
import {changes, line} from "./rating_line.js";
import {state} from "../table/app.js";
import {titleOfGame} from "../table/seating.js";
import {trouble} from "../table/trouble.js";
import {moment, number} from "../words/language.js";
import {says} from "../words/players.js";
import {says as common} from "../words/table.js";
import {html, nothing} from "lit-html";

const [WIDTH, HEIGHT] = [600, 160], LATEST = 10;

/**
 * @param {import("./players.js").Known} known
 * @param {(one: Api.Ratings["items"][number]) => string} poolOf
 * @param {(listed: boolean) => void} lists
 */
export function profile({player, ratings, history, pool}, poolOf, lists) {
  const isMe = player.id === state.me, chosen = ratings.items.find((one) => poolOf(one) === pool);
  return html`<div class="bar"><a class="back" href="#">${common.allGames}</a></div>
    <header class="hero sign"><h1 tabindex="-1" id="title">${player.name}</h1><p
      class="lead">${says.handle(player.handle)}</p>${isMe ? html`<p>${says.thatIsYou}</p>` : nothing}</header>
    ${trouble()}
    <section><h2>${says.ratings}</h2>${isMe
      ? html`<p>${ratings.listed ? nothing : says.youAreNotListed} <button type="button"
      @click=${() => lists(!ratings.listed)}>${ratings.listed ? says.hideMe : says.listMe}</button></p>` : nothing}
      ${ratings.items.length
        ? html`<ul class="pools">${ratings.items.map((one) =>
          html`<li><a href="#player=${player.handle}&pool=${poolOf(one)}"
            aria-current=${poolOf(one) === pool ? "true" : nothing}>
        <span>${titleOfGame(state.games, one.game)}</span><strong>${one.rating}</strong><span
          class="soft">${poolInWords(one)}${one.provisional ? html` · ${says.provisional}` : nothing}</span><span
          class="soft">${says.played(one.matches, one.wins)}</span></a></li>`)}</ul>
        <p class="soft">${says.about}</p>` : html`<p
          class="empty">${ratings.listed || isMe ? says.noRatings : says.notListed}</p>`}</section>
    ${chosen ? past(history, titleOfGame(state.games, chosen.game)) : nothing}
    <section><h2>${says.reliability}</h2>${reliability(player.reliability)}</section>`;
}

/** @param {Api.RatingChange[]} history the latest first @param {string} game */
function past(history, game) {
  if (!history.length) return nothing;
  const ratings = history.map(({rating}) => rating), {points, least, most} = line(ratings, WIDTH, HEIGHT),
    by = changes(ratings);
  return html`<section><h2>${says.history(game)}</h2>
    ${history.length > 1 ? html`<div class="chart-frame"><div
      aria-hidden="true"><span>${most}</span><span>${least}</span></div>
      <svg class="chart" role="img" aria-label=${says.chart(history.length, least, most, ratings[0] ?? 0)}
        viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none"><polyline
        points=${points.map((one) => one.join(",")).join(" ")}></polyline></svg></div>` : nothing}
    <h3>${says.latest}</h3><table class="ranks board"><thead><tr><th scope="col">${says.when}</th><th scope="col"
      class="n">${says.rating}</th><th scope="col" class="n">${says.change}</th><th
      scope="col">${says.match}</th></tr></thead>
      <tbody>${history.slice(0, LATEST)
        .map((one, i) => html`<tr><td>${moment(new Date(one.at))}</td><td
          class="n"><strong>${one.rating}</strong></td><td class="n">${signed(by[i])}</td>
        <td>${one.match ? html`<a class="see" href="#m=${one.match}"
          aria-label="${says.look}: ${moment(new Date(one.at))}">${says.look}</a>`
          : html`<span class="soft">${says.hidden}</span>`}</td></tr>`)}</tbody></table></section>`;
}

/** @param {number | null | undefined} change */
const signed = (change) => change === null || change === undefined ? "" : change > 0
  ? `+${number(change)}` : number(change);

/** @param {Api.Profile["reliability"]} kept */
function reliability({decisions_in_time: inTime, decisions_late: late, unopened_commitments: unopened,
    aborted_after_commitments: aborted}) {
  const all = inTime + late, broken = unopened + aborted;
  return html`<p>${all ? says.kept(inTime, all) : says.noDeadlines} ${broken ? says.broken(broken) : nothing}</p>`;
}
