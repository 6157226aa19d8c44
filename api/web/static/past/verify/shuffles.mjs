/** Recomputes the shuffles and compares the deals (docs/proof.md, "Shuffles"). */

import { hmac } from "./bytes.mjs";
import { bringsNonces, contributions, fairness, inWords, promised, timely } from "./commitments.mjs";
import { PACK, Wrong, get, isInteger, isText, must, same, whole } from "./deals.mjs";
import { firstOf, isObject, optionsOf, seatsOf } from "./record.mjs";
import { below, shuffle, words } from "./words.mjs";

const IN_TOURNAMENT = " The deals follow from the tournament's secret and its entrants' nonces: its record shows who"
  + " contributed.";
const KNOWN = " The deals come from another match, so players may have known every card.";
const AT_CREATION = " All nonces came with the creation: the server knew them before it committed to its seeds, and "
  + "may have chosen.";
const NOBODY = " No seat gave a nonce that counts: this proves that nothing was changed afterwards, not that the "
  + "server did not choose.";

/** @typedef {import("./record.mjs").Event} Event @typedef {import("./deals.mjs").Known} Known */
/** @typedef {import("./deals.mjs").Table} Table */

/**
 * @typedef {{match: string, epoch: number, link: number, nonces: unknown[]}} KnownDeals the deals of another match,
 *   repeated
 */

/**
 * @param {import("./record.mjs").MatchRecord} record @param {Event[]} events @param {Known | null} part
 * @param {import("./commitments.mjs").Revealed} revealed @param {string} [unknown] why the game's deals are unknown
 */
export function shuffles(record, events, part, { seeds, commitments, fault }, unknown = "") {
  if (fault) throw fault;
  if (firstOf(events).data.rules === "phh") return dealtElsewhere(events, part);
  must(commitments.length, 1, "The server has not committed to the shuffles.");
  must(same(record.fairness, fairness(events)), null, "`fairness` does not follow from the events.");
  if (part) timely(events, part);
  promised(events);
  const note = noteOn(events);
  const hashed = seeds.size === 1 ? "1 seed hashes down to its commitment" :
    `${seeds.size} seeds hash down to their commitments`;
  if (!part) return { skipped: `${unknown} ${hashed}, and the deals cannot be recomputed.${note}` };
  must(part.seats.includes(seatsOf(events)), 1, "The game does not allow this number of seats.");
  recompute(record.match.id, events, part, seeds);
  if (!seeds.size && events.some((event) => event.type === part.lifecycle.handStarts)) {
    return { skipped: `No seed has been disclosed.${note}`, isShut: true };
  }
  return `${hashed}, and all deals follow from ${seeds.size === 1 ? "it" : "them"}.${note}`;
}

/** Return the limits of the shuffles as proof, and the contributors to them. @param {Event[]} events */
function noteOn(events) {
  const { data } = firstOf(events), found = contributions(events);
  const known = data.deal_known === null || data.deal_known === undefined ? "" : KNOWN;
  if (data.tournament) return IN_TOURNAMENT + known + inWords({ ...found, unopened: [], unvouched: [] });
  if (found.contributed.length || events.some(bringsNonces)) return known + inWords(found);
  const sent = events.filter(({ type }) => type === "NonceSubmitted");
  return (sent.length && sent.every(({ commit }) => commit === 1) ? AT_CREATION : NOBODY) + known + inWords(found);
}

/** @param {Event[]} events @param {Known | null} part */
function dealtElsewhere(events, part) {
  must(!part || part.handHistory, 1, "Hands of this game cannot come from a hand history.");
  const committed = events.find(({ type }) => ["FairnessCommitted", "SeedRevealed"].includes(type));
  must(!committed, committed?.seq ?? null, "A hand from a hand history has no shuffles by this scheme.");
  return { skipped: "The hand was dealt on another server, by shuffles without a commitment." };
}

/**
 * @param {string} id
 * @param {Event[]} events
 * @param {Known} part
 * @param {Map<string, import("./bytes.mjs").Bytes>} seeds
 */
