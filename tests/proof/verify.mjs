// A verifier of records, written from docs/proof.md alone: it shares no code with the one that it is compared with.
// What is particular to a game stands in ../games/GAME/verify.mjs, written from the page in the game's own folder:
//
//     seats, types, seals, deals      by how many it is played; its events; their seals; what to do at which event
//     reveal, lifecycle, handHistory  what it does otherwise than most: see USUAL
//     newGame, newHand                what its deals remember, from the beginning of each game, and of each hand
//     brought                         the events that are no moves: what a seat brings to the lobby
//
//     node verify.mjs [RECORD] [--head VERSION:DIGEST] [--key KEY]   the report, as JSON; exit code 0, 1 (failed), 3 (unverifiable) or 2 (no record)
//     node verify.mjs --batch                            a JSON text {record, heads, keys} on each line, a report on each

import { createHash, createPublicKey, verify as holds } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { OWN, PACK, Wrong, canonical, get, has, isObject, isText, must, same, whole } from "./deals.mjs";
import { collectionRules, isCollection } from "./collection.mjs";
import { below, hmac, shuffle, words } from "./words.mjs";

const MOST = { bytes: 16 * 1024 * 1024, events: 50_000, seats: 99, links: 65_536, depth: 32 };

const OF_CARDS = "dealt-collection/1";

class Unreadable extends Error {}

// --- Bytes --------------------------------------------------------------------------------------

const sha256 = (...parts) => parts.reduce((h, part) => h.update(part), createHash("sha256")).digest();
const isHex64 = (x) => typeof x === "string" && /^[0-9a-f]{64}$/.test(x);

// --- Reading ------------------------------------------------------------------------------------

const isNumber = (x) => typeof x === "number";
const isTextOrNull = (x) => x === null || isText(x);
const isObjectOrNull = (x) => x === null || isObject(x);
const all = (check) => (x) => isObject(x) && Object.values(x).every(check);
const maybe = (check) => (x) => x === undefined || check(x);
const list = (check) => (x) => Array.isArray(x) && x.every(check);
const fields = (checks) => (x) =>
  isObject(x) && Object.entries(checks).every(([name, check]) => check(get(x, name)));

const isEvent = fields({
  seq: isNumber, commit: isNumber, type: isText, v: isNumber, at: isText, cause: isText, data: isObject,
  seals: all(all(isText)), digest: isText, unseal: maybe(all(all(isText))), disclosed: maybe(all(isObject)),
});
const isSeat = fields({
  seat: isNumber, kind: isText, level: maybe(isTextOrNull),
  player: maybe((x) => x === null || all(isTextOrNull)(x)),
});
const isSignedHead = fields({
  server: isText, match: isText, version: isNumber, head: isText, key: isText, signature: isText,
});
const isRecord = fields({
  format: isText, events: list(isEvent), fairness: isObject, signed: maybe((x) => x === null || isSignedHead(x)),
  match: fields({
    id: isText, game: isText, rules: isText, visibility: isText, options: isObject, reader: isText,
    version: isNumber, head: isText, status: isText, seats: list(isSeat), result: maybe(isObjectOrNull),
    preset: maybe(isTextOrNull), series: maybe(isObject), clock: maybe(isObject), created_at: maybe(isText),
  }),
});

function refuse(unless, why) {
  if (!unless) throw new Unreadable(why);
}

function read(bytes) {
  refuse(bytes.length <= MOST.bytes, "This is too large.");
  let text, record;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    record = JSON.parse(text);
  } catch (error) {
    throw new Unreadable(`This is not JSON: ${error.message}`);
  }
  checkText(text, checkValues(record));
  if (isObject(record) && record.format === OF_CARDS) {
    refuse(isCollection(record), "A field is missing, of another type, or one too many.");
    refuse(/^[0-9A-Za-z_-]{1,64}$/.test(record.collection), "The collection has no such id.");
    refuse(record.events.length >= 1 && record.events.length <= MOST.events, "There are no events, or too many.");
    return record;
  }
  refuse(isRecord(record), "A field is missing, or of another type.");
  const { match, events } = record;
  refuse(record.format === "dealt-record/1", "This is another format.");
  refuse(/^[0-9A-Za-z_-]{1,64}$/.test(match.id), "The match has no such id.");
  refuse(events.length >= 1 && events.length <= MOST.events, "There are no events, or too many.");
  refuse(Math.max(match.seats.length, seatsOf(events)) <= MOST.seats, "There are too many seats.");
  const readers = new Set(["spectators", ...match.seats.map((_, seat) => String(seat))]);
  refuse(readers.has(match.reader), "The reader is not one of the match.");
  for (const { data, disclosed } of events) {
    const twice = Object.entries(disclosed ?? {}).some(([name, part]) => has(data, name) && has(part, match.reader));
    refuse(!twice, "A part stands twice.");
  }
  const links = events.map((e) => get(e.data, "links")).filter((n) => Number.isInteger(n) && n > 0);
  refuse(links.reduce((a, b) => a + b, 0) <= MOST.links, "There are too many links.");
  return record;
}

