/**
 * Verifies a tournament's record. Written from docs/proof.md and the tournament rulebook; shares no code with the
 * Python verifier.
 */

import { chain } from "../chain.mjs";
import { contributionsOfEntrants, inWords } from "../commitments.mjs";
import { isInteger, isObject, isText, must, same } from "../deals.mjs";
import { acknowledged } from "../receipts.mjs";
import { MOST, firstOf, isSignedHead, lastOf, parsed, refuse, split } from "../record.mjs";
import { inLog } from "../log.mjs";
import { attested, check, hasLog, partFor, read, verdictOf, verify } from "../report.mjs";
import { signatures } from "../signatures.mjs";
import { isDealtOtherwise, unproved } from "./bound.mjs";
import { addedAfter } from "../versions.mjs";
import { ADDED, RULES } from "./events.mjs";
import { exactly, leftOut, maybe, oneOf } from "./fields.mjs";
import { follow, isKnown, wellFormed } from "./life.mjs";
import { Prepared } from "./prepared.mjs";
import { dealsOf, differs } from "./tables.mjs";

export { Unreadable } from "../record.mjs";

/**
 * @typedef {import("../report.mjs").Check} Check
 * @typedef {import("../record.mjs").Linked} Event
 * @typedef {import("./state.mjs").Cited} Cited
 */
/**
 * @typedef {{tournament: string, version: number, head: string,
 *   signed: import("../record.mjs").SignedHead | null}} About
 */
/**
 * A parsed record; `tables` are the raw records of its matches.
 * @typedef {{about: About, events: Event[], tables: Uint8Array[]}} TournamentRecord
 */
/**
 * The verifier's input. `told` is called with each check, and awaited; `tabled` with the number of matches checked;
 * `breathes` is awaited now and then.
 * @typedef {object} Asked
 * @property {(game: string) => Promise<import("../report.mjs").MakePart | null>} partOf
 * @property {(game: string) => Promise<import("../report.mjs").Rules | null>} [rulesOf]
 * @property {[version: number, digest: string][]} [heads] digests kept outside the record
 * @property {import("../signatures.mjs").Known[]} [keys] the servers' keys given to the verifier
 * @property {import("../receipts.mjs").Receipt[]} [receipts] kept receipts of nonces
 * @property {import("../log.mjs").NoteKey[]} [witnesses] the witnesses' keys given to the verifier
 * @property {number} [quorum] the number of required cosignatures
 * @property {(check: Check, counted: ReadonlyMap<string, number>) => Promise<void>} [told]
 * @property {(taken: number) => Promise<void>} [tabled] @property {() => Promise<void>} [breathes]
 */

const FORMAT = "dealt-tournament/1", MOST_ABOUT = 16384;
const NOBODY = "No entrant gave a nonce that counts: this proves that nothing was changed afterwards, not that the "
  + "server did not choose the draws and deals.";

const isAbout = exactly({
  format: oneOf(FORMAT), tournament: isText, version: isInteger, head: isText, signed: leftOut(maybe(isSignedHead)),
});
/** @param {unknown} x @returns {x is Record<string, Record<string, string>>} */
const areSeals = (x) => isObject(x) && Object.values(x)
  .every((seals) => isObject(seals) && Object.values(seals).every(isText));
const isEvent = exactly({
  v: isInteger, seq: isInteger, commit: isInteger, type: isText, data: isObject, at: isText, cause: isText,
  digest: isText, seals: areSeals,
});

/**
 * Return a text's lines without line ends; null if the first one shows that it is no tournament record.
 * @param {Uint8Array} bytes
 */
export function linesOf(bytes) {
  const lines = [];
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, from), line = bytes.subarray(from, end < 0 ? undefined : end);
    lines.push(line);
    if (lines.length === 1 && !isFirst(line)) return null;
    from = end < 0 ? bytes.length : end + 1;
  }
  return lines.length ? lines : null;
}

/** @param {Uint8Array} line */
function isFirst(line) {
  try {
    return line.length <= MOST_ABOUT && JSON.parse(new TextDecoder().decode(line)).format === FORMAT;
  } catch {
    return false;
  }
}

/** Parse a record's lines. @param {Uint8Array[]} lines @returns {TournamentRecord} */
export function readTournament(lines) {
  const [first, ...rest] = lines;
  refuse(first, "The file is empty.");
  const said = parsed(first);
  refuse(isAbout(said), "It does not have the form of a tournament's record.");
  const { tournament, version, head, signed = null } = said;
  refuse(/^[0-9A-Za-z_-]{1,64}$/.test(tournament), "The id of a tournament has 1 to 64 letters and digits.");
  refuse(version >= 1 && version <= MOST.events, `A record has 1 to ${MOST.events} events; this one says ${version}.`);
  const events = rest.slice(0, version).map((line) => parsed(line));
  refuse(events.length === version, `The record claims ${version} events, but has ${events.length}.`);
  refuse(areEvents(events), "An event does not have the form of a tournament's event.");
  return { about: { tournament, version, head, signed }, events, tables: rest.slice(version) };
}

/** @param {unknown[]} xs @returns {xs is Event[]} */
const areEvents = (xs) => xs.every(isEvent);

