/** The questions before a move: which of several moves, or which of its options. */

import {names} from "../table/cards.js";
import {loadStyles} from "../table/later.js";
import {says as common} from "../words/asking.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";
import choosingStyles from "./choosing.css?url";

loadStyles(choosingStyles);

/** @typedef {import("../table/controls.js").Ways} Ways */

/**
 * Ask which of several moves is meant, or for the rest of one.
 * @param {import("../table/store.ts").Ask} ask
 * @param {Ways} ways
 * @param {() => void} leave
 */
export function question(ask, ways, leave) {
  const not = html`<button type="button" class="quiet" @click=${leave}>${common.notNow}</button>`;
  const escapes = (/** @type {KeyboardEvent} */ {key}) => { if (key === "Escape") leave(); };
  return html`<div class="ask ${ask.isGrave ? "grave" : ""}" role="group" aria-label=${ask.title}
    @keydown=${escapes}>${names.large(ask.card ?? "")}<span class="hint">${ask.title}</span>
    ${ask.isGrave ? not : nothing}
    ${repeat(ask.options, (option) => JSON.stringify(option), (option) => html`<button type="button" class="main"
      ?disabled=${ways.isStill} @click=${() => ways.take(option)}>${option.label}</button>`)}
    ${ask.isGrave ? nothing : not}</div>`;
}