/** Look at every value and name; says how many names there are. */
function checkValues(record) {
  let names = 0;
  for (let level = [record], depth = 0; level.length; depth++) {
    refuse(depth <= MOST.depth, "This is nested too deeply.");
    const below = [];
    for (const x of level) {
      if (typeof x === "number") refuse(Number.isSafeInteger(x), "A number is not whole, or too large.");
      if (typeof x === "string") refuse(!/\p{Surrogate}/u.test(x), "A text is not well-formed Unicode.");
      if (x === null || typeof x !== "object") continue;
      if (!Array.isArray(x)) {
        for (const name of Object.keys(x)) refuse(/^[\x00-\x7f]*$/.test(name), "A name is not ASCII.");
        names += Object.keys(x).length;
      }
      for (const value of Object.values(x)) below.push(value);
    }
    level = below;
  }
  return names;
}

/** What the parsed value does not show: names that stood twice, and numbers written with a fraction or an exponent. */
function checkText(text, names) {
  const bare = withoutTexts(text);
  refuse((bare.match(/:/g) ?? []).length === names, "A name stands twice.");
  refuse(!/\d[.eE]/.test(bare), "A number is written with a fraction or an exponent.");
}

/** A regular expression would run out of stack in a text of megabytes. */
function withoutTexts(text) {
  const bare = [];
  for (let at = 0; ; ) {
    const open = text.indexOf('"', at);
    if (open < 0) return bare.join("") + text.slice(at);
    bare.push(text.slice(at, open), '""');
    for (at = open + 1; text[at] !== '"'; ) at += text[at] === "\\" ? 2 : 1;
    at += 1;
  }
}

function seatsOf(events) {
  const seats = get(events[0].data, "seats");
  return Array.isArray(seats) ? seats.length : 0;
}

/** Split an event: its public fields, and the parts that the record holds. */
function split(event, reader) {
  const data = {};
  const parts = {};
  for (const [name, values] of Object.entries(event.disclosed ?? {})) parts[name] = { ...values };
  for (const [name, value] of Object.entries(event.data)) {
    if (has(event.seals, name)) (parts[name] ??= {})[reader] = value;
    else data[name] = value;
  }
  return { ...event, data, parts, unseal: event.unseal ?? {} };
}

// --- Report -------------------------------------------------------------------------------------

const USUAL = {
  reveal: "hand_end",
  handHistory: false,
  lifecycle: { gameStarts: "GameStarted", gameEnds: "GameEnded", handStarts: "HandStarted", handNo: "hand_no" },
  newGame: () => ({}),
  newHand: () => ({}),
  brought: [],
  later: {},
  first: {},
};

/** Load the game's part of this verifier; null if there is none. */
async function partOf(game) {
  if (!isText(game) || !/^[a-z][a-z0-9_]*$/.test(game)) return null;
  const place = new URL(`../games/${game}/verify.mjs`, import.meta.url);
  return existsSync(place) ? { ...USUAL, ...(await import(place)) } : null;
}

async function verify(record, heads = [], keys = null) {
  const events = record.events.map((event) => split(event, record.match.reader));
  const given = get(events[0].data, "game");
  const part = await partOf(given);
  const game = part && given;
  const revealed = reveal(events);
  const signedSeats = [];
  const checks = [
    check("chain", () => chain(record, events, heads)),
    check("seals", () => seals(events, part, revealed)),
    check("shuffles", () => shuffles(record, events, part, revealed)),
    { name: "rules", ok: true, skipped: true, excused: false, detail: "This verifier does not know the rules.", seq: null },
    check("result", () => result(record, events)),
    check("moves", () => moves(record.match.id, events, part, signedSeats)),
    check("signatures", () => signatures(record, events, keys)),
  ];
  const head = events.at(-1).digest;
  const verdict = verdictOf(checks);
  const by = checks.at(-1).ok ? record.signed : null;
  const signed = by ? { server: by.server, key: by.key, known: keys !== null } : null;
  return { ok: verdict === "verified", verdict, match: record.match.id, game, version: events.length, head, signed, checks, signed_seats: signedSeats };
}

/** Verify the record of a collection. */
function verifyCollection(record, heads = []) {
  const { collection, version, head, events } = record;
  const checks = [
    check("chain", () => chain({ match: { id: collection, version, head } }, events, heads)),
    check("rules", () => collectionRules(record)),
  ];
  const verdict = verdictOf(checks);
  return {
    ok: verdict === "verified", verdict, match: collection, game: null, version: events.length, head: events.at(-1).digest,
    signed: null, checks, signed_seats: [],
  };
}

function verdictOf(checks) {
  if (checks.some((c) => !c.ok)) return "failed";
  return checks.some((c) => c.skipped && !c.excused) ? "unverifiable" : "verified";
}

