/** Finds out who plays here, where no list has said it. */

import {api, happens, state, token, tries} from "../table/app.js";

let asked = "";

/** Know who plays here; a token is asked about once. */
export function knowsMe() {
  if (state.me || !token.value || asked === token.value) return;
  asked = token.value;
  void tries(async () => happens({is: "named", ...await api.call("GET", "/players/me?fields=id,name")}));
}
