/**
 * Leads the reader of a finished match to their next table in its tournament. If a round is one hand at every table,
 * the page goes there automatically, unless that is switched off, or the reader is writing.
 */

import {keep, kept} from "../kept.ts";
import {api, reread, repaint, state, attempt} from "../table/app.js";
import {ownId, sitsDown} from "../table/kept_seats.js";
import {follow} from "../table/streams.js";
import {says} from "../words/past.js";
import {html, nothing} from "lit-html";

const KEPT = "dealt.next";
const SOON_MS = 200, LATEST_MS = 10_000, SLOWER = 2;  // a match is created a moment after its round was paired
const GOES_MS = 4_000, BUSY_MS = 1_000;
const PAIRS = /^(RoundPaired|TablesPaired|TableDrawn|TableForfeited)$/, ENDS = /^Tournament(Ended|Cancelled)$/;

/** Whether the page continues automatically, a setting of this browser. */
let isOn = kept("localStorage", KEPT) !== "off";

/** The finished match, and what is known of the next one. */
let here = {id: "", next: /** @type {string | null} */ (null), isByHand: false, isAwaited: false};
let leave = () => {};

/** Show where the reader of a finished match plays next. @param {Api.Match} match */
export function nextTable(match) {
  if (here.id !== match.id) begins(match);
  const {next, isByHand, isAwaited} = here;
  return html`<div class="further"><p role="status">${next ? isByHand ? says.nextHand : says.nextRound
    : !isAwaited ? "" : isByHand ? says.handAwaited : says.roundAwaited}</p>
    ${next ? html`<button type="button" class="main" @click=${() => void attempt(() => goesThere(match, next))}>${
      isByHand ? says.toNextHand : says.toNextTable}</button>` : nothing}
    ${isByHand && (next || isAwaited) ? html`<label><input type="checkbox" .checked=${isOn} @change=${turn}>
      ${says.goesOn}</label>` : nothing}</div>`;
}

/** @param {Event} event */
function turn(event) {
  isOn = /** @type {HTMLInputElement} */ (event.target).checked;
  keep("localStorage", KEPT, isOn ? "on" : "off");
}

/**
 * Sit down at the next table, and go there.
 * @param {Api.Match} match the finished match
 * @param {string} next the id of the next match
 */
async function goesThere(match, next) {
  await sitsDown(await api.call("GET", `/matches/${next}?fields=id,status,seats`), ownId(match));
  location.hash = `m=${next}`;
}

/** Watch for the next match, until the reader goes to another place. @param {Api.Match} match */
function begins(match) {
  const {id, tournament} = match;
  if (!tournament) return;
  leave();
  here = {id, next: null, isByHand: false, isAwaited: false};
  let timer = 0, ends = () => {}, isStreamed = false, isPaired = false;
  const isLeft = () => state.id !== id || here.id !== id;
  leave = () => {
    ends();
    clearTimeout(timer);
    removeEventListener("hashchange", leave);
    if (here.id === id) here.id = "";
  };
  addEventListener("hashchange", leave);

  const looks = (pause = SOON_MS) => reread(async () => {
    const t = await api.call("GET", `/tournaments/${tournament.id}?fields=version,status,stack,round`);
    const {tournament: at} = await api.call("GET", `/matches/${id}?fields=tournament`);
    if (isLeft()) return;
    here = {id, next: at?.your_next ?? null, isByHand: t.stack !== null, isAwaited: t.status === "playing"};
    repaint();
    if (here.next) {
      ends();
      // no automatic move from the replay of an old hand
      if (here.isByHand && t.round === tournament.round + 1) timer = window.setTimeout(goes, GOES_MS);
    } else if (here.isAwaited) {
      if (!isStreamed) streams(t.version);
      if (isPaired || t.round > tournament.round) again(pause);
    }
  });
  const again = (/** @type {number} */ pause) => {
    clearTimeout(timer);
    if (pause < LATEST_MS) timer = window.setTimeout(() => void looks(pause * SLOWER), pause);
  };
  /** @param {number} version */
  const streams = (version) => {
    isStreamed = true;
    ends = follow(api.line, `/tournaments/${tournament.id}/events`, ({seq}) => seq,
      {refused: () => {}, told: ({type}) => {
        isPaired ||= PAIRS.test(type);
        if (PAIRS.test(type) || ENDS.test(type)) again(SOON_MS);
      }}, version);
  };
  const goes = () => {
    if (isLeft() || !isOn) return;
    if (isBusy()) timer = window.setTimeout(goes, BUSY_MS);
    else location.replace(`#m=${here.next}`);
  };
  void looks();
}

/** Return whether the reader is writing, or has a question to answer. */
const isBusy = () => Boolean(state.ask || state.past
  || document.activeElement?.matches("textarea, select, input:not([type=checkbox])"));