/** Whether a match owes nobody its cards: it is not over, or ended before it began. */
function disclosesLater(events) {
  const end = events.find((event) => event.type === "MatchEnded");
  return !end || ["cancelled", "expired"].includes(end.data.reason);
}

/** Make a check: it answers with a detail, or {skipped: why, excused}, or throws Wrong. */
function check(name, make) {
  try {
    const detail = make();
    return isText(detail)
      ? { name, ok: true, skipped: false, excused: false, detail, seq: null }
      : { name, ok: true, skipped: true, excused: detail.excused ?? false, detail: detail.skipped, seq: null };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { name, ok: false, skipped: false, excused: false, detail: error.message, seq: error.seq };
  }
}

// --- Chain --------------------------------------------------------------------------------------

function chain({ match }, events, heads) {
  let before = "0".repeat(64);
  events.forEach((event, i) => {
    const n = i + 1;
    must(event.seq === n, n, "Another number must stand here.");
    must(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(event.at), n, "A time is written otherwise.");
    if (event.commit !== n) {
      must(n > 1 && event.commit === events[i - 1].commit, n, "The event is of no commit.");
      must(event.at === events[i - 1].at, n, "A commit has one time.");
    }
    const { at, cause, commit, data, seals, seq, type, v } = event;
    const envelope = { at, cause, commit, data, match: match.id, seals, seq, type, v };
    before = sha256(before, canonical(envelope)).toString("hex");
    must(event.digest === before, n, "The digest is not that of the event.");
    must(heads.every(([version, head]) => version !== n || head === before), n, "A kept head is another.");
  });
  const last = events.length;
  must(heads.every(([version]) => version >= 1 && version <= last), last, "A head was kept of a version that is not there.");
  must(match.version === last, last, "There is another number of events.");
  must(match.head === before, last, "The head is not the last digest.");
  return `${last} events are linked.`;
}

// --- Seals --------------------------------------------------------------------------------------

const LIFE = {
  types:
    "MatchCreated FairnessCommitted SeatTaken SeatLeft NoncesAwaited " +
    "NonceCommitted NonceSubmitted NoncesClosed CommitmentsShared CommitmentsAborted DealsShared MatchStarted AllTablesOver " +
    "SeedRevealed DecisionRequested DecisionTimedOut ClockCredited BankSpent ClockStopped UndoKept UndoLost SeatResigned " +
    "SeatHandedToBot SeatTakenBack DrawOffered DrawAccepted DrawDeclined TakeBackRequested " +
    "TakeBackGranted TakeBackRefused MoveTakenBack MoveSigned CauseSealed HandContinued GameWon MatchEnded",
  seals: { MoveSigned: { move: OWN, signature: OWN }, CauseSealed: { true_cause: OWN } },
  // The fields that a type had from its second version on.
  later: {
    MatchCreated: ["deal_group", "deal_known"], SeatTaken: ["player_key"], DecisionRequested: ["opened"], BankSpent: ["moves"],
    NoncesAwaited: ["credited"], DecisionTimedOut: ["defaults"], MoveTakenBack: ["deadlines"], GameWon: ["scores"],
  },
  laterOfClocks: [
    "kind", "increment_seconds", "cap_seconds", "period_seconds", "periods", "period_moves", "minor_seconds", "grace_seconds",
    "days_off", "time_zone", "vacation",
  ],
};

const OF_LIFE = new Set(LIFE.types.split(" "));

function seals(events, part, { handKeys }) {
  const seats = seatsOf(events);
  const known = part && { ...LIFE.seals, ...part.seals };
  const types = part && new Set(`${LIFE.types} ${part.types}`.split(" "));
  const { gameEnds, handStarts, handNo } = part?.lifecycle ?? {};
  const overAndOpen = isOverAndOpen(events);
  let hand = 0;
  let open = 0;
  let total = 0;
  for (const event of events) {
    const { seq, type } = event;
    if (known) {
      must(types.has(type), seq, "There is no such event in this game.");
      must(isOfItsVersion(event, part), seq, "The event is not of its version.");
      must(event.v !== versionOf(type, part) || hasItsSeals(event, get(known, type) ?? {}, seats), seq, "The event has other seals.");
    }
    // What all matches have belongs to no hand, but for a signed move.
    const h = OF_LIFE.has(type) && type !== "MoveSigned" ? 0 : hand;
    const handKey = handKeys.get(h);
    if (type === handStarts) hand = Number.isInteger(event.data[handNo]) ? event.data[handNo] : 0;
    if (type === gameEnds) hand = 0;
    for (const [field, sealed] of Object.entries(event.seals)) {
      for (const [reader, seal] of Object.entries(sealed)) {
        total += 1;
        if (event.parts[field] === undefined || !has(event.parts[field], reader)) {
          must(!handKey && !(h === 0 && overAndOpen), seq, "A part is missing.");
          continue;
        }
        open += 1;
        const key = get(get(event.unseal, field), reader);
        must(isHex64(key), seq, "A key is not 32 bytes.");
        const due = handKey && hmac(handKey, `seal|${seq}|${field}|${reader}`).toString("hex");
        must(!due || due === key, seq, "A key does not follow from the key of its hand.");
        const sealing = canonical({ field, reader, seq, value: event.parts[field][reader] });
        const made = hmac(Buffer.from(key, "hex"), sealing).toString("hex");
        must(made === seal, seq, "A part is not what was sealed.");
      }
    }
    for (const [field, parts] of Object.entries(event.parts)) {
      const sealed = get(event.seals, field) ?? {};
      must(Object.keys(parts).every((reader) => has(sealed, reader)), seq, "A part has no seal.");
    }
    for (const [field, keys] of Object.entries(event.unseal)) {
      const parts = get(event.parts, field) ?? {};
      must(Object.keys(keys).every((reader) => has(parts, reader)), seq, "A key has no part.");
    }
  }
  return total && !open ? { skipped: "No seal is open.", excused: disclosesLater(events) } : `${open} of ${total} seals are open.`;
}

