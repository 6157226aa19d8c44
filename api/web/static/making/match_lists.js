/** Lists the reader's matches, and what each waits for. */

import {inOrder} from "./order.js";
import {api, repaint, state, attempt} from "../table/app.js";
import {company} from "../table/joins.js";
import {loadStyles} from "../table/later.js";
import {more} from "../table/listing.js";
import {personal} from "../table/retold.js";
import {nameOf, titleOfGame} from "../table/seating.js";
import {left} from "../table/waiting.ts";
import {moment} from "../words/language.js";
import {says} from "../words/making.js";
import {says as common} from "../words/table.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";
import listsStyles from "./lists.css?url";

export {own} from "./own.js";

loadStyles(listsStyles);

const FEW_OVER = 5, MORE_OVER = 25;
let mostOver = FEW_OVER;  // maximum number of finished matches listed now

/** List more finished matches, reading more if necessary. */
async function listMore() {
  mostOver += MORE_OVER;
  repaint();
  if (state.more.mine) await more("mine");
}

/** @param {{game: string}} match */
const title = ({game}) => titleOfGame(state.games, game);

export function lists() {
  const rows = inOrder(state.mine, state.inbox, state.turns), others = rows.filter(({match}) => !match.ended_at);
  const over = rows.filter(({match}) => match.ended_at);
  if (!rows.length) return nothing;
  return html`<section><h2>${says.yourMatches}</h2>${others.length ? goingOn(others) : nothing}${over.length
    ? finished(over.slice(0, mostOver)) : nothing}
    ${over.length > mostOver || state.more.mine
      ? html`<p><button type="button" class="quiet more"
      @click=${() => void attempt(listMore)}>${says.moreMatches}</button></p>` : nothing}</section>`;
}

/** List matches that wait for the reader, or for other players. @param {import("./order.js").Row[]} rows */
const goingOn = (rows) => html`<ul
    class="mine rows">${repeat(rows, ({match}) => match.id, ({match, says: waits, since, isMine, deadline}) => html`
    <li class=${isMine ? "waits" : ""}><a href="#m=${match.id}">${title(match)} <span
      class="says">${waits}${deadline ? `, ${left(Date.parse(deadline) - api.now())}` : ""}</span></a>
      <span class="soft since">${[company(match, state.me),
        personal(ofReader(match, state.me), last(since))].filter(Boolean)
        .join(" · ")}</span></li>`)}</ul>`;

/**
 * List finished matches: opponents, result and time, with a link to the replay.
 * @param {import("./order.js").Row[]} rows
 */
const finished = (rows) => html`<h3>${says.finished}</h3><ul
    class="mine rows finished">${repeat(rows, ({match}) => match.id, ({match, says: how}) => html`
    <li><a href="#m=${match.id}">${title(match)} <span class="says">${outcome(match) ?? how}</span></a>
      <span class="soft since">${[moment(new Date(match.ended_at ?? 0)), company(match, state.me)].filter(Boolean)
        .join(" · ")}</span>${match.started_at ? html`<a class="looks" href="#m=${match.id}&v=first"
        aria-label=${says.lookBackAt(title(match), company(match, state.me))}>${says.lookBack}</a>`
        : nothing}</li>`)}</ul>`;

/** Say who won a listed match, if it counts and has a winner. @param {Api.MatchOfList} match */
function outcome(match) {
  const winners = match.result?.winners ?? [];
  return winners.length && !match.annulled
    ? common.winners(winners.map((seat) => nameOf(ofReader(match, state.me), seat))) : undefined;
}

/** Return a listed match with the reader's seats. @param {Api.MatchOfList} match @param {string | null} me */
function ofReader(match, me) {
  const own = match.seats.flatMap((one, seat) => me && one.player?.id === me ? [seat] : []);
  return {...match, your_seat: own[0] ?? null, your_seats: own};
}

/** Return the last sentence of a text. @param {string} text */
const last = (text) => /[^.]+\.?$/.exec(text)?.[0].trim() ?? "";
