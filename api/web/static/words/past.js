/** What is said where a match is looked back at, and verified. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  lookingBack: "Looking back",
  backToTheTable: "Back to the table",
  nothingThere: "There is nothing to look back at.",
  whereToLook: "Where to look",
  eventOf: (/** @type {number} */ version, /** @type {number} */ last) => `Event ${version} of ${last}`,
  event: (/** @type {number} */ version, /** @type {string} */ text) => `Event ${version}: ${text}`,
  eventBefore: "Event before",
  nextEvent: "Next event",
  kindBefore: (/** @type {string} */ kind) => `${kind} before`,
  nextKind: (/** @type {string} */ kind) => `Next ${kind}`,
  play: "Play",
  pause: "Pause",
  speed: "Speed",
  aSecond: (/** @type {number} */ count) => `${count} a second`,
  seenBy: "Seen by",
  you: "you",
  spectator: "a spectator, hands hidden",
  all: "all, every hand open",
  // Verification
  verify: "Verify this match",
  isChecking: "Your browser is checking the record …",
  checks: /** @type {Record<string, string>} */ ({chain: "The events are linked", seals: "What was hidden is what was sealed",
    shuffles: "The shuffles are those that were committed to", rules: "The moves follow the rules", result: "The result is that of the events",
    moves: "Signed moves are their players' own", signatures: "A server vouches for it"}),
  verdicts: /** @type {Record<string, string>} */ ({verified: "Nothing was changed.", failed: "This is not what happened.",
    unverifiable: "Not all of it can be checked here."}),
  allHolds: "All that a browser can check holds. Whether the moves follow the rules is checked by the command dealt verify too.",
  wrong: "Wrong.",
  notChecked: "Not checked.",
  right: "Right.",
}});
