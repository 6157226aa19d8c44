/**
 * Holds what is chosen by one press of what lies on the table: targets, what is given up, what pays. Nothing here knows
 * a browser, or a game.
 */

import {put, rowIn, same} from "./parts.js";
import {placesOf} from "../table/moves.js";

/**
 * @typedef {import("./parts.js").Part} Part
 * @typedef {import("./parts.js").Draft} Draft
 * @typedef {{part: Part, value: Api.Json}} Aim a value of a part
 */

/** Name the end of its values by which a part lies on the table; "" is the value itself, null: it has none. */
export const endOf = (/** @type {Part} */ {kind, schema}) => {
  if (kind !== "some" || "x-at" in schema) return kind === "some" ? "" : null;
  const ends = Object.entries(schema.items?.properties ?? {}).filter(([, end]) => "x-at" in end);
  return ends.length === 1 ? ends[0]?.[0] ?? null : null;
};

/** Give what of a value lies on the table. @param {Aim} aim */
const thingOf = ({part, value}) => /** @type {Api.Values} */ (value)[endOf(part) ?? ""] ?? value;

/** Give the places in which a value may lie. @param {Aim} aim @returns {string[]} */
export const placesOfAim = (aim) =>
  placesOf(aim.part.schema.items?.properties?.[endOf(aim.part) ?? ""] ?? aim.part.schema, thingOf(aim));

/** Give all values of parts by what lies on the table: a thing may be a target, and may pay. @param {Part[]} parts */
export function aimsAt(parts) {
  const things = /** @type {Map<Api.Json, Aim[]>} */ (new Map());
  for (const part of parts) for (const value of part.values) {
    const thing = thingOf({part, value});
    things.set(thing, [...things.get(thing) ?? [], {part, value}]);
  }
  return [...things.values()];
}

/** Say whether there is a thing for each value that has to be chosen: a press chooses a thing once. */
export const suffices = (/** @type {Part[]} */ parts) =>
  aimsAt(parts).length >= parts.reduce((sum, {least}) => sum + least, 0);

/** @param {Draft} draft @param {Aim} aim */
export const isChosen = (draft, {part, value}) => rowIn(draft, part).some((one) => same(one, value));

/** Say whether no more of a part may be chosen. @param {Draft} draft @param {Part} part */
export const isFull = (draft, part) => rowIn(draft, part).length >= part.most;

/**
 * Give what a press of a thing makes of it: the first for which there is room, then the next, and then nothing; where
 * there is room for nothing more, it takes the place of another.
 * @param {Draft} draft
 * @param {Aim[]} aims all that the thing may be
 */
export function next(draft, aims) {
  const at = aims.findIndex((aim) => isChosen(draft, aim));
  return aims.find(({part}, i) => i > at && (!isFull(draft, part) || part === aims[at]?.part))
    ?? (at < 0 ? aims[0] : undefined);
}

/** Press a thing. @param {Draft} draft @param {Aim[]} aims @returns {Draft} */
export function aimed(draft, aims) {
  const was = aims.find((aim) => isChosen(draft, aim)), now = next(draft, aims);
  const without = was ? put(draft, was.part, rowIn(draft, was.part).filter((one) => !same(one, was.value))) : draft;
  return now ? put(without, now.part, [...rowIn(without, now.part), now.value].slice(-now.part.most)) : without;
}

/**
 * Take back what was pressed last: what is held, or else the last that was chosen of a part; null: nothing was.
 * @param {Draft} draft
 * @param {Part[]} parts
 * @param {Draft} asProposed
 * @returns {Draft | null}
 */
export function takenBack(draft, parts, asProposed) {
  if (draft.held) return {...draft, held: null};
  const part = [...parts].reverse()
    .find((one) => rowIn(draft, one).length && !same(rowIn(draft, one), rowIn(asProposed, one)));
  return part ? put(draft, part, rowIn(draft, part).slice(0, -1)) : null;
}
