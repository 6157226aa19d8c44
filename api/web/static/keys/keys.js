/** Single keys that lead to the parts of a table. They can be switched off, which this browser keeps. */

import {repaint} from "../table/app.js";
import {looks} from "../table/later.js";
import {says} from "../words/keys.js";
import {html} from "../table/vendor/lit-html/lit-html.js";

looks(new URL("keys.css", import.meta.url));

const KEPT = "dealt.keys";

/** What each key leads to: the first of these that there is. */
const WAYS = /** @type {Record<string, {to: string, selector: string}>} */ ({
  h: {to: says.leadTo.h, selector: ".felt button:enabled, .own [role=group]"},
  m: {to: says.leadTo.m, selector: ".actions button:enabled, .actions input"},
  l: {to: says.leadTo.l, selector: ".log [role=log]"},
  c: {to: says.leadTo.c, selector: ".chat input"},
});

let isOn = localStorage.getItem(KEPT) !== "off";

addEventListener("keydown", (event) => {
  const way = WAYS[event.key], at = /** @type {HTMLElement} */ (event.target);
  if (!isOn || !way || event.ctrlKey || event.altKey || event.metaKey || event.isComposing || at.closest("input:not([type=checkbox]), select, textarea")) return;
  const found = /** @type {HTMLElement | null} */ (document.querySelector(way.selector));
  if (!found) return;
  event.preventDefault();
  if (found.tabIndex < 0) found.tabIndex = -1;
  found.focus();
});

/** @param {Event} event */
function turn(event) {
  isOn = /** @type {HTMLInputElement} */ (event.target).checked;
  localStorage.setItem(KEPT, isOn ? "on" : "off");
  repaint();
}

/** Say which keys there are, with the switch. */
export const keys = () => html`<details class="keys"><summary>${says.keys}</summary>
  <label><input type="checkbox" .checked=${isOn} @change=${turn}> ${says.singleKeys}</label>
  <dl>${Object.entries(WAYS).map(([key, {to}]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${to}</dd></div>`)}</dl></details>`;
