/** Finds what decided a hand. Runs without a browser, for any game. */

import type { Line } from "../table/store.ts";

/** The ends of the names of events that name the winner of a hand, or of a part of it. */
const DECIDES = /(Awarded|Won)$/;
const NEAR = 12;

/** Return how the hand was won: the notes of the table, or the last line of the log that says it. */
export function howWon(notes: readonly string[], log: readonly Pick<Line, "type" | "text">[]): string {
  if (notes.length) return notes.join(" ");
  const decided = log.slice(-NEAR).filter(({ type }) => DECIDES.test(type));
  return decided.at(-1)?.text ?? "";
}

/** The pattern of the text that ends a game: the winner, how, and a second sentence about the cards. */
const ENDING = /^[^:]*: (?:(.+?) won|(no one) won)([ ,].+?)?\.(?: |$)/;

/** Return how the match was won: the notes of the table, or what the end of its last game says beyond who won. */
export function howOver(notes: readonly string[], log: readonly Pick<Line, "type" | "text">[]): string {
  if (notes.length) return notes.join(" ");
  const ends = log.slice(-NEAR).filter(({ type }) => type.endsWith("Ended") && type !== "MatchEnded");
  const [, winner = "", nobody = "", how = ""] = ENDING.exec(ends.at(-1)?.text ?? "") ?? [];
  const who = winner || nobody;
  return how ? `${who.charAt(0).toUpperCase()}${who.slice(1)} won${how}.` : "";
}
