/** Texts of this browser's settings. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  settings: "Settings",
  settingNames: /** @type {Record<string, string>} */ ({colours: "Suit colours", deck: "Card faces", back: "Card backs",
    felt: "Table", sort: "Sort hand by", confirm: "Confirm plays", hand: "Buttons at", sounds: "Sounds"}),
  values: /** @type {Record<string, string>} */ ({2: "Two", 4: "Four", classic: "Classic", large: "Large index",
    blue: "Blue", red: "Red", green: "Green", black: "Black", navy: "Navy", burgundy: "Burgundy",
    graphite: "Graphite", suit: "Suit", rank: "Rank", off: "Off", on: "On", right: "Right hand", left: "Left hand"}),
}});
