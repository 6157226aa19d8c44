/** Keeps what is being chosen of a move over reloads, until something else is asked. */

import {happens, state} from "./app.js";
import {offered} from "./store.ts";
import {keepUnsent, unsent} from "../making/unsent.js";

/** @typedef {{asked: string, chosen: string[], drafts: import("./store.ts").State["drafts"]}} Kept */

/** In this place a window keeps the table that it shows. */
export const TABLE = "table";

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
