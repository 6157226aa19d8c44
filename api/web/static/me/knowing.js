/** Reads the player of this browser if no list has named them, and names new players. */

import {api, dispatch, state, token, attempt} from "../table/app.js";
import {guest} from "../table/joining.js";
import {says} from "../words/table.js";

let asked = "";

/** Read the name of the player, once per token. */
export function knowsMe() {
  if (state.me || !token.value || asked === token.value) return;
  asked = token.value;
  void attempt(async () => dispatch({is: "named", ...await api.call("GET", "/players/me?fields=id,name")}));
}

/** Return whether the reader has no name of their own yet. */
export const isNameless = () => state.player === null || state.player === says.guest;

/** Register a player, with this name if one is given. @param {string} name */
export async function comesAs(name) {
  await guest(name || says.guest);
  if (name && state.player !== name)
    dispatch({is: "named", ...await api.call("PATCH", "/players/me?fields=id,name", {name})});
  else if (!state.me) dispatch({is: "named", ...await api.call("GET", "/players/me?fields=id,name")});
}
