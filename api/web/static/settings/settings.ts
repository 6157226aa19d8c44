/** Lets a reader choose the settings of this browser. */

import { html, nothing, type TemplateResult } from "lit-html";
import { bring, repaint } from "../table/app.js";
import { loadStyles } from "../table/later.js";
import { says } from "../words/settings.js";
import { choose, chosen, NAMES, SETTINGS, type Setting } from "./chosen.ts";
import settingsStyles from "./settings.css?url";
import { sortedByRank } from "./sorting.ts";

loadStyles(settingsStyles);

const MOTION = () => import("../moving/motion.js");

let isOpen = false;

function unfold(event: Event): void {
  isOpen = (event.target as HTMLDetailsElement).open;
  repaint();
}

function choice(name: Setting): TemplateResult {
  const put = (event: Event) => {
    choose(name, (event.target as HTMLSelectElement).value);
    repaint();
  };
  return html`<label>${says.settingNames[name]} <select name=${name} @change=${put}>${SETTINGS[name].map(
    (value) => html`<option value=${value} ?selected=${value === chosen(name)}>${says.values[value]}</option>`,
  )}</select></label>`;
}

/** Show the settings, folded. */
export const settings = (): TemplateResult =>
  html`<details class="settings" @toggle=${unfold}><summary>${says.settings}</summary>${NAMES.map(choice)}${
    isOpen ? (bring(MOTION)?.pace() ?? nothing) : nothing
  }</details>`;

/** Return a scene with the reader's hand in the chosen order. */
export const arranged = (scene: Api.Scene): Api.Scene => (chosen("sort") === "rank" ? sortedByRank(scene) : scene);
