/** What is said of what is printed on cards. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  whatCardsSay: "What the cards say",
  allOfThem: "All of them",
}});
