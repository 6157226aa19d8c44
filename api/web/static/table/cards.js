/** Draws cards: ours, as vector paths, with the shape of the suit and its letter always there. */

import {says} from "../words/table.js";
import {html} from "lit-html";

const PATHS = /** @type {Record<string, string>} */ ({
  H: "M12 21.5C5.5 16 2 12 2 8a5.2 5.2 0 0 1 10-2.1A5.2 5.2 0 0 1 22 8c0 4-3.5 8-10 13.5Z",
  D: "M12 1.5 20.5 12 12 22.5 3.5 12Z",
  S:
    "M12 1.5C12 1.5 2.5 8.8 2.5 14a4.6 4.6 0 0 0 8.3 2.7c-.2 2.5-1.2 4.4-3 5.8h8.4c-1.8-1.4-2.8-3.3-3-5.8A4.6 4.6 0 " +
    "0 0 21.5 14C21.5 8.8 12 1.5 12 1.5Z",
  C:
    "M12 1.5a4.7 4.7 0 0 1 3.8 7.4 4.7 4.7 0 1 1-2.6 8.1c.2 2.4 1.2 4.2 3 5.5H7.8c1.8-1.3 2.8-3.1 3-5.5a4.7 4.7 0 1 " +
    "1-2.6-8.1A4.7 4.7 0 0 1 12 1.5Z",
});

/** Take the text of a card apart; a card without a suit is a number or a name. @param {string} text */
export function parts(text) {
  const suit = text.length === 2 && /^[2-9TJQKA]$/.test(text[0] ?? "") ? text[1] ?? "" : "";
  return suit in PATHS ? {rank: text[0] === "T" ? "10" : text[0] ?? "", suit} : {rank: text, suit: ""};
}

/** Say a card in words. @param {string} text */
export function inWords(text) {
  const {rank, suit} = parts(text);
  return suit ? says.card(says.ranks[text[0] ?? ""] ?? rank, says.suits[suit] ?? "") : rank;
}

/** Draw a suit. @param {string} suit */
export const suitOf = (suit) => html`<svg class="suit" viewBox="0 0 24 24" aria-hidden="true"><path
  d=${PATHS[suit] ?? ""} /></svg>`;

/**
 * Say whether a card lies open in a scene that has a name, and neither a suit nor a number.
 * @param {Api.Scene} scene
 */
export const hasNames = (scene) => Object.values(scene?.zones ?? {})
  .some((zone) => zone.spots.some(({card}) => card && !parts(card).suit && !isNumber(card)));

/** Say whether a zone has an amount and no cards, as a pot. @param {Api.Scene} scene */
export const hasAmounts = (scene) => Object.values(scene?.zones ?? {})
  .some((zone) => !zone.count && Object.keys(zone.numbers).length);

/**
 * How cards with names are drawn, said, tinted, and a heap of them opened: by the name alone, until what
 * is printed on them has been brought.
 */
export const names = {
  face: (/** @type {string} */ text, /** @type {string[]} */ marks) =>
    html`<span aria-hidden="true">${[text, ...marks].join(" ")}</span>`,
  words: (/** @type {string} */ text, /** @type {string[]} */ marks) => [inWords(text), ...marks].join(", "),
  look: (/** @type {string} */ _) => "",
  heap: (/** @type {unknown[]} */ _) => /** @type {unknown} */ (""),
  large: (/** @type {string} */ _) => /** @type {unknown} */ (""),
  isRead: (/** @type {string} */ _) => false,
};

/** Which of several of one name it is that lies there, as the mark `2nd`. */
export const NTH = /^\d+(st|nd|rd|th)$/;

/** Name a card that a move names, by its text or by an id. @param {Api.Scene} scene @param {string} value */
export function called(scene, value) {
  const {card, marks} = Object.values(scene?.zones ?? {}).flatMap((zone) => zone.spots).find(({id}) => id === value)
    ?? {card: value, marks: []};
  const nth = marks.find((mark) => NTH.test(mark));
  return inWords(card ?? value) + (nth ? ` (${nth})` : "");
}

/** Say a card in words, with what is marked on it. @param {string} text @param {string[]} marks */
export const inFull = (text, marks) => parts(text).suit || isNumber(text)
  ? [inWords(text), ...marks].join(", ") : names.words(text, marks);

/** Draw what stands on a card. @param {string} text @param {string[]} marks */
export function face(text, marks = []) {
  const {rank, suit} = parts(text);
  if (suit) return html`<span class="index" aria-hidden="true">${rank}<span class="of">${suitOf(suit)}</span></span>
    <span class="middle" aria-hidden="true">${suitOf(suit)}</span>`;
  if (isNumber(rank)) return html`<span class="index" aria-hidden="true">${rank}</span><span class="pip"
    aria-hidden="true" data-n=${rank}></span>`;
  return names.face(text, marks);
}

/** @param {string} text */
const isNumber = (text) => text.length <= 3;

/** Name the classes of a card. @param {string} text */
export function look(text) {
  const {rank, suit} = parts(text);
  return `card up ${suit ? `suit-${suit}` : isNumber(rank)
    ? `plain tint-${Number(rank) % 4 || 0}` : `named ${names.look(text)}`}`;
}
