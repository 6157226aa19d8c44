/** Draws amounts as heaps of chips. */

import {looks} from "../table/later.js";
import {html} from "lit-html";
import chipsStyles from "./chips.css?url";

looks(chipsStyles);

const VALUES = [100, 25, 5, 1], MOST_CHIPS = 8;

/** Draw an amount as chips, those of the highest value below. @param {number} amount */
export function chips(amount) {
  const all = VALUES.flatMap((value, i) =>
    Array.from({length: Math.min(MOST_CHIPS, Math.floor((i ? amount % (VALUES[i - 1] ?? 1) : amount) / value))},
      () => value));
  return html`<span class="chips" aria-hidden="true">${all.slice(0, MOST_CHIPS)
    .map((value) => html`<i class="of-${value}"></i>`)}</span>`;
}
