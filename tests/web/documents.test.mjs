/** How the page asks for documents other than JSON answers. */

import assert from "node:assert/strict";
import {afterEach, test, vi} from "vitest";

afterEach(() => { vi.useRealTimers(); });

/** Answer with a document of which only a part arrives. @type {typeof fetch} */
const stalls = async (_, how) => new Response(new ReadableStream({start: (body) => {
  body.enqueue(new TextEncoder().encode("half of"));
  how?.signal?.addEventListener("abort", () => body.error(how.signal?.reason));
}}));

/** @type {[string, typeof fetch][]} */
const silences = [["never answered", (_, how) => new Promise((_came, fails) => {
  how?.signal?.addEventListener("abort", fails); })], ["answered only in part", stalls]];

for (const [what, first] of silences)
  test(`document is requested again if its request was ${what}`, async () => {
    vi.useFakeTimers({toFake: ["setTimeout", "clearTimeout"]});
    Object.assign(globalThis, {document: new EventTarget(), addEventListener: () => {}, window: globalThis});
    const answers = [first, async () => new Response("all of it")];
    globalThis.fetch = (...asked) => /** @type {typeof fetch} */ (answers.shift())(...asked);
    const {apiOf} = await import("../../api/web/static/table/api.js"), settled = () => new Promise(setImmediate);
    let read = "";
    void apiOf("", () => "", () => {}).document("/matches/a/record")
      .then(({bytes}) => { read = new TextDecoder().decode(bytes); });
    for (let seconds = 0; seconds < 10; seconds += 1) {
      await settled();
      vi.advanceTimersByTime(1_000);
    }
    for (let n = 0; n < 5; n += 1) await settled();
    assert.equal(read, "all of it");
  });
