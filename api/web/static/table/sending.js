/** Sends the reader's moves and messages at the open table, and asks before a move if something is left open. */

import {Refused} from "./api.js";
import {api, showError, dispatch, state, attempt} from "./app.js";
import {called, names} from "./cards.js";
import {readAgain} from "./following.js";
import {keepChoices} from "./keeping.js";
import {shapeOf} from "./moves.js";
import {noteEffect} from "./twice.js";
import {askedAnew, isOf, ways} from "./ways.js";
import {chosen} from "../settings/chosen.ts";
import {says} from "../words/asking.js";

/** @typedef {import("./store.ts").Option} Option @typedef {import("./store.ts").State} State */

const offered = () => [...(state.offer?.moves ?? []), ...(state.offer?.also ?? [])].filter(({args}) => args);

/** Return what a decision is based on: the offer, and the cards of the seat that decides. @param {Option} option */
const ground = (option) => {
  const {offer, match} = state, seat = offer?.seat ?? match?.your_seat;
  return JSON.stringify([offer?.moves.find((one) => isOf(one, option)), match?.scene?.seats[seat ?? -1],
    Object.values(match?.scene?.zones ?? {}).filter((zone) => zone.seat === seat)]);
};

/** Return whether a seat has decided nothing since a version; an event that names no seat may be its own. */
async function hasWaited(/** @type {number} */ version) {
  const {version: now, your_seat} = state.match, seat = state.offer?.seat ?? your_seat;
  const {items} = /** @type {{items: {seq: number, cause: string, data?: {seat?: number}}[]}} */ (
    await api.call("GET", `/matches/${state.id}/events?after=${version}&fields=seq,cause,data`));
  return (items.at(-1)?.seq ?? 0) >= now
    && items.every(({cause, data}) => cause === "auto" || (data?.seat ?? seat) !== seat);
}

/** @param {Option} option @param {() => void} [done] called after success */
export async function send(option, done = () => {}) {
  if (state.isSending || !state.match) return;
  const several = (state.match.your_seats.length > 1 && state.offer?.seat !== null) ? {seat: state.offer?.seat} : {};
  const isAsked = state.offer?.moves.some((move) => isOf(move, option)), before = ground(option),
    shown = state.offer?.version ?? 0;
  noteEffect();
  dispatch({is: "sending"});
  for (;;) {
    // A decision applies to the table shown: another tab may have moved on.
    const known = /** @type {Record<string, string>} */ (isAsked ? {"If-Match": `"${state.offer?.version}"`} : {});
    try {
      await api.call("POST", `/matches/${state.id}/moves`, {name: option.move, args: option.args, ...several},
        {...api.keyed(), ...known});
      done();
      await readAgain();
      return dispatch({is: "sent"});
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.code === "left") return;
      await readAgain();
      const isChanged = error.code === "version_mismatch";
      // only other seats have moved, as in simultaneous choices
      if (isChanged && ground(option) === before && await hasWaited(shown)) continue;
      if (isChanged) dispatch({is: "refused", problem: state.match?.result ? null : says.changedMeanwhile});
      else showError(error);
      return showsWhy();
    }
  }
}

/** Scroll to the reason for a refusal, if it is outside the window. */
function showsWhy() {
  const why = document.querySelector(".actions > [role=alert]"), at = why?.getBoundingClientRect();
  if (at && (at.top < 0 || at.bottom > innerHeight)) why?.scrollIntoView({block: "nearest"});
}

/** Make a move, or begin to build it if it has several parts. @param {Option} option */
export function take(option) {
  const move = offered().find((one) => isOf(one, option));
  if (!move || shapeOf(move).kind !== "together") return void attempt(() => send(option));
  dispatch({is: "drafted", move: option.move, draft: {fixed: option.args, title: option.title}});
  asks(null, option.move);
}

/**
 * Make the move that these options stand for, or ask which; if plays are to be confirmed, ask about each card.
 * @param {Option[]} options
 */
export function press(options) {
  const found = ways(options, offered()), [only] = found, card = cardOf(options);
  const isSure = !card || chosen("confirm") === "off";
  if (only && found.length === 1 && isSure && !names.isRead(card)) take(only);
  else asks({title: card ? says.whatWith(card) : says.whatDoYouDo, options: found, card, began: options});
}

/**
 * Ask a question instead of the previous one: only one move is begun at a time.
 * @param {import("./store.ts").Question | null} ask
 * @param {string} [begun] the move begun instead
 */
export function asks(ask, begun) {
  for (const [move, draft] of Object.entries(state.drafts)) {
    const {fixed} = /** @type {import("./store.ts").Begun | null} */ (draft) ?? {};
    if (move !== begun && Object.keys(fixed ?? {}).length) dispatch({is: "drafted", move, draft: null});
  }
  noteEffect();
  dispatch({is: "asked", ask: ask && {...ask, anew: askedAnew}});
  keepChoices();
}

/** Return the card that options are about; empty if none. @param {Option[]} options */
function cardOf(options) {
  const named = Object.values(options[0]?.args ?? {})[0];
  return typeof named === "string" ? called(state.match?.scene, named) : "";
}

/** Send a chat message; return why it was refused, or nothing. @param {string} id @param {string} text */
export async function say(id, text) {
  try {
    await api.call("POST", `/matches/${id}/chat`, {text}, api.keyed());
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.message;
  }
  return "";
}
