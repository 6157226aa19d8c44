/** Checks the signatures of moves (docs/proof.md, "Signed moves"). */

import { canonical, has, isInteger, must } from "./deals.mjs";
import { isPlayerKey, isSignature } from "./keys.mjs";
import { OF_LIFE } from "./life.mjs";
import { seatOf } from "./record.mjs";

const NO_MOVES = ["DecisionTimedOut", "ClockCredited", "NonceCommitted", "NonceSubmitted"];

/**
 * Check that seats taken with a key move only by its signatures. Add these seats to `signedSeats`.
 * @param {string} match @param {import("./record.mjs").Event[]} events @param {import("./deals.mjs").Known | null} part
 * @param {{seat: number, key: string}[]} signedSeats
 */
export async function moves(match, events, part, signedSeats) {
  /** @type {Map<unknown, {seat: number, key: string}>} */
  const keys = new Map();
  /** @type {Set<unknown>} */
  const handed = new Set();
  let started = false;
  let proved = 0;
  let signed = 0;
  let open = 0;
  // Return the seat that moved: `by`, otherwise `seat`.
  /** @param {import("./record.mjs").Event} event */
  const mover = ({ data }) => [data.by, data.seat].find(isInteger) ?? null;
  /** @param {import("./record.mjs").Event} event */
  const isKnown = ({ type }) => part !== null || OF_LIFE.has(type);
  for (const [i, event] of events.entries()) {
    const { commit, type, cause, data, parts } = event;
    const seq = i + 1;
    const seat = seatOf(data);
    if (type === "MoveSigned") {
      must(seq === commit && started && cause === "move", seq, "A signed move must begin a commit of the play.");
      const its = keys.get(seat);
      must(its, seq, "The seat has no key to sign with.");
      const next = events[i + 1];
      must(next && next.commit === commit && next.cause === "move", seq, "The next event is not the signed move.");
      must(!isKnown(next) || [null, seat].includes(mover(next)), seq, "The next event is another seat's move.");
      signed += 1;
      const reader = String(seat);
      const { move, signature } = parts;
      if (!move || !signature || !has(move, reader) || !has(signature, reader)) continue;
      open += 1;
      const text = `dealt-move/1|${match}|${seat}|${seq - 1}|${events[i - 1]?.digest}|${canonical(move[reader])}`;
      must(await isSignature(its.key, text, signature[reader]), seq, "The signature of the move is invalid.");
      continue;
    }
    if (started && seq === commit && keys.has(mover(event)) && isKnown(event)) {
      const byBot = cause === "bot" && handed.has(mover(event));
      const free = byBot || NO_MOVES.includes(type) || part?.brought.includes(type);
      must(free, seq, `Seat ${mover(event)} has moved without the signature of its player.`);
    }
    if (type === "MatchStarted") started = true;
    must(type !== "KeyProved" || seq === proved, seq,
      "This proves possession of a key, but the seat was taken without one.");
    if (seat === null) continue;
    if (type === "SeatTaken" || type === "SeatLeft") keys.delete(seat);
    if (type === "SeatTaken" && data.player_key !== null && data.player_key !== undefined) {
      must(isPlayerKey(data.player_key), seq, "The key of the seat is invalid.");
      const next = events[i + 1];
      must(next?.type === "KeyProved" && next.commit === commit && next.data.seat === seat, seq,
        "The player has not proved possession of the key.");
      const text = `dealt-seat/1|${commit === 1 ? "new" : `${match}|${seat}`}|${data.player}`;
      must(await isSignature(data.player_key, text, next.data.signature), seq,
        "The signature that proves possession of the key is invalid.");
      proved = seq + 1;
      keys.set(seat, { seat, key: data.player_key });
    }
    if (type === "SeatHandedToBot") handed.add(seat);
    if (type === "SeatTakenBack") handed.delete(seat);
  }
  if (!keys.size) return "No seat has a key: only the server that ran the match vouches for the moves.";
  signedSeats.push(...[...keys.values()].sort((a, b) => a.seat - b.seat));
  if (!part) return { skipped: "This verifier does not know the game, so it is unknown which events are moves." };
  if (signed && !open) return { skipped: "The signatures are still sealed.", isShut: true };
  return `Of ${signed} signed moves, ${open} are open and valid.`;
}
