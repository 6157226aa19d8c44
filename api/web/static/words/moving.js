/** Texts about moving cards. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  received: "Just received",
  cardsMove: "Animation speed",
  times: (/** @type {number} */ speed) => speed ? `${speed}×` : "off",
  asDevice: "device setting",
}});
