/** Reads what was: the tables of all versions of a match, and its record. */

import {Refused} from "../table/api.js";
import {api} from "../table/app.js";
import {says} from "../words/past.js";

/** @typedef {import("../table/store.js").Step} Step */

const SECOND_MS = 1_000;
export const HANDS = "phh";
const ENDINGS = {"": "json", [HANDS]: "phhs"};

/**
 * Read the tables of all versions of a match, in as few answers as the server gives.
 * @param {string} id @param {number} last @param {string} release @param {string | null} [seat] whose view it is; null: the reader's own
 * @returns {Promise<Step[]>}
 */
export async function tables(id, last, release, seat = null) {
  /** @type {Step[]} */
  const steps = [];
  for (let from = 1; from;) {
    const {answer, bytes} = await api.document(`/matches/${id}/replay?from=${from}&to=${last}&release=${release}${seat === null ? "" : `&seat=${seat}`}`, "application/x-ndjson");
    if (!answer.ok) throw new Refused(says.pastIsClosed, answer.status, "past");
    steps.push(...new TextDecoder().decode(bytes).trim().split("\n").map((line) => JSON.parse(line)));
    from = steps.at(-1)?.next ?? 0;
  }
  return steps;
}

/** Give the record of a match; or the hands of poker that were played. @param {string} id @param {"" | typeof HANDS} [form] */
export async function record(id, form = "") {
  const {answer, bytes} = await api.document(`/matches/${id}/record${form && `?format=${form}`}`);
  if (!answer.ok) throw new Refused(says.recordIsClosed, answer.status, "record");
  return bytes;
}

/** Give the record to the reader, as a file. @param {string} id @param {"" | typeof HANDS} [form] */
export async function keep(id, form = "") {
  const address = URL.createObjectURL(new Blob([await record(id, form)]));
  Object.assign(document.createElement("a"), {href: address, download: `dealt-${id}.${ENDINGS[form]}`}).click();
  setTimeout(() => URL.revokeObjectURL(address), SECOND_MS);
}
