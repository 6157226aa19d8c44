/** What is said of how cards move. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  cardsMove: "Cards move",
  times: (/** @type {number} */ speed) => speed ? `${speed}×` : "not at all",
  asDevice: "as your device asks for",
}});
