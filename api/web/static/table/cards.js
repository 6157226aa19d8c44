/** Draws and describes cards, as vector paths of our own. */

import {numbered, suited} from "../cards/face.ts";
import {SUITS} from "../cards/glyphs.ts";
import {says} from "../words/table.js";
import {html} from "lit-html";

/** Split the text of a card into rank and suit; a card without a suit is a number or a name. @param {string} text */
export function parts(text) {
  const suit = text.length === 2 && /^[2-9TJQKA]$/.test(text[0] ?? "") ? text[1] ?? "" : "";
  return suit in SUITS ? {rank: text[0] === "T" ? "10" : text[0] ?? "", suit} : {rank: text, suit: ""};
}

/** Describe a card in words. @param {string} text */
export function inWords(text) {
  const {rank, suit} = parts(text);
  return suit ? says.card(says.ranks[text[0] ?? ""] ?? rank, says.suits[suit] ?? "") : rank;
}

/** Return whether a scene has a face-up card with a name instead of a suit or number. @param {Api.Scene} scene */
export const hasNames = (scene) => Object.values(scene?.zones ?? {})
  .some((zone) => zone.spots.some(({card}) => card && !parts(card).suit && !isNumber(card)));

/** Return whether a zone has an amount instead of cards, such as a pot. @param {Api.Scene} scene */
export const hasAmounts = (scene) => Object.values(scene?.zones ?? {})
  .some((zone) => !zone.count && Object.keys(zone.numbers).length);

/**
 * How to draw, describe and tint cards with names, and open their piles: by name only, until the printed texts are
 * loaded.
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

/** The mark that tells cards with the same name apart, such as `2nd`. */
export const NTH = /^\d+(st|nd|rd|th)$/;

/** Describe the card that a move names by its text or id. @param {Api.Scene} scene @param {string} value */
export function called(scene, value) {
  const {card, marks} = Object.values(scene?.zones ?? {}).flatMap((zone) => zone.spots).find(({id}) => id === value)
    ?? {card: value, marks: []};
  const nth = marks.find((mark) => NTH.test(mark));
  return inWords(card ?? value) + (nth ? ` (${nth})` : "");
}

/** Describe a card in words, with its marks. @param {string} text @param {string[]} marks */
export const inFull = (text, marks) => parts(text).suit || isNumber(text)
  ? [inWords(text), ...marks].join(", ") : names.words(text, marks);

/** Draw the face of a card. @param {string} text @param {string[]} marks */
export function face(text, marks = []) {
  const {rank, suit} = parts(text);
  if (suit) return suited(rank, suit);
  if (isNumber(rank)) return numbered(rank);
  return names.face(text, marks);
}

/** @param {string} text */
const isNumber = (text) => text.length <= 3;

/** Return the classes of a card. @param {string} text */
export function look(text) {
  const {rank, suit} = parts(text);
  return `card up ${suit ? `suit-${suit}` : isNumber(rank)
    ? `plain tint-${Number(rank) % 4 || 0}` : `named ${names.look(text)}`}`;
}
