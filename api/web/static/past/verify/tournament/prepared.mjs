/** Compares what entrants bring to tables with what they gained before the first round (tournament 14.4). */

import { get, has, isInteger, same } from "../deals.mjs";

/**
 * @typedef {import("../record.mjs").Event} Event
 * @typedef {import("../deals.mjs").Known} Known
 * @typedef {import("./state.mjs").Cited} Cited
 */

/** Collects what was gained in pods and brought to tables, in any order. */
export class Prepared {
  /** @type {Map<number, unknown>} */
  #gained = new Map();
  /** @type {{seq: number, one: number, deck: unknown}[]} */
  #brought = [];

  /**
   * Add the verified match of a table or pod; return true if it contradicts the tournament about who gained nothing.
   * @param {Cited} cited
   * @param {Event[]} events
   * @param {Known | null} part
   */
  take({ kind, seq, seats, absent }, events, part) {
    if (!part || events.some(isShut)) return false;
    if (kind === "prepared") {
      const gained = part.gained.length ? partsOf(events, part, part.gained) : new Map();
      seats.forEach((one, seat) => one !== null && this.#gained.set(one, gained.get(seat) ?? null));
      return !same(absent, seats.filter((one) => one !== null && this.#gained.get(one) === null));
    }
    if (part.brought.length && events.some(({ type }) => type === "MatchStarted")) {
      const brought = partsOf(events, part, part.brought);
      seats.forEach((one, seat) => one !== null && this.#brought.push({ seq, one, deck: brought.get(seat) ?? null }));
    }
    return false;
  }

  /** Return the first added match to which something else was brought. */
  fault() {
    return this.#brought.find(({ one, deck }) => this.#gained.has(one) && !same(this.#gained.get(one), deck)) ?? null;
  }
}

/** Return whether a part of an event is not disclosed. @param {Event} event */
const isShut = ({ seals, parts }) =>
  Object.entries(seals).some(([name, sealed]) => Object.keys(sealed).some((reader) => !has(parts[name] ?? {}, reader)));

/**
 * Return the sealed field of each seat's last event of these types.
 * @param {Event[]} events
 * @param {Known} part
 * @param {string[]} types
 */
function partsOf(events, part, types) {
  /** @type {Map<number, unknown>} */
  const found = new Map();
  for (const { type, data, parts } of events) {
    const [field = ""] = Object.keys(get(part.seals, type) ?? {});
    if (types.includes(type) && isInteger(data.seat)) found.set(data.seat, parts[field]?.[String(data.seat)] ?? null);
  }
  return found;
}
