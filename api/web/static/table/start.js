/** The start: what waits for the reader, tables to join, and all games. */

import {face, look} from "./cards.js";
import {personal} from "./seating.js";
import {inOrder, left, toJoin} from "./waiting.js";
import {says} from "../words/table.js";
import {html, nothing} from "./vendor/lit-html/lit-html.js";
import {repeat} from "./vendor/lit-html/directives/repeat.js";

/**
 * @typedef {object} Starting
 * @property {import("./store.js").State} state
 * @property {string} root
 * @property {number} now in milliseconds, as the server counts
 * @property {unknown} trouble what has gone wrong, in words
 * @property {(game: string) => string} title
 * @property {(isOpen: boolean) => void} unfold
 * @property {unknown} me what a reader may do about who plays here
 * @property {(game: any) => void} play
 * @property {(match: any) => void} join
 */

const MOST_OVER = 5;
/** So many matches that are over are listed. */

const FAN = ["TC", "JD", "QH", "AS"];
/** These cards adorn the start. */

/** @param {Starting} starting */
export function start(starting) {
  const {state, root} = starting;
  return html`
    <header class="hero"><h1 tabindex="-1" id="title">${says.welcome}</h1><p class="lead">${says.lead}</p>
      <div aria-hidden="true">${FAN.map((card) => html`<span class=${look(card)}>${face(card)}</span>`)}</div></header>
    <p class="ways"><a class="button" href="#tournaments">${says.tournaments}</a> <a class="button" href="#leaderboard">${says.leaderboards}</a></p>
    ${starting.trouble}${named(starting)}${mine(starting)}${open(starting)}
    <section><h2>${says.games}</h2><ul class="games">${repeat(state.games, ({game}) => game, (game) => html`
      <li><h3>${game.title}</h3>
        <p class="soft">${says.players(game.seats.min, game.seats.max)}${game.minutes ? `, ${says.minutes(game.minutes.least, game.minutes.most)}` : ""}</p>
        <p>${game.summary}</p>
        <button type="button" class="main" ?disabled=${state.isSending} @click=${() => starting.play(game)}>${says.play(game.title)}</button>
        <p class="ways">${game.seats.max > 1 ? html`<a class="button" href="#new=${game.game}" aria-label=${says.makeTableOf(game.title)}>${says.makeTable}</a>` : nothing}
          <a href="${root}/docs/rules/${game.game}" aria-label=${says.rulesOf(game.title)}>${says.rules}</a></p></li>`)}</ul></section>
    <p class="soft"><a href="${root}/docs">${says.forPrograms}</a></p>`;
}

/** @param {Starting} starting */
function named({state, unfold, me}) {
  return html`<details class="named" @toggle=${(/** @type {Event} */ event) => unfold(/** @type {HTMLDetailsElement} */ (event.target).open)}>
    <summary>${state.player === null ? says.playedElsewhere : says.youPlayAs(state.player)}</summary>${me}</details>`;
}

/** @param {Starting} starting */
function mine({state, now, title}) {
  const rows = inOrder(state.mine, state.inbox, state.turns), others = rows.filter(({match}) => !match.ended_at);
  const shown = [...others, ...rows.filter(({match}) => match.ended_at).slice(0, MOST_OVER)];
  if (!shown.length) return nothing;
  return html`<section><h2>${says.yourMatches}</h2><ul class="mine rows">${repeat(shown, ({match}) => match.id, ({match, says: waits, since, isMine, deadline}) => html`
    <li class=${isMine ? "waits" : ""}><a href="#m=${match.id}">${title(match.game)} <span class="says">${waits}${deadline ? `, ${left(Date.parse(deadline) - now)}` : ""}</span></a>
      <span class="soft since">${[company(match, state.me), personal(ofReader(match, state.me), last(since))].filter(Boolean).join(" · ")}</span></li>`)}</ul></section>`;
}

/** @param {Starting} starting */
function open({state, title, join}) {
  const tables = toJoin(state.open, state.mine);
  if (!tables.length) return nothing;
  return html`<section><h2>${says.openTables}</h2><ul class="joins rows">${repeat(tables, ({id}) => id, (match) => html`
    <li><span><strong>${title(match.game)}</strong> <span class="soft">${company(match, state.me)} · ${free(match)}</span></span>
      <button type="button" ?disabled=${state.isSending} aria-label=${says.sitDownAt(title(match.game), company(match, state.me))} @click=${() => join(match)}>${says.sitDown}</button>
      <a href="#m=${match.id}" aria-label=${says.lookAt(title(match.game), company(match, state.me))}>${says.lookAtIt}</a></li>`)}</ul></section>`;
}

/** Give a match of a list with the seats of the reader. @param {any} match @param {string | null} me */
function ofReader(match, me) {
  const own = match.seats.flatMap((/** @type {any} */ one, /** @type {number} */ seat) => me && one.player?.id === me ? [seat] : []);
  return {...match, your_seat: own[0] ?? null, your_seats: own};
}

/** Give the last sentence. @param {string} text */
const last = (text) => /[^.]+\.?$/.exec(text)?.[0].trim() ?? "";

/** Say who else sits at a table. @param {any} match @param {string | null} me */
function company({seats}, me) {
  const people = seats.filter((/** @type {any} */ one) => one.player && one.player.id !== me).map((/** @type {any} */ one) => one.player.name);
  const bots = seats.filter((/** @type {any} */ one) => one.kind === "bot").length;
  return people.length || bots ? says.others(people, bots) : "";
}

/** @param {any} match */
const free = ({seats}) => says.free(seats.filter((/** @type {any} */ one) => one.kind === "open").length);
