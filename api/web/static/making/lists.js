/** Asks for a list of choices in order, such as the packs of a draft. */

import {says} from "../words/making.js";
import {html, nothing} from "lit-html";

const MOST = 9;
/** Maximum length of a list. */

/**
 * @typedef {object} List
 * @property {string} name of the list, in words
 * @property {[string, string][]} rows the choices with their names
 * @property {string[]} said the chosen values
 * @property {(said: string[]) => void} put
 * @property {unknown} by the id of its description
 * @property {unknown} isWrong
 */

/** @param {List} list */
export function list({name, rows, said, put, by, isWrong}) {
  const chosen = (/** @type {Event} */ event, /** @type {string} */ there) => {
    const select = /** @type {HTMLSelectElement} */ (event.target), {value} = select;
    select.value = there;  // the values at the last painting, which the next change starts from
    return value;
  };
  return html`<div class="list" role="group" aria-label=${name} aria-describedby=${by}>
    ${said.map((there, i) => html`<label>${says.nth(name, i + 1)} <select aria-invalid=${isWrong} aria-describedby=${by}
        @change=${(/** @type {Event} */ event) => { const value = chosen(event, there);
          put(said.flatMap((one, n) => n === i ? [value].filter(Boolean) : [one])); }}>
      ${rows.map(([one, label]) => html`<option value=${one} .selected=${one === there}>${label}</option>`)}
      ${said.length > 1 ? html`<option value="">${says.leaveOut}</option>` : nothing}</select></label>`)}
    ${said.length < MOST ? html`<p><button type="button" class="quiet"
      @click=${() => put([...said, said.at(-1) ?? rows[0]?.[0] ?? ""])}>${says.anotherOf(name)}</button></p>`
      : nothing}</div>`;
}
