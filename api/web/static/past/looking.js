/** Reads the past of a match, moves between its versions, and plays it back. */

import {api, dispatch, repaint, state, attempt} from "../table/app.js";
import {areKeysOn, keys} from "../keys/keys.js";
import {copied} from "../table/copying.js";
import {loadStyles} from "../table/later.js";
import {games} from "../table/listing.js";
import {personal} from "../table/retold.js";
import {nameOf, titleOfGame} from "../table/seating.js";
import {trouble} from "../table/trouble.js";
import {keepInSight} from "./move_list.ts";
import {firstDeal, partsOf, stopFrom, stopsOf} from "./played.ts";
import {HANDS, keep, tables, viewOf} from "./reading.js";
import {Refused} from "../table/api.js";
import {closed, FIRST, lookingBack, wayOf} from "./replay.js";
import {says} from "../words/past.js";
import {verification, verifies} from "./verifying.ts";
import {html, nothing} from "lit-html";
import pastStyles from "./past.css?url";

loadStyles(pastStyles);

const MOVE_MS = 1_000, ADDRESS_MS = 200;

/** The moves of the replay, which are the same at every step. */
const known = /** @type {WeakMap<import("../table/store.ts").Step[], import("./played.ts").Part[]>} */ (new WeakMap());

/** @param {import("../table/store.ts").Past} past */
function partsIn({steps, marks}) {
  const parts = known.get(steps) ?? partsOf(steps, marks);
  known.set(steps, parts);
  return parts;
}

/** A refused replay: its match, and the requested version and seat. */
let refused = /** @type {{match: Api.Match, version: number | null, seat: string | null} | null} */ (null);
let place = 0;

/**
 * Open a replay at a version; null: at the first deal, or the first table. The result is hidden until it is reached.
 * @param {string} id
 * @param {number | null} version
 * @param {string | null} seat whose view it is; null: the reader's own
 */
export async function remember(id, version, seat) {
  const here = place += 1;
  dispatch({is: "opened", id});
  const [match, {release, items}, {items: marks}] =
    await Promise.all([api.match(id), api.call("GET", "/games?fields=game,hand_history"),
      api.call("GET", `/matches/${id}/replay/marks`), games()]);
  hands = items.find((one) => one.game === match.game)?.hand_history ?? false;
  const came = (/** @type {import("../table/store.ts").Step[]} */ steps) => {
    const {past} = state, asked = version === null ? null : Math.max(1, Math.min(match.version, Math.trunc(version)));
    const at = past?.version ?? asked ?? firstDeal(marks) ?? (steps.findIndex(({scene}) => scene) + 1);
    if (here !== place || ((at < 1 || at > steps.length) && steps.length < match.version)) return;
    if (!past) begins(match);
    dispatch({is: "remembered", steps: [...steps], marks, version: at, seat});
    if (!past) corrects(match.version);
    keepInSight();
  };
  try { await tables(id, 1, match.version, viewOf(release, seat), came); } catch (error) {
    if (here !== place || state.past || !(error instanceof Refused) || seat === null) throw error;
    refused = {match, version, seat};
    repaint();
  }
}

/** Correct an address with an unknown event, and say so. @param {number} last */
function corrects(last) {
  const said = new URLSearchParams(location.hash.slice(1)).get("v") ?? "", shown = state.past?.version ?? 1;
  if (said === FIRST || said === String(shown)) return;
  addressed();
  dispatch({is: "refused", problem: says.noSuchEvent(said, last, shown)});
}

/** @param {Api.Match} match */
function begins(match) {
  dispatch({is: "seen", match, offer: {version: match.version, seat: null, prompt: "", moves: [], also: []}});
  document.addEventListener("keydown", pressed);
  addEventListener("pagehide", addressed);
}

/** Leave the replay: stop playback and its keys. */
export function leave() {
  place += 1;
  refused = null;
  stop();
  clearTimeout(writing);
  writing = 0;
  document.removeEventListener("keydown", pressed);
  removeEventListener("pagehide", addressed);
}

let hands = false;  // whether the match has poker hands, which can be downloaded as PHH

/**
 * Follow a key of the replay, anywhere except in fields. If single keys are switched off, only on the controls of the
 * replay.
 * @param {KeyboardEvent} event
 */
function pressed(event) {
  const at = /** @type {HTMLElement} */ (event.target), {past} = state;
  if (!past || event.ctrlKey || event.altKey || event.metaKey
    || at.closest("input:not([type=range], [type=checkbox]), select, textarea")) return;
  const way = wayOf(event, past, partsIn(past));
  if (way === null || !(areKeysOn() || at.closest(".past"))) return;
  event.preventDefault();
  step(way);
}

/** Show another version, and put it into the address of the page. @param {number} version */
export function step(version) {
  if (state.problem) dispatch({is: "refused", problem: null});
  dispatch({is: "stepped", version});
  keepInSight();
  writing ||= window.setTimeout(addressed, ADDRESS_MS);  // browsers refuse to write addresses too often
}

let writing = 0;

/** Write the address of the shown version. */
function addressed() {
  clearTimeout(writing);
  writing = 0;
  history.replaceState(null, "", addressOf(state.past?.seat ?? null));
}

/** @param {string | null} seat */
const addressOf = (seat) => `#m=${state.id}&v=${state.past?.version ?? 1}${seat ? `&seat=${seat}` : ""}`;

/** Copy a link to the shown version for others, without a seat: it must not spoil the hidden hands. */
export const copies = () => copied(new URL(addressOf(null), location.href).href);

let changes = 0;

/** Show the match from another seat. If two requests overlap, the later one counts. @param {string | null} seat */
async function changeSeat(seat) {
  const {id, past, match} = state, mine = changes += 1;
  if (!id || !past) return;
  const {release} = await api.call("GET", "/games?fields=game,hand_history");
  const steps = await tables(id, 1, match.version, viewOf(release, seat));
  if (mine !== changes || !state.past) return;
  dispatch({is: "remembered", steps, marks: past.marks, version: state.past.version, seat});
  addressed();
}

let timer = 0;

/** Stop playback. */
export function stop() {
  clearInterval(timer);
  timer = 0;
}

/** Start or stop playback, and remember its speed. @param {boolean} isPlaying @param {number} [speed] */
function plays(isPlaying, speed = state.past?.speed ?? 1) {
  stop();
  if (isPlaying) timer = window.setInterval(() => {
    const {past} = state;
    const next = past && stopFrom(stopsOf(partsIn(past)), past.version, 1);
    if (!next || next === past.version) return plays(false);
    step(next);
  }, MOVE_MS / speed);
  dispatch({is: "plays", speed, isPlaying});
}

/** Show the replay, or why there is none; null if neither is known yet. */
export function shown() {
  const {past, match} = state;
  if (refused) return closed(refused, titleOfGame(state.games, refused.match.game));
  if (!past) return null;
  const sees = (/** @type {string | null} */ seat) => void attempt(() => changeSeat(seat));
  return lookingBack(past, partsIn(past), match, (seat) => nameOf(match, seat), (text) => personal(match, text),
    {title: titleOfGame(state.games, match.game), go: step, sees, plays, copies,
      keeps: () => void attempt(() => keep(match.id)),
      keepsHands: hands ? () => void attempt(() => keep(match.id, HANDS)) : null},
    html`${match.result ? verification(past.verified, () => void attempt(verifies), (seat) => nameOf(match, seat))
      : nothing}${trouble()}${keys(says.keys)}`);
}
