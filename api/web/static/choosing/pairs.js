/**
 * Holds pairs that are chosen by pressing one end and then the other: who blocks whom, which card goes to which meld.
 * Nothing here knows a browser, or a game.
 */

import {endOf, placesOfAim} from "./aims.js";
import {groupsIn, keyOf, put} from "./parts.js";
import {pairedIn, placesOf} from "../table/moves.js";

/**
 * @typedef {import("./parts.js").Part} Part
 * @typedef {import("./parts.js").Draft} Draft
 * @typedef {{part: string, key: string, value: Api.Json}} End one end of a pair: of which part, by which name, and what
 */

/** Name the two ends of pairs. @param {Part} part @returns {[string, string]} */
export const endsOf = ({schema}) => /** @type {[string, string]} */ (pairedIn(schema)?.ends);

/** @param {Part} part */
const rowsOf = ({schema}) => pairedIn(schema)?.rows ?? [];

/** Give the schema of an end, with a title. @param {Part} part @param {string} key */
export const schemaOf = ({schema: {items}}, key) => ({title: key, ...items?.properties?.[key]});

/** Give what may be at an end, each once. @param {Part} part @param {string} key @returns {Api.Json[]} */
export const valuesAt = (part, key) =>
  [...new Set(rowsOf(part).flatMap((row) => row[endsOf(part).indexOf(key)] ?? []))];

/**
 * Say whether a part is chosen on the table: all of it lies there, where it is seen, and is pressed for nothing else.
 * @param {Part} part
 * @param {{scene: Api.Scene, pressed: Map<string, unknown>}} there
 */
export function liesThere(part, {scene, pressed: others}) {
  const all = part.kind === "pairs"
    ? endsOf(part).flatMap((key) => valuesAt(part, key).map((value) => placesOf(schemaOf(part, key), value)))
    : endOf(part) === null ? [[]] : part.values.map((value) => placesOfAim({part, value}));
  const seen = placesIn(scene);
  return all.every((places) => {
    const found = places.filter((place) => seen.has(place));
    return found.length && !found.some((place) => others.has(place));
  });
}

/** Say whether a pile can be opened: its cards have names, and each an id. @param {Api.SceneSpot[]} spots */
const opens = (spots) => spots[0]?.id && spots.some(({card}) => card && card.length > 3);

/** Name the places of a scene; of a pile that stays closed the top alone is seen. @param {Api.Scene} scene */
const placesIn = (scene) => new Set([...(scene?.seats ?? []).map(({seat}) => `/seats:${seat}`),
  ...Object.entries(scene?.zones ?? {}).flatMap(([id, {layout, spots}]) => [`/zones/${id}`,
    ...spots.slice(layout === "pile" && !opens(spots) ? -1 : 0)
      .flatMap((spot) => [spot.card, spot.id].map((one) => `/zones/${id}:${one}`))])]);

/** Give the pairs that are chosen. @param {Draft} draft @param {Part} part */
export const pairsIn = (draft, part) => /** @type {Api.Values[]} */ (draft.said[keyOf(part)]);

/** @param {Draft} draft @param {Part} part @param {string} key @param {Api.Json} value */
export const isHeld = ({held}, part, key, value) =>
  held?.part === keyOf(part) && held.key === key && held.value === value;

/**
 * Find the pair that what is held makes with this.
 * @param {Draft} draft
 * @param {Part} part
 * @param {string} key
 * @param {Api.Json} value
 */
export function fitting({held}, part, key, value) {
  if (held?.part !== keyOf(part) || held.key === key) return undefined;
  const [first, last] = endsOf(part), [one, other] = key === first ? [value, held.value] : [held.value, value];
  return rowsOf(part).some(([these, those]) => these.includes(one) && those.includes(other))
    ? /** @type {Api.Values} */ ({[first]: one, [last]: other}) : undefined;
}

/**
 * Give the pairs that may still be made, with what is held where something is.
 * @param {Draft} draft @param {Part} part
 */
export function possible(draft, part) {
  const made = new Set(pairsIn(draft, part).map((pair) => JSON.stringify(pair)));
  return /** @type {Api.Values[]} */ (part.values).filter((pair) => !made.has(JSON.stringify(pair))
    && (draft.held?.part !== keyOf(part) || pair[draft.held.key] === draft.held.value));
}

/**
 * Press one end: what is held is put down; what fits to it makes a pair; all else is taken out of its pairs, and held.
 * @param {Draft} draft
 * @param {Part} part
 * @param {string} key
 * @param {Api.Json} value
 * @returns {Draft}
 */
export function pressed(draft, part, key, value) {
  if (isHeld(draft, part, key, value)) return {...draft, held: null};
  const pairs = pairsIn(draft, part), pair = fitting(draft, part, key, value), [first] = endsOf(part);
  if (!pair)
    return {...put(draft, part, pairs.filter((one) => one[key] !== value)), held: {part: keyOf(part), key, value}};
  const others = isOnce(part) ? pairs.filter((one) => one[first] !== pair[first]) : pairs;
  return {...put(draft, part, [...others, pair]), held: null};
}

/** Say whether nothing is the first of two pairs, as where no more may be chosen. @param {Part} part */
const isOnce = (part) => part.most <= valuesAt(part, endsOf(part)[0]).length;

/**
 * Take a value out of all other parts: a card that is laid off lies in no group, and the other way round.
 * @param {Draft} draft
 * @param {Part[]} parts
 * @param {Part} part the one in which it is now
 * @param {Api.Json} value
 * @returns {Draft}
 */
export function alone(draft, parts, part, value) {
  return parts.filter((one) => keyOf(one) !== keyOf(part)).reduce((now, other) => {
    if (other.kind === "groups") return put(now, other, groupsIn(now, other).map((group) =>
      group.filter((one) => one !== value)));
    return other.kind === "pairs" ? put(now, other, pairsIn(now, other).filter((pair) =>
      !Object.values(pair).includes(value))) : now;
  }, draft);
}
