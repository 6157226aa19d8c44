/** Texts of moves with a number or with several parts. */

import {inLanguage, listed, number, uncapital} from "./language.js";

const ENDINGS = /** @type {Record<string, string>} */ ({one: "st", two: "nd", few: "rd", other: "th"}),
  ORDINAL = new Intl.PluralRules("en", {type: "ordinal"});

export const says = inLanguage({en: {
  ordinal: (/** @type {number} */ n) => `${n}${ENDINGS[ORDINAL.select(n)]}`,
  least: "Minimum",
  most: "Maximum",
  more: (/** @type {string} */ what) => `${what}: more`,
  less: (/** @type {string} */ what) => `${what}: less`,
  amounts: (/** @type {string} */ what) => `${what}: other amount`,
  oftenWanted: "Common amounts",
  sends: (/** @type {string} */ move, /** @type {number | null} */ value) =>
    value === null ? move : `${move} ${number(value)}`,
  bounds: (/** @type {number} */ low, /** @type {number} */ high) =>
    low === high ? `Only ${number(low)} is possible.` : `From ${number(low)} to ${number(high)}.`,
  confirms: (/** @type {string} */ move) => `Confirm: ${uncapital(move)}`,
  // Moves with several parts
  hasNone: (/** @type {string} */ part) => `${part}: none.`,
  asProposed: "As proposed",
  beginsWith: (/** @type {string} */ move, /** @type {string[]} */ parts) =>
    `${move}: ${parts.join(" or ").toLowerCase()}`,
  asItComes: "as it comes",
  yes: "Yes",
  no: "No",
  nth: (/** @type {string} */ group, /** @type {number} */ n) => `${group} ${n}`,
  one: (/** @type {string} */ groups) => groups.replace(/s$/, ""),
  another: (/** @type {string} */ group) => `Another ${group.toLowerCase()}`,
  inNone: "In none",
  putInto: (/** @type {string} */ group) => `In none: press a card to put it into ${group.toLowerCase()}`,
  inDeck: "In the deck",
  inDeckSo: (/** @type {number} */ count) => `In the deck: ${count}`,
  ofLeast: (/** @type {number} */ least) => `of at least ${least}`,
  besideDeck: "Sideboard",
  besideSo: (/** @type {number} */ count) => `Sideboard: ${count}`,
  outOfDeck: (/** @type {string} */ card) => `${card}: remove one from the deck`,
  intoDeck: (/** @type {string} */ card) => `${card}: add one to the deck`,
  // Pairs chosen on the table
  pressBoth: (/** @type {string} */ one, /** @type {string} */ other) =>
    `Press one ${one.toLowerCase()} and one ${other.toLowerCase()} on the table. Press again to undo.`,
  nowPress: (/** @type {string} */ held, /** @type {string} */ what) => `${held}: now press one ${what.toLowerCase()}.`,
  held: "chosen",
  fits: (/** @type {string} */ what, /** @type {string} */ held) => `${what} for ${held}`,
  paired: (/** @type {string} */ what, /** @type {string[]} */ names) => `${what}: ${names.join("; ")}`,
  here: "Here",
  possible: (/** @type {string[]} */ pairs) => `Possible: ${pairs.join("; ")}.`,
  // Values that are chosen by one press on the table
  chosenAs: (/** @type {string} */ what) => `${what}, chosen`,
  aimed: (/** @type {string} */ what, /** @type {string[]} */ names) => `${what}: ${listed(names)}.`,
  toAim: (/** @type {string} */ what, /** @type {number} */ least, /** @type {number} */ most) => `${what}: press ${
    most === Infinity ? least ? `${number(least)} or more` : "what you choose" : least === most ? number(most)
    : least ? `${number(least)} to ${number(most)}` : `up to ${number(most)}`} on the table.`,
  // What is missing
  eachHas: (/** @type {string} */ part, /** @type {number} */ fewest) => `${part}: at least ${fewest} cards each.`,
  aNumber: (/** @type {string} */ part, /** @type {number} */ least, /** @type {number} */ most) =>
    `${part}: a number from ${least}${most < Infinity ? ` to ${most}` : ""}.`,
  atMost: (/** @type {string} */ part, /** @type {number} */ most) => `${part}: at most ${most}.`,
  many: (/** @type {string} */ part, /** @type {number} */ least, /** @type {number} */ most) =>
    `${part}: choose ${least === most ? least : `at least ${least}`}.`,
}});
