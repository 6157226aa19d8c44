/** Looks back at a match: a slider over its versions, by events, tricks and hands. */

import {chips} from "../printed/chips.js";
import {marked} from "../table/store.js";
import {table} from "../table/table.js";
import {html, nothing} from "../table/vendor/lit-html/lit-html.js";

const KEYS = /** @type {Record<string, {kind: string, way: 1 | -1}>} */ ({
  PageUp: {kind: "hand", way: -1}, PageDown: {kind: "hand", way: 1},
  "Shift ArrowLeft": {kind: "trick", way: -1}, "Shift ArrowRight": {kind: "trick", way: 1},
});

/** Write the name of a kind of moments with a capital. @param {string} kind */
const inWords = (kind) => `${kind.charAt(0).toUpperCase()}${kind.slice(1).replaceAll("_", " ")}`;

/**
 * @param {import("../table/store.js").Past} past
 * @param {any} match
 * @param {(seat: number) => string} name
 * @param {(text: string) => string} personal
 * @param {(version: number) => void} go
 */
export function lookingBack(past, match, name, personal, go) {
  const {steps, version} = past, step = steps[version - 1];
  const key = (/** @type {KeyboardEvent} */ event) => {
    const jump = KEYS[`${event.shiftKey ? "Shift " : ""}${event.key}`];
    if (!jump) return;
    event.preventDefault();
    go(marked(past, jump.kind, jump.way));
  };
  const there = new Set(past.marks.map(({at}) => at.split(":")[0] ?? at)), kinds = [...there].filter((kind) => kind !== "game");
  const before = kinds.map((kind) => /** @type {const} */ ([`${inWords(kind)} before`, kind, -1]));
  const jumps = [...before, ...kinds.map((kind) => /** @type {const} */ ([`Next ${kind.replaceAll("_", " ")}`, kind, 1])).reverse()];
  return html`
    <div class="bar"><a class="back" href="#m=${match.id}">Back to the table</a>
      <h1 tabindex="-1" id="title">Looking back</h1></div>
    <p class="told" role="status">${step ? personal(step.text) : "There is nothing to look back at."}</p>
    ${step?.scene ? html`<div class="felt" aria-label="The table" role="region" data-version=${version}>${table(step.scene,
      {pressed: new Map(), chosen: new Map(), held: [], isStill: true, press: () => {}, choose: () => {}, name, chips, tell: personal, time: () => ""})}</div>` : nothing}
    <div class="actions past" role="group" aria-label="Where to look">
      <label class="slider">Event ${version} of ${steps.length}
        <input type="range" min="1" max=${steps.length} .value=${String(version)} aria-valuetext="Event ${version}: ${step?.text ?? ""}"
          @keydown=${key} @input=${(/** @type {Event} */ event) => go(Number(/** @type {HTMLInputElement} */ (event.target).value))}></label>
      <button type="button" @click=${() => go(version - 1)}>Event before</button>
      <button type="button" @click=${() => go(version + 1)}>Next event</button>
      ${jumps.map(([label, kind, way]) => html`
        <button type="button" class="quiet" @click=${() => go(marked(past, kind, way))}>${label}</button>`)}
    </div>`;
}
