/** A move that would be costly by mistake takes two presses: the first only asks for the second. */

import { html, type TemplateResult } from "lit-html";
import { repaint } from "../table/app.js";
import type { Ways } from "../table/controls.js";
import { loadStyles } from "../table/later.js";
import { titleOf } from "../table/moves.js";
import type { Move } from "../table/store.ts";
import { says } from "../words/choosing.js";
import choosingStyles from "./choosing.css?url";

loadStyles(choosingStyles);

/** How long the button waits for the second press, in milliseconds. */
const ASKED_MS = 3_000;
/** An earlier second press is the end of a double click, or a held key. */
const SLIP_MS = 350;

let asked: Move | null = null;
let askedAt = 0;
let timer = 0;

function ask(move: Move): void {
  asked = move;
  askedAt = performance.now();
  clearTimeout(timer);
  timer = window.setTimeout(forget, ASKED_MS);
  repaint();
}

function forget(): void {
  asked = null;
  repaint();
}

/** Draw the button of a move that is to be confirmed. */
export function guarded(move: Move, ways: Ways): TemplateResult {
  const title = titleOf(move);
  const isAsked = asked === move;
  const press = () => {
    if (!isAsked) ask(move);
    else if (performance.now() - askedAt > SLIP_MS) ways.send({ label: title, move: move.name, args: {} });
  };
  return html`<button type="button" class="guarded ${isAsked ? "asks" : ""}" ?disabled=${ways.isStill}
    @click=${press}>${isAsked ? says.confirms(title) : title}</button>`;
}
