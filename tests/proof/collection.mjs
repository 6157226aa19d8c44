// Records of collections in the second verifier, written from docs/proof.md alone.

import { createHash } from "node:crypto";
import { canonical, get, has, isInteger, isObject, isText, must,
  same } from "../../api/web/static/past/verify/deals.mjs";
import { isSignedHead } from "../../api/web/static/past/verify/record.mjs";
import { isSet, openBooster } from "../../api/web/static/past/verify/boosters.mjs";
import { hmac } from "../../api/web/static/past/verify/bytes.mjs";
import { below, shuffle, words } from "../../api/web/static/past/verify/words.mjs";

/** @typedef {import("../../api/web/static/past/verify/record.mjs").Data} Data */
/** @typedef {import("../../api/web/static/past/verify/record.mjs").Linked} Linked */
/** @typedef {Record<string, number>} Counts how many there are of each, by ids */
/** @typedef {import("../../api/web/static/past/verify/record.mjs").SignedHead} SignedHead */
/**
 * @typedef {{collection: string, version: number, head: string, events: Linked[],
 *   signed?: SignedHead | null}} Collection
 */
/**
 * @template F
 * @typedef {import("../../api/web/static/past/verify/tournament/fields.mjs").Shaped<F>} Shaped
 */
/** @typedef {{[K in keyof typeof FIELDS]: Shaped<(typeof FIELDS)[K]>}} Told what each type of event says */
/**
 * @typedef {object} Own what a player owns, has in open offers, and is promised
 * @property {Counts} boosters @property {Counts} cards @property {Counts} promos
 * @property {Counts} starters the boosters whose cards stay with the account @property {Counts} bound such cards
 * @property {Counts} aside the cards of open offers
 * @property {Map<string, {partner: string, give: Counts, want: Counts}>} offers
 * @property {number} epoch @property {string} commitment @property {number} links @property {number} link
 */

const LINKS = 1024;
const MOST_OFFERS = 20;

const FORM = ["format", "collection", "version", "head", "events"];

/** @param {unknown} x */
const isSignedOrNull = (x) => x === null || isSignedHead(x);
/** @param {unknown} x @returns {x is number} */
const isCount = (x) => isInteger(x) && x >= 0;
/** @param {unknown} x @returns {x is Counts} */
const counts = (x) => isObject(x) && Object.values(x).every(isCount);
/** @param {unknown} x @returns {x is Counts} */
const given = (x) => counts(x) && Object.values(x).every((n) => n > 0);
/** @param {unknown} x @returns {x is string[]} */
const texts = (x) => Array.isArray(x) && x.every(isText);

const FIELDS = {
  CollectionStarted: { player: isText, boosters: counts, cards: counts, starters: counts, bound: counts },
  SeedsCommitted: { epoch: isInteger, commitment: isText, links: isInteger },
  PackOpened: {
    set: isText, epoch: isInteger, link: isInteger, nonce: isText, seed: isText, cards: texts,
    boosters: counts,
    owned: counts,
    starters: counts,
    bound: counts,
  },
  BoostersGranted: { set: isText, count: isCount, reason: isText, boosters: counts },
  PromoGranted: { card: isText, reason: isText, promos: counts },
  TradeOffered: { trade: isText, partner: isText, give: given, want: given, set_aside: counts },
  TradeWithdrawn: { trade: isText, open: texts, set_aside: counts },
  TradeDeclined: { trade: isText, open: texts, set_aside: counts },
  TradeMade: { trade: isText, partner: isText, gave: given, got: given, owned: counts, open: texts, set_aside: counts },
};

/**
 * Whether a document is the record of a collection, as far as its form says.
 * @param {unknown} record
 * @returns {record is Collection}
 */