function recompute(id, events, { deals, lifecycle, newGame, newHand }, seeds) {
  const seats = seatsOf(events);
  let epoch = 0;
  let hands = 0;
  /** @type {string[]} */
  let nonces = Array(seats).fill("");
  /** @type {unknown[] | null} */
  let shared = null; // from all tables of a group
  const { bound, known } = boundTo(id, events);
  /** @param {string} purpose @param {number} n @param {number} link */
  const stream = (purpose, n, link) => {
    const seed = seeds.get(`${epoch}/${link}`);
    const its = known && epoch === 1
      ? { match: known.match, epoch: known.epoch, link: known.link - 1 + link, nonces: known.nonces }
      : { match: bound, epoch, link, nonces: shared ?? nonces };
    return seed
      && words(hmac(seed, `ct1|${its.match}|${its.epoch}|${its.link}|${purpose}|${n}|${its.nonces.join(",")}`));
  };
  /** @type {Table} */
  const table = {
    seats, options: optionsOf(events), cuts: [], started: {},
    // Null if the seed is unknown. Draws before a hand use the link of the coming hand.
    shuffled: (purpose, n, items, link = hands) => {
      const found = stream(purpose, n, link);
      return found ? shuffle(found, items) : null;
    },
    // Let a function draw from the words of one result.
    drawn: (purpose, n, draw) => {
      const found = stream(purpose, n, hands);
      return found ? draw({ below: (bound) => below(found, bound), shuffle: (items) => shuffle(found, items) }) : null;
    },
    cutPack: () => table.shuffled("cut", 0, PACK, hands + 1),
    number: (purpose, bound) => {
      const found = stream(purpose, 0, hands + 1);
      return found ? below(found, bound) : null;
    },
    ...newGame(), ...newHand(),
  };
  /** @param {Event} event */
  const see = (event) => {
    const { type, data, seq } = event;
    if (type === "FairnessCommitted") {
      epoch = Number(data.epoch);
      hands = 0;
      nonces = Array(seats).fill("");
    } else if (type === "NonceSubmitted" || type === "SeatLeft") {
      must(whole(data.seat, seats), seq, "There is no such seat.");
      const nonce = type === "SeatLeft" ? "" : data.nonce;
      must(isNonce(nonce) && (nonce || type === "SeatLeft"), seq, "A nonce is 16 to 64 hexadecimal digits.");
      nonces[data.seat] = nonce;
    } else if (type === "DealsShared") {
      shared = noncesOfAll(data.nonces, nonces, seq).flat();
    } else if (type === lifecycle.gameStarts) {
      Object.assign(table, { cuts: [] }, newGame());
    } else if (type === lifecycle.handStarts) {
      hands += 1;
      Object.assign(table, { started: data }, newHand());
    } else {
      get(deals, type)?.(table, event);
    }
  };
  for (const event of events) {
    try {
      see(event);
    } catch (error) {
      // Forged events may lack the fields read here.
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      throw new Wrong(event.seq, "The event lacks a required field of its type.");
    }
  }
}

/** @param {unknown} x @returns {x is string} */
const isAscii = (x) => isText(x) && /^[\x00-\x7f]*$/.test(x);
/** Return whether it is a nonce or an empty text. @param {unknown} x @returns {x is string} */
const isNonce = (x) => isText(x) && /^(?:[0-9a-f]{16,64})?$/.test(x);

/**
 * Return what results are bound to: the match's or group's id, and another match's deals if they are known.
 * @param {string} id @param {Event[]} events @returns {{bound: string, known: KnownDeals | null}}
 */
function boundTo(id, events) {
  const { deal_group: group, deal_known: dealKnown } = firstOf(events).data;
  if (isObject(group) && isAscii(group.id)) return { bound: group.id, known: null };
  const deals = isObject(dealKnown) ? dealKnown.deals : null;
  if (!isObject(deals)) return { bound: id, known: null };
  const { match, nonces } = deals;
  if (!isAscii(match) || !Array.isArray(nonces) || !nonces.every(isAscii)) return { bound: id, known: null };
  /** @param {unknown} x */
  const number = (x) => (isInteger(x) ? x : 0);
  return { bound: id, known: { match, nonces, epoch: number(deals.epoch), link: number(deals.link) } };
}

/** @param {unknown} rows @param {string[]} own @param {number} seq @returns {unknown[][]} */
function noncesOfAll(rows, own, seq) {
  must(Array.isArray(rows) && rows.every((row) => Array.isArray(row) && row.length === own.length), seq,
    "The nonces of a group must be those of all its tables, including this one.");
  must(rows.some((row) => same(row, own)), seq,
    "The nonces of a group must be those of all its tables, including this one.");
  must(rows.flat().every(isNonce), seq, "A nonce is 16 to 64 hexadecimal digits.");
  return rows;
}
