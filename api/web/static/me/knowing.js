/** Finds out who plays here, where no list has said it, and gives a name to who has none yet. */

import {api, happens, state, token, tries} from "../table/app.js";
import {guest} from "../table/joining.js";
import {says} from "../words/table.js";

let asked = "";

/** Know who plays here; a token is asked about once. */
export function knowsMe() {
  if (state.me || !token.value || asked === token.value) return;
  asked = token.value;
  void tries(async () => happens({is: "named", ...await api.call("GET", "/players/me?fields=id,name")}));
}

/** Say whether the reader has no name that others would know. */
export const isNameless = () => state.player === null || state.player === says.guest;

/** Be somebody, of this name if one is given. @param {string} name */
export async function comesAs(name) {
  await guest(name || says.guest);
  if (name && state.player !== name)
    happens({is: "named", ...await api.call("PATCH", "/players/me?fields=id,name", {name})});
  else if (!state.me) happens({is: "named", ...await api.call("GET", "/players/me?fields=id,name")});
}
