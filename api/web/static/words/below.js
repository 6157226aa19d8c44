/** What is said below a table, and of what is followed. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  whatHappened: "What happened",
  whatWasTold: "What was told",
  itsNumber: "Its number",
  whatElse: "What else you may do",
  forAway: "For the time when you are away",
  matchIsClosed: "This match is not open to you, or not there.",
}});
