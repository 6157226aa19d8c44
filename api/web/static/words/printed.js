/** Texts about the words printed on cards. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  whatCardsSay: "What the cards say",
  allOfThem: "All of them",
  steps: "Steps of the turn",
  stop: (/** @type {string} */ step) => `${step}: you stop here`,
  isStop: "you stop here",
}});
