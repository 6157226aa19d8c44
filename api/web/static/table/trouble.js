/** Describes errors in words. */

import {state} from "./app.js";
import {says} from "../words/table.js";
import {html, nothing} from "lit-html";

export function trouble() {
  return html`<div role="alert">${state.problem ? html`<p class="problem">${state.problem}</p>` : nothing}
    ${state.isOnline ? nothing : html`<p class="problem">${says.connectionLost}</p>`}</div>`;
}
