/** The questions before a move: which of several moves, or which of its options. */

import {names} from "../table/cards.js";
import {looks} from "../table/later.js";
import {titleOf} from "../table/moves.js";
import {completed} from "../table/ways.js";
import {says as common} from "../words/asking.js";
import {says} from "../words/choosing.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";
import choosingStyles from "./choosing.css?url";

looks(choosingStyles);

/** @typedef {import("../table/store.ts").Move} Move @typedef {import("../table/controls.js").Ways} Ways */

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

const FEW = 2;  // maximum number of moves with a button each

/** Offer the ways to make a move that has no choice of its own. @param {Move} move @param {Ways} ways */
export function further(move, ways) {
  const options = completed(move, {}).filter(({args}) => Object.keys(args).length);
  const names = Object.values(move.args.properties ?? {}).flatMap((part) => part.enum && part.title || []),
    title = titleOf(move);
  const button = (/** @type {string} */ text, /** @type {() => void} */ press) => html`<button type="button"
    class="quiet" aria-label=${says.furtherOf(title, text)} ?disabled=${ways.isStill} @click=${press}>${text}</button>`;
  if (options.length <= FEW)
    return options.map((option) => button(says.furtherSo(names, option.label), () => ways.take(option)));
  const more = says.further(names);
  return button(more, () => ways.ask({title: says.furtherOf(title, more), options}));
}
