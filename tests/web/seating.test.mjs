import assert from "node:assert/strict";
import {test} from "vitest";

import {nameOf} from "../../api/web/static/table/seating.js";
import {some} from "./some.mjs";

/** @param {string[]} names a name is that of a bot where it is empty @param {number | null} mine */
const at = (names, mine = null) => {
  /** @type {import("./some.mjs").Some<Api.Seat>[]} */
  const seats = names.map((name) => ({kind: name ? "player" : "bot", player: name ? {id: "", name} : null}));
  /** @type {Api.Match} */
  const match = some({seats, your_seat: mine, your_seats: []});
  return names.map((_, seat) => nameOf(match, seat));
};

test("people are called by their names alone", () => {
  assert.deepEqual(at(["Ann", "Ben", ""], 0), ["You", "Ben", "Bot 2"]);
});

test("where two have the same name, their seats tell them apart", () => {
  assert.deepEqual(at(["Ann", "Ben", "Ann"]), ["Ann (seat 0)", "Ben", "Ann (seat 2)"]);
});

test("whoever is named as a bot, or as the reader, has the number of the seat beside the name", () => {
  assert.deepEqual(at(["Bot 1", "", "You"]), ["Bot 1 (seat 0)", "Bot 1 (seat 1)", "You (seat 2)"]);
});
