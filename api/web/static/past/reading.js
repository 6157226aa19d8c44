/** Reads the past of a match: the tables of all versions, and its record. */

import {read} from "./documents.js";
import {saved} from "../table/saving.js";
import {says} from "../words/past.js";

/** @typedef {import("../table/store.ts").Step} Step */

export const HANDS = "phh";
const ENDINGS = {"": "json", [HANDS]: "phhs"};

/**
 * Read the tables of several versions of a match, in as few requests as possible.
 * @param {string} id @param {number} first @param {number} last @param {string} [how] more query parameters, as
 *   `viewOf` returns them
 * @param {(steps: Step[]) => void} [came] gets the tables so far after each answer
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
 * Return the query for tables as one release of the server draws them, which can be cached, and as a seat sees them;
 * null for the reader's own seat.
 * @param {string} release
 * @param {string | null} seat
 */
export const viewOf = (release, seat) => `&release=${release}${seat === null ? "" : `&seat=${seat}`}`;

/**
 * Read the record of a match, or its poker hands.
 * @param {string} id
 * @param {"" | typeof HANDS} [form]
 */
export const record = (id, form = "") =>
  read(`/matches/${id}/record${form && `?format=${form}`}`, says.recordIsClosed);

/** Save the record as a file. @param {string} id @param {"" | typeof HANDS} [form] */
export async function keep(id, form = "") {
  saved(await record(id, form), `dealt-${id}.${ENDINGS[form]}`);
}
