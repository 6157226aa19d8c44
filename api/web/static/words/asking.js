/** What is said where a move is sent, and where it is asked for first. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  whatWith: (/** @type {string} */ card) => `What with the ${card}?`,
  whatDoYouDo: "What do you do?",
  changedMeanwhile: "The table has changed meanwhile. Look at it, and choose again.",
  notNow: "Not now",
}});
