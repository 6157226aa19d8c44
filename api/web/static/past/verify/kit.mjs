/**
 * Building blocks of the games' parts of the verifier. A part imports nothing, so that it can be in its game's folder,
 * wherever that is.
 */

import { ALL, CUT, EACH, NOBODY, OWN, PACK, PLACE, compare, dealt, drawnSeat, firstDealer, get, has, isCard, isObject,
  isText, must, round, same, sorted, whole } from "./deals.mjs";
import { isSet, openBooster } from "./boosters.mjs";
import { EVENTS, RECORDS, buttonDrawn, dealPoker, handHistory, reveal } from "./poker.mjs";

/** Dealing and comparing cards. */
const deals = { ALL, CUT, EACH, NOBODY, OWN, PACK, PLACE, compare, dealt, drawnSeat, firstDealer, get, has, isCard,
  isObject, isText, must, round, same, sorted, whole };
/** The contents of boosters. */
const boosters = { isSet, openBooster };
/** Shared by the poker games. */
const poker = { EVENTS, RECORDS, buttonDrawn, dealPoker, handHistory, reveal };

/** @typedef {typeof kit} Kit */
export const kit = { ...deals, ...boosters, poker };
