/** Texts of a board on another site. */

import {inLanguage, number} from "./language.js";

export const says = inLanguage({en: {
  first: "First table",
  previous: "Previous",
  play: "Play",
  pause: "Pause",
  next: "Next",
  isAt: (/** @type {number} */ at, /** @type {number} */ all) => `${number(at)} of ${number(all)}`,
  notBegun: "The match has not begun.",
  open: "Open on Dealt",
  closed: "This match is not public, or it does not exist.",
}});
