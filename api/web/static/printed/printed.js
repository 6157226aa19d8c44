/** Draws and describes collectible cards with the texts printed on them, as read from this server. */

import {api, repaint, attempt} from "../table/app.js";
import {look, names} from "../table/cards.js";
import {loadStyles} from "../table/later.js";
import {says} from "../words/printed.js";
import {art} from "./art.ts";
import {html, nothing, render} from "lit-html";
import printedStyles from "./printed.css?url";

const MOST = 100, TINTS = 5, FEW = 2;

/** The printed texts of cards, by name. @type {Map<string, Api.Printed>} */
const printed = new Map();

async function read() {
  for (let after = /** @type {string | null} */ (""); after !== null;) {
    const {items, next} = await api.call("GET", `/cards?limit=${MOST}${after && `&cursor=${after}`}`);
    for (const card of items.flatMap((one) => [...one.tokens, one])) printed.set(card.name, card);
    after = next;
  }
  frames.splice(0, Infinity, ...new Set([...printed.values()].flatMap(({frame}) => frame ? [frame] : [])));
  repaint();
}

/** The colours of cards, in the order of the cards. @type {string[]} */
const frames = [];

/**
 * Return the class of a colour: tints are used in order, and again if there are more colours.
 * @param {string | null | undefined} color
 */
const tint = (color) => color && frames.includes(color) ? `frame-${frames.indexOf(color) % TINTS}` : "";

/**
 * Return the size printed on a card, unless a mark shows its current size.
 * @param {Api.Printed | undefined} card
 * @param {string[]} marks
 */
const sizes = (card, marks) => !card || card.power === null || marks.some((mark) => /^-?\d+\/-?\d+$/.test(mark))
  ? [] : [size(card)];

/** @param {Api.Printed} card */
const size = ({power, toughness}) => `${power}/${toughness}`;

/** Return all marks of a card. @param {Api.Printed | undefined} card @param {string[]} marks */
const marked = (card, marks) => [...sizes(card, marks), ...marks];

/** Return whether the marks leave no room for the types of a card. @param {string[]} all */
const isFull = (all) => all.length > FEW;

/**
 * Describe a card in the order in which it is drawn. What has no room comes at the end, so that users of voice control
 * can say what they see.
 * @param {string} text
 * @param {string[]} marks
 */
function words(text, marks) {
  const card = printed.get(text), all = marked(card, marks), types = card?.types.join(" ");
  return [text, ...all, card?.cost, ...(isFull(all) ? [card?.text, types] : [types, card?.text])]
    .filter(Boolean).join(", ");
}

/**
 * The places for a break in a long word: before the last consonant between two vowels, and not near its ends; letters
 * that make one sound stay together.
 */
const PART = /(?<=[a-z]{3})(?<=[aeiouy][a-z]*)(?=(?:[cgpstw]h|ck|[b-df-hj-np-tv-xz])[aeiouy][a-z]{2})/gi,
  LONG = /\p{L}{8,}/gu;

/**
 * Let long words of a name break at the end of a line. The break is an element and not a character, so searching the
 * page and screen readers see the whole name.
 * @param {string} name
 */
const parted = (name) => name.replace(LONG, (word) => word.replace(PART, "\u00AD")).split("\u00AD")
  .map((part, i) => i ? html`<i></i>${part}` : part);

/** @param {string} text @param {string[]} marks */
function face(text, marks) {
  const card = printed.get(text), all = marked(card, marks);
  return html`${card ? html`<svg class="art" viewBox="0 0 72 96" preserveAspectRatio="xMidYMid slice"
      aria-hidden="true">${art(card.name, card.types)}</svg>` : nothing}
    <span class="title" aria-hidden="true">${parted(text)}</span>
    <span class="marks" aria-hidden="true">${all.map((mark) =>
      html`<span data-mark=${mark}>${mark}</span> `)}</span>
    ${card?.cost ? html`<span class="cost"
      aria-hidden="true">${[...card.cost].map((one) => html`<i class=${tint(one)}>${one}</i>`)}</span>` : nothing}
    ${card && !isFull(all) ? html`<span class="types" aria-hidden="true">${card.types.join(" ")}</span>` : nothing}
    ${card ? html`<span class="says" aria-hidden="true">${card.text}</span>` : nothing}`;
}

