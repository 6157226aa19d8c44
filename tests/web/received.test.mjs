// Cards are marked as received until the next move, and never after a deal.

import assert from "node:assert/strict";
import {test} from "vitest";

import {areReceived, changed, EMPTY_HAND, handOf} from "../../api/web/static/moving/received.ts";

/** @param {string[]} hands the cards of a hand, one change after the other */
const received = (...hands) => hands.reduce((hand, cards) => changed(hand, cards.split(" ").filter(Boolean)),
  EMPTY_HAND).received.join(" ");

test("dealt cards are not marked", () => {
  assert.equal(received("2C 3C 4C"), "");
  assert.equal(received("2C 3C", "", "4C 5C"), "");
  assert.equal(received("2C 3C", "4C 5C"), "");
});

test("cards that came are marked until one is given away", () => {
  assert.equal(received("2C 3C", "2C 3C 4C"), "4C");
  assert.equal(received("2C 3C", "2C 3C 4C", "2C 3C 4C 5C"), "4C 5C");
  assert.equal(received("2C 3C", "2C 3C 4C", "3C 4C"), "");
});

test("cards that are exchanged in one change are marked", () => {
  assert.equal(received("2C 3C 4C", "2C 5C 6C"), "5C 6C");
});

test("a second card with the same text is marked", () => {
  assert.equal(received("2C", "2C 2C"), "2C");
});

test("last of the cards with the same text is the received one", () => {
  assert.deepEqual(areReceived(["2C", "3C", "2C", "4C"], ["2C", "4C"]), [false, false, true, true]);
});

test("hand of the seat that looks has its open cards", () => {
  /** @param {number} seat @param {string} kind @param {unknown[]} spots */
  const zone = (seat, kind, spots) => ({seat, kind, spots});
  const scene = {seat: 1, zones: {
    "hand-0": zone(0, "hand", [{face: "down", card: null, id: null}]),
    "hand-1": zone(1, "hand", [{card: "2C", id: null}, {card: "Sunfield", id: "c7"}, {face: "down", card: null}]),
    taken: zone(1, "taken", [{card: "9C", id: null}])}};
  const shown = /** @type {Parameters<typeof handOf>[0]} */ (/** @type {unknown} */ (scene));
  assert.deepEqual(handOf(shown), ["2C", "Sunfield"]);
});
