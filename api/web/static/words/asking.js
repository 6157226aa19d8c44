/** Texts of the questions before a move. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  whatWith: (/** @type {string} */ card) => `What do you want to do with the ${card}?`,
  whatDoYouDo: "What do you want to do?",
  changedMeanwhile: "The table has changed. Choose again.",
  notNow: "Not now",
}});
