// What is awaited of who prepares for a tournament; the times are those of the server.

import assert from "node:assert/strict";
import {test} from "vitest";
import {awaited, isPreparing} from "../../api/web/static/tournaments/pod_words.js";
import {some} from "./some.mjs";

const begun = Date.parse("2026-11-23T10:00:00Z"), minute = 60_000;
/** @type {Api.Tournament} */
const t = some({preparation: {}, status: "playing", round: 0, show_up_seconds: 900});
/** @type {Api.MatchAtTable} */
const pod = some({status: "lobby", your_seat: null, to_act: [], deadline: null,
  created_at: "2026-11-23T10:00:00.000Z"});

test("entrants prepare from the end of entries to the first round, where anything is to be prepared", () => {
  assert.equal(isPreparing(t), true);
  /** @type {Partial<Api.Tournament>[]} */
  const others = [{status: "announced"}, {status: "cancelled"}, {round: 1}, {preparation: null}];
  for (const other of others)
    assert.equal(isPreparing({...t, ...other}), false);
});

test("who has not come learns how long the seat waits, and who has come waits for the others", () => {
  assert.equal(awaited(pod, t, begun + 5 * minute), "Take your seat: 10:00 left. No-shows are eliminated.");
  assert.equal(awaited({...pod, your_seat: 0}, t, begun), "The pod begins when all players are seated.");
});

test("whose choice the pod awaits learns until when, and nobody else is told to choose", () => {
  /** @type {Api.MatchAtTable} */
  const playing = {...pod, status: "playing", your_seat: 1, deadline: "2026-11-23T10:10:00.000Z"};
  assert.equal(awaited({...playing, to_act: [0, 1]}, t, begun + 8 * minute), "Your turn: 2:00 left.");
  assert.equal(awaited({...playing, to_act: [1], deadline: null}, t, begun), "Your turn.");
  assert.equal(awaited({...playing, to_act: [0]}, t, begun), "Waiting for the others.");
});
