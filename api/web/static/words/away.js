/** What is said of standing orders and notes. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  standingOrders: (/** @type {boolean} */ isGiven) => `Standing orders${isGiven ? ": given" : ""}`,
  aboutOrders:
    "When it is your turn and you are away, the first order that fits is carried out, after a while that nobody can " +
    "foresee.",
  ordersFailed: "Your orders no longer fitted the last decision that they were looked at for.",
  ordersGiven: "Your orders are given. Only you see them.",
  ordersChanged: "Your orders were changed on another device. Try again to replace those.",
  ordersCancelled: "Your orders are cancelled.",
  wouldPlay: (/** @type {string} */ move, /** @type {boolean} */ isForced, /** @type {number | null} */ order) =>
    `Now it would be played: ${move}${isForced ? ", the only move" : order === null ? "" : `, by order ${order}`}.`,
  wouldNot: (/** @type {number | null} */ order) =>
    order === null ? "Now nothing would be played."
      : `Now nothing would be played: order ${order} fits, but none of its moves may be made.`,
  forced: "Make a move that is the only one",
  before: (/** @type {number} */ order) => `Move up, before order ${order}`,
  without: (/** @type {number} */ order) => `Remove order ${order}`,
  anotherOrder: "Another order",
  tryNow: "Try it now",
  give: "Give these orders",
  cancel: "Cancel them",
  if: "If",
  and: "and",
  then: "then",
  else: "else",
  always: "Always",
  how: "how",
  value: "value",
  withoutCondition: "Remove this condition",
  withoutMove: "Remove this move",
  anotherCondition: "Another condition",
  anotherMove: "Another move, if that may not be made",
  ways: /** @type {Record<string, string>} */ (
    {is: "is", min: "is at least", max: "is at most", all: "has all of", none: "has none of"}),
  these: (/** @type {string} */ move) => `${move}, these`,
  chosen: (/** @type {string} */ move) => `${move}, chosen`,
  hints: /** @type {Record<string, string>} */ (
    {number: "a number", list: "cards, as QS 10D for the queen of spades and the 10 of diamonds",
      text: "a card, as QS for the queen of spades", choice: "a card, as QS for the queen of spades"}),
  unfit: (/** @type {string} */ hint) => `That does not fit here: write ${hint}.`,
  unchosen: (/** @type {string} */ field) => `Choose one in the list “${field}”.`,
  // Notes
  notes: "Notes, for you alone",
  keepNotes: "Keep the notes",
  notesKept: "Your notes are kept. Only you can read them.",
  notesChanged: (/** @type {string} */ text) =>
    `Your notes were changed elsewhere: “${text}”. Keep yours again to put them in that place.`,
}});
