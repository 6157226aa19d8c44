/** Verifies a record check by check. Written only from docs/proof.md; shares no code with the Python verifier. */

import { chain } from "./chain.mjs";
import { contributions, reveal } from "./commitments.mjs";
import { Wrong, get, has, isInteger, isText, must } from "./deals.mjs";
import { Shut, Unjudged } from "./keys.mjs";
import { kit } from "./kit.mjs";
import { LIFE, OF_LIFE } from "./life.mjs";
import { inLog } from "./log.mjs";
import { moves } from "./moves.mjs";
import { result } from "./outcome.mjs";
import { firstOf, lastOf, optionsOf, split } from "./record.mjs";

import { latestOf } from "./versions.mjs";

export { Unreadable, read } from "./record.mjs";
import { acknowledged } from "./receipts.mjs";
import { seals } from "./seals.mjs";
import { shuffles } from "./shuffles.mjs";
import { signatures } from "./signatures.mjs";

/**
 * The result of a check; `seq` is the event at fault.
 * @typedef {{name: string, ok: boolean, skipped: boolean, detail: string, seq: number | null}} Check
 */
/**
 * @typedef {string | {skipped: string, isShut?: boolean}} Made what a check returns: a detail, or why it was
 *   skipped; `isShut`: because parts of the match are not disclosed
 */
/** @typedef {(kit: import("./kit.mjs").Kit) => import("./deals.mjs").Part<object>} MakePart */
/**
 * A game's referee, and the function that follows a match with it.
 * @typedef {{referee: import("./referee.ts").Referee<unknown>,
 *   judgeMatch: typeof import("./match_referee.ts").judgeMatch}} Rules
 */

/** @satisfies {Partial<import("./deals.mjs").Part<object>>} */
const USUAL = {
  options: null,
  reveal: "hand_end",
  handHistory: false,
  lifecycle: { gameStarts: "GameStarted", gameEnds: "GameEnded", handStarts: "HandStarted", handNo: "hand_no" },
  newGame: () => ({}),
  newHand: () => ({}),
  brought: [],
  gained: [],
  added: {},
  records: {},
};

/**
 * Return the first option that this verifier does not know, as it may change the deals. Options that are null have no
 * effect.
 * @param {import("./record.mjs").Linked[]} events @param {import("./deals.mjs").Known} part
 */
function unknownOption(events, part) {
  const known = optionsKnown(part);
  return known && chosen(events).find(([name, value]) => value !== null && !known.has(name))?.[0];
}

/**
 * Return the first option missing from the match. Its default is not in the record, and differs between versions.
 * @param {import("./record.mjs").Linked[]} events @param {import("./deals.mjs").Known} part
 */
const missingOption = (events, part) =>
  [...optionsKnown(part)?.keys() ?? []].find((name) => !has(optionsOf(events), name));

/**
 * Return a sentence about the first option that is unknown or missing, if any.
 * @param {import("./record.mjs").Linked[]} events @param {import("./deals.mjs").Known} part
 */
function unclearOption(events, part) {
  const strange = unknownOption(events, part), missing = missingOption(events, part);
  if (strange !== undefined) return `The option ${strange} is unknown here.`;
  return missing === undefined ? undefined : `The record has no option ${missing}.`;
}

/**
 * Return the first option of a match with an invalid value.
 * @param {import("./record.mjs").Linked[]} events @param {import("./deals.mjs").Known} part
 */
function wrongOption(events, part) {
  const known = optionsKnown(part);
  return known && chosen(events).find(([name, value]) => !isAmong(known.get(name), value))?.[0];
}

/** @param {import("./record.mjs").Linked[]} events */
const chosen = (events) => Object.entries(optionsOf(events)).sort();

/**
 * Return the options with their allowed values: `bool`, a range such as `1-9`, or choices such as `a|b`; any value if
 * omitted. Options with `?` may be null.
 * @param {import("./deals.mjs").Known} part
 */
const optionsKnown = (part) => part.options === null ? undefined
  : new Map(`${LIFE.options} ${part.options}`.split(" ").map((one) => {
    const [, name = "", values, mayBeNull] = /^(\w+)(?::([^?]+))?(\?)?$/.exec(one) ?? [];
    return /** @type {const} */ ([name, { values, mayBeNull: mayBeNull !== undefined }]);
  }));

/** @param {{values: string | undefined, mayBeNull: boolean} | undefined} known @param {unknown} value */
function isAmong(known, value) {
  if (value === null) return known === undefined || known.mayBeNull;
  const values = known?.values;
  if (values === undefined) return true;
  if (values === "bool") return typeof value === "boolean";
  const [, least, most] = /^(\d+)-(\d+)$/.exec(values) ?? [];
  return least === undefined ? isText(value) && values.split("|").includes(value)
    : isInteger(value) && value >= Number(least) && value <= Number(most);
}

/**
 * Return the part of the match's game, with defaults filled in; null if it has none.
 * @param {import("./record.mjs").Linked[]} events @param {(game: string) => Promise<MakePart | null>} partOf
 * @returns {Promise<import("./deals.mjs").Known | null>}
 */
export async function partFor(events, partOf) {
  const given = get(firstOf(events).data, "game");
  const made = isText(given) && /^[a-z][a-z0-9_]*$/.test(given) ? await partOf(given) : null;
  return made && { ...USUAL, ...made(kit) };
}

