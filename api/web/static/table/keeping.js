/** Keeps over reloads the table itself, until it changes; and what is being chosen, until something else is asked. */

import {api, happens, state} from "./app.js";
import {offered} from "./store.js";
import {keepUnsent, unsent} from "../making/unsent.js";

/** @typedef {{asked: string, chosen: string[], drafts: import("./store.js").State["drafts"]}} Kept */

/** @typedef {Awaited<ReturnType<typeof api.table>>} Table a match with what may be done in it */

const TABLE = "table";

/**
 * Say whose table is kept, and by which release of the page: another release may be told other things of one version.
 * @param {Pick<Api.Match, "id" | "version" | "seats" | "your_seats">} match
 */
const marked = ({id, version, seats, your_seats}) => [id, version, your_seats,
  seats.filter(({seat}) => your_seats.includes(seat)).map((one) => one.player?.id), import.meta.url].join(" ");

/**
 * Keep the table of a player: it may be secret, and so comes uncompressed, and may be long.
 * @param {Api.Match} match @param {import("./store.js").Offer} offer
 */
export function keepsTable(match, offer) {
  if (match.your_seats.length) keepUnsent(TABLE, {mark: marked(match), id: match.id, scene: match.scene, offer});
}

/**
 * Give the table that this window has had, with the names and times of now; null where it has changed since.
 * @param {string} id
 * @returns {Promise<Pick<Table, "offer"> & Api.Match | null>}
 */
export async function tableKept(id) {
  const left = /** @type {{mark: string, id: string} & Pick<Table, "scene" | "offer"> | null} */ (unsent(TABLE));
  if (left?.id !== id) return null;
  const match = await api.match(id), {scene, offer} = left;
  return marked(match) === left.mark ? {...match, scene, offer} : null;
}

const place = () => `#m=${state.id}`;

export function keeps() {
  const {chosen, drafts, offer} = state;
  keepUnsent(place(), chosen.length || Object.keys(drafts).length ? {asked: offered(offer), chosen, drafts}
    : null);
}

/** Go on with what was being chosen, if the same is asked as was then. */
export function goesOn() {
  const left = /** @type {Kept | null} */ (unsent(place()));
  if (left && left.asked === offered(state.offer)) happens({is: "resumed", chosen: left.chosen, drafts: left.drafts});
  else keeps();
}
