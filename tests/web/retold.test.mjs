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

test("actions of the reader are told in the second person", () => {
  says("Seat 0 played QS.", "You played Q♠.");
  says("Seat 0 passed 2C 3C 4C to seat 1.", "You passed 2♣ 3♣ 4♣ to Bot 1.");
  says("Seat 0 has until noon to decide.", "You have until noon to decide.");
  says("Seat 0 found the stock empty.", "You found the stock empty.");
  says("Seat 0 discarded 2C, and the stock ran out.", "You discarded 2♣, and the stock ran out.");
  says("Seat 0 is the dealer and has the lead.", "You are the dealer and have the lead.");
  says("Seat 0 mucked its hand.", "You mucked your hand.");
  says("Seat 0 revoked in trick 3: it played 2C and held 3D.", "You revoked in trick 3: you played 2♣ and held 3♦.");
  says("Seat 0 last ate an avocado yesterday.", "You last ate an avocado yesterday.");
});

test("every verb about the reader agrees with you, and those about others do not", () => {
  says("Turn 3: seat 0 untapped and was shown QS, and the next step began.",
    "Turn 3: you untapped and were shown Q♠, and the next step began.");
  says("Turn 3: seat 1 untapped and was shown a card.", "Turn 3: Bot 1 untapped and was shown a card.");
  says("Seat 0 gave way, and seat 1 took its card and was given 2C.",
    "You gave way, and Bot 1 took its card and was given 2♣.");
  says("Seat 0 took 2C from seat 1 and has its share.", "You took 2♣ from Bot 1 and have your share.");
});

test("things of the reader are called yours", () => {
  says("The turn of seat 0 ended.", "Your turn ended.");
  says("Bears grow until the end of the next turn of seat 0.", "Bears grow until the end of your next turn.");
  says("Seat 1 turned up the lowest card of seat 0: 7.", "Bot 1 turned up your lowest card: 7.");
  says("The ability of QS of seat 0 ends.", "The ability of Q♠ of yours ends.");
});

test("proof numbers are removed from the text and returned on request", () => {
  const number = "4228ed9602f3cafa05504a481f34beabb7a31a805d28f4b39c2468cff0c2ad64";
  says(`Shuffles committed; verifiable later: ${number}.`, "Shuffles committed; verifiable later.");
  says(`The shuffle of hand 1 was revealed: seed ${number}.`, "The shuffle of hand 1 was revealed.");
  assert.equal(numberIn(`Shuffles committed; verifiable later: ${number}.`), number);
  assert.equal(numberIn("Seat 3 took trick 1."), "");
});

test("each of several seats gets its name", () => {
  says("main pot 20 (seats 1 and 2), side pot 5 (seats 0, 1 and 2)",
    "main pot 20 (Bot 1 and Ann (seat 2)), side pot 5 (you, Bot 1 and Ann (seat 2))");
  says("Seats 1 and 3", "Bot 1 and seat 3");
});

test("the reader is you as the object too", () => {
  says("Action on seat 0, with 5 to call.", "Action on you, with 5 to call.");
  says("The last move of seat 0 was taken back.", "Your last move was taken back.");
  says("Hand 1: seat 0 dealt; seat 1 against seat 0.", "Hand 1: you dealt; Bot 1 against you.");
  says("The cards were dealt: seat 0 got 8C.", "The cards were dealt: you got 8♣.");
});

test("other players get their names, and seats without a name stay seats", () => {
  says("Seat 1 turned up the highest card of seat 2: 7.", "Bot 1 turned up the highest card of Ann (seat 2): 7.");
  says("Seat 3 took trick 1. Seat 0 led.", "Seat 3 took trick 1. You led.");
  says("Seat 1 mucked its hand.", "Bot 1 mucked its hand.");
});

test("a name is never read as a card or a seat", () => {
  assert.equal(told("Seat 1 played 2C.", [0], () => "AS seat 0"), "AS seat 0 played 2♣\uFE0E.");
});

test("times are shown in the reader's time zone", () => {
  const said = withTimes("Until 2026-11-23 08:26:03 UTC to decide.");
  assert.ok(!said.includes("UTC") && said.includes("26") && said.startsWith("Until ") && said.endsWith(" to decide."),
    said);
});

test("spectators read seat numbers", () => {
  assert.equal(told("Seat 0 passed.", [], name), "Seat 0 passed.");
});

test("a named thing is yours or belongs to a named player", () => says(
  "Marsh Toad (2nd) of seat 0 dealt 1 damage to Marsh Toad of seat 1.",
  "Marsh Toad (2nd) of yours dealt 1 damage to Marsh Toad of Bot 1."));
