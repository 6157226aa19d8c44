/** Texts about keyboard shortcuts. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  keys: "Keyboard shortcuts",
  singleKeys: "Allow single-key shortcuts",
  leadTo: {h: "Playable cards, or your hand", m: "Other moves", l: "Game log", c: "Chat"},
}});
