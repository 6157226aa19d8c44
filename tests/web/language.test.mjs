// Which language is chosen, and how it writes numbers.

import assert from "node:assert/strict";
import {test} from "vitest";

import {says} from "../../api/web/static/words/choosing.js";
import {amount, capital, chosenOf, number} from "../../api/web/static/words/language.js";

test("the first language is taken that is known, with the country of the reader", () => {
  assert.equal(chosenOf(["fr-CA", "de-AT", "en-GB"], ["en", "de"]), "de-AT");
  assert.equal(chosenOf(["EN-gb"], ["en", "de"]), "EN-gb");
});

test("who knows none of them is told in English", () => {
  assert.equal(chosenOf(["fr"], ["en", "de"]), "en");
  assert.equal(chosenOf([], ["en"]), "en");
});

test("numbers and amounts are written as the language does", () => {
  assert.equal(number(12_500), "12,500");
  assert.deepEqual([amount(1, "day"), amount(2, "day"), amount(5, "minute")], ["1 day", "2 days", "5 min"]);
  assert.equal(capital("ölig"), "Ölig");
});

test("which one it is of several is written as English does, also beyond twenty", () => {
  assert.deepEqual([1, 2, 3, 4, 11, 12, 13, 21, 22, 23, 101, 111, 112].map(says.ordinal), ["1st", "2nd", "3rd", "4th",
    "11th", "12th", "13th", "21st", "22nd", "23rd", "101st", "111th", "112th"]);
});
