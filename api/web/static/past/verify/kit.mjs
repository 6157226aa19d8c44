/**
 * What the games' parts of the verifier are made of. A part imports nothing, so that it can lie in the folder of its
 * game, wherever that is.
 */

import { ALL, CUT, EACH, NOBODY, OWN, PACK, PLACE, compare, dealt, drawnSeat, firstDealer, get, has, isCard, isObject,
  isText, must, round, same, sorted, whole } from "./deals.mjs";
import { isSet, openBooster } from "./boosters.mjs";
import { EVENTS, RECORDS, buttonDrawn, dealPoker, handHistory, reveal } from "./poker.mjs";

/** How cards are dealt and compared. */
const deals = { ALL, CUT, EACH, NOBODY, OWN, PACK, PLACE, compare, dealt, drawnSeat, firstDealer, get, has, isCard,
  isObject, isText, must, round, same, sorted, whole };
/** What boosters hold. */
const boosters = { isSet, openBooster };
/** What the games of poker share. */
const poker = { EVENTS, RECORDS, buttonDrawn, dealPoker, handHistory, reveal };

/** @typedef {typeof kit} Kit */
export const kit = { ...deals, ...boosters, poker };
