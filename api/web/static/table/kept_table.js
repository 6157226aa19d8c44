/** Keeps the table over reloads until it changes. It may be secret, and so is sent uncompressed, and may be long. */

import {api} from "./app.js";
import {TABLE} from "./keeping.js";
import {keepUnsent} from "../making/unsent.js";

/** @typedef {Awaited<ReturnType<typeof api.table>>} Table a match with its legal moves */
/** @typedef {{mark: string, id: string} & Pick<Table, "scene" | "offer">} Kept */

/**
 * Return a mark of the player and release that a kept table belongs to: another release may get a different table for
 * the same version.
 * @param {Pick<Api.Match, "id" | "version" | "seats" | "your_seats">} match
 */
const marked = ({id, version, seats, your_seats}) => [id, version, your_seats,
  seats.filter(({seat}) => your_seats.includes(seat)).map((one) => one.player?.id), import.meta.url].join(" ");

/**
 * Keep a table, unless the reader is a spectator.
 * @param {Api.Match} match @param {import("./store.ts").Offer} offer
 */
export function keepsTable(match, offer) {
  if (match.your_seats.length) keepUnsent(TABLE, {mark: marked(match), id: match.id, scene: match.scene, offer});
}

/**
 * Return a kept table with current names and times; null if it has changed.
 * @param {Kept} kept
 * @returns {Promise<Pick<Table, "offer"> & Api.Match | null>}
 */
export async function asKept({id, mark, scene, offer}) {
  const match = await api.match(id);
  return marked(match) === mark ? {...match, scene, offer} : null;
}
