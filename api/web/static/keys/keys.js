/** Single keys that lead to the parts of a table. They can be switched off, which this browser keeps. */

import {keep, kept} from "../kept.ts";
import {repaint, root, state} from "../table/app.js";
import {looks} from "../table/later.js";
import {titleOfGame} from "../table/seating.js";
import {says} from "../words/keys.js";
import {says as common} from "../words/table.js";
import {html} from "lit-html";
import keysStyles from "./keys.css?url";
import laterStyles from "../table/later.css?url";

looks(keysStyles);
looks(laterStyles);

const KEPT = "dealt.keys";

/** What each key leads to: the first of these that there is. */
const WAYS = /** @type {Record<string, string>} */ (
  {h: ".felt button:enabled, .own [role=group]", m: ".actions button:enabled, .actions input",
  l: ".log [role=log]", c: ".chat input"});

let isOn = kept("localStorage", KEPT) !== "off";

/** Say whether single keys are switched on. */
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
 * Say which keys there are, with the switch, and lead to the rules of the game. A link comes last: there are browsers
 * that the tabulator does not lead out of a page from what can be unfolded.
 * @param {Record<string, string>} [there] what each leads to
 */
export const keys = (there = says.leadTo) => html`<details class="keys"><summary>${says.keys}</summary>
  <label><input type="checkbox" .checked=${isOn} @change=${turn}> ${says.singleKeys}</label>
  <dl>${Object.entries(there).map(([key, to]) =>
    html`<div><dt><kbd>${key}</kbd></dt><dd>${to}</dd></div>`)}</dl></details>
  <a class="rules" target="_blank"
    href="${root}/docs/rules/${state.match.game}">${common.rulesOf(
    titleOfGame(state.games, state.match.game))}</a>`;
