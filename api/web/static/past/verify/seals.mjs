/** Checks the seals of secret fields (docs/proof.md, "Seals"). */

import { hex, hmac, isHex64, unhex } from "./bytes.mjs";
import { canonical, get, has, isInteger, must, same } from "./deals.mjs";
import { LIFE, OF_LIFE } from "./life.mjs";
import { lastOf, optionsOf, seatsOf } from "./record.mjs";
import { addedAfter, isOfItsVersion, latestOf } from "./versions.mjs";

/** @typedef {import("./record.mjs").Event} Event @typedef {import("./deals.mjs").Known} Known */

/** @param {Event[]} events @param {Known | null} part @param {import("./commitments.mjs").Revealed} revealed */
export function seals(events, part, { handKeys }) {
  const seats = seatsOf(events);
  const known = part && { added: { ...LIFE.added, ...part.added }, seals: { ...LIFE.seals, ...part.seals },
    events: { ...LIFE.events, ...part.events } };
  const { gameEnds, handStarts, handNo } = part?.lifecycle ?? {};
  const overAndOpen = isOverAndOpen(events);
  let hand = 0;
  let open = 0;
  let total = 0;
  /** @type {number[]} */
  const vouched = []; // events whose part keys follow from nothing disclosed
  for (const event of events) {
    const { seq, type } = event;
    if (known) {
      must(has(known.events, type), seq, `There is no event ${type} in this game.`);
      must(isOfItsVersion(known.added, event), seq, `${type} does not have the form of its version ${event.v}.`);
      must(event.v > latestOf(known.added, type) || hasItsSeals(event, sealsOf(known, event), seats), seq,
        `${type} has the wrong seals.`);
    }
    // Events common to all matches belong to no hand, except signed moves.
    const h = OF_LIFE.has(type) && type !== "MoveSigned" ? 0 : hand;
    const handKey = handKeys.get(h);
    if (handNo && type === handStarts) {
      const no = event.data[handNo];
      hand = isInteger(no) ? no : 0;
    }
    if (type === gameEnds) hand = 0;
    for (const [field, sealed] of Object.entries(event.seals)) {
      for (const [reader, seal] of Object.entries(sealed)) {
        total += 1;
        const parts = event.parts[field];
        if (!parts || !has(parts, reader)) {
          must(!handKey && !(h === 0 && overAndOpen), seq, `The value of ${field} for ${reader} is missing.`);
          continue;
        }
        open += 1;
        const key = get(get(event.unseal, field), reader);
        must(isHex64(key), seq, `The key of ${field} for ${reader} is not 32 bytes long.`);
        const due = handKey && hex(hmac(handKey, `seal|${seq}|${field}|${reader}`));
        if (h && !handKey) vouched.push(seq);
        must(!due || due === key, seq, `The key of ${field} for ${reader} does not follow from the key of its hand.`);
        const sealing = canonical({ field, reader, seq, value: parts[reader] });
        const made = hex(hmac(unhex(key), sealing));
        must(made === seal, seq, `The value of ${field} for ${reader} does not match its seal.`);
      }
    }
    for (const [field, parts] of Object.entries(event.parts)) {
      const sealed = get(event.seals, field) ?? {};
      must(Object.keys(parts).every((reader) => has(sealed, reader)), seq,
        `${field} has no seal for every reader whose part is given.`);
    }
    for (const [field, keys] of Object.entries(event.unseal)) {
      const parts = get(event.parts, field) ?? {};
      must(Object.keys(keys).every((reader) => has(parts, reader)), seq,
        `${field} is missing for a reader whose key is given.`);
    }
  }
  if (total && !open) return { skipped: `None of ${total} seals is open to this reader.`, isShut: true };
  const own = vouched.length ? ` ${vouched.length} of them, in events ${vouched[0]} to ${vouched.at(-1)}, belong to `
    + "undisclosed hands: only the signer of the head vouches for their contents." : "";
  return `${open} of ${total} seals are open and valid.${own}`;
}

/**
 * Return the readers of an event's sealed fields in its version.
 * @param {{added: import("./versions.mjs").Added, seals: Known["seals"]}} known @param {Event} event
 */
function sealsOf({ added, seals }, { type, v }) {
  const later = addedAfter(added, type, v);
  return Object.fromEntries(Object.entries(get(seals, type) ?? {}).filter(([field]) => !has(later, field)));
}

/** @param {Event} event @param {Record<string, import("./deals.mjs").Readers>} due @param {number} seats */
function hasItsSeals(event, due, seats) {
  const names = Object.entries(event.seals);
  return (
    names.length === Object.keys(due).length &&
    names.every(([name, sealed]) => {
      const readers = get(due, name)?.(event.data, seats);
      return readers !== undefined && same(Object.keys(sealed).sort(), [...readers].sort());
    })
  );
}

/** @param {Event[]} events */
function isOverAndOpen(events) {
  if (!["played", "resignation", "draw"].includes(String(lastOf(events).data.reason))) return false;
  return get(optionsOf(events), "fairness_reveal") !== "never";
}
