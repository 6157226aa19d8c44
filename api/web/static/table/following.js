/** Follows the match that is open: its events, its chat, and the table as it is after them. */

import {api, brought, fails, happens, reads, repaint, state, tries} from "./app.js";
import {goesOn, keeps} from "./keeping.js";
import {brings} from "./later.js";
import {names} from "./listing.js";
import {isTalked} from "./seating.js";
import {MOST_SHOWN} from "./store.js";

const SECOND_MS = 1_000, SOON_MS = 30;

let again = async () => {};

/** Read the table that is open anew. */
export const look = () => again();

/** Show a match, and follow it. @param {string} id @returns {() => void} ends it */
export function open(id) {
  happens({is: "opened", id});
  let isStale = false;
  /** @type {Promise<void> | null} */
  let looking = null;
  const looks = async () => {
    while (isStale) {
      isStale = false;
      await reads(async () => {
        const [match, offer] = await Promise.all([api.match(id), api.call("GET", `/matches/${id}/moves`)]);
        if (match.version === offer.version) {
          const now = state.match ? keeps : goesOn;
          happens({is: "seen", match, offer});
          now();
        } else isStale = true;
        talks(match);
        follows ??= isLeft ? null : follow(match.version);
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
      if (!isLeft) silence = api.follow(`/matches/${id}/chat`, ({change}) => change, {told: (message) => happens({is: "spoken", message}), refused: () => {}});
    });
  };
  let isLeft = false;
  const clock = window.setInterval(() => { if (state.match?.deadline) repaint(); }, SECOND_MS);
  /** @type {(() => void) | null} */
  let follows = null;
  // Of a long match, what is shown of its log is told, and not all that ever happened.
  const follow = (/** @type {number} */ version) => api.follow(`/matches/${id}/events?fields=seq,type,text`, ({seq}) => seq, {
    told: (event) => {
      happens({is: "told", event});
      clearTimeout(soon);
      soon = window.setTimeout(() => { if (event.seq > (state.match?.version ?? 0)) void look(); }, SOON_MS);
    },
    refused: fails,
  }, Math.max(0, version - MOST_SHOWN));
  if (!state.games.length) void tries(names);
  again = look;
  void look();
  return () => { isLeft = true; clearTimeout(soon); clearInterval(clock); follows?.(); silence(); };
}
