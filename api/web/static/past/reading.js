/** Reads what was: the tables of all versions of a match, and its record. */

import {read} from "./documents.js";
import {saved} from "../table/saving.js";
import {says} from "../words/past.js";

/** @typedef {import("../table/store.ts").Step} Step */

export const HANDS = "phh";
const ENDINGS = {"": "json", [HANDS]: "phhs"};

/**
 * Read the tables of versions of a match, in as few answers as the server gives.
 * @param {string} id @param {number} first @param {number} last @param {string} [how] what else is asked for, as
 *   `viewOf` says it
 * @param {(steps: Step[]) => void} [came] told what there is after each answer
 * @returns {Promise<Step[]>}
 */
export async function tables(id, first, last, how = "", came = () => {}) {
  /** @type {Step[]} */
  const steps = [];
  for (let from = first; from;) {
    const bytes = await read(`/matches/${id}/replay?from=${from}&to=${last}${how}`, says.pastIsClosed,
      "application/x-ndjson");
    steps.push(...new TextDecoder().decode(bytes).trim().split("\n").map((line) => JSON.parse(line)));
    from = steps.at(-1)?.next ?? 0;
    came(steps);
  }
  return steps;
}

/**
 * Ask for the tables as one release of the server draws them, which are kept; and as a seat sees them, null being the
 * reader's own.
 * @param {string} release
 * @param {string | null} seat
 */
export const viewOf = (release, seat) => `&release=${release}${seat === null ? "" : `&seat=${seat}`}`;

/**
 * Give the record of a match; or the hands of poker that were played.
 * @param {string} id
 * @param {"" | typeof HANDS} [form]
 */
export const record = (id, form = "") =>
  read(`/matches/${id}/record${form && `?format=${form}`}`, says.recordIsClosed);

/** Give the record to the reader, as a file. @param {string} id @param {"" | typeof HANDS} [form] */
export async function keep(id, form = "") {
  saved(await record(id, form), `dealt-${id}.${ENDINGS[form]}`);
}
