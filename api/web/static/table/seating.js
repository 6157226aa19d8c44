/** Says who sits at a table, whom it waits for, and how it ended. Nothing here knows a browser, or a game. */

import {left} from "./waiting.js";
import {told} from "./words.js";

/** Name a seat, as the reader of a match knows it. @param {any} match @param {number} seat */
export function nameOf(match, seat) {
  const there = match?.seats[seat];
  if (!there) return `Seat ${seat}`;
  if (match.your_seat === seat) return "You";
  return there.player?.name ? `${there.player.name} (seat ${seat})` : there.kind === "bot" ? `Bot ${seat}` : `Seat ${seat}`;
}

/** Tell the text of an event to the reader of a match. @param {any} match @param {string} text */
export const personal = (match, text) => told(text, match?.your_seats ?? [], (seat) => nameOf(match, seat));

/** Say how long a seat has that shall act. @param {any} match @param {number} seat @param {number} now */
export function timeOf(match, seat, now) {
  const deadline = match?.seats[seat]?.deadline;
  return deadline && match.to_act.includes(seat) ? left(Date.parse(deadline) - now) : "";
}

/** Say whether somebody sits here who reads what the reader says. @param {any} match */
export const isTalked = (match) => match.your_seat !== null && match.seats.filter((/** @type {any} */ seat) => seat.player).length > 1;

const STARTED = /** @type {Record<string, string>} */ ({lobby: "Waiting for players", finished: "The match is over",
  abandoned: "The match was given up", cancelled: "The match was cancelled", expired: "The match did not begin in time"});

/** Say how far a match is. @param {any} match */
export function status(match) {
  if (!match) return "The table is being set …";
  const name = (/** @type {number} */ seat) => nameOf(match, seat);
  if (match.result) {
    const winners = match.result.winners.map(name);
    return `${STARTED[match.status] ?? match.status}. ${winners.length ? `${winners.join(" and ")} won.` : "Nobody won."}`;
  }
  if (match.status !== "playing") return STARTED[match.status] ?? match.status;
  if (match.to_act.includes(match.your_seat)) return "Your turn.";
  return match.to_act.length ? `Waiting for ${match.to_act.map(name).join(", ")}.` : "One moment …";
}

/** Name a game as the catalogue does, or by its own name until that is there. @param {any[]} games @param {string} game */
export const titleOfGame = (games, game) => games.find((one) => one.game === game)?.title
  ?? game.split("_").map((word) => (word[0] ?? "").toUpperCase() + word.slice(1)).join(" ");
