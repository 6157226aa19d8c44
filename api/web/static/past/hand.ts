/** Shows the result of a hand, until the next one begins. */

import { html, nothing, type TemplateResult } from "lit-html";
import { loadStyles } from "../table/later.js";
import type { Line } from "../table/store.ts";
import { capital, number } from "../words/language.js";
import { says } from "../words/past.js";
import { howWon } from "./how_won.ts";
import overStyles from "./over.css?url";

loadStyles(overStyles);

/** Show the hand that is over: how it was won, and the numbers of all seats. */
export function handOver(
  scene: Api.Scene,
  log: readonly Line[],
  name: (seat: number) => string,
  tell: (text: string) => string,
): TemplateResult {
  const seats: Api.SceneSeat[] = scene.seats;
  const labels = [...new Set(seats.flatMap((one) => Object.keys(one.numbers)))];
  const how = howWon(scene.notes, log);
  const row = (one: Api.SceneSeat) =>
    labels.map((label) => html`<td>${label in one.numbers ? number(one.numbers[label] ?? 0) : nothing}</td>`);
  return html`<div class="sheet"><div class="outcome"><h2>${says.handOver(scene.numbers.hand ?? 0)}</h2>${
    how ? html`<p>${tell(how)}</p>` : nothing
  }</div>
    ${
      labels.length
        ? html`<div class="ended scores"><table><caption class="unseen">${says.scores}</caption><thead><tr><th
      scope="col">${says.player}</th>${labels.map((label) => html`<th scope="col">${capital(label)}</th>`)}</tr></thead>
      <tbody>${seats.map(
        (one) => html`<tr class=${one.seat === scene.seat ? "first" : ""}><td>${name(one.seat)}</td>${row(one)}</tr>`,
      )}</tbody></table></div>`
        : nothing
    }</div>`;
}
