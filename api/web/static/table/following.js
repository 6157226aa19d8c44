/** Follows the match that is open: its events, its chat, and the table as it is after them. */

import {api, brought, fails, happens, reads, repaint, state, tries} from "./app.js";
import {goesOn, keeps} from "./keeping.js";
import {brings, rests} from "./later.js";
import {names} from "./listing.js";
import {isAlone, isTalked} from "./seating.js";
import {MOST_SHOWN} from "./store.js";

const SECOND_MS = 1_000, SOON_MS = 30;
const QUIET_MS = 120, LATEST_MS = 1_000;  // a match that bots begin is first shown when they pause, or so late
const REST_MS = 700;  // for so long bots act before it is asked what else may be done meanwhile

let again = async () => {};

/** The match that this page has made last. @type {any} */
let made = null;

/** Note a match that has just been made, before it is opened. @param {any} match */
export const hasMade = (match) => { made = match; };

/** Say whether a match waits for the reader. @param {any} match */
const isDue = ({status, to_act, your_seats}) => status !== "playing"
  || to_act.some((/** @type {number} */ seat) => your_seats.includes(seat));

/** Read the table that is open anew. */
export const look = () => again();

/** Show a match, and follow it. @param {string} id @returns {() => void} ends it */
export function open(id) {
  happens({is: "opened", id});
  let isStale = false;
  /** @type {Promise<void> | null} */
  let looking = null;
  let rest = 0, isRested = false;
  /** @type {Promise<void> | null} */
  let begun = null;

  /**
   * Read the match and what may be done. While bots act, nobody is asked for anything: that is read when the reader's
   * turn has come, or when they take their time.
   */
  const read = async () => {
    const {match: known, offer: before} = state, moves = () => api.call("GET", `/matches/${id}/moves`);
    if (!before || isRested || !isAlone(known)) return Promise.all([api.match(id), moves()]);
    const match = await api.match(id);
    if (isDue(match)) return [match, await moves()];
    rest = window.setTimeout(() => { isRested = true; void look(); }, REST_MS);
    return [match, {...before, version: match.version, moves: []}];
  };
  const looks = async () => {
    while (isStale) {
      isStale = false;
      clearTimeout(rest);
      await reads(async () => {
        const [match, offer] = await read();
        isRested = false;
        if (match.version === offer.version) {
          const now = state.match ? keeps : goesOn;
          happens({is: "seen", match, offer});
          now();
        } else isStale = true;
        talks(match);
        begun ??= rests().then(() => {
          waits();
          if (!isLeft) follows = follow(match.version);
        });
      });
    }
    looking = null;
  };
  const look = () => {
    isStale = true;
    looking ??= looks();
    return looking;
  };
  let soon = 0;
  let silence = () => {}, isTalking = false;
  const talks = (/** @type {any} */ match) => {
    if (isTalking || isLeft || !isTalked(match)) return;
    isTalking = true;
    void brings(() => import("../talk/chat.js")).then((talk) => {
      brought.talk = talk;
      repaint();
      if (!isLeft) silence = api.follow(`/matches/${id}/chat`, ({change}) => change,
        {told: (message) => happens({is: "spoken", message}), refused: () => {}});
    });
  };
  let isLeft = false;
  const latest = Date.now() + LATEST_MS;
  const clock = window.setInterval(() => { if (state.match?.deadline) repaint(); }, SECOND_MS);
  /** @type {(() => void) | null} */
  let follows = null;
  let waits = () => {};
  // Of a long match, what is shown of its log is told, and not all that ever happened.
  const follow = (/** @type {number} */ version) =>
    api.follow(`/matches/${id}/events?fields=seq,type,text`, ({seq}) => seq, {
    told: (event) => {
      happens({is: "told", event});
      clearTimeout(soon);
      soon = window.setTimeout(() => { if (event.seq > (state.match?.version ?? 0)) void look(); }, SOON_MS);
    },
    refused: fails,
  }, Math.max(0, version - MOST_SHOWN));
  if (!state.games.length) void tries(names);
  again = look;
  const begins = made?.id === id && !isDue(made) ? made : null;
  made = null;
  if (!begins) void look();
  else {
    soon = window.setTimeout(look, LATEST_MS);
    waits = api.follow(`/matches/${id}/events?fields=seq`, ({seq}) => seq, {told: () => {
      clearTimeout(soon);
      soon = window.setTimeout(look, Math.min(QUIET_MS, latest - Date.now()));
    }, refused: fails}, begins.version);
  }
  return () => { isLeft = true; clearTimeout(rest); clearTimeout(soon); clearInterval(clock); waits(); follows?.();
    silence(); };
}
