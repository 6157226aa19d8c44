/** Lists tournaments: open, running and finished ones, and the reader's own. */

import {format, standing} from "./plan_words.js";
import {plainName} from "./people.js";
import {state} from "../table/app.js";
import {titleOfGame} from "../table/seating.js";
import {trouble} from "../table/trouble.js";
import {left} from "../table/waiting.ts";
import {says as common} from "../words/table.js";
import {says} from "../words/tournaments.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";

/**
 * @param {{list: import("./happenings.js").Listing | null, which: string, now: number, isKnown: boolean, more: () =>
 *   void}} shown
 */
export function tournamentList({list, which, now, isKnown, more}) {
  const items = list?.which === which ? list.items : null;
  return html`
    <div class="bar"><a class="back" href="#">${common.allGames}</a></div>
    <header class="hero sign"><h1 tabindex="-1" id="title">${says.tournaments}</h1><p class="lead">${says.lead}</p>
      <p><a class="button main" href="#announce">${says.announceOne}</a></p></header>
    ${trouble()}
    <nav class="tabs" aria-label=${says.whichOnes}>${Object.entries(says.lists)
      .filter(([name]) => name !== "mine" || isKnown).map(([name, said]) => html`
      <a href="#tournaments=${name}" aria-current=${name === which ? "page" : nothing}>${said}</a>`)}</nav>
    ${items?.length ? html`<ul class="tours">${repeat(items, ({id}) => id, (one) => row(one, now))}</ul>` : items
      ? html`<p class="empty">${says.none[which] ?? ""}</p>` : nothing}
    ${items && list?.next ? html`<p><button type="button" @click=${more}>${says.more}</button></p>` : nothing}`;
}

/** @param {Api.ListedTournament} one @param {number} now */
const row = (one, now) => html`<li class="is-${one.status}">
  <h2><a href="#tournament=${one.id}">${one.name}</a></h2>
  <p class="what">${titleOfGame(state.games, one.game)} · ${format({...one, seats: 2})}</p>
  <p class="soft">${[says.runBy(plainName(one.organiser)), says.entrants(one.entrants, one.most),
    one.status === "announced" && one.closes_at ? says.closes(left(Date.parse(one.closes_at) - now))
      : ""].filter(Boolean).join(" · ")}</p>
  <span class="chip state-${one.status}">${standing(one)}</span></li>`;
