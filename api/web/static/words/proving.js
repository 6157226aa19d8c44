/** Texts of the verification of a tournament. */

import {inLanguage, number} from "./language.js";

const counted = (/** @type {number} */ count, /** @type {string} */ one, /** @type {string} */ many) =>
  `${number(count)} ${count === 1 ? one : many}`;

export const says = inLanguage({en: {
  isClosed: "You cannot see the record of this tournament.",
  another: "This is the record of another tournament.",
  isChecking: "Your browser is checking the record …",
  isAt: (/** @type {number} */ taken, /** @type {number} */ matches) =>
    `Your browser is checking the record: match ${number(taken)} of ${number(matches)} …`,
  checks: /** @type {Record<string, string>} */ (
    {record: "The record belongs to this tournament", chain: "The events are linked",
    rules: "The events follow the rules", draws: "The draws match their commitments",
    pairings: "The rounds are paired by the rules",
    byes: "The byes follow the rules", standings: "The standings follow from the results",
    tables: "The matches belong to the tables, and every move in them follows the rules",
    signatures: "A server signed the record",
    log: "The signature is in the public log"}),
  counted: /** @type {Record<string, (count: number) => string>} */ (
    {draws: (count) => counted(count, "draw", "draws"), pairings: (count) => counted(count, "pairing", "pairings"),
    byes: (count) => counted(count, "bye", "byes"), standings: (count) => `${number(count)} times`}),
  verdicts: /** @type {Record<string, string>} */ (
    {verified: "Verified: all checks passed.", failed: "Failed: the record was altered.",
    unverifiable: "No fault was found, but some checks were not possible."}),
}});
