/** The bytes of the verifier: SHA-256 and HMAC are those of Node, on texts of every length around a block. */

import assert from "node:assert/strict";
import {createHash, createHmac} from "node:crypto";
import {test} from "vitest";
import {hex, hmac, sha256, unhex} from "../../api/web/static/past/verify/bytes.mjs";

const bytes = (/** @type {number} */ length) => Uint8Array.from({length}, (_, i) => (i * 31 + length) % 256);

test("hashes are those of Node", () => {
  for (let length = 0; length < 200; length++) {
    const said = bytes(length);
    assert.equal(hex(sha256(said)), createHash("sha256").update(said).digest("hex"));
    assert.equal(hex(hmac(bytes(length % 90), said)),
      createHmac("sha256", bytes(length % 90)).update(said).digest("hex"));
  }
  assert.equal(hex(sha256("a", "ü")), createHash("sha256").update("aü").digest("hex"));
});

test("hex is read as it was written", () => assert.deepEqual(unhex(hex(bytes(70))), bytes(70)));
