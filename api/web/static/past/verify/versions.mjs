/** Looks up the fields that later event versions added, by the tables of docs/proof.md ("Versions of events"). */

import { get, has } from "./deals.mjs";

/**
 * @typedef {Record<string, Record<string, unknown>[]>} Added by event type, the fields that versions 2, 3, … added,
 *   each with the value that earlier events get
 */

/** Return the latest version of a type. @param {Added} added @param {string} type */
export const latestOf = (added, type) => 1 + (get(added, type)?.length ?? 0);

/**
 * Return the fields added after a version, with the values that its events get.
 * @param {Added} added @param {string} type @param {number} v @returns {Record<string, unknown>}
 */
export const addedAfter = (added, type, v) => Object.assign({}, ...(get(added, type) ?? []).slice(v - 1));

/**
 * Return whether an event's version is valid and it has no field added later.
 * @param {Added} added @param {{type: string, v: number, data: Record<string, unknown>}} event
 */
export const isOfItsVersion = (added, { type, v, data }) =>
  v >= 1 && Object.keys(addedAfter(added, type, v)).every((field) => !has(data, field));
