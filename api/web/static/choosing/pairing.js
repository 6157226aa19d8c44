/** Lets the reader choose pairs by pressing their ends on the table, and lists the chosen pairs. */

import {nameOf} from "./calling.js";
import {alone, endsOf, fitting, isHeld, pairsIn, possible, pressed, schemaOf, valuesAt} from "./pairs.ts";
import {placesOf} from "../table/moves.js";
import {says} from "../words/choosing.js";
import {html} from "lit-html";

/** @typedef {import("./parts.ts").Part} Part @typedef {import("./parts.ts").Draft} Draft */

/** @param {Part} part @param {string} key @param {Api.Json | undefined} value @param {Api.Scene} scene */
const named = (part, key, value, scene) => nameOf(schemaOf(part, key), value, scene);

/**
 * Return the ends of pairs that can be pressed, by place.
 * @param {Part} part
 * @param {Part[]} parts all of the move
 * @param {Draft} draft
 * @param {(draft: Draft) => void} change
 * @param {Api.Scene} scene
 * @returns {[string, import("../table/table.js").Choice][]}
 */
export function endsOnTable(part, parts, draft, change, scene) {
  const keys = endsOf(part), pairs = pairsIn(draft, part);
  return keys.flatMap((key) => {
    const [other] = /** @type {[string]} */ (keys.filter((one) => one !== key)), title = schemaOf(part, key).title;
    return valuesAt(part, key).flatMap((value) => {
      const its = pairs.filter((pair) => pair[key] === value), held = isHeld(draft, part, key, value),
        fits = fitting(draft, part, key, value);
      const press = (/** @type {Event} */ event) => {
        event.stopPropagation();
        const now = pressed(draft, part, key, value);
        change(alone(draft.held ? alone(now, parts, part, draft.held.value) : now, parts, part, value));
      };
      const names = its.map((pair) => named(part, other, pair[other], scene));
      const state = held ? says.held : fits ? says.fits(title, named(part, other, fits[other], scene))
        : names.length ? says.paired(schemaOf(part, other).title, names) : title;
      const at = {name: named(part, key, value, scene), isHeld: held || its.length > 0, state, press,
        look: held ? "held" : fits ? "fits" : its.length ? "paired" : "",
        text: fits ? says.here : names.length ? names.join("; ") : title,
        tag: its[0] ? tag(numberOf(part, pairs, its[0])) : ""};
      return placesOf(schemaOf(part, key), value).map((place) => /** @type {[string, typeof at]} */ ([place, at]));
    });
  });
}

/**
 * Number a pair: pairs with the same last end share a number.
 * @param {Part} part
 * @param {Api.Values[]} pairs
 * @param {Api.Values} pair
 */
function numberOf(part, pairs, pair) {
  const [, last] = endsOf(part);
  return [...new Set(pairs.map((one) => one[last]))].indexOf(pair[last]) + 1;
}

/** Draw the number of a pair, hidden from screen readers. @param {number} n */
const tag = (n) => html`<span class="tag" aria-hidden="true" data-number=${n}></span>`;

const FEW = 6;  // maximum number of possible pairs that are listed

/**
 * List the chosen pairs, the next end to press, and the possible pairs.
 * @param {Part} part
 * @param {{draft: Draft, scene: Api.Scene}} hand
 */
export function chosenPairs(part, {draft, scene}) {
  const [first, last] = endsOf(part), pairs = pairsIn(draft, part), held = draft.held,
    one = schemaOf(part, first).title, other = schemaOf(part, last).title, more = possible(draft, part);
  const called = (/** @type {Api.Values} */ pair) =>
    [first, last].map((key) => named(part, key, pair[key] ?? null, scene)).join(" – ");
  const next = held ? says.nowPress(named(part, held.key, held.value, scene), held.key === first ? other : one)
    : says.pressBoth(one, other);
  return html`<div class="pairs"><p class="hint" role="status">${next}</p>
    ${pairs.length ? html`<ul>${pairs.map((pair) => html`<li>${tag(numberOf(part, pairs, pair))} ${
      called(pair)}</li>`)}</ul>` : ""}
    ${more.length && more.length <= FEW ? html`<p class="soft">${says.possible(more.map(called))}</p>` : ""}</div>`;
}
