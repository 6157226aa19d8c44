/** What is said at a field of a form that is not right. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  isMissing: "This is needed.",
  noNumber: "This has to be a number.",
  notWhole: "This has to be a whole number.",
  between: (/** @type {string} */ least, /** @type {string} */ most) =>
    least && most ? `This has to be from ${least} to ${most}.`
      : least ? `This has to be ${least} or more.` : `This has to be ${most} or less.`,
  otherwise: "This is not written as it has to be: see what is said of it.",
}});
