/**
 * A part of a thing, as far as what is tested reads it; what lies deep in it is whole.
 * @template T
 * @template {unknown[]} [Above=[]]
 * @typedef {Above["length"] extends 6 ? T : T extends (infer U)[] ? Some<U, [...Above, T]>[]
 *   : T extends object ? {[K in keyof T]?: Some<T[K], [...Above, T]>} : T} Some
 */

/** Take a part of a thing for the whole that is wanted. @template T @param {Some<NoInfer<T>>} part */
export const some = (part) => /** @type {T} */ (part);
