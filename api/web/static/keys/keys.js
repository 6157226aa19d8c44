/** Single-key shortcuts to the parts of a table. A setting of this browser can switch them off. */

import {keep, kept} from "../kept.ts";
import {repaint, root, state} from "../table/app.js";
import {loadStyles} from "../table/later.js";
import {titleOfGame} from "../table/seating.js";
import {says} from "../words/keys.js";
import {says as common} from "../words/table.js";
import {html} from "lit-html";
import keysStyles from "./keys.css?url";
import laterStyles from "../table/later.css?url";

loadStyles(keysStyles);
loadStyles(laterStyles);

const KEPT = "dealt.keys";

/** The targets of each key; it leads to the first that exists. */
const WAYS = /** @type {Record<string, string>} */ (
  {h: ".felt button:enabled, .own [role=group]", m: ".actions button:enabled, .actions input",
  l: ".log [role=log]", c: ".chat input"});

let isOn = kept("localStorage", KEPT) !== "off";

/** Return whether single keys are switched on. */
export const areKeysOn = () => isOn;

addEventListener("keydown", (event) => {
  const way = WAYS[event.key], at = /** @type {HTMLElement} */ (event.target);
  if (!isOn || !way || event.ctrlKey || event.altKey || event.metaKey || event.isComposing
    || at.closest("input:not([type=checkbox]), select, textarea")) return;
  const found = /** @type {HTMLElement | null} */ (document.querySelector(way));
  if (!found) return;
  event.preventDefault();
  if (found.tabIndex < 0) found.tabIndex = -1;
  found.focus();
});

/** @param {Event} event */
function turn(event) {
  isOn = /** @type {HTMLInputElement} */ (event.target).checked;
  keep("localStorage", KEPT, isOn ? "on" : "off");
  repaint();
}

/**
 * List the keys, with their switch and a link to the rules of the game. The link comes last: in some browsers, Tab does
 * not leave a page from an unfolded section.
 * @param {Record<string, string>} [there] the target of each key
 */
export const keys = (there = says.leadTo) => html`<details class="keys"><summary>${says.keys}</summary>
  <label><input type="checkbox" .checked=${isOn} @change=${turn}> ${says.singleKeys}</label>
  <dl>${Object.entries(there).map(([key, to]) =>
    html`<div><dt><kbd>${key}</kbd></dt><dd>${to}</dd></div>`)}</dl></details>
  <a class="rules" target="_blank"
    href="${root}/docs/rules/${state.match.game}">${common.rulesOf(
    titleOfGame(state.games, state.match.game))}</a>`;
