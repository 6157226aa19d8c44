// Runs the verifier of the page (api/web/static/past/verify) in Node.
//
//     node verify.mjs [RECORD] [--head VERSION:DIGEST] [--key KEY|FILE] [--receipt FILE]
//             [--witness KEY] [--quorum NUMBER]
//         the report, as JSON; exit code 0, 1 (failed), 3 (unverifiable) or 2 (no record); FILE is what GET /v1/keys
//         answers
//     node verify.mjs --batch
//         a JSON text {record, heads, keys, receipts, witnesses, quorum} on each line, a report on each
//     node verify.mjs --options GAME…
//         the options of matches and of these games with their values, as JSON
//     node verify.mjs --fields GAME…
//         the types of events of matches and of these games with their fields, as JSON
//     node verify.mjs --records GAME…
//         the kinds of objects in these events with their fields, as JSON
//     node verify.mjs --tables GAME…
//         the tables of what later versions of events added, as JSON
//
// With `--added JSON` later versions of the events of all matches and tournaments have added what this table says.

import { readFileSync } from "node:fs";
import { webcrypto } from "node:crypto";
import { isHex64 } from "../../api/web/static/past/verify/bytes.mjs";
import { chain } from "../../api/web/static/past/verify/chain.mjs";
import { MOST, isObject, parsed, refuse } from "../../api/web/static/past/verify/record.mjs";
import { LIFE } from "../../api/web/static/past/verify/life.mjs";
import { inLog, readNoteKey } from "../../api/web/static/past/verify/log.mjs";
import { Unreadable, attested, check, hasLog, partFor, read, verdictOf, verify }
  from "../../api/web/static/past/verify/report.mjs";
import { acknowledged } from "../../api/web/static/past/verify/receipts.mjs";
import { signatures } from "../../api/web/static/past/verify/signatures.mjs";
import { collectionRules, isCollection } from "./collection.mjs";
import { groupRules, isGroup } from "./group.mjs";
import { holdTogether } from "./successions.mjs";
import { ADDED } from "../../api/web/static/past/verify/tournament/events.mjs";
import { linesOf, readTournament, verifyTournament } from "../../api/web/static/past/verify/tournament/tournament.mjs";

/** @typedef {import("../../api/web/static/past/verify/report.mjs").MakePart} MakePart */
/** @typedef {[version: number, digest: string][]} Heads digests that were kept elsewhere */
/** @typedef {import("../../api/web/static/past/verify/signatures.mjs").Known[]} Keys servers' keys that were given */
/** @typedef {import("../../api/web/static/past/verify/receipts.mjs").Receipt[]} Receipts */
/**
 * What the caller has besides the record.
 * @typedef {{heads: Heads, keys: Keys, receipts: Receipts,
 *   witnesses: import("../../api/web/static/past/verify/log.mjs").NoteKey[], quorum: number}} Claims
 */

/** @type {Record<string, number>} */
const CODES = { verified: 0, failed: 1, unverifiable: 3 };
const OF_CARDS = "dealt-collection/1", OF_GROUP = "dealt-group/1";

globalThis.crypto ??= /** @type {Crypto} */ (/** @type {unknown} */ (webcrypto));  // of Node 18

/**
 * Load the game's part, from the game's own folder; null if there is none.
 * @param {string} game
 * @returns {Promise<MakePart | null>}
 */
async function partOf(game) {
  try {
    return (await import(`../../domain/games/${game}/verify.mjs`)).part;
  } catch {
    return null;
  }
}

/**
 * Load the game's referee, from the game's own folder; null if there is none.
 * @param {string} game
 * @returns {Promise<import("../../api/web/static/past/verify/report.mjs").Rules | null>}
 */
async function rulesOf(game) {
  try {
    const { referee } = await import(`../../domain/games/${game}/referee.ts`);
    const { judgeMatch } = await import("../../api/web/static/past/verify/match_referee.ts");
    return { referee, judgeMatch };
  } catch {
    return null;
  }
}

/** Verify the record of a collection. @param {unknown} record @param {Claims} claims */
async function verifyCollection(record, claims) {
  refuse(isCollection(record), "A field is missing, of another type, or one too many.");
  return verifyOpen("collection", record.collection, record, () => collectionRules(record), claims);
}

/** Verify the record of a duplicate group. @param {unknown} record @param {Claims} claims */
async function verifyGroup(record, claims) {
  refuse(isGroup(record), "A field is missing, of another type, or one too many.");
  return verifyOpen("deal_group", record.group, record, () => groupRules(record), claims);
}

/**
 * Verify events without secret parts by the chain, their own rules, and who vouches for them.
 * @param {string} kind @param {string} id
 * @param {Pick<import("./group.mjs").Group, "version" | "head" | "events" | "signed">} record
 * @param {() => import("../../api/web/static/past/verify/report.mjs").Made} rules
 * @param {Claims} claims
 */
async function verifyOpen(kind, id, { version, head, events, signed = null }, rules, claims) {
  const { heads, keys, receipts, ...named } = claims;
  const { witnesses, quorum } = named;
  let isWitnessed = false;
  refuse(/^[0-9A-Za-z_-]{1,64}$/.test(id), "There is no such id.");
  refuse(events.length >= 1 && events.length <= MOST.events, "There are no events, or too many.");
  /** @type {import("../../api/web/static/past/verify/signatures.mjs").Signer[]} */
  const signers = [];
  const checks = [
    await check("chain", () => chain({ match: { id, version, head } }, events, heads)),
    await check("rules", rules),
    await check("signatures", () => signatures(kind, id, signed, events, { heads, keys }, signers)),
    ...hasLog(signed, witnesses) ? [await check("log",
      () => inLog(signed, { keys, witnesses, quorum }, () => { isWitnessed = true; }))] : [],
    ...receipts.length ? [await check("receipts", () => acknowledged(kind, id, events, receipts, keys))] : [],
  ];
  const verdict = verdictOf(checks);
  return {
    ok: verdict === "verified", verdict, match: id, game: null, version: events.length,
    head: events.at(-1)?.digest,
    signed: signers[0] ?? null, checks, signed_seats: [], contributed: [], unopened: [], unvouched: [],
    attested: attested(signers[0] ?? null, verdict, isWitnessed),
  };
}

