/** Draws and says collectible cards with what is printed on them, as this server tells it. */

import {api, repaint, tries} from "../table/app.js";
import {look, names} from "../table/cards.js";
import {looks} from "../table/later.js";
import {says} from "../words/printed.js";
import {art} from "./art.ts";
import {html, nothing, render} from "lit-html";
import printedStyles from "./printed.css?url";

const MOST = 100, TINTS = 5, FEW = 2;

/** What is printed on cards, by their names. @type {Map<string, Api.Printed>} */
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

/** The colours in which cards are drawn, in the order in which the cards have them. @type {string[]} */
const frames = [];

/**
 * Name the class of a colour: colours get the tints in their order, and begin again where there are more.
 * @param {string | null | undefined} color
 */
const tint = (color) => color && frames.includes(color) ? `frame-${frames.indexOf(color) % TINTS}` : "";

/**
 * Give the size that is printed on a card, unless a mark says what it is now.
 * @param {Api.Printed | undefined} card
 * @param {string[]} marks
 */
const sizes = (card, marks) => !card || card.power === null || marks.some((mark) => /^-?\d+\/-?\d+$/.test(mark))
  ? [] : [size(card)];

/** @param {Api.Printed} card */
const size = ({power, toughness}) => `${power}/${toughness}`;

/** Give all that is marked on a card. @param {Api.Printed | undefined} card @param {string[]} marks */
const marked = (card, marks) => [...sizes(card, marks), ...marks];

/** Say whether marks take the room of what a card is. @param {string[]} all */
const isFull = (all) => all.length > FEW;

/**
 * Say a card in the order in which it is drawn: what has no room is at the end of what is seen, so that whoever speaks
 * to the browser may say what they see.
 * @param {string} text
 * @param {string[]} marks
 */
function words(text, marks) {
  const card = printed.get(text), all = marked(card, marks), types = card?.types.join(" ");
  return [text, ...all, card?.cost, ...(isFull(all) ? [card?.text, types] : [types, card?.text])]
    .filter(Boolean).join(", ");
}

/**
 * Where a long word may be parted: before the last consonant between two vowels, and never near its ends; what is
 * written as one sound stays together.
 */
const PART = /(?<=[a-z]{3})(?<=[aeiouy][a-z]*)(?=(?:[cgpstw]h|ck|[b-df-hj-np-tv-xz])[aeiouy][a-z]{2})/gi,
  LONG = /\p{L}{8,}/gu;

/**
 * Let long words of a name be parted where a line is full: by what is not of the text, so that the browser finds the
 * name, and it is the one that is said.
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

/** Say on a line what a card is. @param {Api.Printed} card */
const lineOf = (card) => [card.cost, [...card.types, ...card.subtypes].join(" "), ...sizes(card, []),
  ...card.keywords].filter(Boolean).join(" · ");

/** Tell what is printed on a card that is named in a list. @param {string} name */
export function about(name) {
  const card = printed.get(name);
  return card ? html`<span class="printed ${tint(card.frame)}">${lineOf(card)}${card.text
    ? html`<span class="soft"> ${card.text}</span>` : nothing}</span>` : nothing;
}

/** Give a text by which names of cards are sorted: by colour, by what they cost, and by name. @param {string} name */
export function order(name) {
  const card = printed.get(name);
  return card ? `${card.colors.join("") || "~"} ${String(card.cost?.length ?? 0).padStart(2)} ${name}` : `~~ ${name}`;
}

/** Tell what the cards say that lie face up in a scene, each once. @param {Api.Scene} scene */
export function texts(scene) {
  const spots = Object.values(scene.zones).flatMap((zone) => zone.spots);
  const cards = [...new Set(spots.map(({card}) => card))].map((name) => printed.get(name ?? ""))
    .filter((card) => card !== undefined);
  if (!cards.length) return nothing;
  return html`<details class="texts"><summary>${says.whatCardsSay}</summary><dl>${cards.map((card) => html`
    <div><dt>${card.name} <span class="soft">${lineOf(card)}</span></dt><dd>${card.text}</dd></div>`)}</dl></details>`;
}

/** A heap that can be opened: all its cards. @param {unknown[]} cards */
const heap = (cards) => html`<details class="heap"><summary>${says.allOfThem}</summary><div
  class="cards">${cards}</div></details>`;

/** Where a card shows no text, or is touched, it is read before anything is done with it. */
const CLOSE = matchMedia("(max-width: 59.9rem), (pointer: coarse)");

/** Draw a card that is asked about, so that all of it can be read. @param {string} name */
const large = (name) => printed.has(name)
  ? html`<span class="${look(name)} large" role="img" aria-label=${words(name, [])}>${face(name, [])}</span>` : nothing;

/**
 * Show a card of the table, with what is marked on it, large and in one place; null shows none. What is read aloud is
 * said by the card itself.
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

/** What is pointed at, has the focus, or is touched, if it is a card with a name on a table. @param {Event} event */
const cardAt = ({target}) => /** @type {HTMLElement | null} */ (
  /** @type {Element} */ (target).closest?.(".felt .named[data-card]"));

const shelf = Object.assign(document.createElement("aside"), {className: "preview", hidden: true, ariaHidden: "true"});
for (const comes of ["pointerover", "focusin"]) addEventListener(comes, (event) => previews(cardAt(event)));
addEventListener("focusout", () => previews(null));

/** Say whether a card is to be read before a move is made by a press of it. @param {string} name */
const isRead = (name) => CLOSE.matches && printed.has(name);

looks(printedStyles);
Object.assign(names, {face, words, heap, large, isRead,
    look: (/** @type {string} */ text) => tint(printed.get(text)?.frame)});
void tries(read);
