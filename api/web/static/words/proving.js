/** What is said where a tournament is verified. */

import {inLanguage, number} from "./language.js";

const counted = (/** @type {number} */ count, /** @type {string} */ one, /** @type {string} */ many) =>
  `${number(count)} ${count === 1 ? one : many}`;

export const says = inLanguage({en: {
  isClosed: "The record of this tournament is not open to you.",
  another: "This is the record of something else.",
  isChecking: "Your browser is checking the record …",
  isAt: (/** @type {number} */ taken, /** @type {number} */ matches) =>
    `Your browser is checking the record: match ${number(taken)} of ${number(matches)} …`,
  checks: /** @type {Record<string, string>} */ (
    {record: "The record is that of this tournament", chain: "The events are linked",
    rules: "What happened follows the rules", draws: "The draws are those that were committed to",
    pairings: "The rounds are paired by the rules",
    byes: "The byes are due", standings: "The standings follow from the results",
    tables: "The matches are those of the tables, and hold", signatures: "A server vouches for it"}),
  counted: /** @type {Record<string, (count: number) => string>} */ (
    {draws: (count) => counted(count, "draw", "draws"), pairings: (count) => counted(count, "pairing", "pairings"),
    byes: (count) => counted(count, "bye", "byes"), standings: (count) => `${number(count)} times`}),
  verdicts: /** @type {Record<string, string>} */ (
    {verified: "Everything was checked and holds.", failed: "This is not what happened.",
    unverifiable: "Nothing was found wrong, but not everything could be checked. Whether the moves at the tables " +
      "follow the rules of the game is checked by the command dealt verify."}),
}});
