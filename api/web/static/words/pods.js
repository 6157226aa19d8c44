/** What is said of the pods in which entrants of a tournament prepare. */

import {inLanguage, listed} from "./language.js";

export const says = inLanguage({en: {
  about: (/** @type {string} */ game, /** @type {number} */ seats) =>
    `Before the first round all play ${game}, in pods of up to ${
    seats}. What they build there they bring to every table, and nothing else.`,
  eachHas: (/** @type {string} */ clock) => `The clock: ${clock}.`,
  notYet: "The pods are drawn as entries are closed.",
  pod: (/** @type {number} */ no) => `Pod ${no}`,
  isOver: "has prepared",
  prepares: "prepares",
  yours: "your pod",
  hasLeft: "is out",
  youHavePrepared: "You have prepared.",
  waitForAll: "The first round is paired as soon as all pods have.",
  podComes: "Your pod is being set …",
  yourPod: (/** @type {string[]} */ others) => others.length ? `Your pod is there, with ${listed(others)}.`
    : "Your pod is there.",
  toYourPod: "Go to your pod",
  sitDown: (/** @type {string} */ left) => `Take your seat: ${left}. Who does not come is out.`,
  waitForOthers: "It begins as soon as all have come.",
  yourChoice: (/** @type {string} */ left) => left ? `It waits for you: ${left}.` : "It waits for you.",
  othersChoose: "The others are to choose.",
}});
