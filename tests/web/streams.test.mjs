/** How the page asks for streams. */

import assert from "node:assert/strict";
import {test} from "node:test";

test("of a stream nothing is kept: Firefox lets a second tab wait for what a first one might keep of the same address",
  async () => {
  /** @type {(RequestInit | undefined)[]} */
  const asked = [];
  Object.assign(globalThis, {document: new EventTarget(), addEventListener: () => {}, window: globalThis});
  globalThis.fetch = async (_, how) => { asked.push(how); return new Response(null, {status: 204}); };
  const {apiOf} = await import("../../api/web/static/table/api.js");
  apiOf("", () => "", () => {}).follow("/inbox", () => 0, {told: () => {}, refused: () => {}});
  await new Promise((resolve) => { setTimeout(resolve, 0); });
  assert.deepEqual(asked.map((how) => how?.cache), ["no-store"]);
});
