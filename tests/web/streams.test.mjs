/** How the page asks for streams. */

import assert from "node:assert/strict";
import {afterEach, test, vi} from "vitest";

afterEach(() => { vi.useRealTimers(); });

Object.defineProperty(globalThis, "navigator", {value: {}});  // of an address that is not secure, without locks

test("of a stream nothing is kept: Firefox lets a second tab wait for what a first one might keep of the same address",
  async () => {
  /** @type {(RequestInit | undefined)[]} */
  const asked = [];
  Object.assign(globalThis, {document: new EventTarget(), addEventListener: () => {}, window: globalThis});
  globalThis.fetch = async (_, how) => { asked.push(how); return new Response(null, {status: 204}); };
  const {apiOf} = await import("../../api/web/static/table/api.js");
  const {follow} = await import("../../api/web/static/table/streams.js");
  follow(apiOf("", () => "", () => {}).line, "/inbox", () => 0, {told: () => {}, refused: () => {}});
  await new Promise((resolve) => { setTimeout(resolve, 0); });
  assert.deepEqual(asked.map((how) => how?.cache), ["no-store"]);
});

for (const [status, what] of [[204, "all of it was told"], [404, "it is closed"]])
  test(`the connection is no longer lost once a stream is answered that it is over: ${what}`, async () => {
    vi.useFakeTimers({toFake: ["setTimeout"]});
    Object.assign(globalThis, {document: new EventTarget(), addEventListener: () => {}, window: globalThis});
    const answers = [() => { throw new TypeError("cut"); }, () => new Response(null, {status: Number(status)})];
    globalThis.fetch = async () => /** @type {() => Response} */ (answers.shift())();
    const {apiOf} = await import("../../api/web/static/table/api.js");
    const {follow} = await import("../../api/web/static/table/streams.js"), settled = () => new Promise(setImmediate);
    const lost = /** @type {boolean[]} */ ([]);
    follow(apiOf("", () => "", (isOnline) => lost.push(!isOnline)).line, "/matches/a/events", () => 0,
      {told: () => {}, refused: () => {}});
    for (let n = 0; n < 5; n += 1) await settled();
    assert.equal(lost.at(-1), true);
    for (let n = 0; n < 5; n += 1) {
      vi.advanceTimersByTime(1_000);
      await settled();
    }
    assert.deepEqual([answers.length, lost.at(-1)], [0, false]);
  });

test("a stream is left when its tab is no longer looked at, and is asked for in short turns then", async () => {
  vi.useFakeTimers({toFake: ["setTimeout"]});
  const page = Object.assign(new EventTarget(), {hidden: false});
  let left = 0, asked = 0;
  Object.assign(globalThis, {document: page, addEventListener: () => {}, window: globalThis});
  globalThis.fetch = async (_, how) => {
    asked += 1;
    return new Response(new ReadableStream({cancel: () => { left += 1; }, start: (body) => {
      body.enqueue(new TextEncoder().encode(": hello\n\n"));
      how?.signal?.addEventListener("abort", () => body.error(how.signal?.reason));
    }}));
  };
  const {apiOf} = await import("../../api/web/static/table/api.js");
  const {follow} = await import("../../api/web/static/table/streams.js"), settled = () => new Promise(setImmediate);
  const lost = /** @type {boolean[]} */ ([]);
  const passes = async (/** @type {number} */ ms) => { await settled(); vi.advanceTimersByTime(ms); await settled(); };
  const ends = follow(apiOf("", () => "", (isOnline) => lost.push(!isOnline)).line, "/matches/a/events", () => 0,
    {told: () => {}, refused: () => {}});
  await passes(5_000);
  assert.deepEqual([asked, left], [1, 0]);
  page.hidden = true;
  page.dispatchEvent(new Event("visibilitychange"));
  await passes(0);
  assert.equal(left, 1);
  await passes(1_000);
  await passes(1_000);
  assert.deepEqual([asked, left], [2, 2]);
  await passes(15_000);
  assert.equal(asked, 3);
  page.hidden = false;
  page.dispatchEvent(new Event("visibilitychange"));
  await passes(0);
  assert.equal(asked, 4);
  ends();
  assert.ok(!lost.includes(true));
});