const versionOf = (type, part) => (has(LIFE.later, type) || has(part.later, type) ? 2 : 1);

function isOfItsVersion({ type, v, data }, part) {
  if (v >= versionOf(type, part)) return true;
  if (v !== 1 || (LIFE.later[type] ?? part.later[type]).some((field) => has(data, field))) return false;
  if (has(part.first, type)) return part.first[type](data);
  if (type === "DecisionRequested") return has(data, "deadline");
  return type !== "MatchCreated" || (isObject(data.clock) && !LIFE.laterOfClocks.some((field) => has(data.clock, field)));
}

function hasItsSeals(event, due, seats) {
  const names = Object.keys(event.seals);
  return (
    names.length === Object.keys(due).length &&
    names.every((name) => {
      if (!has(due, name)) return false;
      const readers = due[name](event.data, seats);
      return same(Object.keys(event.seals[name]).sort(), [...readers].sort());
    })
  );
}

function isOverAndOpen(events) {
  if (!["played", "resignation", "draw"].includes(events.at(-1).data.reason)) return false;
  return get(optionsOf(events), "fairness_reveal") !== "never";
}

function optionsOf(events) {
  const options = get(events[0].data, "options");
  return isObject(options) ? options : {};
}

// --- Shuffles -----------------------------------------------------------------------------------

/** Take all that is committed to and revealed, up to the first event at fault. */
function reveal(events) {
  const found = { seeds: new Map(), handKeys: new Map(), commitments: [], links: 0, fault: null };
  try {
    for (const event of events) {
      if (event.type === "FairnessCommitted") commit(found, event);
      if (event.type === "SeedRevealed") revealSeed(found, event);
    }
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    found.fault = error;
  }
  return found;
}

function commit(found, { seq, data }) {
  const { commitments } = found;
  const { scheme, epoch, links, commitment } = data;
  must(scheme === "ct1", seq, "The scheme is another.");
  must(epoch === commitments.length + 1, seq, "The epoch is another.");
  must(Number.isInteger(links) && links >= 1, seq, "There is no link.");
  must(isHex64(commitment), seq, "A commitment is 64 hex digits.");
  found.links += links;
  must(found.links <= MOST.links, seq, "There are too many links.");
  // Every link of a chain is hashed once: what is known of it, by number.
  commitments.push({ links, chain: [Buffer.from(commitment, "hex")] });
}

function revealSeed({ seeds, handKeys, commitments }, { seq, data }) {
  const { seed, hand_key: key, hand_no: hand, epoch, link } = data;
  must(isHex64(seed) && isHex64(key), seq, "A seed and a key are 64 hex digits.");
  must(Number.isInteger(hand) && hand >= 1, seq, "A seed is of a hand.");
  const committed = whole(epoch - 1, commitments.length) && Number.isInteger(epoch) ? commitments[epoch - 1] : null;
  must(committed && Number.isInteger(link) && link >= 1 && link <= committed.links, seq, "The link was not committed to.");
  const bytes = Buffer.from(seed, "hex");
  const down = [];
  let s = bytes;
  let at = link;
  for (; at >= committed.chain.length; at--) {
    down.push(s);
    s = sha256(s);
  }
  must(s.equals(committed.chain[at]), seq, "The seed does not hash down to the commitment.");
  committed.chain.push(...down.reverse());
  seeds.set(`${epoch}/${link}`, bytes);
  if (!handKeys.has(hand)) handKeys.set(hand, Buffer.from(key, "hex"));
}

