/** Tells what later versions of an event added, by the tables of docs/proof.md ("Versions of events"). */

import { get, has } from "./deals.mjs";

/**
 * @typedef {Record<string, Record<string, unknown>[]>} Added for each type of event, what its versions 2, 3, … added:
 *   the fields, each with the value that events of earlier versions get
 */

/** The latest version of a type. @param {Added} added @param {string} type */
export const latestOf = (added, type) => 1 + (get(added, type)?.length ?? 0);

/**
 * The fields that came after a version, with the values that an event of this version gets.
 * @param {Added} added @param {string} type @param {number} v @returns {Record<string, unknown>}
 */
export const addedAfter = (added, type, v) => Object.assign({}, ...(get(added, type) ?? []).slice(v - 1));

/**
 * Whether an event has no field that came after its version, which is one that there has been.
 * @param {Added} added @param {{type: string, v: number, data: Record<string, unknown>}} event
 */
export const isOfItsVersion = (added, { type, v, data }) =>
  v >= 1 && Object.keys(addedAfter(added, type, v)).every((field) => !has(data, field));