/** @param {Buffer<ArrayBuffer>} bytes @param {Claims} claims */
async function report(bytes, claims) {
  try {
    const lines = linesOf(bytes);
    if (lines) return await verifyTournament(readTournament(lines), { partOf, rulesOf, ...claims });
    const record = parsed(bytes);
    if (isObject(record) && record.format === OF_CARDS) return await verifyCollection(record, claims);
    if (isObject(record) && record.format === OF_GROUP) return await verifyGroup(record, claims);
    return await verify(read(bytes), { partOf, rulesOf, ...claims });
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { unreadable: error.message };
  }
}

async function batch() {
  for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
    const { record, heads, keys = [], receipts = [], witnesses: named = [], ...asked } = JSON.parse(line);
    const witnesses = named.map(readNoteKey), quorum = asked.quorum ?? witnesses.length;
    const made = await report(Buffer.from(record, "base64"), { heads, keys, receipts, witnesses, quorum });
    process.stdout.write(`${JSON.stringify(made)}\n`);
  }
}

/** Read a key in hex, or the file of a list of keys in which every succession holds. @param {string} given */
async function namedKeys(given) {
  if (isHex64(given)) return [{ key: given }];
  const { items } = JSON.parse(readFileSync(given, "utf8"));
  if (!await holdTogether(items)) throw new Error("A key in the list does not follow from the one before it.");
  return items;
}

/** Write what later versions of events added, of matches, tournaments and these games. @param {string[]} games */
async function tables(games) {
  const parts = await Promise.all(games.map(async (game) => [game, (await partFor(ofGame(game), partOf))?.added]));
  console.log(JSON.stringify({ match: LIFE.added, tournament: ADDED, ...Object.fromEntries(parts) }));
}

/** Write the types of events of matches and of these games, with their fields. @param {string[]} games */
async function fields(games) {
  const parts = await Promise.all(games.map(async (game) => [game, (await partFor(ofGame(game), partOf))?.events]));
  console.log(JSON.stringify({ match: LIFE.events, ...Object.fromEntries(parts) }));
}

/** Write the kinds of objects in events of matches and of these games, with their fields. @param {string[]} games */
async function records(games) {
  const parts = await Promise.all(games.map(async (game) => [game, (await partFor(ofGame(game), partOf))?.records]));
  console.log(JSON.stringify({ match: LIFE.records, ...Object.fromEntries(parts) }));
}

/** Write the options of matches and of these games, with their values. @param {string[]} games */
async function options(games) {
  const parts = await Promise.all(games.map(async (game) => [game, (await partFor(ofGame(game), partOf))?.options]));
  console.log(JSON.stringify({ match: LIFE.options, ...Object.fromEntries(parts) }));
}

/** @param {string} game */
const ofGame = (game) => /** @type {import("../../api/web/static/past/verify/record.mjs").Linked[]} */ (
  /** @type {unknown} */ ([{ data: { game } }]));

/** A file is a receipt, or the answer of the server with its receipts. @param {any} given @returns {Receipts} */
const receiptsIn = (given) => given.receipts ?? [given];

/** @param {string[]} args */
async function main(args) {
  if (args[0] === "--options") return options(args.slice(1));
  if (args[0] === "--fields") return fields(args.slice(1));
  if (args[0] === "--records") return records(args.slice(1));
  if (args[0] === "--tables") return tables(args.slice(1));
  const added = args.indexOf("--added");
  if (added >= 0) for (const table of [LIFE.added, ADDED]) Object.assign(table, JSON.parse(args[added + 1] ?? ""));
  if (args.includes("--batch")) return batch();
  const heads = /** @type {Heads} */ ([]);
  const receipts = /** @type {Receipts} */ ([]);
  const keys = /** @type {Keys} */ ([]);
  const witnesses = /** @type {import("../../api/web/static/past/verify/log.mjs").NoteKey[]} */ ([]);
  let quorum = /** @type {number | null} */ (null);
  let path = /** @type {string | number} */ (0); // the standard input
  for (let i = 0; i < args.length; i++) {
    if (args[i] === "--receipt") receipts.push(...receiptsIn(JSON.parse(readFileSync(args[++i] ?? "", "utf8"))));
    else if (args[i] === "--witness") witnesses.push(readNoteKey(args[++i] ?? ""));
    else if (args[i] === "--quorum") quorum = Number(args[++i]);
    else if (args[i] === "--key") keys.push(...await namedKeys(args[++i] ?? ""));
    else if (args[i] !== "--head") path = args[i] === "-" ? 0 : args[i] ?? 0;
    else {
      const [version, digest = ""] = (args[++i] ?? "").split(":");
      heads.push([Number(version), digest]);
    }
  }
  const named = { witnesses, quorum: quorum ?? witnesses.length };
  const made = await report(readFileSync(path), { heads, keys, receipts, ...named });
  console.log(JSON.stringify(made, null, 2));
  process.exitCode = "unreadable" in made ? 2 : CODES[made.verdict];
}

await main(process.argv.slice(2));
