/** Checks the server's commitments and the seats' promised nonces (docs/proof.md, "Shuffles"). */

import { hex, isHex64, sha256, unhex } from "./bytes.mjs";
import { get, has, isInteger, isText, must, same, whole, Wrong } from "./deals.mjs";
import { MOST, firstOf, isObject, optionsOf, seatOf, seatsOf } from "./record.mjs";

/** @typedef {import("./record.mjs").Event} Event @typedef {import("./record.mjs").Data} Data */
/** @typedef {import("./bytes.mjs").Bytes} Bytes */
/**
 * @typedef {{links: number, chain: Bytes[]}} Commitment the known links of a
 *   chain, by number, so that each is hashed only once
 */

/**
 * Commitments and what was revealed: seeds by epoch and link, keys by hand.
 * @typedef {{seeds: Map<string, Bytes>, handKeys: Map<number, Bytes>, commitments: Commitment[], links: number,
 *   fault: Wrong | null}} Revealed
 */

/**
 * Collect all commitments and revealed seeds, up to the first event at fault.
 * @param {Event[]} events
 * @returns {Revealed}
 */
export function reveal(events) {
  /** @type {Revealed} */
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

/** @param {Revealed} found @param {Event} event */
function commit(found, { seq, data }) {
  const { commitments } = found;
  const { scheme, epoch, links, commitment } = data;
  must(scheme === "ct1", seq, "The scheme is not ct1.");
  must(epoch === commitments.length + 1, seq, "An epoch must be one more than the last, and have at least one link.");
  must(isInteger(links) && links >= 1, seq, "An epoch must be one more than the last, and have at least one link.");
  must(isHex64(commitment), seq, "A commitment is 64 hexadecimal digits.");
  found.links += links;
  must(found.links <= MOST.links, seq, `More than ${MOST.links} links cannot be checked.`);
  commitments.push({ links, chain: [unhex(commitment)] });
}

/** @param {Revealed} found @param {Event} event */
function revealSeed({ seeds, handKeys, commitments }, { seq, data }) {
  const { seed, hand_key: key, hand_no: hand, epoch, link } = data;
  must(isHex64(seed) && isHex64(key), seq, "A seed and the key of a hand must be 64 hexadecimal digits each.");
  must(isInteger(hand) && hand >= 1, seq, "A revealed seed must have the number of its hand, from 1.");
  const committed = isInteger(epoch) ? commitments[epoch - 1] : null;
  must(committed && isInteger(link) && link >= 1 && link <= committed.links, seq,
    "A revealed seed must belong to a link that was committed to.");
  const bytes = unhex(seed);
  const down = [];
  let s = bytes;
  let at = link;
  for (; at >= committed.chain.length; at--) {
    down.push(s);
    s = sha256(s);
  }
  const due = committed.chain[at];
  must(due && hex(s) === hex(due), seq, "The seed does not hash to the commitment.");
  committed.chain.push(...down.reverse());
  seeds.set(`${epoch}/${link}`, bytes);
  if (!handKeys.has(hand)) handKeys.set(hand, unhex(key));
}

/** @param {unknown} rows @param {number} seats @returns {rows is unknown[][]} */
const isRows = (rows, seats) => Array.isArray(rows) && rows.every((row) => Array.isArray(row) && row.length === seats);
/** @param {unknown} nonce @param {unknown} hash */
const fits = (nonce, hash) => isText(nonce) && hex(sha256(nonce)) === hash;

/**
 * Check that with `nonce_commit` no nonce is opened before the hashes are closed, at all tables of a group.
 * @param {Event[]} events
 */
export function promised(events) {
  if (!get(optionsOf(events), "nonce_commit")) return;
  const { deal_group } = firstOf(events).data;
  const group = isObject(deal_group) ? deal_group : null;
  const seats = seatsOf(events);
  let hashes = new Map();
  let open = false;
  /** @type {unknown[][] | null} */
  let closed = null;
  for (const { seq, type, data } of events) {
    if (type === "FairnessCommitted") {
      hashes = new Map();
      open = false;
    } else if (type === "SeatLeft") {
      hashes.delete(seatOf(data));
    } else if (type === "NonceCommitted") {
      must(!open && !closed, seq, "A hash is given after the hashes were closed.");
      hashes.set(seatOf(data), data.hash);
    } else if (type === "NoncesAwaited" && data.stage === "nonces") {
      must(!group || closed, seq, "Nonces are opened before the hashes of all tables are closed.");
      open = true;
    } else if (type === "CommitmentsShared") {
      const rows = data.hashes;
      must(!closed && group && isRows(rows, seats) && rows.length === group.tables, seq,
        "The hashes of a group must be those of all its tables, and occur once.");
      const own = Array.from({ length: seats }, (_, seat) => hashes.get(seat) || "");
      must(isInteger(group.table) && same(rows[group.table], own), seq, "The hashes of this table differ.");
      closed = rows;
    } else if (type === "NonceSubmitted") {
      must(open, seq, "A nonce is opened before the hashes are closed.");
      must(fits(data.nonce, hashes.get(seatOf(data))), seq, "A nonce does not match its promised hash.");
    } else if (type === "DealsShared" && group && isRows(data.nonces, seats)) {
      const hidden = closed;
      must(hidden && data.nonces.length === hidden.length, seq,
        "Nonces of tables are shared before their hashes were closed.");
      const kept = data.nonces.every((row, i) => row.every((nonce, s) => nonce === "" || fits(nonce, hidden[i]?.[s])));
      must(kept, seq, "A nonce of another table does not match its promised hash.");
    }
  }
}

/**
 * Return whether a nonce is guessable: few digits, a repetition, or counting by digits, bytes or words.
 * @param {string} nonce
 */
const isGuessable = (nonce) => new Set(nonce).size < 5 || (nonce + nonce).slice(1, -1).includes(nonce)
  || hasOneStep(nonce, 1, 2) || hasOneStep(nonce, 2) || hasOneStep(nonce, 4);

/** @param {string} nonce @param {number} width the number of digits in a group @param {number} distance */
function hasOneStep(nonce, width, distance = 1) {
  const groups = (nonce.match(new RegExp(`.{${width}}`, "g")) ?? []).map((group) => Number.parseInt(group, 16));
  const steps = groups.slice(distance).map((later, i) => (later - Number(groups[i]) + 16 ** width) % 16 ** width);
  return new Set(steps).size === 1;
}

/** @param {unknown} nonce */
const counts = (nonce) => isText(nonce) && /^[0-9a-f]{16,64}$/.test(nonce) && !isGuessable(nonce);

/** @typedef {{contributed: number[], unopened: number[], unvouched: number[]}} Contributions */

/**
 * Return which seats contributed to the shuffles of the last epoch.
 * @param {Event[]} events @returns {Contributions}
 */
export function contributions(events) {
  const seats = seatsOf(events);
  /** @type {Map<number, unknown>} */
  const players = new Map();
  /** @type {Set<number>} */
  let promised = new Set();
  /** @type {Map<number, boolean>} */
  let nonces = new Map();
  /** @type {Map<unknown, string | null>} by nonce: the first to give it after the server was bound, with the epoch */
  const first = new Map();
  let [bound, started, awaited] = [0, false, false];
  for (const { type, commit, data } of events) {
    if (type === "FairnessCommitted") [bound, promised, nonces, awaited] = [commit, new Set(), new Map(), false];
    if (type === "NoncesAwaited" || type === "NoncesClosed") awaited = type === "NoncesAwaited";
    if (type === "MatchStarted" || type === "MatchEnded") [started, awaited] = [true, false];
    const { seat, nonce } = data;
    if (!whole(seat, seats)) continue;
    if (type === "SeatTaken") players.set(seat, data.player);
    if (type === "SeatLeft") for (const of of [players, promised, nonces]) of.delete(seat);
    if (type === "NonceCommitted") promised.add(seat);
    if (type !== "NonceSubmitted") continue;
    const player = players.get(seat), giver = commit !== bound && isText(player) ? `${bound} ${player}` : null;
    if (!first.has(nonce)) first.set(nonce, giver);
    nonces.set(seat, giver !== null && first.get(nonce) === giver && counts(nonce));
  }
  const all = [...players.keys()].sort((a, b) => a - b), closed = started && !awaited;
  const contributed = all.filter((seat) => nonces.get(seat));
  const unopened = all.filter((seat) => closed && promised.has(seat) && !nonces.has(seat));
  const unvouched = all.filter((seat) => closed && !contributed.includes(seat) && !unopened.includes(seat));
  return { contributed, unopened, unvouched };
}

/**
 * Return which entrants contributed to a tournament's draws and deals. The server is bound before entries; a nonce
 * counts for the player who gave it first.
 * @param {import("./record.mjs").Linked[]} events @returns {Contributions}
 */
export function contributionsOfEntrants(events) {
  /** @type {Map<unknown, unknown>} */
  const first = new Map();
  /** @type {Map<number, boolean>} */
  const count = new Map();
  for (const { type, data: { entrant, player, nonce } } of events) {
    if (!["PlayerEntered", "PlayerWaits", "PlayerMovedUp"].includes(type)) continue;
    if (!first.has(nonce)) first.set(nonce, player);
    if (typeof entrant === "number") count.set(entrant, first.get(nonce) === player && counts(nonce));
  }
  const all = [...count.keys()].sort((a, b) => a - b);
  const [contributed, unvouched] = [true, false].map((does) => all.filter((entrant) => count.get(entrant) === does));
  return { contributed: contributed ?? [], unopened: [], unvouched: unvouched ?? [] };
}

/** Describe the contributions of seats or entrants without blaming anyone. @param {Contributions} found */
export function inWords({ contributed, unopened, unvouched }, who = "Seat") {
  const said = [
    named(who, contributed, "contributed a nonce."),
    named(who, unopened, "committed to a nonce that was not sent, or that the server left out."),
    named(who, unvouched, "sent no nonce that counts, or the server left it out."),
  ];
  return said.join("");
}

/** @param {string} who @param {number[]} numbers @param {string} words */
function named(who, numbers, words) {
  const others = numbers.slice(0, -1), last = numbers.at(-1);
  if (last === undefined) return "";
  return others.length ? ` ${who}s ${others.join(", ")} and ${last} each ${words}` : ` ${who} ${last} ${words}`;
}

/**
 * Return whether an event contains nonces of other tables, or of another match.
 * @param {Pick<import("./record.mjs").Linked, "type" | "data">} event
 */
export function bringsNonces({ type, data }) {
  const known = isObject(data.deal_known) && isObject(data.deal_known.deals) ? data.deal_known.deals : {};
  const rows = type === "DealsShared" ? data.nonces : type === "MatchCreated" ? known.nonces : null;
  return Array.isArray(rows) && rows.flat().some(counts);
}

/** @type {Record<string, (lifecycle: import("./deals.mjs").Lifecycle) => string[]>} */
const DUE = {
  hand_end: ({ handStarts, gameStarts }) => [handStarts, gameStarts, "MatchEnded"],
  game_end: ({ gameStarts }) => [gameStarts, "MatchEnded"],
  match_end: () => ["MatchEnded"],
  never: () => [],
};

/**
 * Check that every seed is revealed where the option says, hand by hand, and none is left out.
 * @param {Event[]} events
 * @param {import("./deals.mjs").Known} part
 */
export function timely(events, part) {
  const first = firstOf(events).data;
  const asked = get(optionsOf(events), "fairness_reveal") ?? part.reveal;
  if (!isText(asked) || !has(DUE, asked)) return;
  const given = asked !== "never" && first.deal_group ? "match_end" : asked;
  const due = get(DUE, given)?.(part.lifecycle);
  if (!due) return;
  const known = Boolean(first.deal_known);
  /** @type {{epoch: number, link: number}[]} */
  const begun = [];
  let epoch = 0;
  let link = 0;
  let shown = 0;
  for (const { seq, type, data } of events) {
    must(begun.length <= shown || !due.includes(type), seq,
      `The seed of hand ${shown + 1} must be disclosed before this.`);
    if (type === "FairnessCommitted") [epoch, link] = [epoch + 1, 0];
    if (type === part.lifecycle.handStarts) begun.push({ epoch, link: ++link });
    if (type !== "SeedRevealed") continue;
    const hand = begun[shown];
    must(given !== "never" && hand, seq,
      "Seeds must be disclosed hand by hand, each after its hand, and only when allowed.");
    const its = { ...(known ? {} : hand), hand_no: ++shown };
    must(Object.entries(its).every(([name, n]) => data[name] === n), seq, "A seed is of another hand.");
  }
}

/** @param {Event[]} events */
export function fairness(events) {
  const seats = seatsOf(events);
  /** @type {{ epoch: unknown, links: unknown, commitment: unknown, nonces: unknown[], revealed: Data[] }[]} */
  const epochs = [];
  /** @type {Set<unknown>} */
  let contributed = new Set();
  for (const { type, data } of events) {
    const { seat } = data;
    const { epoch = null, links = null, commitment = null, link = null, hand_no = null, seed = null } = data;
    if (type === "FairnessCommitted") {
      epochs.push({ epoch, links, commitment, nonces: Array(seats).fill(""), revealed: [] });
      contributed = new Set();
    } else if (type === "NonceSubmitted" || type === "SeatLeft") {
      const last = epochs.at(-1);
      if (last && whole(seat, seats)) last.nonces[seat] = type === "SeatLeft" ? "" : data.nonce ?? "";
      if (type === "SeatLeft") contributed.delete(seat);
      else contributed.add(seat);
    } else if (type === "SeedRevealed" && epochs.length) {
      const at = Math.min(Math.max(isInteger(epoch) ? epoch : 0, 1), epochs.length);
      epochs[at - 1]?.revealed.push({ link, hand_no, seed });
    }
  }
  return { scheme: "ct1", epochs, contributed: [...contributed].sort((a, b) => Number(a) - Number(b)) };
}
