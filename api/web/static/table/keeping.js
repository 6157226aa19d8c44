/** Keeps the choices for a move over reloads, while the offer is the same. */

import {dispatch, state} from "./app.js";
import {offered} from "./store.ts";
import {keepUnsent, unsent} from "../making/unsent.js";

/** @typedef {{asked: string, chosen: string[], drafts: import("./store.ts").State["drafts"]}} Kept */

/** The place where a window keeps the choices at its table. */
export const TABLE = "table";

const place = () => `#m=${state.id}`;

export function keepChoices() {
  const {chosen, drafts, offer} = state;
  keepUnsent(place(), chosen.length || Object.keys(drafts).length ? {asked: offered(offer), chosen, drafts}
    : null);
}

/** Restore the kept choices, if the offer is still the same. */
export function restoreChoices() {
  const left = /** @type {Kept | null} */ (unsent(place()));
  if (left && left.asked === offered(state.offer)) dispatch({is: "resumed", chosen: left.chosen, drafts: left.drafts});
  else keepChoices();
}
