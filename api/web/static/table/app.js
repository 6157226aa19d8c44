/** Holds the one state of the page, and changes it by what happens; what is shown follows from it. */

import {apiOf, LEFT, Refused} from "./api.js";
import {later, page} from "./later.js";
import {after, EMPTY} from "./store.ts";
import {tokenOf} from "../token.js";

/** @typedef {import("./store.ts").State} State */

export const root = document.body.dataset.root ?? "";
export const token = tokenOf(location.origin + root + "/");
export const api = apiOf(root, () => token.value,
  (isOnline) => { if (isOnline !== state.isOnline) happens({is: "online", isOnline}); });

page.reaches = () => api.call("GET", "/games?fields=game");
page.isSending = () => state.isSending;

/** What a start does not need is brought when it is wanted. */
export const brought = {past: /** @type {typeof import("../past/looking.js") | null} */ (null),
  form: /** @type {typeof import("../making/form.js") | null} */ (null),
  talk: /** @type {typeof import("../talk/chat.js") | null} */ (null)};

/** What is now; it stays the same object, whose parts are replaced. @type {State} */
export const state = {...EMPTY};
let paint = () => {};

/** Say what shows the state each time it has changed. @param {() => void} how */
export function shows(how) { paint = how; }

/**
 * Read an id off an address. Ids have few signs: nobody's link leads the page to other paths of the API.
 * @param {URLSearchParams} said
 * @param {string} name
 */
export const idIn = (said, name) => (said.get(name) ?? "").replace(/[^\w-]/g, "_");

/** @param {import("./store.ts").Happening} happening */
export function happens(happening) {
  Object.assign(state, after(state, happening));
  paint();
}

/** Show the same state again, as time goes by. */
export const repaint = () => paint();

export const bring = later(repaint);

/** Do what may be refused, and say why where it is. @param {() => Promise<void>} what */
export async function tries(what) {
  try { await what(); } catch (error) {
    if (!(error instanceof Refused)) throw error;
    fails(error);
  }
}

let unread = "";

/**
 * Read what is read again and again: that it could not be read is said until it could.
 * @param {() => Promise<void>} what
 */
export const reads = (what) => tries(async () => {
  try { await what(); } catch (error) {
    if (error instanceof Refused) unread = error.message;
    throw error;
  }
  if (unread && state.problem === unread) happens({is: "refused", problem: null});
  unread = "";
});

const UNAUTHENTICATED = 401;

/**
 * Say why something was refused; what was asked in a place that was left is nothing to be said.
 * @param {Refused} error
 */
export function fails(error) {
  if (error.status === UNAUTHENTICATED && token.value) happens({is: "ended"});
  else if (error.code !== LEFT) happens({is: "refused", problem: error.message});
}