/** Describe a card in one line. @param {Api.Printed} card */
const lineOf = (card) => [card.cost, [...card.types, ...card.subtypes].join(" "), ...sizes(card, []),
  ...card.keywords].filter(Boolean).join(" · ");

/** Show the text of a card that is named in a list. @param {string} name */
export function about(name) {
  const card = printed.get(name);
  return card ? html`<span class="printed ${tint(card.frame)}">${lineOf(card)}${card.text
    ? html`<span class="soft"> ${card.text}</span>` : nothing}</span>` : nothing;
}

/** Return the sort key of a card: colour, cost, name. @param {string} name */
export function order(name) {
  const card = printed.get(name);
  return card ? `${card.colors.join("") || "~"} ${String(card.cost?.length ?? 0).padStart(2)} ${name}` : `~~ ${name}`;
}

/** Show the texts of all face-up cards in a scene, each once. @param {Api.Scene} scene */
export function texts(scene) {
  const spots = Object.values(scene.zones).flatMap((zone) => zone.spots);
  const cards = [...new Set(spots.map(({card}) => card))].map((name) => printed.get(name ?? ""))
    .filter((card) => card !== undefined);
  if (!cards.length) return nothing;
  return html`<details class="texts"><summary>${says.whatCardsSay}</summary><dl>${cards.map((card) => html`
    <div><dt>${card.name} <span class="soft">${lineOf(card)}</span></dt><dd>${card.text}</dd></div>`)}</dl></details>`;
}

/** A pile that can be opened, with all its cards. @param {unknown[]} cards */
const heap = (cards) => html`<details class="heap"><summary>${says.allOfThem}</summary><div
  class="cards">${cards}</div></details>`;

/** On small or touch screens, a card is shown large before a press acts on it. */
const CLOSE = matchMedia("(max-width: 59.9rem), (pointer: coarse)");

/** Draw a card of a question large enough to read. @param {string} name */
const large = (name) => printed.has(name)
  ? html`<span class="${look(name)} large" role="img" aria-label=${words(name, [])}>${face(name, [])}</span>` : nothing;

/**
 * Show a card of the table large in a fixed place, with its marks; null hides it. Screen readers read the card itself.
 * @param {HTMLElement | null} card
 */
function previews(card) {
  const name = card?.dataset.card ?? "", there = printed.get(name);
  shelf.hidden = !there;
  if (!card || !there) return;
  const marks = [.../** @type {NodeListOf<HTMLElement>} */ (card.querySelectorAll("[data-mark]"))]
    .map(({dataset}) => dataset.mark ?? "");
  if (!shelf.isConnected) document.body.append(shelf);
  render(html`<span class="${look(name)} large">${face(name, marks.filter((mark) => mark !== size(there)))}<span
    class="line">${[...there.types, ...there.subtypes].join(" ")}</span></span>`, shelf);
}

/** Return the card on the table that an event is about, if it has a name. @param {Event} event */
const cardAt = ({target}) => /** @type {HTMLElement | null} */ (
  /** @type {Element} */ (target).closest?.(".felt .named[data-card]"));

const shelf = Object.assign(document.createElement("aside"), {className: "preview", hidden: true, ariaHidden: "true"});
for (const comes of ["pointerover", "focusin"]) addEventListener(comes, (event) => previews(cardAt(event)));
addEventListener("focusout", () => previews(null));

/** Return whether a card is to be shown large before a press makes its move. @param {string} name */
const isRead = (name) => CLOSE.matches && printed.has(name);

loadStyles(printedStyles);
Object.assign(names, {face, words, heap, large, isRead,
    look: (/** @type {string} */ text) => tint(printed.get(text)?.frame)});
void attempt(read);
