/** Follows the open match: its events, its chat and its table. */

import {api, brought, showError, dispatch, reread, repaint, state, attempt} from "./app.js";
import {keepChoices, restoreChoices, TABLE} from "./keeping.js";
import {loadModule, nextTask} from "./later.js";
import {catalogue} from "./listing.js";
import {isTalked} from "./seating.js";
import {unsent} from "../making/unsent.js";

const SECOND_MS = 1_000, SOON_MS = 30;
const LATEST_MS = 2_000;  // the longest wait before a match that bots begin is shown

/** Loads what a table needs after its first moves. */
export const BELOW = () => nextTask().then(() => import("./below.js"));

const KEPT = () => import("./kept_table.js");

let again = async () => {};

/** @typedef {import("./store.ts").Message} Message */
/** @typedef {Pick<Api.Match, "id" | "status" | "version" | "to_act" | "your_seats">} Made */

/** The last match that this page created. @type {Made | null} */
let made = null;

/** Note a match that was just created, before it is opened. @param {Made} match */
export const noteCreated = (match) => { made = match; };

/** Return whether a match waits for the reader. @param {Made} match */
const isDue = ({status, to_act, your_seats}) => status !== "playing"
  || to_act.some((seat) => your_seats.includes(seat));

/** Read the open table again. */
export const readAgain = () => again();

/** Return whether the rare moves are unfolded, but known only by name. */
const lacks = () => state.isOpen && Boolean(state.offer?.also.some(({args}) => !args));

/** Unfold the rare moves, which are then read. @param {boolean} isOpen */
export function unfold(isOpen) {
  dispatch({is: "unfolded", isOpen});
  if (lacks()) void readAgain();
}

/** Show and follow a match. @param {string} id @returns {() => void} stops following */
export function open(id) {
  dispatch({is: "opened", id});
  let isStale = false;
  /** @type {Promise<void> | null} */
  let looking = null;
  /** @type {Promise<void> | null} */
  let begun = null;

  const lookUntilFresh = async () => {
    try {
      while (isStale) {
        isStale = false;
        await reread(readTable);
      }
    } finally { looking = null; }  // Also after a failure, so that the next event can try again.
  };
  const readTable = async () => {
    const left = state.match ? null : /** @type {import("./kept_table.js").Kept | null} */ (unsent(TABLE)),
      same = left?.id === id ? await (await loadModule(KEPT)).asKept(left) : null,
      {offer, ...match} = same ?? await api.table(id, state.isOpen);
    if (match.version === offer.version) {
      const now = state.match ? keepChoices : restoreChoices;
      dispatch({is: "seen", match, offer});
      now();
      void nextTask().then(() => loadModule(KEPT)).then((kept) => kept.keepsTable(match, offer), () => {});
    } else isStale = true;
    followChat(match);
    begun ??= loadModule(BELOW).then((below) => { if (!isLeft) ends = below.followLog(api.line, match, heard); },
      () => { begun = null; });  // failed modules are loaded again with the next table
  };
  const look = () => {
    isStale = true;
    looking ??= lookUntilFresh();
    return looking;
  };
  let soon = 0;
  let silence = () => {}, isTalking = false;
  const followChat = (/** @type {Api.Match} */ match) => {
    if (isTalking || isLeft || !isTalked(match)) return;
    isTalking = true;
    void Promise.all([loadModule(BELOW), loadModule(() => import("../talk/chat.js"))]).then(([{follow}, talk]) => {
      brought.talk = talk;
      repaint();
      if (!isLeft) silence = follow(api.line, `/matches/${id}/chat`, (/** @type {Message} */ {change}) => change,
        {told: (/** @type {Message} */ message) => dispatch({is: "spoken", message}), refused: () => {}});
    });
  };
  let isLeft = false;
  const clock = window.setInterval(() => { if (state.match?.deadline) repaint(); }, SECOND_MS);
  let ends = () => {};
  const heard = {
    told: (/** @type {import("./store.ts").Line} */ event) => {
      dispatch({is: "told", event});
      clearTimeout(soon);
      soon = window.setTimeout(() => { if (event.seq > (state.match?.version ?? 0)) void look(); }, SOON_MS);
    },
    refused: showError,
  };
  if (!state.games.length) void attempt(catalogue);
  again = look;
  const begins = made?.id === id && !isDue(made);
  made = null;
  if (begins) void api.passes("/inbox?wait=2", LATEST_MS).then(() => { if (!isLeft) void look(); });
  else void look();
  return () => { isLeft = true; clearTimeout(soon); clearInterval(clock); ends(); silence(); };
}
