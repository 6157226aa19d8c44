/** Keeps what is being chosen of a move over reloads, until something happens at the table. */

import {happens, state} from "./app.js";
import {keepUnsent, unsent} from "../making/unsent.js";

const place = () => `#m=${state.id}`;

export function keeps() {
  const {chosen, drafts, match} = state;
  keepUnsent(place(), chosen.length || Object.keys(drafts).length ? {version: match?.version, chosen, drafts} : null);
}

/** Go on with what was being chosen, if the table is as it was then. */
export function goesOn() {
  const {version, chosen, drafts} = unsent(place()) ?? {};
  if (version === state.match?.version) happens({is: "resumed", chosen, drafts});
  else keeps();
}
