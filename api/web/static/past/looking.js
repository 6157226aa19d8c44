/** Reads the past of a match, goes from one of its versions to another, and plays it. */

import {api, happens, state, tries} from "../table/app.js";
import {looks} from "../table/later.js";
import {lookingBack as shown} from "./replay.js";
import {verification, verifies} from "./verifying.js";
import {html, nothing} from "../table/vendor/lit-html/lit-html.js";

looks(new URL("../past/past.css", import.meta.url));

/** @typedef {import("../table/store.js").Past} Past */

const EVENT_MS = 1_000;

/** Look back at a match from one of its versions on. @param {string} id @param {number} version @param {string | null} seat whose view it is; null: the reader's own */
export async function remember(id, version, seat) {
  happens({is: "opened", id});
  const [match, {release}, marks] = await Promise.all([api.match(id), api.call("GET", "/games?fields=game,title,seats,about"), api.call("GET", `/matches/${id}/replay/marks`)]);
  happens({is: "seen", match, offer: {version: match.version, seat: null, moves: [], also: []}});
  const steps = await api.past(id, match.version, release, seat);
  happens({is: "remembered", steps, marks: marks.items, version, seat});
}

/** Show another version, whose address is that of the page from now on. @param {number} version */
export function step(version) {
  happens({is: "stepped", version});
  addressed();
}

/** Write the address of what is shown. */
function addressed() {
  const {id, past} = state;
  history.replaceState(null, "", `#m=${id}&v=${past?.version ?? 1}${past?.seat ? `&seat=${past.seat}` : ""}`);
}

/** See the same from another seat. @param {string | null} seat */
async function changeSeat(seat) {
  const {id, past, match} = state;
  if (!id || !past) return;
  const {release} = await api.call("GET", "/games?fields=game,title,seats,about");
  const steps = await api.past(id, match.version, release, seat);
  happens({is: "remembered", steps, marks: past.marks, version: past.version, seat});
  addressed();
}

let timer = 0;

/** Stop what plays by itself. */
export function stop() {
  clearInterval(timer);
  timer = 0;
}

/** Play on from here, so many events a second; 0 stops it. @param {number} speed */
function plays(speed) {
  stop();
  if (speed) timer = window.setInterval(() => {
    const {past} = state;
    if (!past || past.version >= past.steps.length) return plays(0);
    step(past.version + 1);
  }, EVENT_MS / speed);
  happens({is: "plays", speed});
}

/**
 * @param {Past} past @param {any} match
 * @param {(seat: number) => string} name
 * @param {(text: string) => string} personal
 */
export function lookingBack(past, match, name, personal) {
  const sees = (/** @type {string | null} */ seat) => void tries(() => changeSeat(seat));
  return html`${shown(past, match, name, personal, {go: step, sees, plays})}
    ${match.result ? verification(past.verified, () => void tries(verifies)) : nothing}`;
}
