/** Lists the moves of a match next to its replay: a press, or the keys ↑ and ↓, show the table after one. */

import { html, nothing, type TemplateResult } from "lit-html";
import { repeat } from "lit-html/directives/repeat.js";
import { capital } from "../words/language.js";
import { says } from "../words/past.js";
import { type Move, type Part, stopAt, stopFrom, stopsOf } from "./played.ts";

interface Ways {
  go: (version: number) => void;
  personal: (text: string) => string;
}

const KEYS: Record<string, (stops: readonly number[], at: number) => number | undefined> = {
  ArrowDown: (stops, at) => stopFrom(stops, at, 1),
  ArrowUp: (stops, at) => stopFrom(stops, at, -1),
  Home: (stops) => stops[0],
  End: (stops) => stops.at(-1),
};

/** The texts of moves for the reader, which are the same at every step. */
const known = new WeakMap<Move, string>();

function textOf(move: Move, personal: Ways["personal"]): string {
  const text = known.get(move) ?? personal(move.texts[0] ?? "");
  known.set(move, text);
  return text;
}

/** Show the parts of a match, and the moves of the part that is shown. */
export function moveList(parts: readonly Part[], version: number, { go, personal }: Ways): TemplateResult {
  const stops = stopsOf(parts);
  const now = stopAt(stops, version);
  const pressed = (event: KeyboardEvent) => {
    const to = KEYS[event.key]?.(stops, now);
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    go(to);
    current()?.focus({ preventScroll: true });
  };
  const stop = (at: number, look: string, text: string) => html`<button type="button" class=${look}
    aria-current=${at === now ? "step" : nothing} tabindex=${at === (now || stops[0]) ? 0 : -1}
    @click=${() => go(at)}>${text}</button>`;
  const open = parts.filter((part) => part.version <= Math.max(now, stops[0] ?? 0)).at(-1);
  return html`<section class="moves past" aria-label=${says.moves}><ol @keydown=${pressed}>${repeat(
    parts,
    (part) => part.version,
    (part) =>
      html`<li>${stop(part.version, "part", part.title)}${
        part === open
          ? html`<ol>${part.moves.map(
              (move) =>
                html`${move.title ? html`<li class="title">${capital(move.title)}</li>` : nothing}<li>${stop(
                  move.version,
                  "move",
                  textOf(move, personal),
                )}</li>`,
            )}</ol>`
          : nothing
      }</li>`,
  )}</ol></section>`;
}

const current = (): HTMLElement | null => document.querySelector(".moves [aria-current]");

/** Scroll the list, and nothing else, to the move that is shown. */
export function keepInSight(): void {
  const move = current();
  const list = move?.closest(".moves");
  if (!move || !list) return;
  const [at, around] = [move.getBoundingClientRect(), list.getBoundingClientRect()];
  if (at.top >= around.top && at.bottom <= around.bottom) return;
  list.scrollTop += at.top - around.top - (around.height - at.height) / 2;
}