function shuffles(record, events, part, { seeds, commitments, fault }) {
  if (fault) throw fault;
  if (events[0].data.rules === "phh") return dealtElsewhere(events, part);
  must(commitments.length, 1, "Nothing was committed to.");
  must(same(record.fairness, fairness(events)), null, "The fairness is not what the events say.");
  if (part) timely(events, part);
  promised(events);
  const note = record.fairness.contributed.length || events.some(bringsNonces) ? "" : " No seat contributed a nonce: the server may have chosen the shuffles.";
  if (!part) return { skipped: `${seeds.size} seeds hash down; how the game deals is not known.${note}` };
  must(part.seats.includes(seatsOf(events)), 1, "The game is not played by so many.");
  recompute(record.match.id, events, part, seeds);
  if (!seeds.size && events.some((event) => event.type === part.lifecycle.handStarts)) {
    return { skipped: `No seed is disclosed.${note}`, excused: disclosesLater(events) };
  }
  return `${seeds.size} seeds hash down, and give what was dealt.${note}`;
}

function dealtElsewhere(events, part) {
  must(!part || part.handHistory, 1, "No hand of this game is taken from a hand history.");
  const committed = events.find(({ type }) => ["FairnessCommitted", "SeedRevealed"].includes(type));
  must(!committed, committed?.seq, "A hand from a hand history has no shuffles of ours.");
  return { skipped: "It was dealt elsewhere, and not committed to." };
}

const isRows = (rows, seats) => Array.isArray(rows) && rows.every((row) => Array.isArray(row) && row.length === seats);
const seatOf = ({ seat }) => (Number.isInteger(seat) ? seat : null);
const fits = (nonce, hash) => isText(nonce) && sha256(nonce).toString("hex") === hash;

/** With nonce_commit no nonce is opened before the hashes are closed, those of all tables of a group. */
function promised(events) {
  if (!get(optionsOf(events), "nonce_commit")) return;
  const { rules, deal_group } = events[0].data;
  const group = isObject(deal_group) && Number.parseInt(rules, 10) >= 3 ? deal_group : null;
  const seats = seatsOf(events);
  let hashes = new Map();
  let open = false;
  let closed = null;
  for (const { seq, type, data } of events) {
    if (type === "FairnessCommitted") {
      hashes = new Map();
      open = false;
    } else if (type === "SeatLeft") {
      hashes.delete(seatOf(data));
    } else if (type === "NonceCommitted") {
      must(!open && !closed, seq, "The hashes were closed.");
      hashes.set(seatOf(data), data.hash);
    } else if (type === "NoncesAwaited" && data.stage === "nonces") {
      must(!group || closed, seq, "The hashes of other tables are not closed.");
      open = true;
    } else if (type === "CommitmentsShared") {
      const rows = data.hashes;
      must(!closed && group && isRows(rows, seats) && rows.length === group.tables, seq, "These are not the hashes of a group.");
      const own = Array.from({ length: seats }, (_, seat) => hashes.get(seat) || "");
      must(same(rows[group.table], own), seq, "The hashes of this table are others.");
      closed = rows;
    } else if (type === "NonceSubmitted") {
      must(open, seq, "The hashes are not closed.");
      must(fits(data.nonce, hashes.get(seatOf(data))), seq, "Another nonce was promised.");
    } else if (type === "DealsShared" && group && isRows(data.nonces, seats)) {
      must(closed && data.nonces.length === closed.length, seq, "Nonces are shared of tables whose hashes were not closed.");
      const kept = data.nonces.every((row, i) => row.every((nonce, s) => nonce === "" || fits(nonce, closed[i][s])));
      must(kept, seq, "Another nonce was promised.");
    }
  }
}

/** Whether an event brings nonces of other tables, or of another match. */
function bringsNonces({ type, data }) {
  const rows = type === "DealsShared" ? data.nonces : type === "MatchCreated" ? data.deal_known?.deals?.nonces : null;
  return Array.isArray(rows) && rows.flat().some(Boolean);
}

const DUE = {
  hand_end: ({ handStarts, gameStarts }) => [handStarts, gameStarts, "MatchEnded"],
  game_end: ({ gameStarts }) => [gameStarts, "MatchEnded"],
  match_end: () => ["MatchEnded"],
  never: () => [],
};

/** Every seed stands where the option says, hand by hand; none is left out. */
function timely(events, part) {
  let given = get(optionsOf(events), "fairness_reveal") ?? part.reveal;
  if (!isText(given) || !has(DUE, given)) return;
  if (given !== "never" && events[0].data.deal_group) given = "match_end";
  const due = DUE[given](part.lifecycle);
  const known = Boolean(events[0].data.deal_known);
  const begun = [];
  let epoch = 0;
  let link = 0;
  let shown = 0;
  for (const { seq, type, data } of events) {
    must(begun.length <= shown || !due.includes(type), seq, "A seed is missing before this.");
    if (type === "FairnessCommitted") [epoch, link] = [epoch + 1, 0];
    if (type === part.lifecycle.handStarts) begun.push([epoch, ++link]);
    if (type !== "SeedRevealed") continue;
    must(given !== "never" && shown < begun.length, seq, "A seed stands out of its turn.");
    const its = { ...(known ? {} : { epoch: begun[shown][0], link: begun[shown][1] }), hand_no: ++shown };
    must(Object.entries(its).every(([name, n]) => data[name] === n), seq, "A seed is of another hand.");
  }
}

