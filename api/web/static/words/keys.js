/** What is said of single keys. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  keys: "Keys",
  singleKeys: "Single keys lead about, wherever you are on the page",
  leadTo: {h: "What may be pressed on the table, or your hand", m: "Your other moves", l: "What was told", c: "Chat"},
}});
