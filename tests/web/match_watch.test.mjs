// What the page finds about a match whose head it kept: an honest server, and each way to contradict itself.

import assert from "node:assert/strict";
import {generateKeyPairSync, sign} from "node:crypto";
import {test} from "vitest";

import {lookAtMatch} from "../../api/web/static/guard/match_watch.ts";

/** @typedef {import("../../api/web/static/guard/match_watch.ts").KeptHead} KeptHead */

const {publicKey, privateKey} = generateKeyPairSync("ed25519");
const KEY = Buffer.from(String(publicKey.export({format: "jwk"}).x), "base64url").toString("hex");
const digest = (/** @type {number} */ n) => n.toString(16).padStart(64, "0");

/** Sign a head. @param {number} version @param {string} head */
const signed = (version, head) => {
  const message = Buffer.from(`dealt-head/1|cards.example|match|m|${version}|${head}`);
  return {kind: "match", id: "m", server: "cards.example", version, head, key: KEY,
    signature: sign(null, message, privateKey).toString("hex")};
};

/** Return a server whose match has these digests. @param {string[]} digests @param {object} [more] of its answer */
const server = (digests, more = {}) => async (/** @type {string} */ path) => {
  const after = /events\?after=(\d+)/.exec(path)?.[1], version = digests.length, head = digests[version - 1] ?? "";
  if (after === undefined)
    return {status: 200, text: JSON.stringify({version, head, signed: signed(version, head), ...more})};
  return {status: 200, text: JSON.stringify({items: [{seq: Number(after) + 1, digest: digests[Number(after)]}]})};
};
const absent = async () => ({status: 404, text: "{}"});
const honest = [1, 2, 3, 4, 5].map(digest);

/** @param {KeptHead | null} kept @param {import("../../api/web/static/guard/log_watch.ts").Ask} ask */
const look = (kept, ask, isOwn = true) => lookAtMatch(ask, "m", kept, isOwn);
/** Return what was kept after so many honest events. @param {number} n */
const after = async (n) => {
  const found = await look(null, server(honest.slice(0, n)));
  assert(found && "kept" in found);
  return found.kept;
};

test("a match that only grew is kept with its newest head", async () => {
  const found = await look(await after(3), server(honest));
  assert.deepEqual(found, {kept: {version: 5, head: digest(5), signed: signed(5, digest(5))}});
});

for (const [name, fault, ask] of /** @type {const} */ ([
  ["a match with fewer events was rolled back", "matchRolledBack", server(honest.slice(0, 2))],
  ["a match with another head at the same version has changed", "matchChanged",
    server([...honest.slice(0, 2), digest(9)])],
  ["a longer match with another event at the kept version has changed", "matchChanged",
    server([...honest.slice(0, 2), digest(9), digest(10)])],
  ["a server that no longer knows the kept event has changed the match", "matchChanged",
    async (/** @type {string} */ path) => path.includes("events") ? {status: 409, text: "{}"} : server(honest)(path)],
  ["a match that the player had a seat in does not disappear", "matchGone", absent],
  ["a head signed for another version is a fault", "matchSignature", server(honest, {signed: signed(4, digest(4))})],
  ["a head with an invalid signature is a fault", "matchSignature",
    server(honest, {signed: {...signed(5, digest(5)), signature: "0".repeat(128)}})],
])) test(name, async () => {
  const found = await look(await after(3), ask);
  assert.equal(found && "fault" in found && found.fault, fault);
});

test("a spectator's match may be closed to the spectator", async () => {
  assert.equal(await look(await after(3), absent, false), null);
});

test("without an answer nothing is said", async () => {
  const kept = await after(3);
  for (const ask of [async () => null, async () => ({status: 503, text: ""}),
    async (/** @type {string} */ path) => path.includes("events") ? null : server(honest)(path)])
    assert.equal(await look(kept, ask), null);
});
