/** Lists the fields of tournament events (docs/proof.md, "Records of tournaments"). */

import { isInteger, isText } from "../deals.mjs";
import { exactly, isTime, isTruth, leftOut, listOf, maybe, oneOf } from "./fields.mjs";
import { isEntry, isPlan, isPreparation, isPrize, isTerms } from "./plan.mjs";

const texts = listOf(isText), ints = listOf(isInteger);
const isSeating = listOf(maybe(isInteger));
/** Stacks as they leave a table. */
const areChips = listOf(exactly({ seat: isInteger, stack: isInteger, hand: isInteger, before: isInteger }));
const areStakes = exactly({ stacks: ints, hands_before: isInteger, hands: isInteger, last_gone: isTruth,
    timed_from: leftOut(isTime) });
const isResult = exactly({ seats: isSeating, places: ints, wins: ints, games: isInteger, drawn: isInteger,
    chips: leftOut(areChips), scores: leftOut(ints) });
const played = { round: isInteger, table: isInteger, match: isText, head: isText, result: isResult };
const entered = { player: isText, club: maybe(isText), rating: maybe(isInteger), reliability: maybe(isInteger) };
const prepared = { pod: isInteger, match: isText, head: isText };

/** The fields of each event type in its current version. */
export const FIELDS = {
  TournamentAnnounced: {
    name: isText, organiser: isText, helpers: texts, plan: isPlan, terms: isTerms, prizes: listOf(isPrize),
    closes: maybe(isTime),
    entry: isEntry, rules: isInteger,
  },
  PreparationAnnounced: { preparation: isPreparation },
  DrawsCommitted: { commitment: isText, links: isInteger, deals: maybe(isText) },
  DealsDisclosed: { seed: isText },
  PlayersInvited: { players: texts, by: isText },
  PlayerEntered: { ...entered, nonce: isText, entrant: isInteger },
  PlayerWaits: { ...entered, nonce: isText },
  PlayerMovedUp: { entrant: isInteger, player: isText, club: maybe(isText), nonce: isText, waiting: texts },
  PlayerStoppedWaiting: { player: isText, waiting: texts },
  PlayerEnteredLate: { ...entered, entrant: isInteger },
  PlayerWithdrew: { entrant: isInteger, after: isInteger },
  PlayerDisqualified: { entrant: isInteger, after: isInteger, reason: isText, by: isText },
  PlayerBarred: { player: isText, reason: isText, by: isText },
  PlayerDropped: { entrant: isInteger, after: isInteger },
  PlayerRested: { entrant: isInteger },
  PlayerReturned: { entrant: isInteger },
  EntriesClosed: { by: maybe(isText), link: isInteger, seed: isText, order: ints, rounds: maybe(isInteger) },
  PodsMade: { pods: listOf(ints) },
  PodFinished: { ...prepared, without: ints },
  PodRepeated: { ...prepared, absent: ints, entrants: ints, attempt: isInteger },
  PlayerUnprepared: { entrant: isInteger, after: isInteger },
  RoundPaired: { round: isInteger, stage: oneOf("main", "elimination"), link: isInteger, seed: isText,
    tables: listOf(isSeating) },
  TablesPaired: { round: isInteger, link: isInteger, seed: isText, tables: listOf(isSeating) },
  PairingEnded: {},
  StackMoved: { round: isInteger, entrant: isInteger, stack: isInteger, before: isInteger, table: isInteger },
  TableBroken: { round: isInteger, table: isInteger },
  TableStaked: { round: isInteger, table: isInteger, stakes: areStakes },
  ByeGiven: { round: isInteger, entrant: isInteger },
  TableFinished: { ...played, absent: ints },
  TableDrawn: { ...played, attempt: isInteger, absent: ints },
  TableForfeited: { ...played, absent: ints, result: maybe(isResult), attempt: isInteger },
  TableAdjudicated: { ...played, late: ints, absent: ints },
  TableRuled: { round: isInteger, table: isInteger, result: isResult, reason: isText, by: isText },
  RoundClosed: { round: isInteger, ranked: ints, places: ints },
  TournamentPaused: { by: isText, reason: isText },
  TournamentResumed: { by: isText },
  PrizeAwarded: { entrant: isInteger, prize: isPrize },
  PayoutMade: { entrant: isInteger, percent: isText },
  TournamentEnded: { ranked: ints, places: ints },
  TournamentCancelled: { by: maybe(isText), reason: isText },
};

/** The fields that later versions of events added: none yet. @type {import("../versions.mjs").Added} */
export const ADDED = {};

/** @typedef {typeof FIELDS} Fields */
/**
 * @typedef {{[K in keyof Fields]: import("./fields.mjs").Shaped<Fields[K]>}} Told the data of each event type
 */

/** The latest known version of the tournament rules. */
export const RULES = 1;

/** The reasons of automatic cancellations, as events state them. */
export const REASONS = {
  lapsed: "Nobody has closed entries for a year.",
  tooLate: "Entries were not closed before its time was over.",
  tooFew: "Too few have entered.",
};
