/** Texts at an invalid field of a form. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  isMissing: "Required.",
  noNumber: "Must be a number.",
  notWhole: "Must be a whole number.",
  between: (/** @type {string} */ least, /** @type {string} */ most) =>
    least && most ? `Must be from ${least} to ${most}.`
      : least ? `Must be ${least} or more.` : `Must be ${most} or less.`,
  otherwise: "Invalid format: see the hint.",
}});
