/** The start: what waits for the reader, tables to join, and all games. */

import {inOrder, left, toJoin} from "./waiting.js";
import {withSigns} from "./words.js";
import {html, nothing} from "./vendor/lit-html/lit-html.js";
import {repeat} from "./vendor/lit-html/directives/repeat.js";

/**
 * @typedef {object} Starting
 * @property {import("./store.js").State} state
 * @property {string} root
 * @property {number} now in milliseconds, as the server counts
 * @property {unknown} trouble what has gone wrong, in words
 * @property {(game: string) => string} title
 * @property {(name: string) => void} rename
 * @property {(game: any) => void} play
 * @property {(match: any) => void} join
 */

const MOST_OVER = 5;
/** So many matches that are over are listed. */

/** @param {Starting} starting */
export function start(starting) {
  const {state, root} = starting;
  return html`
    <h1 tabindex="-1" id="title">Cards, now</h1>
    <p class="lead">Choose a game and play it against bots. You need no account: this browser keeps your seat.</p>
    ${starting.trouble}${named(starting)}${mine(starting)}${open(starting)}
    <section><h2>Games</h2><ul class="games">${repeat(state.games, ({game}) => game, (game) => html`
      <li><h3>${game.title}</h3>
        <p class="soft">${game.seats.min === game.seats.max ? game.seats.min : `${game.seats.min} to ${game.seats.max}`} players</p>
        <p>${game.about.split(". ").slice(0, 2).join(". ").replace(/\.?$/, ".")}</p>
        <button type="button" class="main" ?disabled=${state.isSending} @click=${() => starting.play(game)}>Play ${game.title}</button>
        <p class="ways">${game.seats.max > 1 ? html`<a class="button" href="#new=${game.game}" aria-label="Make a table of ${game.title}">Make a table</a>` : nothing}
          <a href="${root}/docs/rules/${game.game}" aria-label="Rules of ${game.title}">Rules</a></p></li>`)}</ul></section>
    <p class="soft"><a href="${root}/docs">For programs: the API</a></p>`;
}

/** @param {Starting} starting */
function named({state, rename}) {
  if (state.player === null) return nothing;
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    rename(String(new FormData(form).get("name")).trim());
    /** @type {HTMLDetailsElement} */ (form.closest("details")).open = false;
  };
  return html`<details class="named"><summary>You play as ${state.player}</summary>
    <form @submit=${send}><label>Your name, as others see it <input name="name" required maxlength="40" autocomplete="nickname" .defaultValue=${state.player}></label>
      <button type="submit">Take this name</button></form></details>`;
}

/** @param {Starting} starting */
function mine({state, now, title}) {
  const rows = inOrder(state.mine, state.inbox, state.turns), others = rows.filter(({match}) => !match.ended_at);
  const shown = [...others, ...rows.filter(({match}) => match.ended_at).slice(0, MOST_OVER)];
  if (!shown.length) return nothing;
  return html`<section><h2>Your matches</h2><ul class="mine rows">${repeat(shown, ({match}) => match.id, ({match, says, since, isMine, deadline}) => html`
    <li class=${isMine ? "waits" : ""}><a href="#m=${match.id}">${title(match.game)} <span class="says">${says}${deadline ? `, ${left(Date.parse(deadline) - now)}` : ""}</span></a>
      <span class="soft since">${[with_(match, state.me), withSigns(last(since))].filter(Boolean).join(" · ")}</span></li>`)}</ul></section>`;
}

/** @param {Starting} starting */
function open({state, title, join}) {
  const tables = toJoin(state.open, state.mine);
  if (!tables.length) return nothing;
  return html`<section><h2>Tables that you can join</h2><ul class="joins rows">${repeat(tables, ({id}) => id, (match) => html`
    <li><span><strong>${title(match.game)}</strong> <span class="soft">${with_(match, state.me)} · ${free(match)}</span></span>
      <button type="button" ?disabled=${state.isSending} aria-label="Sit down at the table of ${title(match.game)} ${with_(match, state.me)}" @click=${() => join(match)}>Sit down</button>
      <a href="#m=${match.id}" aria-label="Look at the table of ${title(match.game)} ${with_(match, state.me)}">Look at it</a></li>`)}</ul></section>`;
}

/** Give the last sentence. @param {string} text */
const last = (text) => /[^.]+\.?$/.exec(text)?.[0].trim() ?? "";

/** Say who else sits at a table. @param {any} match @param {string | null} me */
function with_({seats}, me) {
  const people = seats.filter((/** @type {any} */ one) => one.player && one.player.id !== me).map((/** @type {any} */ one) => one.player.name);
  const bots = seats.filter((/** @type {any} */ one) => one.kind === "bot").length;
  const all = [...people, ...(bots ? [bots === 1 ? "a bot" : `${bots} bots`] : [])];
  return all.length ? `with ${all.join(", ")}` : "";
}

/** @param {any} match */
function free({seats}) {
  const count = seats.filter((/** @type {any} */ one) => one.kind === "open").length;
  return count === 1 ? "a seat is free" : `${count} seats are free`;
}
