/** Holds the state of the page, and changes it by happenings; the page is drawn from it. */

import {apiOf, LEFT, Refused} from "./api.js";
import {later, page} from "./later.js";
import {after, EMPTY} from "./store.ts";
import {tokenOf} from "../token.js";

/** @typedef {import("./store.ts").State} State */

export const root = document.body.dataset.root ?? "";
export const token = tokenOf(location.origin + root + "/");
export const api = apiOf(root, () => token.value,
  (isOnline) => { if (isOnline !== state.isOnline) dispatch({is: "online", isOnline}); });

page.reaches = () => api.call("GET", "/games?fields=game");
page.isSending = () => state.isSending;

/** Modules that the start does not need; they are loaded on demand. */
export const brought = {past: /** @type {typeof import("../past/looking.js") | null} */ (null),
  form: /** @type {typeof import("../making/form.js") | null} */ (null),
  talk: /** @type {typeof import("../talk/chat.js") | null} */ (null)};

/** The current state. The object stays the same, and its parts are replaced. @type {State} */
export const state = {...EMPTY};
let paint = () => {};

/** Set the function that draws the state after each change. @param {() => void} how */
export function setPainter(how) { paint = how; }

/**
 * Read an id from an address. Other characters are replaced, so that no link can lead the page to other paths of the
 * API.
 * @param {URLSearchParams} said
 * @param {string} name
 */
export const idIn = (said, name) => (said.get(name) ?? "").replace(/[^\w-]/g, "_");

/** @param {import("./store.ts").Happening} happening */
export function dispatch(happening) {
  Object.assign(state, after(state, happening));
  paint();
}

/** Draw the same state again, as time passes. */
export const repaint = () => paint();

export const bring = later(repaint);

/** Do something that the server may refuse; show the reason if it does. @param {() => Promise<void>} what */
export async function attempt(what) {
  try { await what(); } catch (error) {
    if (!(error instanceof Refused)) throw error;
    showError(error);
  }
}

let unread = "";

/** Read something that is read regularly. An error is shown until a read succeeds. @param {() => Promise<void>} what */
export const reread = (what) => attempt(async () => {
  try { await what(); } catch (error) {
    if (error instanceof Refused) unread = error.message;
    throw error;
  }
  if (unread && state.problem === unread) dispatch({is: "refused", problem: null});
  unread = "";
});

const UNAUTHENTICATED = 401;

/** Show why something was refused, except for abandoned requests. @param {Refused} error */
export function showError(error) {
  if (error.status === UNAUTHENTICATED && token.value) dispatch({is: "ended"});
  else if (error.code !== LEFT) dispatch({is: "refused", problem: error.message});
}
