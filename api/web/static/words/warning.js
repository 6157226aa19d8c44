/** Warnings that time is running out. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  tenSeconds: "Ten seconds left.",
  aMinute: "A minute left.",
  fiveMinutes: "Five minutes left.",
  anHour: "An hour left.",
}});