function fairness(events) {
  const seats = seatsOf(events);
  const epochs = [];
  let contributed = new Set();
  for (const { type, data } of events) {
    const { seat } = data;
    const { epoch = null, links = null, commitment = null, link = null, hand_no = null, seed = null } = data;
    if (type === "FairnessCommitted") {
      epochs.push({ epoch, links, commitment, nonces: Array(seats).fill(""), revealed: [] });
      contributed = new Set();
    } else if (type === "NonceSubmitted" || type === "SeatLeft") {
      if (epochs.length && whole(seat, seats)) epochs.at(-1).nonces[seat] = type === "SeatLeft" ? "" : data.nonce ?? "";
      if (type === "SeatLeft") contributed.delete(seat);
      else contributed.add(seat);
    } else if (type === "SeedRevealed" && epochs.length) {
      const at = Math.min(Math.max(Number.isInteger(epoch) ? epoch : 0, 1), epochs.length);
      epochs[at - 1].revealed.push({ link, hand_no, seed });
    }
  }
  return { scheme: "ct1", epochs, contributed: [...contributed].sort((a, b) => a - b) };
}

// --- Deals --------------------------------------------------------------------------------------

function recompute(id, events, { deals, lifecycle, newGame, newHand }, seeds) {
  const seats = seatsOf(events);
  const table = { seats, options: optionsOf(events), cuts: [], started: {}, ...newGame(), ...newHand() };
  let epoch = 0;
  let hands = 0;
  let nonces = Array(seats).fill("");
  let shared = null; // of all tables of a group
  const { bound, known } = boundTo(id, events);
  const stream = (purpose, n, link) => {
    const seed = seeds.get(`${epoch}/${link}`);
    const [of, e, l, given] =
      known && epoch === 1
        ? [known.match, known.epoch, known.link - 1 + link, known.nonces]
        : [bound, epoch, link, shared ?? nonces];
    return seed && words(hmac(seed, `ct1|${of}|${e}|${l}|${purpose}|${n}|${given.join(",")}`));
  };
  // Null where the seed is not known. What is drawn before a hand uses the link of the hand to come.
  table.shuffled = (purpose, n, items, link = hands) => {
    const found = stream(purpose, n, link);
    return found ? shuffle(found, items) : null;
  };
  // What a function draws from the words of one result.
  table.drawn = (purpose, n, draw) => {
    const found = stream(purpose, n, hands);
    return found ? draw({ below: (bound) => below(found, bound), shuffle: (items) => shuffle(found, items) }) : null;
  };
  table.cutPack = () => table.shuffled("cut", 0, PACK, hands + 1);
  table.number = (purpose, bound) => {
    const found = stream(purpose, 0, hands + 1);
    return found ? below(found, bound) : null;
  };
  const see = (event) => {
    const { type, data, seq } = event;
    if (type === "FairnessCommitted") {
      epoch = data.epoch;
      hands = 0;
      nonces = Array(seats).fill("");
    } else if (type === "NonceSubmitted" || type === "SeatLeft") {
      must(whole(data.seat, seats), seq, "There is no such seat.");
      const left = type === "SeatLeft";
      must(left || (isText(data.nonce) && /^[0-9a-f]{16,64}$/.test(data.nonce)), seq, "This is no nonce.");
      nonces[data.seat] = left ? "" : data.nonce;
    } else if (type === "DealsShared") {
      shared = noncesOfAll(data.nonces, nonces, seq).flat();
    } else if (type === lifecycle.gameStarts) {
      Object.assign(table, { cuts: [] }, newGame());
    } else if (type === lifecycle.handStarts) {
      hands += 1;
      Object.assign(table, { started: data }, newHand());
    } else if (has(deals, type)) {
      deals[type](table, event);
    }
  };
  for (const event of events) {
    try {
      see(event);
    } catch (error) {
      // A forged event lacks what is read of it.
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      throw new Wrong(event.seq, "The event does not hold what its type has to.");
    }
  }
}

const isAscii = (x) => isText(x) && /^[\x00-\x7f]*$/.test(x);
const isNonce = (x) => isText(x) && /^(?:[0-9a-f]{16,64})?$/.test(x);

/** What results are bound to: the match's id or its group's; and the deals of another match, if they are known. */
function boundTo(id, events) {
  const { deal_group: group, deal_known: dealKnown } = events[0].data;
  if (isObject(group) && isAscii(group.id)) return { bound: group.id, known: null };
  const deals = isObject(dealKnown) ? dealKnown.deals : null;
  const sound = isObject(deals) && isAscii(deals.match) && Array.isArray(deals.nonces) && deals.nonces.every(isAscii);
  if (!sound) return { bound: id, known: null };
  const number = (x) => (Number.isInteger(x) ? x : 0);
  return { bound: id, known: { ...deals, epoch: number(deals.epoch), link: number(deals.link) } };
}

