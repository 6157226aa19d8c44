/** Texts about keyboard shortcuts. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  keys: "Keys",
  singleKeys: "Single-key shortcuts everywhere on the page",
  leadTo: {h: "Cards that you can press, or your hand", m: "Your other moves", l: "Game log", c: "Chat"},
}});
