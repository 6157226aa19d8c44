/** Texts about standing orders and notes. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  standingOrders: (/** @type {boolean} */ isGiven) => `Standing orders${isGiven ? ": on" : ""}`,
  aboutOrders:
    "When it is your turn and you are away, the server plays the first order that applies, after a random " +
    "delay.",
  ordersFailed: "None of your orders applied to the last decision.",
  ordersGiven: "Orders set. Only you can see them.",
  ordersChanged: "Your orders were changed on another device. Try again to replace them.",
  ordersCancelled: "Orders cancelled.",
  wouldPlay: (/** @type {string} */ move, /** @type {boolean} */ isForced, /** @type {number | null} */ order) =>
    `It would play now: ${move}${isForced ? ", the only move" : order === null ? "" : `, by order ${order}`}.`,
  wouldNot: (/** @type {number | null} */ order) =>
    order === null ? "It would play nothing now."
      : `It would play nothing now: order ${order} applies, but none of its moves is legal.`,
  forced: "Play the only legal move",
  before: (/** @type {number} */ order) => `Move up before order ${order}`,
  without: (/** @type {number} */ order) => `Remove order ${order}`,
  anotherOrder: "Add an order",
  tryNow: "Test now",
  give: "Set orders",
  cancel: "Cancel orders",
  if: "If",
  and: "and",
  then: "then",
  else: "else",
  always: "Always",
  how: "how",
  value: "value",
  withoutCondition: "Remove this condition",
  withoutMove: "Remove this move",
  anotherCondition: "Add a condition",
  anotherMove: "Add a fallback move",
  ways: /** @type {Record<string, string>} */ (
    {is: "is", min: "is at least", max: "is at most", all: "has all of", none: "has none of"}),
  these: (/** @type {string} */ move) => `${move}, these`,
  chosen: (/** @type {string} */ move) => `${move}, chosen`,
  hints: /** @type {Record<string, string>} */ (
    {number: "a number", list: "cards, such as QS 10D for the queen of spades and the 10 of diamonds",
      text: "a card, such as QS for the queen of spades", choice: "a card, such as QS for the queen of spades"}),
  unfit: (/** @type {string} */ hint) => `Invalid value: enter ${hint}.`,
  unchosen: (/** @type {string} */ field) => `Choose a value for “${field}”.`,
  // Notes
  notes: "Private notes",
  keepNotes: "Save notes",
  notesKept: "Notes saved. Only you can read them.",
  notesChanged: (/** @type {string} */ text) =>
    `Your notes were changed on another device: “${text}”. Save again to replace them.`,
}});
