/** A number, with a slider, steps up and down and the amounts that are often wanted. */

import { html, nothing, type TemplateResult } from "lit-html";
import type { Ways } from "../table/controls.js";
import { loadStyles } from "../table/later.js";
import { titleOf } from "../table/moves.js";
import type { Move } from "../table/store.ts";
import { says } from "../words/choosing.js";
import { number } from "../words/language.js";
import { type Amount, amountOf, chosen, stepped } from "./amounts.ts";
import numberStyles from "./number.css?url";

/** Resolves when the styles are loaded. */
export const styled = loadStyles(numberStyles);

/** Whether the amounts are shown above the button on a small screen. */
let isUnfolded = false;

type Put = (now: string) => void;

const valueIn = (event: Event): string => (event.target as HTMLInputElement).value;

function stepper(amount: Amount, name: string, bounds: string, said: string, put: Put): TemplateResult {
  const { title, low, high } = amount;
  const step = (way: 1 | -1) =>
    html`<button type="button" class="step" aria-label=${way > 0 ? says.more(title) : says.less(title)}
      @click=${() => put(stepped(amount, said, way))}>${way > 0 ? "+" : "−"}</button>`;
  return html`<label>${title} <span class="stepper">${step(-1)}
    <input type="number" inputmode="numeric" name=${name} min=${low} max=${high} step="1" aria-describedby=${bounds}
      aria-invalid=${chosen(amount, said) === null ? "true" : nothing} .value=${said}
      @input=${(event: Event) => put(valueIn(event))}>${step(1)}</span></label>`;
}

const slider = ({ title, low, high }: Amount, value: number, put: Put): TemplateResult =>
  html`<input type="range" class="range" min=${low} max=${high} step="1" aria-label=${title} .value=${String(value)}
    @input=${(event: Event) => put(valueIn(event))}>`;

const usual = ({ useful }: Amount, value: number | null, put: Put): TemplateResult =>
  html`<div class="useful" role="group" aria-label=${says.oftenWanted}>${useful.map(
    (one) => html`
    <button type="button" class="quiet" aria-pressed=${one.value === value}
      @click=${() => put(String(one.value))}>${one.title} <span class="soft">${number(one.value)}</span></button>`,
  )}</div>`;

/** Draw a move that is made with a number. */
export function numberOf(move: Move, name: string, ways: Ways): TemplateResult {
  const amount = amountOf(move, name);
  const { title, low, high, useful } = amount;
  const said = (ways.drafts[move.name] as string | undefined) ?? String(low);
  const value = chosen(amount, said);
  const put = (now: string) => ways.draft(move.name, now);
  const sends = (one: number) => ways.send({ label: titleOf(move), move: move.name, args: { [name]: one } });
  if (low === high)
    return html`<button type="button" ?disabled=${ways.isStill} @click=${() => sends(low)}>${says.sends(
      titleOf(move),
      low,
    )}</button>`;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (value !== null) sends(value);
  };
  const bounds = `bounds-${move.name}`;
  const unfolds = () => {
    isUnfolded = !isUnfolded;
    put(said);
  };
  return html`<form class="number ${isUnfolded ? "unfolded" : ""}" novalidate @submit=${submit}>
    <div class="amount" id="amount-${move.name}">${stepper(amount, name, bounds, said, put)}
    ${slider(amount, value ?? low, put)}
    ${useful.length ? usual(amount, value, put) : nothing}
    <span class=${value === null ? "problem" : "soft"} id=${bounds}>${says.bounds(low, high)}</span></div>
    <button type="submit" class="main" ?disabled=${ways.isStill || value === null}>${says.sends(
      titleOf(move),
      value,
    )}</button>
    <button type="button" class="unfolds" aria-expanded=${isUnfolded} aria-controls="amount-${move.name}"
      aria-label=${says.amounts(title)} @click=${unfolds}>${isUnfolded ? "▾" : "▴"}</button></form>`;
}