/**
 * Verify a record. `partOf` returns the part of a game by name: a function of the kit whose result USUAL completes, or
 * null. `rulesOf` returns its referee, or null. `told` is called with each check and awaited before the next;
 * `breathes` is awaited now and then while moves are judged. `shut` collects the names of checks skipped because parts
 * are not disclosed.
 * @param {import("./record.mjs").MatchRecord} record
 * @param {{partOf: (game: string) => Promise<MakePart | null>, rulesOf?: (game: string) => Promise<Rules | null>,
 *   heads?: [version: number, digest: string][], keys?: import("./signatures.mjs").Known[],
 *   witnesses?: import("./log.mjs").NoteKey[], quorum?: number, receipts?: import("./receipts.mjs").Receipt[],
 *   told?: (check: Check) => Promise<void>, breathes?: () => Promise<unknown>, shut?: Set<string>}} asked
 */
export async function verify(record, { partOf, rulesOf = async () => null, heads = [], keys = [], receipts = [],
  witnesses = [], quorum = witnesses.length, told = async () => {}, breathes, shut }) {
  const events = record.events.map((event) => split(event, record.match.reader));
  const its = await partFor(events, partOf);
  const game = its && get(firstOf(events).data, "game");
  const unknown = its ? unclearOption(events, its) : "This verifier does not know the game.";
  const part = unknown === undefined ? its : null;
  const revealed = reveal(events);
  /** @type {{seat: number, key: string}[]} */
  const signedSeats = [];
  /** @type {import("./signatures.mjs").Signer[]} */
  const signers = [];
  let isWitnessed = false;
  /** @type {Check[]} */
  const checks = [];
  for (const [name, make] of Object.entries({
    chain: () => chain(record, events, heads),
    seals: () => seals(events, part, revealed),
    shuffles: () => shuffles(record, events, part, revealed, unknown),
    rules: () => (part ? rules(events, part, rulesOf, breathes) : { skipped: unknown ?? "" }),
    result: () => result(record, events),
    moves: () => moves(record.match.id, events, part, signedSeats),
    signatures: () => signatures("match", record.match.id, record.signed, events, { heads, keys }, signers),
    ...(hasLog(record.signed, witnesses) && {
      log: () => inLog(record.signed, { keys, witnesses, quorum }, () => { isWitnessed = true; }) }),
    ...(receipts.length && { receipts: () => acknowledged("match", record.match.id, events, receipts, keys) }),
  })) {
    const made = await check(name, make, shut);
    checks.push(made);
    await told(made);
  }
  const head = lastOf(events).digest;
  const verdict = verdictOf(checks);
  const signed = signers[0] ?? null;
  return { ok: verdict === "verified", verdict, match: record.match.id, game, version: events.length, head, signed,
    checks, signed_seats: signedSeats, ...contributions(events), attested: attested(signed, verdict, isWitnessed) };
}

/**
 * Return whether to check the log's proof: if the record has one, or witnesses were named.
 * @param {import("./record.mjs").SignedHead | null | undefined} signed @param {import("./log.mjs").NoteKey[]} witnesses
 */
export const hasLog = (signed, witnesses) => (signed?.logged ?? null) !== null || witnesses.length > 0;

/**
 * Return who vouches for the head.
 * @param {import("./signatures.mjs").Signer | null} signed @param {string} verdict @param {boolean} isWitnessed
 */
export function attested(signed, verdict, isWitnessed) {
  if (!signed?.known || verdict === "failed") return "unsigned";
  return isWitnessed ? "witnessed" : "signed";
}

/** The version of the match rules that `match_referee.ts` judges. */
const OF_MATCHES = "1";

/**
 * Judge every move by the game's rules, if this verifier has them in the match's version.
 * @param {import("./record.mjs").Event[]} events @param {import("./deals.mjs").Known} part
 * @param {(game: string) => Promise<Rules | null>} rulesOf @param {(() => Promise<unknown>) | undefined} breathes
 * @returns {Promise<Made>}
 */
async function rules(events, part, rulesOf, breathes) {
  const { data } = firstOf(events);
  const found = await rulesOf(String(get(data, "game")));
  if (!found) return { skipped: "This verifier does not know the rules." };
  const { referee, judgeMatch } = found;
  const here = `${OF_MATCHES}.${referee.version}`;
  if (get(data, "rules") !== here)
    return { skipped:
      `The match was played by version ${get(data, "rules")} of the rules, but version ${here} is installed.` };
  const later = events.find(({ type, v }) => v > latestOf(OF_LIFE.has(type) ? LIFE.added : part.added, type));
  if (later) return { skipped: `Event ${later.seq} is of a later version than this verifier knows.` };
  const wrong = wrongOption(events, part);
  must(wrong === undefined, 1, `The value of the option ${wrong} is invalid.`);
  return judgeMatch(events, referee, part, breathes);
}

/** Return the verdict; a skipped check leaves it undecided. @param {Check[]} checks */
export function verdictOf(checks) {
  if (checks.some((c) => !c.ok)) return "failed";
  return checks.some((c) => c.skipped) ? "unverifiable" : "verified";
}

/**
 * Run a check, which returns a result or throws Wrong.
 * @param {string} name
 * @param {() => Made | Promise<Made>} make
 * @param {Set<string>} [shut] collects the name if the check needs undisclosed parts
 * @returns {Promise<Check>}
 */
export async function check(name, make, shut = new Set()) {
  try {
    const detail = await make();
    if (!isText(detail) && detail.isShut) shut.add(name);
    return isText(detail)
      ? { name, ok: true, skipped: false, detail, seq: null }
      : { name, ok: true, skipped: true, detail: detail.skipped, seq: null };
  } catch (error) {
    if (error instanceof Shut) shut.add(name);
    if (error instanceof Unjudged)
      return { name, ok: true, skipped: true, detail: error.message, seq: null };
    if (!(error instanceof Wrong)) throw error;
    return { name, ok: false, skipped: false, detail: error.message, seq: error.seq };
  }
}
