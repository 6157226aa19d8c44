/** Lists the events common to all matches, with their seals and versions (docs/proof.md, last section). */

import { OWN } from "./deals.mjs";

/**
 * @type {{events: Record<string, string>, records: Record<string, string>, options: string,
 *   seals: Record<string, Record<string, import("./deals.mjs").Readers>>, added: import("./versions.mjs").Added}}
 *   `events` has the fields of each type, `records` those of the objects in them, as in a game's part; `added` has the
 *   fields added by later versions: none yet
 */
export const LIFE = {
  events: {
    MatchCreated: "game rules options preset seats:SeatPlan visibility clock:Clock series:Series creator " +
      "deal_group:DealGroup deal_known:DealKnown tournament:TournamentTable",
    SeatTaken: "seat player player_key", KeyProved: "seat signature", SeatLeft: "seat",
    MatchStarted: "options seats:Sitting nonces", FairnessCommitted: "scheme epoch links commitment",
    NoncesAwaited: "epoch stage until credited", NonceCommitted: "seat epoch hash",
    NonceSubmitted: "seat epoch nonce", NoncesClosed: "epoch stage", SeedRevealed: "epoch link seed hand_no hand_key",
    CommitmentsShared: "hashes", DealsShared: "nonces", AllTablesOver: "", StacksArrived: "stakes:TableStakes",
    StacksLeft: "stacks:LeavingStack", SeatResigned: "seat whole_match", SeatHandedToBot: "seat",
    SeatTakenBack: "seat", DrawOffered: "seat", DrawAccepted: "seat", DrawDeclined: "seat",
    DecisionRequested: "seat decision deadline opened", ClockCredited: "seat seconds why deadline",
    BankSpent: "seat left moves", DecisionTimedOut: "seat decision defaults", HandContinued: "seat",
    UndoKept: "seat left", UndoLost: "", TakeBackRequested: "seat", TakeBackGranted: "seat", TakeBackRefused: "seat",
    MoveTakenBack: "seat deadlines", MoveSigned: "seat move signature", CauseSealed: "seat true_cause",
    GameWon: "winner scores", MatchEnded: "result:Result reason", CommitmentsAborted: "seats", MatchStopped: "reason",
    MatchAnnulled: "reason",
  },
  records: {
    SeatPlan: "kind level? player?",
    Clock: "per_decision_seconds bank_seconds on_expiry max_defaults kind increment_seconds cap_seconds " +
      "period_seconds periods period_moves minor_seconds grace_seconds days_off time_zone vacation",
    Series: "best_of", DealGroup: "id table tables", DealKnown: "match hand_no deals:KnownDeals",
    TournamentTable: "id round table attempt", Sitting: "seat kind player level",
    TableStakes: "stacks hands_before hands last_gone timed_from?", LeavingStack: "seat stack hand before",
    Result: "winners places wins scores", KnownDeals: "match epoch link links nonces",
  },
  options:
    "fairness_reveal:hand_end|game_end|match_end|never? nonce_commit:bool nonce_seconds:0-2592000 " +
    "pause_between_hands:bool on_resign:bot|end take_backs:bool standing_orders:bool rated:bool " +
    "least_rating:0-10000? most_rating:0-10000? seats_per_player:1-99?",
  seals: { MoveSigned: { move: OWN, signature: OWN }, CauseSealed: { true_cause: OWN } },
  added: {},
};

export const OF_LIFE = new Set(Object.keys(LIFE.events));
