/** A move of few arguments that lie nowhere on the table, as a small form. */

import {tellsUnfit} from "../making/unfit.js";
import {looks} from "../table/later.js";
import {schemaOf, titleOf} from "../table/moves.js";
import {html} from "../table/vendor/lit-html/lit-html.js";

looks(new URL("choosing.css", import.meta.url));
tellsUnfit();

/**
 * @param {import("../table/store.js").Move} move
 * @param {string[]} names
 * @param {import("../table/controls.js").Ways} ways
 */
export function formOf(move, names, ways) {
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const said = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const args = Object.fromEntries(names.map((name) =>
        [name, valueOf(schemaOf(move, name), String(said.get(name)))]));
    ways.send({label: titleOf(move), move: move.name, args});
  };
  return html`<form class="small" @submit=${send}>
    ${names.map((name) => fieldOf(name, schemaOf(move, name)))}
    <button type="submit" ?disabled=${ways.isStill}>${titleOf(move)}</button></form>`;
}

/** @param {Api.Schema} part @param {string} said */
const valueOf = (part, said) => part.enum ? part.enum.find((one) => String(one) === said) ?? null : Number(said);

/** @param {string} name @param {Api.Schema} part */
function fieldOf(name, part) {
  const field = part.enum
    ? html`<select name=${name}>${part.enum.map((one) => html`<option>${one}</option>`)}</select>`
    : html`<input type="number" name=${name} min=${part.minimum} max=${part.maximum}
      .defaultValue=${String(part.maximum)} required>`;
  return html`<label>${part.title} ${field}</label>`;
}
