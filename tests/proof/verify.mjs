// A verifier of records, written from docs/proof.md alone: it shares no code with the one that it is compared with.
//
//     node verify.mjs [RECORD] [--head VERSION:DIGEST]   the report, as JSON; exit code 0, 1 (not ok) or 2 (no record)
//     node verify.mjs --batch                            a JSON text {record, heads} on each line, a report on each

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const MOST = { bytes: 16 * 1024 * 1024, events: 50_000, seats: 99, links: 65_536, depth: 32 };

class Unreadable extends Error {}

class Wrong extends Error {
  constructor(seq, why) {
    super(why);
    this.seq = seq;
  }
}

// --- Bytes --------------------------------------------------------------------------------------

const sha256 = (...parts) => parts.reduce((h, part) => h.update(part), createHash("sha256")).digest();
const hmac = (key, message) => createHmac("sha256", key).update(message).digest();
const isHex64 = (x) => typeof x === "string" && /^[0-9a-f]{64}$/.test(x);

function canonical(x) {
  if (Array.isArray(x)) return `[${x.map(canonical).join(",")}]`;
  if (x === null || typeof x !== "object") return JSON.stringify(x);
  const names = Object.keys(x).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(x[name])}`).join(",")}}`;
}

const same = (a, b) => canonical(a ?? null) === canonical(b ?? null);
const whole = (x, below) => Number.isInteger(x) && x >= 0 && x < below;
const has = (x, name) => Object.hasOwn(x, name);
const get = (x, name) => (x !== undefined && has(x, name) ? x[name] : undefined);

// --- Reading ------------------------------------------------------------------------------------

