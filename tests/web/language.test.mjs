// Which language is chosen, and how it writes numbers.

import assert from "node:assert/strict";
import {test} from "node:test";

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
