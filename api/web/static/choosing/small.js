/** A small form for a move with few arguments, none of them on the table. */

import {tellsUnfit} from "../making/unfit.js";
import {writing} from "../making/writing.js";
import {loadStyles} from "../table/later.js";
import {schemaOf, titleOf} from "../table/moves.js";
import {html} from "lit-html";
import choosingStyles from "./choosing.css?url";

loadStyles(choosingStyles);
tellsUnfit();

/**
 * @param {import("../table/store.ts").Move} move
 * @param {string[]} names
 * @param {import("../table/controls.js").Ways} ways
 */
export function formOf(move, names, ways) {
  // A draft belongs to one offer.
  const {was, writes, ends} = writing(`${location.hash} ${move.name} ${JSON.stringify(move.args)}`);
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const said = new FormData(/** @type {HTMLFormElement} */ (event.target));
    const args = Object.fromEntries(names.map((name) =>
        [name, valueOf(schemaOf(move, name), String(said.get(name)))]));
    ways.send({label: titleOf(move), move: move.name, args}, ends);
  };
  return html`<form class="small" @submit=${send} @input=${writes}>
    ${names.map((name) => fieldOf(name, schemaOf(move, name), was[name]))}
    <button type="submit" ?disabled=${ways.isStill}>${titleOf(move)}</button></form>`;
}

/** @param {Api.Schema} part @param {string} said */
const valueOf = (part, said) => part.enum ? part.enum.find((one) => String(one) === said) ?? null : Number(said);

/** @param {string} name @param {Api.Schema} part @param {string} [was] the kept input */
function fieldOf(name, part, was) {
  const field = part.enum
    ? html`<select name=${name}>${part.enum.map((one) =>
      html`<option .selected=${String(one) === (was ?? String(part.enum?.[0]))}>${one}</option>`)}</select>`
    : html`<input type="number" name=${name} min=${part.minimum} max=${part.maximum}
      .value=${was ?? String(part.maximum)} required>`;
  return html`<label>${part.title} ${field}</label>`;
}