const isText = (x) => typeof x === "string";
const isNumber = (x) => typeof x === "number";
const isObject = (x) => x !== null && typeof x === "object" && !Array.isArray(x);
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
const isRecord = fields({
  format: isText, events: list(isEvent), fairness: isObject,
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
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/gs, '""');
  refuse((bare.match(/:/g) ?? []).length === names, "A name stands twice.");
  refuse(!/\d[.eE]/.test(bare), "A number is written with a fraction or an exponent.");
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

function verify(record, heads = []) {
  const events = record.events.map((event) => split(event, record.match.reader));
  const given = get(events[0].data, "game");
  const game = isText(given) && has(GAMES, given) ? given : null;
  const revealed = reveal(events);
  const checks = [
    check("chain", () => chain(record, events, heads)),
    check("seals", () => seals(events, game, revealed)),
    check("shuffles", () => shuffles(record, events, game, revealed)),
    { name: "rules", ok: true, skipped: true, detail: "This verifier does not know the rules.", seq: null },
    check("result", () => result(record, events)),
  ];
  const head = events.at(-1).digest;
  return { ok: checks.every((c) => c.ok), match: record.match.id, game, version: events.length, head, checks };
}

/** Make a check: it answers with a detail, or {skipped: why}, or throws Wrong. */
function check(name, make) {
  try {
    const detail = make();
    return isText(detail)
      ? { name, ok: true, skipped: false, detail, seq: null }
      : { name, ok: true, skipped: true, detail: detail.skipped, seq: null };
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { name, ok: false, skipped: false, detail: error.message, seq: error.seq };
  }
}

function must(holds, seq, why) {
  if (!holds) throw new Wrong(seq, why);
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

const OWN = (data) => [String(data.seat)];
const EACH = (data, seats) => Array.from({ length: seats }, (_, seat) => String(seat));
const NOBODY = () => ["table"];
const ALL = (data, seats) => [...EACH(data, seats), "spectators"];

const LIFE = {
  types:
    "MatchCreated FairnessCommitted SeatTaken SeatLeft NoncesAwaited " +
    "NonceCommitted NonceSubmitted NoncesClosed DealsShared MatchStarted AllTablesOver " +
    "SeedRevealed DecisionRequested DecisionTimedOut ClockCredited BankSpent ClockStopped UndoKept UndoLost SeatResigned " +
    "SeatHandedToBot SeatTakenBack DrawOffered DrawAccepted DrawDeclined TakeBackRequested " +
    "TakeBackGranted TakeBackRefused MoveTakenBack CauseSealed HandContinued GameWon MatchEnded",
  seals: { CauseSealed: { true_cause: OWN } },
  versions: {
    MatchCreated: 2, DecisionRequested: 2, BankSpent: 2, NoncesAwaited: 2, DecisionTimedOut: 2, MoveTakenBack: 2,
  },
};

function seals(events, game, { handKeys }) {
  const seats = seatsOf(events);
  const known = game && { ...LIFE.seals, ...GAMES[game].seals };
  const types = game && new Set(`${LIFE.types} ${GAMES[game].types}`.split(" "));
  const overAndOpen = isOverAndOpen(events);
  let hand = 0;
  let open = 0;
  let total = 0;
  for (const event of events) {
    const { seq, type } = event;
    if (known) {
      must(types.has(type), seq, "There is no such event in this game.");
      must(event.v !== (LIFE.versions[type] ?? 1) || hasItsSeals(event, get(known, type) ?? {}, seats), seq, "The event has other seals.");
    }
    const handKey = handKeys.get(hand);
    if (type === "HandStarted") hand = Number.isInteger(event.data.hand_no) ? event.data.hand_no : 0;
    if (type === "GameEnded") hand = 0;
    for (const [field, sealed] of Object.entries(event.seals)) {
      for (const [reader, seal] of Object.entries(sealed)) {
        total += 1;
        if (event.parts[field] === undefined || !has(event.parts[field], reader)) {
          must(!handKey && !(hand === 0 && overAndOpen), seq, "A part is missing.");
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
  return total && !open ? { skipped: "No seal is open." } : `${open} of ${total} seals are open.`;
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
  if (!["played", "resignation"].includes(events.at(-1).data.reason)) return false;
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

function shuffles(record, events, game, { seeds, commitments, fault }) {
  if (fault) throw fault;
  if (events[0]?.data.rules === "phh") return { skipped: "It was dealt elsewhere, and not committed to." };
  must(commitments.length, 1, "Nothing was committed to.");
  must(same(record.fairness, fairness(events)), null, "The fairness is not what the events say.");
  timely(events, game);
  const note = record.fairness.contributed.length || events.some(bringsNonces) ? "" : " No seat contributed a nonce: the server may have chosen the shuffles.";
  if (!game) return `${seeds.size} seeds hash down; how the game deals is not known.${note}`;
  must(GAMES[game].seats.includes(seatsOf(events)), 1, "The game is not played by so many.");
  recompute(record.match.id, events, GAMES[game].deals, seeds);
  if (!seeds.size && events.some((event) => event.type === "HandStarted")) {
    return { skipped: `No seed is disclosed.${note}` };
  }
  return `${seeds.size} seeds hash down, and give what was dealt.${note}`;
}

/** Whether an event brings nonces of other tables, or of another match. */
function bringsNonces({ type, data }) {
  const rows = type === "DealsShared" ? data.nonces : type === "MatchCreated" ? data.deal_known?.deals?.nonces : null;
  return Array.isArray(rows) && rows.flat().some(Boolean);
}

const DUE = {
  hand_end: ["HandStarted", "GameStarted", "MatchEnded"],
  game_end: ["GameStarted", "MatchEnded"],
  match_end: ["MatchEnded"],
  never: [],
};

/** Every seed stands where the option says, hand by hand; none is left out. */
function timely(events, game) {
  let given = get(optionsOf(events), "fairness_reveal") ?? (game && (GAMES[game].reveal ?? "hand_end"));
  if (!isText(given) || !has(DUE, given)) return;
  if (given !== "never" && events[0].data.deal_group) given = "match_end";
  const known = Boolean(events[0].data.deal_known);
  const begun = [];
  let epoch = 0;
  let link = 0;
  let shown = 0;
  for (const { seq, type, data } of events) {
    must(begun.length <= shown || !DUE[given].includes(type), seq, "A seed is missing before this.");
    if (type === "FairnessCommitted") [epoch, link] = [epoch + 1, 0];
    if (type === "HandStarted") begun.push([epoch, ++link]);
    if (type !== "SeedRevealed") continue;
    must(given !== "never" && shown < begun.length, seq, "A seed stands out of its turn.");
    const due = { ...(known ? {} : { epoch: begun[shown][0], link: begun[shown][1] }), hand_no: ++shown };
    must(Object.entries(due).every(([name, n]) => data[name] === n), seq, "A seed is of another hand.");
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

/** The words of one random result. */
function* words(key) {
  for (let i = 0; ; i++) {
    const message = Buffer.alloc(4);
    message.writeUInt32BE(i);
    const block = hmac(key, message);
    for (let at = 0; at < 32; at += 4) yield block.readUInt32BE(at);
  }
}

function below(stream, bound) {
  const limit = 2 ** 32 - (2 ** 32 % bound);
  for (;;) {
    const word = stream.next().value;
    if (word < limit) return word % bound;
  }
}

function shuffle(stream, items) {
  const cards = [...items];
  for (let i = cards.length - 1; i > 0; i--) {
    const j = below(stream, i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}

// --- Deals --------------------------------------------------------------------------------------

const PACK = [..."CDHS"].flatMap((suit) => [..."23456789TJQKA"].map((rank) => rank + suit));
const TRIO_PACK = Array.from({ length: 36 }, (_, i) => Math.floor(i / 3) + 1);
const PLACE = new Map(PACK.map((card, i) => [card, i]));
const rank = (card) => PLACE.get(card) % 13;
const sorted = (cards) => [...cards].sort((a, b) => (PLACE.get(a) ?? a) - (PLACE.get(b) ?? b));

function recompute(id, events, deals, seeds) {
  const seats = seatsOf(events);
  const table = { seats, options: optionsOf(events), cuts: [], avocados: new Map(), ...newHand({}) };
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
  table.cutPack = () => table.shuffled("cut", 0, PACK, hands + 1);
  table.number = (purpose, bound) => {
    const found = stream(purpose, 0, hands + 1);
    return found ? below(found, bound) : null;
  };
  for (const event of events) {
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
    } else if (type === "GameStarted") {
      table.cuts = [];
      table.avocados = new Map();
    } else if (type === "HandStarted") {
      hands += 1;
      Object.assign(table, newHand(data));
    } else if (has(deals, type)) {
      deals[type](table, event);
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

const newHand = (started) => ({
  started, passed: new Map(), pool: null, due: [], pile: [], before: [], restocks: 0, upcards: new Map(),
  deck: null, held: new Map(), outOfPlay: new Map(),
});

function round(table, seq) {
  const { dealer } = table.started;
  must(whole(dealer, table.seats), seq, "The dealer is not a seat.");
  return Array.from({ length: table.seats }, (_, i) => (dealer + 1 + i) % table.seats);
}

/** Deal cards one at a time: each seat's hand, by reader. */
function dealt(cards, seats) {
  const hands = seats.map((seat, i) => [String(seat), sorted(cards.filter((_, at) => at % seats.length === i))]);
  return Object.fromEntries(hands);
}

/** Compare the parts that the record holds of a field with what they must be. */
function compare(event, field, due) {
  for (const [reader, value] of Object.entries(event.parts[field] ?? {})) {
    must(!has(due, reader) || same(value, due[reader]), event.seq, `${field} is not what the seed gives.`);
  }
}

function cutDealer(table, { seq, data }) {
  const pack = table.cutPack();
  if (!pack) return;
  const drawn = [];
  let seats = Array.from({ length: table.seats }, (_, seat) => seat);
  while (seats.length > 1 && drawn.length < pack.length) {
    const turn = seats.slice(0, pack.length - drawn.length).map((seat, i) => ({ seat, card: pack[drawn.length + i] }));
    const highest = Math.max(...turn.map(({ card }) => rank(card)));
    seats = turn.filter(({ card }) => rank(card) === highest).map(({ seat }) => seat);
    drawn.push(...turn);
  }
  must(same(table.cuts, drawn) && same(data.seat, seats[0]), seq, "The cut is not what the seed gives.");
}

function firstDealer(table, event) {
  if (event.data.how === "cut") cutDealer(table, event);
  if (event.data.how === "random") drawnSeat(table, event, "first_dealer", [...Array(table.seats).keys()]);
}

function drawnSeat(table, { seq, data }, purpose, seats) {
  must(seats.length, seq, "Nobody can be drawn.");
  const place = table.number(purpose, seats.length);
  must(place === null || data.seat === seats[place], seq, "The seat is not what the seed gives.");
}

function firstPlayer(table, event) {
  if (event.data.how !== "random") return;
  const latest = [...table.avocados.values()].sort().at(-1);
  const seats = [...Array(table.seats).keys()];
  drawnSeat(table, event, "first_player", seats.filter((seat) => table.avocados.get(seat) === latest));
}

function avocado(table, { seq, data }) {
  must(whole(data.seat, table.seats) && isText(data.eaten_at), seq, "An avocado is a seat's, at a time.");
  table.avocados.set(data.seat, data.eaten_at);
}

function dealHearts(table, event) {
  const seats = round(table, event.seq);
  const pack = table.shuffled("deal", 0, PACK);
  if (pack) compare(event, "cards", dealt(pack, seats));
}

function pass(table, { data, parts }) {
  if (whole(data.seat, table.seats)) table.passed.set(data.seat, get(parts.cards, String(data.seat)));
}

function redeal(table, { seq }) {
  const seats = round(table, seq);
  const passed = seats.map((seat) => table.passed.get(seat) ?? null);
  if (passed.includes(null)) return;
  const three = (cards) => Array.isArray(cards) && cards.length === 3 && cards.every((card) => PLACE.has(card));
  must(passed.every(three), seq, "Each seat passes three cards.");
  const pool = table.shuffled("dealer_redeal", 0, passed.flat());
  if (pool) table.pool = dealt(pool, seats);
}

function fromPool(table, event) {
  const { seat, from } = event.data;
  if (from !== "pool" || !table.pool || !whole(seat, table.seats)) return;
  compare(event, "cards", { [seat]: table.pool[seat] });
}

function dealTwoHanded(table, event) {
  const seats = round(table, event.seq);
  const pack = table.shuffled("deal", 0, PACK);
  if (!pack) return;
  compare(event, "cards", dealt(pack.slice(0, 26), seats));
  compare(event, "stock", { table: pack.slice(26) });
}

function dealEights(table, event) {
  const seats = round(table, event.seq);
  const { packs = 1, two_player_seven: seven } = table.options;
  let { hand_size: size = 5 } = table.options;
  if (table.seats === 2 && seven === true) size = 7;
  const possible = (packs === 1 || packs === 2) && whole(size, 9) && 52 * packs - size * table.seats >= 10 * packs;
  must(possible, event.seq, "No such deal is possible.");
  const pack = table.shuffled("deal", 0, packs === 2 ? [...PACK, ...PACK] : PACK);
  if (!pack) return;
  const share = size * table.seats;
  compare(event, "cards", dealt(pack.slice(0, share), seats));
  compare(event, "stock", { table: pack.slice(share) });
  table.due = starter(pack.slice(share));
}

function starter(stock) {
  const due = [];
  while (stock[0][0] === "8") {
    const [eight, ...rest] = stock;
    const depth = Math.floor(rest.length / 2);
    stock = [...rest.slice(0, depth), eight, ...rest.slice(depth)];
    due.push({ type: "EightBuried", card: eight, depth });
  }
  return [...due, { type: "StarterTurned", card: stock[0] }];
}

function turn(table, { seq, type, data }) {
  const due = table.due.shift();
  if (due) {
    const { card, depth } = data;
    const turned = type === "EightBuried" ? { type, card: card ?? null, depth: depth ?? null } : { type, card: card ?? null };
    must(same(turned, due), seq, "What is turned is not what the seed gives.");
  }
  if (type === "StarterTurned") table.pile = [data.card];
}

function restock(table, event) {
  const under = table.pile.slice(0, -1);
  must(under.every((card) => PLACE.has(card)), event.seq, "What is on the pile are not cards.");
  const once = sorted(new Set(under));
  const twice = [...under];
  for (const card of once) twice.splice(twice.indexOf(card), 1);
  const stock = table.shuffled("restock", table.restocks, [...once, ...sorted(twice)]);
  table.pile = table.pile.slice(-1);
  table.restocks += 1;
  if (stock) compare(event, "stock", { table: stock });
}

function dealGin(table, event) {
  const { seq, data } = event;
  const { pairs } = table.started;
  must(Array.isArray(pairs) && whole(data.table, Math.min(pairs.length, 2)), seq, "There is no such table.");
  const pair = pairs[data.table];
  const isPair = Array.isArray(pair) && pair.length === 2 && pair.every((seat) => whole(seat, table.seats));
  must(isPair && pair[0] !== pair[1], seq, "A pair are two seats.");
  const pack = table.shuffled("deal", data.table, PACK);
  if (!pack) return;
  const empty = Object.fromEntries(Array.from({ length: table.seats }, (_, seat) => [seat, []]));
  compare(event, "cards", { ...empty, ...dealt(pack.slice(0, 20), pair) });
  compare(event, "stock", { table: pack.slice(21) });
  table.upcards.set(data.table, pack[20]);
}

function upcard(table, { seq, data }) {
  if (!table.upcards.has(data.table)) return;
  must(data.card === table.upcards.get(data.table), seq, "The upcard is not what the seed gives.");
}

function dealTrio(table, event) {
  const each = (table.options.teams === true ? { 4: 9, 6: 6 } : { 3: 9, 4: 7, 5: 6, 6: 5 })[table.seats];
  must(each, event.seq, "So many seats do not play this.");
  const pack = table.shuffled("deal", 0, TRIO_PACK);
  if (!pack) return;
  const share = each * table.seats;
  compare(event, "cards", dealt(pack.slice(0, share), [...Array(table.seats).keys()]));
  compare(event, "middle", { table: pack.slice(share) });
}

function buttonDrawn(table, event) {
  const { among } = event.data;
  must(Array.isArray(among) && among.every((seat) => whole(seat, table.seats)), event.seq, "The button is not drawn among seats.");
  drawnSeat(table, event, "button", among);
}

/** Deal a hand of poker; gives the deck, null if it is not known. */
function dealPoker(table, event, size) {
  const { button, stacks } = table.started;
  const sound = Array.isArray(stacks) && stacks.length === table.seats && whole(button, table.seats);
  must(sound, event.seq, "A hand has no button, or no stacks.");
  const order = Array.from({ length: table.seats }, (_, i) => (button + 1 + i) % table.seats);
  const seats = order.filter((seat) => stacks[seat] !== 0);
  const pack = table.shuffled("deal", 0, PACK);
  if (!pack) return null;
  const share = size * seats.length;
  const hands = dealt(pack.slice(0, share), seats);
  const empty = Object.fromEntries(order.map((seat) => [seat, []]));
  compare(event, "cards", { ...empty, ...hands });
  compare(event, "deck", { table: pack.slice(share) });
  table.held = new Map(Object.entries(hands).map(([seat, hand]) => [Number(seat), hand]));
  return pack.slice(share);
}

function dealHoldem(table, event) {
  const deck = dealPoker(table, event, 2);
  if (!deck) return;
  table.due = [
    { street: "flop", cards: deck.slice(1, 4) }, { street: "turn", cards: [deck[5]] }, { street: "river", cards: [deck[7]] },
  ];
}

function board(table, { seq, data }) {
  const due = table.due.shift();
  if (!due) return;
  must(same({ street: data.street ?? null, cards: data.cards ?? null }, due), seq, "The board is not what the seed gives.");
}

function folds(table, { data: { seat } }) {
  if (!whole(seat, table.seats)) return;
  const thrown = table.outOfPlay.has(seat) ? table.outOfPlay.get(seat) : [];
  if (thrown) table.outOfPlay.set(seat, [...thrown, ...(table.held.get(seat) ?? [])]);
}

function swaps(table, event) {
  const { seat, count } = event.data;
  must(whole(seat, table.seats) && whole(count, 6), event.seq, "There is no such swap.");
  const part = get(event.parts.discarded, String(seat));
  const thrown = Array.isArray(part) && part.every((card) => PLACE.has(card)) ? part : null;
  table.outOfPlay.set(seat, thrown);
  if (!table.deck) return;
  const drawn = table.deck.splice(0, count);
  compare(event, "drawn", { [seat]: drawn });
  if (thrown) table.held.set(seat, [...(table.held.get(seat) ?? []).filter((card) => !thrown.includes(card)), ...drawn]);
}

function newStock(table, event) {
  const rows = [...table.outOfPlay.values()];
  const { deck } = table;
  const n = table.restocks;
  Object.assign(table, { deck: null, outOfPlay: new Map(), restocks: n + 1 });
  if (!deck || rows.includes(null)) return;
  const cards = rows.flat();
  must(cards.length === event.data.count, event.seq, "The new stock is not of what is out of play.");
  const stock = table.shuffled("redeal", n, sorted(cards));
  if (!stock) return;
  compare(event, "stock", { table: stock });
  table.deck = [...deck, ...stock];
}

const CUT = {
  CardCut: (table, { data }) => table.cuts.push({ seat: data.seat ?? null, card: data.card ?? null }),
  FirstDealerChosen: firstDealer,
};

const GAMES = {
  hearts: {
    seats: [4],
    types:
      "GameStarted CardCut FirstDealerChosen HandStarted HandDealt PassChosen CardsPassed PassReceived PoolRedealt " +
      "ReturnChosen CardsReturned ReturnReceived TwoOfClubsShown PlayStarted CardPlayed TrickTaken HeartsOpened " +
      "HandScored GameEnded",
    seals: {
      HandDealt: { cards: EACH }, PassChosen: { cards: OWN }, PassReceived: { cards: OWN },
      ReturnChosen: { card: OWN }, ReturnReceived: { card: OWN },
    },
    deals: { ...CUT, HandDealt: dealHearts, PassChosen: pass, PoolRedealt: redeal, PassReceived: fromPool },
  },
  two_handed_hearts: {
    seats: [2],
    types:
      "GameStarted CardCut FirstDealerChosen HandStarted HandDealt StockDrawn HandReplenished DrawnCardKept DrawnCardRejected " +
      "DrawingCompleted CardPlayed TrickTaken ClaimingStarted ClaimPassed ClaimRejected RevokeFound HandScored GameEnded",
    seals: {
      HandDealt: { cards: EACH, stock: NOBODY }, StockDrawn: { card: OWN }, HandReplenished: { card: OWN },
      DrawnCardKept: { discarded: OWN },
    },
    deals: { ...CUT, HandDealt: dealTwoHanded },
  },
  crazy_eights: {
    seats: [2, 3, 4, 5, 6, 7, 8, 9, 10],
    types:
      "GameStarted FirstDealerChosen HandStarted HandDealt EightBuried StarterTurned CardPlayed CardDrawn StockRanOut " +
      "Restocked TurnPassed HandWon HandBlocked HandScored GameEnded",
    seals: { HandDealt: { cards: EACH, stock: NOBODY }, CardDrawn: { card: OWN }, Restocked: { stock: NOBODY } },
    deals: {
      FirstDealerChosen: firstDealer, HandDealt: dealEights, EightBuried: turn, StarterTurned: turn,
      CardPlayed: (table, { data }) => { table.before = [...table.pile]; table.pile.push(data.card); },
      TurnPassed: (table) => { table.before = [...table.pile]; },
      MoveTakenBack: (table) => { table.pile = [...table.before]; },
      Restocked: restock,
    },
  },
  gin_rummy: {
    seats: [2, 3, 4],
    types:
      "GameStarted FirstDealerChosen HandStarted HandDealt UpcardTurned UpcardPassed StockDrawn DiscardTaken " +
      "CardDiscarded Knocked LaidOff HandShown HandScored HandVoided HandClosed PointsNetted GameEnded",
    seals: { HandDealt: { cards: EACH, stock: NOBODY }, StockDrawn: { card: OWN } },
    deals: { FirstDealerChosen: firstDealer, HandDealt: dealGin, UpcardTurned: upcard },
  },
  trio: {
    seats: [3, 4, 5, 6],
    types:
      "AvocadoRemembered GameStarted AvocadoStated FirstPlayerChosen HandStarted HandDealt SwapWindowOpened SwapAnswered SwapMade " +
      "SwapNotMade SwapWindowClosed CardRevealed RevealsReturned TrioCompleted GameEnded",
    seals: {
      AvocadoRemembered: { eaten_at: OWN }, HandDealt: { cards: EACH, middle: NOBODY }, SwapAnswered: { card: OWN, answer: OWN },
      SwapMade: { gave: EACH, got: EACH }, CardRevealed: { number: ALL },
    },
    deals: { AvocadoStated: avocado, FirstPlayerChosen: firstPlayer, HandDealt: dealTrio },
    reveal: "game_end",
  },
  five_card_draw: {
    seats: [2, 3, 4, 5, 6],
    types:
      "GameStarted ButtonDrawn HandStarted HandDealt BettingOpened ActionOn PlayerFolded PlayerChecked PlayerCalled PlayerBet " +
      "PlayerRaised BettingReopened BetsCollected BetReturned PotsFormed HandShown HandMucked PotAwarded HandSettled CardsShown " +
      "RebuyMade StacksReset StacksBrought TableLeft PlayerWithdrawn GameEnded AntePosted DrawStarted CardsSwapped StockRanOut " +
      "StockRebuilt DrawCompleted",
    seals: {
      HandDealt: { cards: EACH, deck: NOBODY }, CardsSwapped: { discarded: OWN, drawn: OWN },
      StockRanOut: { discarded: OWN }, StockRebuilt: { stock: NOBODY },
    },
    deals: {
      ButtonDrawn: buttonDrawn, HandDealt: (table, event) => { table.deck = dealPoker(table, event, 5); },
      PlayerFolded: folds, CardsSwapped: swaps, StockRebuilt: newStock,
    },
    reveal: "match_end",
  },
  holdem: {
    seats: [2, 3, 4, 5, 6, 7, 8, 9, 10],
    types:
      "GameStarted ButtonDrawn HandStarted HandDealt BettingOpened ActionOn PlayerFolded PlayerChecked PlayerCalled PlayerBet " +
      "PlayerRaised BettingReopened BetsCollected BetReturned PotsFormed HandShown HandMucked PotAwarded HandSettled CardsShown " +
      "RebuyMade StacksReset StacksBrought TableLeft PlayerWithdrawn GameEnded BlindPosted BigBlindAntePosted BoardDealt LevelsTimed LevelRaised " +
      "PlayerEliminated",
    seals: { HandDealt: { cards: EACH, deck: NOBODY } },
    deals: { ButtonDrawn: buttonDrawn, HandDealt: dealHoldem, BoardDealt: board },
    reveal: "match_end",
  },
};

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
  if (!end) return { skipped: "The match is not over." };
  must(end === events.at(-1), end.seq, "Nothing may follow MatchEnded.");
  const shut = events.some(({ seals, parts }) =>
    Object.entries(seals).some(([name, sealed]) => Object.keys(sealed).some((reader) => !has(parts[name] ?? {}, reader))),
  );
  if (shut) return { skipped: "The play is not disclosed." };
  return `The match ended: ${end.data.reason}.`;
}

function statusOf(events, end) {
  if (!end) return events.some((event) => event.type === "MatchStarted") ? "playing" : "lobby";
  return ["played", "resignation"].includes(end.data.reason) ? "finished" : String(end.data.reason);
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

// --- From the command line ----------------------------------------------------------------------

function report(bytes, heads) {
  try {
    return verify(read(bytes), heads);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { unreadable: error.message };
  }
}

function batch() {
  for (const line of readFileSync(0, "utf8").split("\n").filter(Boolean)) {
    const { record, heads } = JSON.parse(line);
    process.stdout.write(`${JSON.stringify(report(Buffer.from(record, "base64"), heads))}\n`);
  }
}

function main(args) {
  if (args.includes("--batch")) return batch();
  const heads = [];
  let path = 0; // the standard input
  for (let i = 0; i < args.length; i++) {
    if (args[i] !== "--head") path = args[i] === "-" ? 0 : args[i];
    else {
      const [version, digest] = args[++i].split(":");
      heads.push([Number(version), digest]);
    }
  }
  const made = report(readFileSync(path), heads);
  console.log(JSON.stringify(made, null, 2));
  process.exitCode = made.unreadable ? 2 : made.ok ? 0 : 1;
}

main(process.argv.slice(2));
