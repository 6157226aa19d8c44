/** Texts about tournament preparation in pods. */

import {inLanguage, listed} from "./language.js";

export const says = inLanguage({en: {
  about: (/** @type {string} */ game, /** @type {number} */ seats) =>
    `Before the first round, all play ${game} in pods of up to ${
    seats}. They play every round with the deck that they build there.`,
  eachHas: (/** @type {string} */ clock) => `Clock: ${clock}.`,
  notYet: "Pods are drawn when entries close.",
  pod: (/** @type {number} */ no) => `Pod ${no}`,
  isOver: "finished",
  prepares: "preparing",
  yours: "your pod",
  hasLeft: "out",
  youHavePrepared: "Your deck is ready.",
  waitForAll: "The first round is paired when all pods have finished.",
  podComes: "Your pod is being set up …",
  yourPod: (/** @type {string[]} */ others) => others.length ? `Your pod is ready, with ${listed(others)}.`
    : "Your pod is ready.",
  toYourPod: "Go to your pod",
  sitDown: (/** @type {string} */ left) => `Take your seat: ${left}. No-shows are eliminated.`,
  waitForOthers: "The pod begins when all players are seated.",
  yourChoice: (/** @type {string} */ left) => left ? `Your turn: ${left}.` : "Your turn.",
  othersChoose: "Waiting for the others.",
}});
