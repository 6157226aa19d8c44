/** Lets the reader choose targets and payments by pressing them on the table, and shows the choices. */

import {aimed, aimsAt, endOf, isChosen, isFull, next, placesOfAim} from "./aims.ts";
import {nameOf} from "./calling.js";
import {rowIn} from "./parts.ts";
import {state} from "../table/app.js";
import {nameOf as seatName} from "../table/seating.js";
import {says} from "../words/choosing.js";
import {html} from "lit-html";

/**
 * @typedef {import("./parts.ts").Part} Part
 * @typedef {import("./parts.ts").Draft} Draft
 * @typedef {import("./aims.ts").Aim} Aim
 * @typedef {import("../table/table.js").Choice} Choice
 */

const SEAT = /^\/seats:(\d+)$/;

/** Describe what a choice includes other than the pressed thing, such as the colour of mana. @param {Aim} aim */
const besides = ({part, value}) => Object.entries(endOf(part) ? /** @type {Api.Values} */ (value) : {})
  .filter(([key]) => key !== endOf(part))
  .map(([key, one]) => nameOf(part.schema.items?.properties?.[key] ?? {}, one, null)).join(" – ");

/** @param {Aim} aim */
const titleOf = (aim) => [aim.part.title, besides(aim)].filter(Boolean).join(": ");

/**
 * Return the choices on the table for these parts of a move, by place.
 * @param {Part[]} parts
 * @param {Draft} draft
 * @param {(draft: Draft) => void} change
 * @param {boolean} isStill
 * @returns {[string, Choice][]}
 */
export const aimsOnTable = (parts, draft, change, isStill) => aimsAt(parts).flatMap((aims) => {
  const [first] = /** @type {[Aim]} */ (aims), chosen = aims.find((aim) => isChosen(draft, aim));
  const then = next(draft, aims), isHeld = Boolean(chosen);
  const press = (/** @type {Event} */ event) => {
    event.stopPropagation();
    change(aimed(draft, aims));
  };
  const state = chosen ? says.chosenAs(titleOf(chosen)) : then ? titleOf(then) : "";
  const look = chosen ? "paired" : then && !isFull(draft, then.part) ? "fits" : "";
  const tag = chosen ? html`<span class="tag" aria-hidden="true">✓</span>` : "";
  return placesOfAim(first).map((place) => /** @type {[string, Choice]} */ ([place, SEAT.test(place)
    ? {tag: player(place, {state, look, isHeld, isStill, press})} : {isHeld, state, look, tag, press}]));
});

/**
 * A button by which a player is chosen.
 * @param {string} place
 * @param {{state: string, look: string, isHeld: boolean, isStill: boolean, press: (event: Event) => void}} how
 */
const player = (place, {state: label, look, isHeld, isStill, press}) => html`<button type="button" class="act ${look}"
  aria-pressed=${isHeld} ?disabled=${isStill} @click=${press}
  aria-label="${seatName(state.match, Number(SEAT.exec(place)?.[1]))}: ${label}">${label}</button>`;

/**
 * Show what is chosen for a part, or what to press.
 * @param {Part} part
 * @param {{draft: Draft, scene: Api.Scene}} hand
 */
export function chosenAims(part, {draft, scene}) {
  const names = rowIn(draft, part).map((value) => nameOf(part.schema, value, scene));
  return html`<div class="pairs"><p class="hint" role="status">${names.length ? says.aimed(part.title, names)
    : says.toAim(part.title, part.least, part.most)}</p></div>`;
}
