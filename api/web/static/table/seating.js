/** Describes the players of a match, whose turn it is, and how it ended. Runs without a browser, for any game. */

import {left} from "./waiting.ts";
import {capital} from "../words/language.js";
import {says} from "../words/table.js";

/**
 * @typedef {Pick<Api.Match, "your_seat" | "your_seats">} Reader
 * @typedef {Reader & {seats: Pick<Api.Seat, "kind" | "player">[]}} Seated the fields of a match about its players
 */

/**
 * Name a seat for the reader of a match; players with the same name get their seat number.
 * @param {Seated} match
 * @param {number} seat
 */
export function nameOf(match, seat) {
  const there = match?.seats[seat];
  if (!there) return says.seat(seat);
  if (match.your_seat === seat) return says.you;
  const name = plain(there, seat);
  return match.seats.some((one, i) => name === (i === seat ? there.player && says.you : plain(one, i)))
    ? says.named(name, seat) : name;
}

/** @param {Seated["seats"][0]} there @param {number} seat */
const plain = ({player, kind}, seat) => player?.name ?? (kind === "bot" ? says.bot(seat) : says.seat(seat));

/** Say how much time the seat to act has left. @param {Api.Match} match @param {number} seat @param {number} now */
export function timeOf(match, seat, now) {
  const deadline = match?.seats[seat]?.deadline;
  return deadline && match.to_act.includes(seat) ? left(Date.parse(deadline) - now) : "";
}

/** Return whether another player at the table can read the reader's messages. @param {Api.Match} match */
export const isTalked = (match) => match.your_seat !== null && match.seats.filter((seat) => seat.player).length > 1;

/** Describe the status of a match. @param {Api.Match} match */
export function status(match) {
  if (!match) return says.isSet;
  const name = (/** @type {number} */ seat) => nameOf(match, seat);
  const state = says.status[match.status] ?? match.status;
  // the pictures show it
  if (match.result && !match.result.winners.length && match.scene?.notes.length) return `${state}.`;
  if (match.result) return `${state}. ${says.winners(match.result.winners.map(name))}`;
  if (match.status !== "playing") return state;
  if (match.to_act.includes(match.your_seat ?? -1)) return says.yourTurn;
  return match.to_act.length ? says.waitingFor(match.to_act.map(name)) : says.oneMoment;
}

/**
 * Return what the reader must decide, or who is playing.
 * @param {Api.Match} match @param {import("./store.ts").Offer | null} offer @param {(text: string) => string} tell
 */
export function promptOf(match, offer, tell) {
  const isMine = match.to_act.includes(match.your_seat ?? -1);
  if (match.status !== "playing") return {text: "", isMine: false};
  if (isMine) return {text: tell(offer?.prompt ?? ""), isMine};
  return {text: match.to_act.length ? says.isPlaying(match.to_act.map((seat) => nameOf(match, seat))) : "", isMine};
}

/**
 * Return the title of a game from the catalogue, or its name until the catalogue is read.
 * @param {Api.ListedGame[]} games
 * @param {string} game
 */
export const titleOfGame = (games, game) => games.find((one) => one.game === game)?.title
  ?? game.split("_").map(capital).join(" ");