export function isCollection(record) {
  /** @param {unknown} x @param {string[]} all @returns {x is Data} */
  const names = (x, ...all) => isObject(x) && same(Object.keys(x).sort(), all.sort());
  return (
    (names(record, ...FORM) || (names(record, ...FORM, "signed") && isSignedOrNull(record["signed"]))) &&
    isText(record["collection"]) && isInteger(record["version"]) && isText(record["head"])
      && Array.isArray(record["events"]) &&
    record["events"].every(
      (event) =>
        names(event, "v", "seq", "commit", "type", "data", "at", "cause", "seals", "digest") &&
        [event["v"], event["seq"], event["commit"]].every(isInteger)
          && [event["type"], event["at"], event["cause"], event["digest"]].every(isText) &&
        isObject(event["data"]) && isObject(event["seals"]) &&
        Object.values(event["seals"]).every((seals) => isObject(seals) && Object.values(seals).every(isText)),
    )
  );
}

/** Check that every event is what the rules make of those before it. @param {Collection} record */
export function collectionRules({ collection, events }) {
  const strange = events.find(({ type, v }) => !has(FIELDS, type) || v > 1);
  events.slice(0, strange ? events.indexOf(strange) : undefined).forEach(wellFormed);
  if (strange) return { skipped: `Events of the type ${strange.type}, version ${strange.v}, are not known.` };
  /** @type {Own} */
  const c = { boosters: {}, cards: {}, promos: {}, starters: {}, bound: {}, aside: {}, offers: new Map(), epoch: 0,
    commitment: "", links: 0, link: 0 };
  let unknown = /** @type {unknown} */ (null);
  events.forEach((event, i) => {
    const seq = i + 1;
    must((seq === 1) === (event.type === "CollectionStarted"), seq, "A collection begins once, with its first event.");
    if (event.type === "PackOpened" && !isSet(event.data["set"])) unknown ??= event.data["set"];
    /** @type {Happens} */ (HAPPENS[/** @type {keyof Told} */ (event.type)])(c, event.data, seq, collection);
  });
  if (unknown !== null) return { skipped: `The cards of ${unknown} are not known.` };
  return "All cards came by packs, grants and trades.";
}

/** @param {Linked} event @param {number} i */
function wellFormed({ type, v, cause, seals, data }, i) {
  must(v === 1 && cause === "move" && !Object.keys(seals).length, i + 1,
    "No event is of such a version or cause, or sealed.");
  const due = FIELDS[/** @type {keyof Told} */ (type)];
  const fits = Object.keys(data).length === Object.keys(due).length && Object.entries(due)
    .every(([name, is]) => is(get(data, name)));
  must(fits, i + 1, "The event does not have the form of its type.");
}

// --- Counting -----------------------------------------------------------------------------------

/** What there is of all that changes, after the change. @param {Counts} there @param {Counts} change */
function after(there, change) {
  return Object.fromEntries(Object.entries(change).map(([name, n]) => [name, (get(there, name) ?? 0) + n]));
}

/** @param {Counts} x */
const negative = (x) => Object.fromEntries(Object.entries(x).map(([name, n]) => [name, -n]));

/** Whether so many copies are there that are neither bound nor in open offers. @param {Own} c @param {Counts} asked */
const free = (c, asked) =>
  Object.entries(asked).every(([card, n]) =>
    (get(c.cards, card) ?? 0) - (get(c.bound, card) ?? 0) - (get(c.aside, card) ?? 0) >= n);

/** @param {Counts} gave @param {Counts} got */
function exchange(gave, got) {
  const change = { ...got };
  for (const [card, n] of Object.entries(gave)) change[card] = (get(change, card) ?? 0) - n;
  return change;
}

// --- What happens -------------------------------------------------------------------------------

/**
 * @typedef {(c: Own, data: Data, seq: number, collection: string) => void} Happens what an event does, once it is well
 *   formed
 */