/** Verify a record. @param {TournamentRecord} record @param {Asked} asked */
export async function verifyTournament({ about, events, tables }, asked) {
  const { heads = [], keys = [], receipts = [], told = async () => {}, breathes = async () => {} } = asked;
  const { witnesses = [], quorum = witnesses.length } = asked;
  const { tournament: id, version, head, signed } = about;
  /** @type {{t: import("./state.mjs").Tournament | null}} the final state, if the events are valid */
  const followed = { t: null };
  const rules = async () => {
    const { rules: judgedBy } = firstOf(events).data;
    if (typeof judgedBy === "number" && judgedBy > RULES)  // its plan may have unknown options
      return { skipped: `It was played by version ${judgedBy} of the rules, but version ${RULES} is installed.` };
    const known = events.findIndex((event) => !isKnown(event)), strange = events[known];
    events.slice(0, strange ? known : undefined).forEach((event, i) => wellFormed(event, i + 1, firstOf(events)));
    if (strange) return { skipped: `Events of the type ${strange.type}, version ${strange.v}, are not known here.` };
    const today = events.map((event) =>
      ({ ...event, data: { ...addedAfter(ADDED, event.type, event.v), ...event.data } }));
    followed.t = await follow(id, today, breathes);
    const found = contributionsOfEntrants(events);
    const nobody = found.contributed.length ? "" : ` ${NOBODY}`;
    return `All draws, pairings, standings and prizes follow from the seeds and the results.${nobody}`
      + inWords(found, "Entrant");
  };
  /** @type {import("../signatures.mjs").Signer[]} */
  const signers = [];
  let isWitnessed = false;
  const checks = [];
  for (const [name, make] of Object.entries({
    chain: () => chain({ match: { id, version, head } }, events, heads),
    rules,
    tables: () => matches(tables, followed.t, asked),
    signatures: () => signatures("tournament", id, signed, events, { heads, keys }, signers),
    ...(hasLog(signed, witnesses) && {
      log: () => inLog(signed, { keys, witnesses, quorum }, () => { isWitnessed = true; }) }),
    ...(receipts.length && { receipts: () => acknowledged("tournament", id, events, receipts, keys) }),
  })) {
    const made = await check(name, make);
    checks.push(made);
    await told(made, followed.t?.counted ?? new Map());
  }
  const verdict = verdictOf(checks);
  return {
    ok: verdict === "verified", verdict, match: id, game: null, version: events.length, head: lastOf(events).digest,
    signed: signers[0] ?? null, checks, signed_seats: [], ...contributionsOfEntrants(events),
    attested: attested(signers[0] ?? null, verdict, isWitnessed),
  };
}

/**
 * Check the records of matches against the tables that cite them.
 * @param {Uint8Array[]} tables
 * @param {import("./state.mjs").Tournament | null} t null if the events are invalid
 * @param {Asked} asked
 */
async function matches(tables, t, asked) {
  const taken = new Set();
  /** @type {Map<string, unknown>} */
  const deals = new Map();
  const prepared = new Prepared();
  /** @type {[seq: number | null, why: string] | null} */
  let wrong = null;
  /** @type {string | null} */
  let unsure = null;
  for (const line of tables) {
    const record = read(line), { id } = record.match;
    refuse(!taken.has(id), `The record of the match ${id} appears twice.`);
    taken.add(id);
    if (wrong || !t) continue;
    const its = t.cited.get(id);
    if (!its) {
      wrong = [null, `The match ${id} belongs to no table of the tournament.`];
      continue;
    }
    const { left, why: differs } = await judged(record, its, { prepared, deals }, asked);
    const why = differs ?? (isDealtOtherwise(t, its, record.events) ?
      "The match does not have the deals that the tournament was bound to." : null);
    if (why) wrong = [its.seq, why];
    else if (left.length) unsure = `The record of the match ${id} cannot be judged here: ${left.join(", ")}.`;
    await asked.tabled?.(taken.size);
  }
  if (!t) return { skipped: "The tables can be checked only if the events are valid." };
  const fault = prepared.fault();
  if (!wrong && fault) wrong = [fault.seq,
    "A player has brought something to a table that was not gained before the first round."];
  must(!wrong, ...(wrong ?? /** @type {const} */ ([null, ""])));
  if (unsure) return { skipped: unsure };
  const unbound = taken.size ? unproved(t) : null;
  if (unbound) return { skipped: unbound };
  if (taken.size < t.cited.size)
    return { skipped: `${taken.size} of ${t.cited.size} matches are in the record, and agree with their tables.` };
  return `The ${taken.size} matches belong to their tables and have the stated results.`;
}

/**
 * Verify a match, and compare it with its table and with earlier matches.
 * @param {import("../record.mjs").MatchRecord} record @param {Cited} cited @param {{prepared: Prepared,
 *   deals: Map<string, unknown>}} known @param {Asked} asked
 */
async function judged(record, cited, { prepared, deals }, { partOf, rulesOf, breathes }) {
  const shut = /** @type {Set<string>} */ (new Set());
  const report = await verify(record, { partOf, shut, ...(rulesOf && { rulesOf }), ...(breathes && { breathes }) });
  // The tournament vouches for the match's head. The parts of a match that was never played may stay sealed.
  const isSettled = (/** @type {string} */ name) => ["signatures", "log"].includes(name)
    || (cited.kind === "forfeited" && shut.has(name));
  const left = report.checks.filter(({ name, skipped }) => skipped && !isSettled(name)).map(({ name }) => name);
  if (report.verdict === "failed") return { left, why: "The record of its match is invalid." };
  if (differs(cited, record.events)) return { left, why:
    "The match was not created for this table, or did not end as its table states." };
  const events = record.events.map((event) => split(event, record.match.reader));
  if (prepared.take(cited, events, await partFor(events, partOf)))
    return { left, why: "The players without gains differ from those that the tournament states." };
  if (cited.deals === null) return { left, why: null };
  const dealt = dealsOf(record.events);
  if (!deals.has(cited.deals)) deals.set(cited.deals, dealt);
  return { left, why: same(deals.get(cited.deals), dealt) ? null :
    "The match did not have the deals of the other tables of the round." };
}
