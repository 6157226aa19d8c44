/** Names cards and other things on the table in words. */

import {inWords, NTH, parts as suited} from "../table/cards.js";
import {state} from "../table/app.js";
import {personal} from "../table/retold.js";
import {nameOf as seatName} from "../table/seating.js";
import {says} from "../words/choosing.js";

/**
 * Name a value in words: a card, a thing on the table with this id, or its title in the schema.
 * @param {Api.Schema} schema
 * @param {Api.Json | undefined} value
 * @param {Api.Scene | null} scene
 * @returns {string}
 */
export function nameOf(schema, value, scene) {
  const items = schema.items?.items ?? schema.items ?? schema;
  if (value !== null && typeof value === "object") {
    return Object.entries(value).map(([key, one]) => nameOf(items.properties?.[key] ?? {}, one, scene)).join(" – ");
  }
  const at = items["x-at"], nth = /** @type {number} */ (value);
  const there = Array.isArray(at) ? scene?.zones[at[nth]?.split("/").at(-1) ?? ""] : null;
  if (there) return there.spots.map((spot) => inWords(spot.card ?? "")).join(", ");
  if (suited(String(value)).suit) return inWords(String(value));
  const called = items["x-names"]?.[String(value)], lying = lyingAs(value, scene);
  if (called || !lying) return personal(state.match, called ?? String(value).replaceAll("_", " "));
  return `${lying.card}${lying.about.length ? ` (${lying.about.join(", ")})` : ""}`;
}

/**
 * Find the card with this id. The result says which of several cards with its name it is, and whose.
 * @param {Api.Json | undefined} value
 * @param {Api.Scene | null} scene
 */
export function lyingAs(value, scene) {
  for (const zone of Object.values(scene?.zones ?? {})) {
    const i = zone.spots.findIndex(({id}) => id && id === value),
      {card, marks} = zone.spots[i] ?? {card: null, marks: []};
    if (!card) continue;
    const nth = zone.spots.slice(0, i).filter((one) => one.card === card).length,
      whose = zone.seat === null || zone.seat === scene?.seat ? [] : [seatName(state.match, zone.seat)];
    const which = marks.filter((mark) => NTH.test(mark)),
      more = zone.layout === "row" || !nth ? [] : [says.ordinal(nth + 1)];
    return {card, about: [...which, ...more, ...whose], all: [...marks, ...more, ...whose]};
  }
  return null;
}