/** @type {{[K in keyof Told]: (c: Own, data: Told[K], seq: number, collection: string) => void}} */
const HAPPENS = {
  CollectionStarted(c, { player, boosters, cards, starters, bound }, seq) {
    const isBound = Object.keys(starters).length + Object.keys(bound).length > 0;
    must(same(starters, isBound ? boosters : {}) && same(bound, isBound ? cards : {}), seq, "The starter is another.");
    Object.assign(c, { player, boosters, cards, starters, bound });
  },
  SeedsCommitted(c, { epoch, commitment, links }, seq) {
    must(epoch === c.epoch + 1 && links === LINKS, seq, "The chain of seeds is another.");
    Object.assign(c, { epoch, commitment, links, link: 0 });
  },
  PackOpened(c, data, seq, collection) {
    const { set, epoch, link, nonce, seed, cards, boosters, owned, starters, bound } = data;
    must(epoch === c.epoch && link === c.link + 1 && link <= c.links, seq, "The pack does not use the next link.");
    must(/^[0-9a-f]{64}$/.test(seed) && hashed(seed, link) === c.commitment, seq,
      "The seed does not match the commitment.");
    must((get(c.boosters, set) ?? 0) > 0, seq, "There was no such booster.");
    const drawn = isSet(set) ? openBooster(set, drawing(seed, `ct1|${collection}|${epoch}|${link}|booster|0|${nonce}`))
      : cards;
    must(same(cards, drawn), seq, "The seed gives other cards.");
    /** @type {Counts} */
    const found = {};
    for (const card of cards) found[card] = (get(found, card) ?? 0) + 1;
    c.boosters = due(boosters, { ...c.boosters, ...after(c.boosters, { [set]: -1 }) }, seq);
    c.cards = { ...c.cards, ...due(owned, after(c.cards, found), seq) };
    const isStarter = (get(c.starters, set) ?? 0) > 0;
    c.starters = due(starters, { ...c.starters, ...isStarter ? after(c.starters, { [set]: -1 }) : {} }, seq);
    c.bound = { ...c.bound, ...due(bound, isStarter ? after(c.bound, found) : {}, seq) };
    c.link = link;
  },
  BoostersGranted(c, { set, count, boosters }, seq) {
    c.boosters = due(boosters, { ...c.boosters, ...after(c.boosters, { [set]: count }) }, seq);
  },
  PromoGranted(c, { card, promos }, seq) {
    c.promos = due(promos, { ...c.promos, ...after(c.promos, { [card]: 1 }) }, seq);
  },
  TradeOffered(c, { trade, partner, give, want, set_aside }, seq) {
    must(c.offers.size < MOST_OFFERS && free(c, give), seq, "This cannot be offered.");
    c.aside = { ...c.aside, ...due(set_aside, after(c.aside, give), seq) };
    c.offers.set(trade, { partner, give, want });
  },
  TradeWithdrawn: ends,
  TradeDeclined: ends,
  TradeMade(c, { trade, partner, gave, got, owned, open, set_aside }, seq) {
    const made = c.offers.get(trade);
    if (made) {
      must(same([made.partner, made.give, made.want], [partner, gave, got]), seq, "Another trade was offered.");
      ends(c, { trade, open, set_aside }, seq);
    } else {
      must(free(c, gave), seq, "What was given was not there.");
      must(same(open, [...c.offers.keys()]) && same(set_aside, {}), seq,
        "The offers of others do not change one's own.");
    }
    c.cards = { ...c.cards, ...due(owned, after(c.cards, exchange(gave, got)), seq) };
  },
};

/** @param {Own} c @param {Told["TradeDeclined"]} ended @param {number} seq */
function ends(c, { trade, open, set_aside }, seq) {
  const made = c.offers.get(trade);
  must(made, seq, "There is no such offer.");
  c.offers.delete(trade);
  must(same(open, [...c.offers.keys()]), seq, "Other offers are left.");
  c.aside = { ...c.aside, ...due(set_aside, after(c.aside, negative(made.give)), seq) };
}

/** @param {Counts} there @param {Counts} made @param {number} seq */
function due(there, made, seq) {
  must(canonical(there) === canonical(made), seq, "Something else is there afterwards.");
  return there;
}

/**
 * @param {string} seed
 * @param {string} context
 * @returns {import("../../api/web/static/past/verify/words.mjs").Draw}
 */
function drawing(seed, context) {
  const stream = words(hmac(Buffer.from(seed, "hex"), context));
  return { below: (bound) => below(stream, bound), shuffle: (items) => shuffle(stream, items) };
}

/** @param {string} seed @param {number} times */
function hashed(seed, times) {
  let at = /** @type {Buffer} */ (Buffer.from(seed, "hex"));
  for (let i = 0; i < times; i++) at = createHash("sha256").update(at).digest();
  return at.toString("hex");
}
