/** Lists the matches of the reader, and the tables to join: who waits there, how strong they are, and whether it is rated. */

import {inOrder, withRoom} from "./order.js";
import {counts, strength} from "../players/rated.js";
import {api, state, tries} from "../table/app.js";
import {join} from "../table/joining.js";
import {personal, titleOfGame} from "../table/seating.js";
import {left} from "../table/waiting.js";
import {says} from "../words/making.js";
import {says as common} from "../words/table.js";
import {html, nothing} from "../table/vendor/lit-html/lit-html.js";
import {repeat} from "../table/vendor/lit-html/directives/repeat.js";

const MOST_OVER = 5;
/** So many matches that are over are listed. */

export const lists = () => html`${mine()}${toJoin()}`;

/** @param {{game: string}} match */
const title = ({game}) => titleOfGame(state.games, game);

function mine() {
  const rows = inOrder(state.mine, state.inbox, state.turns), others = rows.filter(({match}) => !match.ended_at);
  const shown = [...others, ...rows.filter(({match}) => match.ended_at).slice(0, MOST_OVER)];
  if (!shown.length) return nothing;
  return html`<section><h2>${says.yourMatches}</h2><ul class="mine rows">${repeat(shown, ({match}) => match.id, ({match, says: waits, since, isMine, deadline}) => html`
    <li class=${isMine ? "waits" : ""}><a href="#m=${match.id}">${title(match)} <span class="says">${waits}${deadline ? `, ${left(Date.parse(deadline) - api.now())}` : ""}</span></a>
      <span class="soft since">${[company(match, state.me), personal(ofReader(match, state.me), last(since))].filter(Boolean).join(" · ")}</span></li>`)}</ul></section>`;
}

/** Give a match of a list with the seats of the reader. @param {Api.MatchOfList} match @param {string | null} me */
function ofReader(match, me) {
  const own = match.seats.flatMap((one, seat) => me && one.player?.id === me ? [seat] : []);
  return {...match, your_seat: own[0] ?? null, your_seats: own};
}

/** Give the last sentence. @param {string} text */
const last = (text) => /[^.]+\.?$/.exec(text)?.[0].trim() ?? "";

/** Say who else sits at a table. @param {Api.MatchOfList} match @param {string | null} me @param {(seat: Api.ListedSeat) => string | null} [name] */
function company({seats}, me, name = ({player}) => player?.name ?? null) {
  const people = seats.filter((one) => one.player && one.player.id !== me).map((one) => name(one) ?? "");
  const bots = seats.filter((one) => one.kind === "bot").length;
  return people.length || bots ? says.others(people, bots) : "";
}

function toJoin() {
  const there = withRoom(state.open, state.mine);
  if (!there.length) return nothing;
  return html`<section><h2>${says.openTables}</h2><ul class="joins rows">${repeat(there, ({id}) => id, (match) => html`
    <li><span><strong>${title(match)}</strong> <span class="soft">${[company(match, state.me, strength), free(match), ...(match.rated ? [counts(match)] : [])].filter(Boolean).join(" · ")}</span></span>
      <button type="button" ?disabled=${state.isSending} aria-label=${says.sitDownAt(title(match), company(match, state.me))} @click=${() => void tries(() => join(match))}>${common.sitDown}</button>
      <a href="#m=${match.id}" aria-label=${says.lookAt(title(match), company(match, state.me))}>${common.lookAtIt}</a></li>`)}</ul></section>`;
}

/** @param {Api.MatchOfList} match */
const free = ({seats}) => says.free(seats.filter((one) => one.kind === "open").length);