function noncesOfAll(rows, own, seq) {
  must(Array.isArray(rows) && rows.every((row) => Array.isArray(row) && row.length === own.length), seq, "These are no nonces.");
  must(rows.some((row) => same(row, own)), seq, "The table's own nonces are not among them.");
  must(rows.flat().every(isNonce), seq, "This is no nonce.");
  return rows;
}

// --- Result -------------------------------------------------------------------------------------

function result({ match }, events) {
  const first = events[0];
  for (const name of ["game", "rules", "visibility", "options", "preset", "series", "clock"]) {
    must(match[name] === undefined || same(match[name], get(first.data, name)), 1, `${name} is another.`);
  }
  must(match.created_at === undefined || match.created_at === first.at, 1, "It was created at another time.");
  checkSeats(match.seats, sitting(events));
  const last = events.length;
  const end = events.find((event) => event.type === "MatchEnded");
  must(match.status === statusOf(events, end), last, "The status is another.");
  must(same(match.result, end && get(end.data, "result")), end ? end.seq : last, "The result is another.");
  if (!end) return { skipped: "The match is not over.", excused: true };
  must(end === events.at(-1), end.seq, "Nothing may follow MatchEnded.");
  const shut = events.some(({ seals, parts }) =>
    Object.entries(seals).some(([name, sealed]) => Object.keys(sealed).some((reader) => !has(parts[name] ?? {}, reader))),
  );
  if (shut) return { skipped: "The play is not disclosed.", excused: disclosesLater(events) };
  return `The match ended: ${end.data.reason}.`;
}

function statusOf(events, end) {
  if (!end) return events.some((event) => event.type === "MatchStarted") ? "playing" : "lobby";
  return ["played", "resignation", "draw"].includes(end.data.reason) ? "finished" : String(end.data.reason);
}

function sitting(events) {
  const plans = get(events[0].data, "seats");
  const kinds = (Array.isArray(plans) ? plans : []).filter(isObject).map((plan) => plan.kind ?? null);
  const levels = (Array.isArray(plans) ? plans : []).filter(isObject).map((plan) => plan.level ?? null);
  const seats = kinds.map((kind, seat) => ({ seat, kind, player: null, level: levels[seat], by: 1 }));
  for (const { seq, type, data } of events) {
    if (!["SeatTaken", "SeatLeft"].includes(type) || !whole(data.seat, seats.length)) continue;
    const player = data.player ?? null;
    Object.assign(seats[data.seat], { player, kind: player === null ? kinds[data.seat] : "player", by: seq });
  }
  return seats;
}

function checkSeats(said, seats) {
  const agrees = ({ seat, kind, player, level }, there) =>
    same(seat, there.seat) && same(kind, there.kind) &&
    (player === undefined || same(player && player.id, there.player)) &&
    (level === undefined || same(level, there.level));
  must(said.length === seats.length, 1, "There are not so many seats.");
  said.forEach((seat, i) => must(agrees(seat, seats[i]), seats[i].by, "Another sits there."));
}

// --- Moves --------------------------------------------------------------------------------------

const NO_MOVES = ["DecisionTimedOut", "ClockCredited", "NonceCommitted", "NonceSubmitted"];
/** A seat that was taken with a key moves by signatures of that key alone. `signedSeats` takes these seats. */
function moves(match, events, part, signedSeats) {
  const keys = new Map();
  const handed = new Set();
  let started = false;
  let signed = 0;
  let open = 0;
  // Which seat has moved: that in `by`, else that in `seat`.
  const mover = ({ data }) => [data.by, data.seat].find(Number.isInteger) ?? null;
  const isKnown = ({ type }) => part !== null || OF_LIFE.has(type);
  events.forEach((event, i) => {
    const { commit, type, cause, data, parts } = event;
    const seq = i + 1;
    const seat = seatOf(data);
    if (type === "MoveSigned") {
      must(seq === commit && started && cause === "move", seq, "A signed move begins a commit of the play.");
      must(keys.has(seat), seq, "The seat has no key.");
      const next = events[i + 1];
      must(next && next.commit === commit && next.cause === "move", seq, "The signed move does not follow.");
      must(!isKnown(next) || [null, seat].includes(mover(next)), seq, "Another seat's move follows.");
      signed += 1;
      const reader = String(seat);
      if (![parts.move, parts.signature].every((x) => isObject(x) && has(x, reader))) return;
      open += 1;
      const text = `dealt-move/1|${match}|${seat}|${seq - 1}|${events[i - 1].digest}|${canonical(parts.move[reader])}`;
      must(isSignature(keys.get(seat), text, parts.signature[reader]), seq, "The signature does not hold.");
      return;
    }
    if (started && seq === commit && keys.has(mover(event)) && isKnown(event)) {
      const byBot = cause === "bot" && handed.has(mover(event));
      const free = byBot || NO_MOVES.includes(type) || part?.brought.includes(type);
      must(free, seq, "A seat has moved without its player's signature.");
    }
    if (type === "MatchStarted") started = true;
    if (seat === null) return;
    if (type === "SeatTaken" || type === "SeatLeft") keys.delete(seat);
    if (type === "SeatTaken" && ![null, undefined].includes(data.player_key)) {
      must(isPlayerKey(data.player_key), seq, "This is no key.");
      keys.set(seat, data.player_key);
    }
    if (type === "SeatHandedToBot") handed.add(seat);
    if (type === "SeatTakenBack") handed.delete(seat);
  });
  if (!keys.size) return "No seat has given a key: every move is the word of who ran the match.";
  for (const [seat, key] of [...keys].sort(([a], [b]) => a - b)) signedSeats.push({ seat, key });
  if (!part) return { skipped: "Which events are moves is not known." };
  if (signed && !open) return { skipped: "The signatures are still sealed.", excused: disclosesLater(events) };
  return `Of ${signed} signed moves ${open} are open, and hold.`;
}

