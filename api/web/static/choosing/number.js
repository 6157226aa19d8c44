/** A number, with steps up and down and the amounts that are often wanted. */

import {amountOf, chosen, stepped} from "./amounts.ts";
import {looks} from "../table/later.js";
import {titleOf} from "../table/moves.js";
import {number} from "../words/language.js";
import {says} from "../words/choosing.js";
import {html, nothing} from "lit-html";
import numberStyles from "./number.css?url";

/** This promise resolves when the styles are there. */
export const styled = looks(numberStyles);

/** Whether the amounts stand above the button where there is little room. */
let isUnfolded = false;

/**
 * @param {import("../table/store.ts").Move} move
 * @param {string} name
 * @param {import("../table/controls.js").Ways} ways
 */
export function numberOf(move, name, ways) {
  const amount = amountOf(move, name), {title, low, high, useful} = amount;
  const said = /** @type {string} */ (ways.drafts[move.name] ?? String(low)), value = chosen(amount, said);
  const put = (/** @type {string} */ now) => ways.draft(move.name, now);
  const steps = (/** @type {1 | -1} */ way) =>
    html`<button type="button" class="step" aria-label=${way > 0 ? says.more(title) : says.less(title)}
    @click=${() => put(stepped(amount, said, way))}>${way > 0 ? "+" : "−"}</button>`;
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (value !== null) ways.send({label: titleOf(move), move: move.name, args: {[name]: value}});
  };
  if (low === high) return html`<button type="button" ?disabled=${ways.isStill}
    @click=${() => ways.send({label: titleOf(move), move: move.name, args: {[name]: low}})}>${
    says.sends(titleOf(move), low)}</button>`;
  const bounds = `bounds-${move.name}`;
  const unfolds = () => { isUnfolded = !isUnfolded; put(said); };
  return html`<form class="number ${isUnfolded ? "unfolded" : ""}" novalidate @submit=${send}>
    <div class="amount" id="amount-${move.name}"><label>${title} <span class="stepper">${steps(-1)}
      <input type="number" inputmode="numeric" name=${name} min=${low} max=${high} step="1" aria-describedby=${bounds}
        aria-invalid=${value === null ? "true" : nothing} .value=${said}
        @input=${(/** @type {Event} */ event) =>
          put(/** @type {HTMLInputElement} */ (event.target).value)}>${steps(1)}</span></label>
    ${useful.length ? html`<div class="useful" role="group" aria-label=${says.oftenWanted}>${useful.map((one) => html`
      <button type="button" class="quiet" aria-pressed=${one.value === value}
        @click=${() => put(String(one.value))}>${one.title} <span
        class="soft">${number(one.value)}</span></button>`)}</div>` : nothing}
    <span class=${value === null ? "problem" : "soft"} id=${bounds}>${says.bounds(low, high)}</span></div>
    <button type="submit" class="main" ?disabled=${ways.isStill
      || value === null}>${says.sends(titleOf(move), value)}</button>
    <button type="button" class="unfolds" aria-expanded=${isUnfolded} aria-controls="amount-${move.name}"
      aria-label=${says.amounts(title)} @click=${unfolds}>${isUnfolded ? "▾" : "▴"}</button></form>`;
}
