/** Moves cards from where they were to where they are now. It only draws: everything can be pressed immediately. */

import {paths, speedOf, SPEEDS} from "./paths.ts";
import {marksReceived} from "./receiving.ts";
import {tells} from "./telling.js";
import {keep, kept} from "../kept.ts";
import {chosen} from "../settings/chosen.ts";
import {bring, repaint} from "../table/app.js";
import {says} from "../words/moving.js";
import {html} from "lit-html";

/** @typedef {import("./paths.ts").Seen} Seen */

const MOVE_MS = 260, KEPT = "dealt.speed";
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const SOUNDS = () => import("../sounds/sounds.ts");
/** @type {WeakMap<Element, Animation>} */
const moving = new WeakMap();

/** @param {HTMLElement} main @returns {{felt: HTMLElement, seen: Seen, elements: Map<string, HTMLElement>} | null} */
function look(main) {
  const felt = /** @type {HTMLElement | null} */ (main.querySelector(".felt"));
  if (!felt) return null;
  const {left, top} = felt.getBoundingClientRect(), elements = new Map(),
    seen = /** @type {Seen} */ ({cards: new Map(), sources: new Map()});
  const placeOf = (/** @type {Element} */ one) => {
    const {x, y, width} = one.getBoundingClientRect();
    return {x: x - left, y: y - top, width};
  };
  for (const heap of felt.querySelectorAll(".kind-stock .card, .seat :is(.kind-hand, .pile) .backs .card")) {
    const owner = heap.closest(".seat")?.getAttribute("data-seat") ?? "stock";
    if (!seen.sources.has(owner)) seen.sources.set(owner, placeOf(heap));
  }
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (
      felt.querySelectorAll("[data-card]:not([data-card=''])"))) {
    let key = card.dataset.card ?? "";
    while (elements.has(key)) key += "'";
    elements.set(key, card);
    const from = card.closest(".laid")?.getAttribute("data-seat")
      ?? (card.closest(".own") ? "stock" : card.closest(".seat")?.getAttribute("data-seat") ?? "stock");
    seen.cards.set(key, {place: placeOf(card), from});
  }
  return {felt, seen, elements};
}

export const speed = () => calm.matches ? 0 : speedOf(kept("localStorage", KEPT));

/**
 * Paint, and let cards that have moved slide from where they were.
 * @param {HTMLElement} main
 * @param {() => void} paint
 */
export function moves(main, paint) {
  const pace = speed(), before = pace ? look(main) : null;
  tells(pace);
  paint();
  marksReceived(main);
  if (chosen("sounds") === "on") bring(SOUNDS)?.sounds();
  const now = before && look(main);
  if (!before || !now || before.felt !== now.felt || !before.elements.size) return;
  for (const {key, dx, dy, scale, delay} of paths(before.seen, now.seen)) {
    const card = now.elements.get(key);
    if (!card) continue;
    moving.get(card)?.cancel();
    moving.set(card,
      card.animate([{transform: `translate(${dx}px, ${dy}px) scale(${scale})`, transformOrigin: "0 0", zIndex: 5},
          {transform: "none", transformOrigin: "0 0", zIndex: 5}],
      {duration: MOVE_MS / pace, delay: delay / pace, easing: "ease-out", fill: "backwards"}));
  }
}

/** The speed of cards in this browser. */
export function pace() {
  const put = (/** @type {Event} */ event) => {
    keep("localStorage", KEPT, /** @type {HTMLSelectElement} */ (event.target).value);
    repaint();
  };
  const now = speed();
  return html`<label class="pace">${says.cardsMove} <select name="speed" ?disabled=${calm.matches}
    @change=${put}>${SPEEDS.map((one) =>
      html`<option value=${one} ?selected=${one === now}
        .selected=${one === now}>${says.times(one)}</option>`)}</select>
    ${calm.matches ? html`<span class="soft">${says.asDevice}</span>` : ""}</label>`;
}
