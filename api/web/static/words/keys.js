/** What is said of single keys. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  keys: "Keys",
  singleKeys: "Single keys lead to the parts of the table",
  leadTo: {h: "What may be pressed on the table, or your hand", m: "Your other moves", l: "What was told", c: "Chat"},
}});
