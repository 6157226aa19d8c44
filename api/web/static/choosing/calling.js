/** Names what moves are made of, as it lies on the table. */

import {inWords, parts as suited} from "../table/cards.js";
import {state} from "../table/app.js";
import {nameOf as seatName, personal} from "../table/seating.js";
import {says} from "../words/asking.js";

/**
 * Name a value in words: a card, what lies on the table by that mark, or what the schema calls it.
 * @param {any} schema
 * @param {any} value
 * @param {Api.Scene} scene
 * @returns {string}
 */
export function nameOf(schema, value, scene) {
  const items = schema.items?.items ?? schema.items ?? schema;
  if (value !== null && typeof value === "object") {
    return Object.entries(value).map(([key, one]) => nameOf(items.properties?.[key] ?? {}, one, scene)).join(" – ");
  }
  const there = Array.isArray(items["x-at"]) ? scene?.zones[items["x-at"][value]?.split("/").at(-1)] : null;
  if (there) return there.spots.map((spot) => inWords(spot.card ?? "")).join(", ");
  if (suited(String(value)).suit) return inWords(value);
  const called = items["x-names"]?.[value], lying = lyingAs(value, scene);
  if (called || !lying) return personal(state.match, called ?? String(value).replaceAll("_", " "));
  return `${lying.card}${lying.about.length ? ` (${lying.about.join(", ")})` : ""}`;
}

/** Which of several it is that lies there, as the mark `2nd`. */
const NTH = /^\d+(st|nd|rd|th)$/;

/**
 * Find the card that moves call so, with what tells it from others of its name: which of them it is, and whose.
 * @param {any} value
 * @param {Api.Scene} scene
 */
export function lyingAs(value, scene) {
  for (const zone of /** @type {any[]} */ (Object.values(scene?.zones ?? {}))) {
    const i = zone.spots.findIndex((/** @type {any} */ {id}) => id && id === value),
      {card, marks} = zone.spots[i] ?? {};
    if (!card) continue;
    const nth = zone.spots.slice(0, i).filter((/** @type {any} */ one) => one.card === card).length,
      whose = zone.seat === null || zone.seat === scene.seat ? [] : [seatName(state.match, zone.seat)];
    const which = marks.filter((/** @type {string} */ mark) => NTH.test(mark)),
      more = zone.layout === "row" || !nth ? [] : [says.ordinal(nth + 1)];
    return {card, about: [...which, ...more, ...whose], all: [...marks, ...more, ...whose]};
  }
  return null;
}
