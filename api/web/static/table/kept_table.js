/** Keeps a table over reloads, until it changes: it may be secret, and so comes uncompressed, and may be long. */

import {api} from "./app.js";
import {TABLE} from "./keeping.js";
import {keepUnsent} from "../making/unsent.js";

/** @typedef {Awaited<ReturnType<typeof api.table>>} Table a match with what may be done in it */
/** @typedef {{mark: string, id: string} & Pick<Table, "scene" | "offer">} Kept */

/**
 * Say whose table is kept, and by which release of the page: another release may be told other things of one version.
 * @param {Pick<Api.Match, "id" | "version" | "seats" | "your_seats">} match
 */
const marked = ({id, version, seats, your_seats}) => [id, version, your_seats,
  seats.filter(({seat}) => your_seats.includes(seat)).map((one) => one.player?.id), import.meta.url].join(" ");

/** Keep the table of a player. @param {Api.Match} match @param {import("./store.ts").Offer} offer */
export function keepsTable(match, offer) {
  if (match.your_seats.length) keepUnsent(TABLE, {mark: marked(match), id: match.id, scene: match.scene, offer});
}

/**
 * Give a table as it was kept, with the names and times of now; null where it has changed since.
 * @param {Kept} kept
 * @returns {Promise<Pick<Table, "offer"> & Api.Match | null>}
 */
export async function asKept({id, mark, scene, offer}) {
  const match = await api.match(id);
  return marked(match) === mark ? {...match, scene, offer} : null;
}
