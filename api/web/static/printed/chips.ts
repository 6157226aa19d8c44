/** Draws amounts as stacks of chips, the highest value first. */

import { html, type TemplateResult } from "lit-html";
import { loadStyles } from "../table/later.js";
import chipsStyles from "./chips.css?url";
import { stacksOf } from "./stacks.ts";

loadStyles(chipsStyles);

/** Draw an amount as chips. */
export const chips = (amount: number): TemplateResult =>
  html`<span class="chips" aria-hidden="true">${stacksOf(amount).map(
    ([value, count]) =>
      html`<span class="stack">${Array.from({ length: count }, () => html`<i class="of-${value}"></i>`)}</span>`,
  )}</span>`;
