/** Reads the past of a match, and goes from one of its versions to another. */

import {api, happens, state} from "../table/app.js";

export {lookingBack} from "./replay.js";

/** Look back at a match from one of its versions on. @param {string} id @param {number} version */
export async function remember(id, version) {
  happens({is: "opened", id});
  const [match, {release}, marks] = await Promise.all([api.match(id), api.call("GET", "/games?fields=game,title,seats,about"), api.call("GET", `/matches/${id}/replay/marks`)]);
  happens({is: "seen", match, offer: {version: match.version, seat: null, moves: [], also: []}});
  const steps = await api.past(id, match.version, release);
  happens({is: "remembered", steps, marks: marks.items, version});
}

/** Show another version, whose address is that of the page from now on. @param {number} version */
export function step(version) {
  happens({is: "stepped", version});
  history.replaceState(null, "", `#m=${state.id}&v=${state.past?.version ?? 1}`);
}
