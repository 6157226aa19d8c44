/** Draws and says collectible cards with what is printed on them, as this server tells it. */

import {api, repaint, tries} from "../table/app.js";
import {names} from "../table/cards.js";
import {looks} from "../table/later.js";
import {says} from "../words/printed.js";
import {html, nothing} from "../table/vendor/lit-html/lit-html.js";

const MOST = 100;

/** What is printed on cards, by their names. @type {Map<string, any>} */
const printed = new Map();

async function read() {
  for (let after = ""; after !== null;) {
    const {items, next} = await api.call("GET", `/cards?limit=${MOST}${after && `&cursor=${after}`}`);
    for (const card of items) printed.set(card.name, card);
    after = next;
  }
  repaint();
}

/** Give the size that is printed on a card, unless a mark says what it is now. @param {any} card @param {string[]} marks */
const sizes = (card, marks) => !card || card.power === null || marks.some((mark) => /^-?\d+\/-?\d+$/.test(mark)) ? [] : [`${card.power}/${card.toughness}`];

/** @param {string} text @param {string[]} marks */
function words(text, marks) {
  const card = printed.get(text);
  return [text, card?.cost, card?.types.join(" "), ...sizes(card, marks), ...marks, card?.text].filter(Boolean).join(", ");
}

/** @param {string} text @param {string[]} marks */
function face(text, marks) {
  const card = printed.get(text);
  return html`<span class="title" aria-hidden="true">${text}</span>
    ${card?.cost ? html`<span class="cost" aria-hidden="true">${[...card.cost].map((one) => html`<i class="mana-${one}">${one}</i>`)}</span>` : nothing}
    ${card ? html`<span class="types" aria-hidden="true">${card.types.join(" ")}</span>` : nothing}
    <span class="marks" aria-hidden="true">${[...sizes(card, marks), ...marks].map((mark) => html`<span>${mark}</span> `)}</span>
    ${card ? html`<span class="says" aria-hidden="true">${card.text}</span>` : nothing}`;
}

/** Say on a line what a card is. @param {any} card */
const lineOf = (card) => [card.cost, [...card.types, ...card.subtypes].join(" "), ...sizes(card, []), ...card.keywords].filter(Boolean).join(" · ");

/** Tell what is printed on a card that is named in a list. @param {string} name */
export function about(name) {
  const card = printed.get(name);
  return card ? html`<span class="printed mana-${card.colors[0] ?? "N"}">${lineOf(card)}${card.text ? html`<span class="soft"> ${card.text}</span>` : nothing}</span>` : nothing;
}

/** Give a text by which names of cards are sorted: by colour, by what they cost, and by name. @param {string} name */
export function order(name) {
  const card = printed.get(name);
  return card ? `${card.colors.join("") || "~"} ${String(card.cost?.length ?? 0).padStart(2)} ${name}` : `~~ ${name}`;
}

/** Tell what the cards say that lie face up in a scene, each once. @param {any} scene */
export function texts(scene) {
  const spots = Object.values(scene.zones).flatMap((zone) => zone.spots);
  const cards = [...new Set(spots.map(({card}) => card))].map((name) => printed.get(name)).filter((card) => card !== undefined);
  if (!cards.length) return nothing;
  return html`<details class="texts"><summary>${says.whatCardsSay}</summary><dl>${cards.map((card) => html`
    <div><dt>${card.name} <span class="soft">${lineOf(card)}</span></dt><dd>${card.text}</dd></div>`)}</dl></details>`;
}

looks(new URL("printed.css", import.meta.url));
Object.assign(names, {face, words, look: (/** @type {string} */ text) => `mana-${printed.get(text)?.colors[0] ?? "N"}`});
void tries(read);
