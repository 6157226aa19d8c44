/** Shows an elimination bracket round by round: a list for screen readers, a tree on screen. */

import {columns, isThrough, sides} from "./brackets.js";
import {person} from "./people.js";
import {says} from "../words/tournaments.js";
import {html, nothing} from "lit-html";

/** @typedef {import("./tournament_place.js").Placed} Placed @typedef {import("./brackets.js").Box} Box */

/** @param {Placed} placed */
export function bracketPart({ground}) {
  const t = ground.tournament;
  const rounds = Object.values(ground.rounds).filter((one) => one.stage === "elimination")
    .sort((a, b) => a.round - b.round);
  if (!rounds.length) return html`<p class="empty">${t.cut && t.round ? says.beforeCut : says.noBracket}</p>`;
  const isDouble = t.format === "double_elimination";
  return html`<div class="wide" tabindex="0" role="region" aria-label=${says.parts["bracket"] ?? ""}><div
    class="bracket ${isDouble ? "double" : ""}">${isDouble ? rounds.map((one) => both(rounds, one))
    : tree(rounds, t)}</div></div>`;
}

/** @param {Api.Round[]} rounds @param {Api.Tournament} t */
const tree = (rounds, t) => columns(rounds, t.seats)
  .map(({round, boxes, isHalf}) => html`<section class=${isHalf ? "half" : ""}>
  <h3>${boxes.length === 1 && rounds.length > 0 && (t.seats === 2 || t.status === "over")
    ? says.last : says.round(round)}</h3><ol>${boxes.map((box) => html`<li>${shown(box)}</li>`)}</ol></section>`);

/** @param {Api.Round[]} rounds @param {Api.Round} one */
function both(rounds, one) {
  const {unbeaten, last, once} = sides(rounds, one);
  const side = (/** @type {string} */ said, /** @type {Box[]} */ boxes) =>
    boxes.length ? html`<h4>${said}</h4><ol>${boxes.map((box) => html`<li>${shown(box)}</li>`)}</ol>` : nothing;
  return html`<section><h3>${says.round(one.round)}</h3>${side(says.unbeaten, unbeaten)}${
    side(says.last, last)}${side(says.once, once)}</section>`;
}

/** @param {Box} box */
function shown(box) {
  if ("bye" in box) return html`<div class="box"><span
    class="won">${person(box.bye.player)} <small>${says.bye}</small></span></div>`;
  if ("isToCome" in box) return html`<div class="box to-come"><span>${says.toCome}</span></div>`;
  const {table} = box;
  return html`<div class="box">${table.seats.map((seat, i) =>
      html`<span class=${isThrough(table, i) ? "won" : ""}><span>${person(seat.player)}</span>
    ${isThrough(table, i) ? html`<small><span aria-hidden="true">✓</span><span
      class="unseen">${says.goesOn}</span></small>` : nothing}</span>`)}</div>`;
}
