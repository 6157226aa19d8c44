// What a hand that is over says of itself.

import assert from "node:assert/strict";
import {test} from "vitest";

import {howOver, howWon} from "../../api/web/static/past/how_won.ts";

const line = (/** @type {string} */ type, /** @type {string} */ text) => ({type, text});

test("the notes of the table say how a hand was won, where it has some", () => {
  assert.equal(howWon(["Seat 0 won by knocking."], [line("HandWon", "Seat 0 won.")]), "Seat 0 won by knocking.");
});

test("else the last event that awards a hand says it, and only if it is recent", () => {
  const log = [line("PotAwarded", "Main pot: seat 1 won 8."), line("HandEnded", "The hand ended.")];
  assert.equal(howWon([], log), "Main pot: seat 1 won 8.");
  assert.equal(howWon([], [...log, ...Array.from({length: 12}, () => line("CardPlayed", "A card."))]), "");
});

test("of a match that is over, the end of its last game tells how it was won, if it says more than by whom", () => {
  const ended = (/** @type {string} */ text) => howOver([], [line("GameEnded", text), line("MatchEnded", "It ended.")]);
  assert.equal(ended("The game ended: seat 0 won with two connected trios. Trios: seat 0: 12 4 5."),
    "Seat 0 won with two connected trios.");
  assert.equal(ended("The duel ended: no one won, after the last turn."), "No one won, after the last turn.");
  assert.equal(ended("The game ended: seat 2 won. Totals: seat 0: 0, seat 1: 21."), "");
  assert.equal(howOver(["Seat 0 won by knocking."], []), "Seat 0 won by knocking.");
});
