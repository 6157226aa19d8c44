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
    must(event.seq === n, n, "Another number must stand here.");
    must(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(event.at), n, "A time is written otherwise.");
    if (event.commit !== n) {
      must(n > 1 && event.commit === events[i - 1]?.commit, n, "The event is of no commit.");
      must(event.at === events[i - 1]?.at, n, "A commit has one time.");
    }
    const { at, cause, commit, data, seals, seq, type, v } = event;
    const envelope = { at, cause, commit, data, match: match.id, seals, seq, type, v };
    before = hex(sha256(before, canonical(envelope)));
    must(event.digest === before, n, "The digest is not that of the event.");
    must(heads.every(([version, head]) => version !== n || head === before), n, "A kept head is another.");
  });
  const last = events.length;
  must(heads.every(([version]) => version >= 1 && version <= last), last,
    "A head was kept of a version that is not there.");
  must(match.version === last, last, "There is another number of events.");
  must(match.head === before, last, "The head is not the last digest.");
  return `${last} events are linked.`;
}
