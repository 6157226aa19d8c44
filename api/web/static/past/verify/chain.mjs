/** Checks the chain of digests (docs/proof.md, "The chain"). */

import { hex, sha256 } from "./bytes.mjs";
import { canonical, must } from "./deals.mjs";

/**
 * @param {{match: {id: string, version: number, head: string}}} record @param {import("./record.mjs").Linked[]} events
 * @param {[version: number, digest: string][]} heads digests kept outside the record
 */
export function chain({ match }, events, heads) {
  let before = "0".repeat(64);
  events.forEach((event, i) => {
    const n = i + 1;
    must(event.seq === n, n, `Event ${n} is expected here, not ${event.seq}.`);
    must(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(event.at), n,
      "A time must have the form 2026-11-21T20:57:12.345Z.");
    if (event.commit !== n) {
      must(n > 1 && event.commit === events[i - 1]?.commit, n,
        "An event must belong to the commit before it or begin a new one.");
      must(event.at === events[i - 1]?.at, n, "All events of a commit must have the same time.");
    }
    const { at, cause, commit, data, seals, seq, type, v } = event;
    const envelope = { at, cause, commit, data, match: match.id, seals, seq, type, v };
    before = hex(sha256(before, canonical(envelope)));
    must(event.digest === before, n, "The digest does not follow from the event and the digest before it.");
    must(heads.every(([version, head]) => version !== n || head === before), n,
      "The digest differs from the head that you kept: the history was changed.");
  });
  const last = events.length;
  const beyond = heads.find(([version]) => version < 1 || version > last);
  must(!beyond, last, `You kept a head of version ${beyond?.[0]}, which the record does not have.`);
  must(match.version === last, last, `The record claims ${match.version} events, but has ${last}.`);
  must(match.head === before, last, "The head is not the digest of the last event.");
  return `${last} events are linked by their digests.`;
}
