/** Checks the shapes of values, with small checks and combinations of them. */

import { get, has, isInteger, isObject, isText } from "../deals.mjs";

/** @template T @typedef {(x: unknown) => x is T} Is */
/**
 * @template F
 * @typedef {{[K in keyof F]: F[K] extends Is<infer T> ? T : never}} Shaped an object type, by its fields' checks
 */

/** @param {unknown} x @returns {x is {} | null} */
export const isThere = (x) => x !== undefined;
/** @param {unknown} x @returns {x is boolean} */
export const isTruth = (x) => typeof x === "boolean";
/** Return whether it is a time in canonical ISO form. @param {unknown} x @returns {x is string} */
export const isTime = (x) => isText(x) && !Number.isNaN(Date.parse(x)) && new Date(x).toISOString() === x;

/** @template T @param {Is<T>} is */
export const maybe = (is) => /** @param {unknown} x @returns {x is T | null} */ (x) => x === null || is(x);
/** Accept a field that is omitted if it has no value. @template T @param {Is<T>} is */
export const leftOut = (is) => /** @param {unknown} x @returns {x is T | undefined} */ (x) => x === undefined || is(x);
/** @template T @param {Is<T>} is */
export const listOf = (is) => /** @param {unknown} x @returns {x is T[]} */ (x) => Array.isArray(x) && x.every(is);
/** @template {string} W @param {...W} words */
export const oneOf = (...words) => /** @param {unknown} x @returns {x is W} */ (x) => words.some((word) => word === x);
/** @param {number} low @param {number} high */
export const within = (low, high) => /** @param {unknown} x @returns {x is number} */ (x) =>
  isInteger(x) && x >= low && x <= high;

/** Accept objects with exactly these fields. @template {Record<string, Is<unknown>>} F @param {F} fields */
export const exactly = (fields) => /** @param {unknown} x @returns {x is Shaped<F>} */ (x) =>
  isObject(x) && Object.keys(x).every((name) => has(fields, name)) && Object.entries(fields)
    .every(([name, is]) => is(get(x, name)));
