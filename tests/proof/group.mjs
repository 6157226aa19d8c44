// Records of duplicate groups in the second verifier, written from docs/proof.md alone.

import { createHash } from "node:crypto";
import { get, has, isInteger, isObject, isText, must, same } from "../../api/web/static/past/verify/deals.mjs";
import { isSignedHead } from "../../api/web/static/past/verify/record.mjs";

/** @typedef {import("../../api/web/static/past/verify/record.mjs").Linked} Linked */
/**
 * @typedef {{group: string, version: number, head: string, events: Linked[],
 *   signed?: import("../../api/web/static/past/verify/record.mjs").SignedHead | null}} Group
 */

const CAUSES = ["move", "auto", "timeout"];
const FORM = ["format", "group", "version", "head", "events"];
const EVENT = ["v", "seq", "commit", "type", "data", "at", "cause", "seals", "digest"];

/** @param {unknown} x @returns {x is string[]} */
const texts = (x) => Array.isArray(x) && x.every(isText);
/** @param {unknown} x @returns {x is string[][]} */
const rows = (x) => Array.isArray(x) && x.every(texts);
/** @param {unknown} x @param {string[]} all */
const named = (x, all) => isObject(x) && same(Object.keys(x).sort(), [...all].sort());

/** @type {Record<string, Record<string, (x: unknown) => boolean>>} */
const FIELDS = {
  GroupCreated: { creator: isText, tables: texts }, GroupCommitted: { hashes: rows }, GroupStarted: { nonces: rows },
  GroupOver: {}, GroupCancelled: {}, GroupExpired: {},
};
/**
 * The statuses in which an event may happen, and the one that it leads to.
 * @type {Record<string, [string[], string]>}
 */
const COURSE = {
  GroupCommitted: [["open"], "committed"], GroupStarted: [["open", "committed"], "started"],
  GroupOver: [["started"], "over"], GroupCancelled: [["open", "committed"], "cancelled"],
  GroupExpired: [["open", "committed"], "expired"],
};

/** Whether a document is the record of a group, as far as its form says. @param {unknown} x @returns {x is Group} */
export function isGroup(x) {
  if (!isObject(x)) return false;
  const { group, version, head, events, signed } = x;
  return (named(x, FORM) || (named(x, [...FORM, "signed"]) && (signed === null || isSignedHead(signed))))
    && isText(group) && isInteger(version) && isText(head) && Array.isArray(events) && events.every(isEvent);
}

/** @param {unknown} x */
const isEvent = (x) => isObject(x) && named(x, EVENT) && [x["v"], x["seq"], x["commit"]].every(isInteger)
  && [x["type"], x["at"], x["cause"], x["digest"]].every(isText) && isObject(x["data"]) && isObject(x["seals"])
  && Object.values(x["seals"]).every((seals) => isObject(seals) && Object.values(seals).every(isText));

/** Check that every event can follow from those before it. @param {Group} record */
export function groupRules({ events }) {
  const strange = events.find(({ type, v }) => !has(FIELDS, type) || v > 1);
  events.slice(0, strange ? events.indexOf(strange) : undefined).forEach(wellFormed);
  if (strange) return { skipped: `Events of the type ${strange.type}, version ${strange.v}, are not known.` };
  let status = "open", tables = 0;
  /** @type {string[][]} */
  let hashes = [];
  events.forEach(({ type, data }, i) => {
    const seq = i + 1;
    must((seq === 1) === (type === "GroupCreated"), seq, "A group begins once, with its first event.");
    if (type === "GroupCreated") {
      const matches = /** @type {string[]} */ (data["tables"]);
      must(matches.length > 1 && new Set(matches).size === matches.length, seq,
        "Two tables at least, of other matches.");
      tables = matches.length;
      return;
    }
    const [before, then] = /** @type {[string[], string]} */ (COURSE[type]);
    must(before.includes(status), seq, "This cannot happen to the group any longer.");
    status = then;
    const said = /** @type {string[][]} */ (data["hashes"] ?? data["nonces"] ?? []);
    must(!Object.keys(data).length || said.length === tables, seq, "They are not those of all tables.");
    if (type === "GroupCommitted") hashes = said;
    if (type === "GroupStarted" && hashes.length) must(arePromised(said, hashes), seq, "A nonce was not promised.");
  });
  return "Each event can follow from the events before it.";
}

/** @param {string[][]} nonces @param {string[][]} hashes */
const arePromised = (nonces, hashes) => nonces.every((row, table) => row.length === hashes[table]?.length
  && row.every((nonce, seat) => nonce === "" || sha256(nonce) === hashes[table]?.[seat]));

/** @param {string} text */
const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** @param {Linked} event @param {number} i */
function wellFormed({ type, v, cause, seals, data }, i) {
  must(v === 1 && CAUSES.includes(cause) && !Object.keys(seals).length, i + 1,
    "No event is of such a version or cause, or sealed.");
  const due = FIELDS[type] ?? {};
  must(named(data, Object.keys(due)) && Object.entries(due).every(([name, is]) => is(get(data, name))), i + 1,
    "The event does not have the form of its type.");
}