const P = 2n ** 255n - 19n;

function power(base, exponent) {
  let result = 1n;
  for (let b = base % P, e = exponent; e; e >>= 1n, b = (b * b) % P) if (e & 1n) result = (result * b) % P;
  return result;
}

const mod = (x) => ((x % P) + P) % P;
const D = mod(-121665n * power(121666n, P - 2n));

/** Whether these are 32 bytes in hex of a point of the curve, and not one of small order. */
function isPlayerKey(key) {
  if (!isHex64(key)) return false;
  const y = BigInt(`0x${Buffer.from(key, "hex").reverse().toString("hex")}`) & (2n ** 255n - 1n);
  if (y >= P) return false;
  const square = (y * y) % P;
  const small = mod(y * (square - 1n) * (D * square * square + 2n * square - 1n)) === 0n;
  return !small && power(mod((square - 1n) * (D * square + 1n)), (P - 1n) / 2n) === 1n;
}

// --- Signatures ---------------------------------------------------------------------------------

/** Who vouches for the head. `keys` are [{key, until}] of which one must have signed; null: any may have, or none. */
function signatures({ match, signed }, events, keys) {
  const { digest, at } = events.at(-1);
  const n = events.length;
  if (!signed) {
    must(!keys, n, "Nobody has signed it.");
    return { skipped: "Unsigned: the moves are nobody's word.", excused: true };
  }
  const { server, version, head, key, signature } = signed;
  must(signed.match === match.id && version === n && head === digest, n, "Another head was signed.");
  const named = /^[0-9A-Za-z.:_\/-]{1,100}$/.test(server) && isHex64(head) && isHex64(key);
  must(named && /^[0-9a-f]{128}$/.test(signature), n, "This is no signature.");
  must(isSignature(key, `dealt-head/1|${server}|${match.id}|${version}|${head}`, signature), n, "The signature does not hold.");
  const known = keys?.find((one) => one.key === key);
  must(!keys || known, n, "Another key has signed it.");
  must(!known?.until || at <= known.until, n, "The key had ended before.");
  return `${server} vouches for it by ${key}.`;
}

function isSignature(key, message, signature) {
  if (!isText(signature) || !/^[0-9a-f]{128}$/.test(signature)) return false;
  try {
    const x = Buffer.from(key, "hex").toString("base64url");
    const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return holds(null, Buffer.from(message, "utf8"), publicKey, Buffer.from(signature, "hex"));
  } catch {
    return false;
  }
}

// --- From the command line ----------------------------------------------------------------------

async function report(bytes, heads, keys) {
  try {
    const record = read(bytes);
    return record.format === OF_CARDS ? verifyCollection(record, heads) : await verify(record, heads, keys);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { unreadable: error.message };
  }
}

async function batch() {
  for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
    const { record, heads, keys = null } = JSON.parse(line);
    process.stdout.write(`${JSON.stringify(await report(Buffer.from(record, "base64"), heads, keys))}\n`);
  }
}

async function main(args) {
  if (args.includes("--batch")) return batch();
  const heads = [];
  let keys = null;
  let path = 0; // the standard input
  for (let i = 0; i < args.length; i++) {
    if (args[i] === "--key") (keys ??= []).push({ key: args[++i] });
    else if (args[i] !== "--head") path = args[i] === "-" ? 0 : args[i];
    else {
      const [version, digest] = args[++i].split(":");
      heads.push([Number(version), digest]);
    }
  }
  const made = await report(readFileSync(path), heads, keys);
  console.log(JSON.stringify(made, null, 2));
  process.exitCode = made.unreadable ? 2 : { verified: 0, failed: 1, unverifiable: 3 }[made.verdict];
}

await main(process.argv.slice(2));
