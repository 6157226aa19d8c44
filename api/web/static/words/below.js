/** Texts below a table. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  whatHappened: "Game log",
  whatWasTold: "Game log",
  itsNumber: "Hash",
  howToPlay: "How to play",
  loading: "Loading …",
  allRules: "Full rules",
  whatElse: "Other actions",
  forAway: "While you are away",
  matchIsClosed: "You cannot see this match, or it does not exist.",
}});
