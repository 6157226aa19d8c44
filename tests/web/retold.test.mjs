// How the texts of the server are told to a reader.

import assert from "node:assert/strict";
import {test} from "vitest";

import {numberIn, told, withSigns, withTimes} from "../../api/web/static/table/retold.js";

const name = (/** @type {number} */ seat) => ["Seat 0", "Bot 1", "Ann (seat 2)", "Seat 3"][seat] ?? "";
const says = (/** @type {string} */ text, /** @type {string} */ expected) =>
  assert.equal(told(text, [0], name).replaceAll("\uFE0E", ""), expected);

test("cards have the signs of their suits, other words have none", () => {
  assert.equal(withSigns("TS QH 2C AD").replaceAll("\uFE0E", ""), "10♠ Q♥ 2♣ A♦");
  assert.equal(withSigns("CARDS 7 A AS2 x2C"), "CARDS 7 A AS2 x2C");
});

test("what the reader does is said to them", () => {
  says("Seat 0 plays QS.", "You play Q♠.");
  says("Seat 0 passes 2C 3C 4C to seat 1.", "You pass 2♣ 3♣ 4♣ to Bot 1.");
  says("Seat 0 has until noon to decide.", "You have until noon to decide.");
  says("Seat 0 finds the stock empty.", "You find the stock empty.");
  says("Seat 0 discards 2C, and the stock runs out.", "You discard 2♣, and the stock runs out.");
  says("Seat 0 answers with 2C, and lays off none.", "You answer with 2♣, and lay off none.");
  says("Seat 0 mucks its hand.", "You muck your hand.");
  says("Seat 0 revoked in trick 3: it played 2C and held 3D.", "You revoked in trick 3: you played 2♣ and held 3♦.");
  says("Seat 0 last ate an avocado yesterday.", "You last ate an avocado yesterday.");
});

test("all verbs of what the reader does are said to them, and those of others are not", () => {
  says("Turn 3: seat 0 untaps and draws QS, and the next step begins.",
    "Turn 3: you untap and draw Q♠, and the next step begins.");
  says("Turn 3: seat 1 untaps and draws a card.", "Turn 3: Bot 1 untaps and draws a card.");
  says("Seat 0 gives way, and seat 1 takes its card and plays 2C.",
    "You give way, and Bot 1 takes its card and plays 2♣.");
  says("Seat 0 takes 2C from seat 1, and has its share.", "You take 2♣ from Bot 1, and have your share.");
});

test("things of the reader are theirs", () => {
  says("The turn of seat 0 ends.", "Your turn ends.");
  says("Bears grow until the end of the next turn of seat 0.", "Bears grow until the end of your next turn.");
  says("Seat 1 turns up the lowest card of seat 0: 7.", "Bot 1 turns up your lowest card: 7.");
  says("The ability of QS of seat 0 ends.", "The ability of Q♠ of yours ends.");
});

test("numbers that prove something are there for who asks for them", () => {
  const number = "4228ed9602f3cafa05504a481f34beabb7a31a805d28f4b39c2468cff0c2ad64";
  says(`All shuffles are fixed from here on: ${number}.`, "All shuffles are fixed from here on.");
  says(`The shuffle of hand 1 can now be verified: seed ${number}.`, "The shuffle of hand 1 can now be verified.");
  assert.equal(numberIn(`All shuffles are fixed from here on: ${number}.`), number);
  assert.equal(numberIn("Seat 3 takes trick 1."), "");
});

test("several seats have their names each", () => {
  says("main pot 20 (seats 1 and 2), side pot 5 (seats 0, 1 and 2)",
    "main pot 20 (Bot 1 and Ann (seat 2)), side pot 5 (you, Bot 1 and Ann (seat 2))");
  says("Seats 1 and 3", "Bot 1 and seat 3");
});

test("what is done to the reader is said so", () => {
  says("The action is on seat 0, with 5 to call.", "The action is on you, with 5 to call.");
  says("The last move of seat 0 is taken back.", "Your last move is taken back.");
  says("Hand 1: seat 0 deals; seat 1 plays against seat 0.", "Hand 1: you deal; Bot 1 plays against you.");
  says("The cards are dealt: seat 0 holds 8C.", "The cards are dealt: you hold 8♣.");
});

test("others have their names, and who has none is a seat", () => {
  says("Seat 1 turns up the highest card of seat 2: 7.", "Bot 1 turns up the highest card of Ann (seat 2): 7.");
  says("Seat 3 takes trick 1. Seat 0 leads.", "Seat 3 takes trick 1. You lead.");
  says("Seat 1 mucks its hand.", "Bot 1 mucks its hand.");
});

test("a name is never read as a card or a seat", () => {
  assert.equal(told("Seat 1 plays 2C.", [0], () => "AS seat 0"), "AS seat 0 plays 2♣\uFE0E.");
});

test("times are those of the reader's clock", () => {
  const said = withTimes("Until 2026-11-23 08:26:03 UTC to decide.");
  assert.ok(!said.includes("UTC") && said.includes("26") && said.startsWith("Until ") && said.endsWith(" to decide."),
    said);
});

test("who watches is told of seats", () => {
  assert.equal(told("Seat 0 passes.", [], name), "Seat 0 passes.");
});

test("a thing that has a name is the reader's, or somebody's", () => says(
  "Marsh Toad (2nd) of seat 0 deals 1 damage to Marsh Toad of seat 1.",
  "Marsh Toad (2nd) of yours deals 1 damage to Marsh Toad of Bot 1."));
