/** Shows the steps of a turn, and arrows from cards to what they target or block. */

import { html, nothing, svg, type TemplateResult } from "lit-html";
import { ref } from "lit-html/directives/ref.js";
import { loadStyles } from "../table/later.js";
import { capital } from "../words/language.js";
import { says } from "../words/printed.js";
import { type Arrow, arrowsOf, curve } from "./arrow_ends.ts";
import turnStyles from "./turn.css?url";

loadStyles(turnStyles);

/** Show the steps of a turn in their order, the current one with its name. */
export const steps = (scene: Api.Scene): TemplateResult | typeof nothing =>
  scene.steps.length
    ? html`<ol class="steps" aria-label=${says.steps}>${scene.steps.map(
        ({
          name,
          now,
          stop,
        }) => html`<li class=${stop ? "stop" : ""} title=${stop ? says.stop(capital(name)) : capital(name)}
          aria-current=${now ? "step" : nothing}><span>${capital(name)}</span>${
            stop ? html`<span class="unseen">${says.isStop}</span>` : nothing
          }</li>`,
      )}</ol>`
    : nothing;

/** Return the middle of what an arrow begins or ends at; null if it is not in sight. */
function middleOf(felt: Element, end: string): { x: number; y: number } | null {
  const quoted = CSS.escape(end);
  const element =
    felt.querySelector(`[data-id="${quoted}"]`) ?? felt.querySelector(`[data-seat="${quoted}"] > .sitter`);
  if (!element) return null;
  const [at, around] = [element.getBoundingClientRect(), felt.getBoundingClientRect()];
  const middle = { x: at.x + at.width / 2, y: at.y + at.height / 2 };
  const part = element.closest(".seat")?.getBoundingClientRect() ?? around;
  if (middle.y < part.top || middle.y > part.bottom) return null;
  return { x: middle.x - around.x, y: middle.y - around.y };
}

/** Lay arrows between the places in which cards are now. */
function lay(image: Element): void {
  const felt = image.closest(".felt");
  if (!felt) return;
  for (const path of image.querySelectorAll<SVGPathElement>("[data-to]")) {
    const from = middleOf(felt, path.dataset.from ?? "");
    const to = middleOf(felt, path.dataset.to ?? "");
    path.setAttribute("d", from && to ? curve(from, to) : "");
  }
}

let image: Element | null = null;
const again = (): void => {
  if (image?.isConnected) lay(image);
};
const watched = new ResizeObserver(again);
addEventListener("scroll", again, { capture: true, passive: true });

/** Lay arrows once the cards are painted, and again when those that move have come to rest. */
function follow(element: Element | undefined): void {
  if (!element) return;
  image = element;
  requestAnimationFrame(() => {
    again();
    const felt = element.closest(".felt");
    if (!felt) return;
    watched.disconnect();
    watched.observe(felt);
    const moving = felt.getAnimations({ subtree: true }).filter(({ playState }) => playState === "running");
    if (moving.length) void Promise.allSettled(moving.map(({ finished }) => finished)).then(again);
  });
}

const path = ({ from, to }: Arrow): TemplateResult =>
  svg`<path data-from=${from} data-to=${to} marker-end="url(#arrow-head)" />`;

/** Draw the arrows of a scene over the table. */
export function arrows(scene: Api.Scene): TemplateResult | typeof nothing {
  const found = arrowsOf(scene);
  if (!found.length) return nothing;
  return html`<svg class="arrows" aria-hidden="true" ${ref((element) => follow(element))}><defs><marker id="arrow-head"
    viewBox="0 0 8 8" refX="5" refY="4" markerWidth="5" markerHeight="5" orient="auto"><path
    d="M0 0L8 4L0 8Z" /></marker>
    </defs>${found.map(path)}</svg>`;
}
