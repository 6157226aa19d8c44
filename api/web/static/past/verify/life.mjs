/** Lists the events that all matches have, with their seals and versions (docs/proof.md, the last section). */

import { OWN } from "./deals.mjs";

/**
 * @type {{types: string, options: string, seals: Record<string, Record<string, import("./deals.mjs").Readers>>,
 *   later: Record<string, string[]>,
 *   third: Record<string, string[]>, laterOfClocks: string[]}}
 */
export const LIFE = {
  types:
    "MatchCreated FairnessCommitted StacksArrived SeatTaken KeyProved SeatLeft NoncesAwaited NonceCommitted " +
    "NonceSubmitted " +
    "NoncesClosed CommitmentsShared CommitmentsAborted DealsShared MatchStarted AllTablesOver SeedRevealed " +
    "DecisionRequested DecisionTimedOut ClockCredited BankSpent ClockStopped UndoKept UndoLost SeatResigned " +
    "SeatHandedToBot SeatTakenBack DrawOffered DrawAccepted DrawDeclined TakeBackRequested TakeBackGranted " +
    "TakeBackRefused MoveTakenBack MoveSigned CauseSealed HandContinued GameWon StacksLeft MatchEnded MatchAnnulled",
  options:
    "fairness_reveal nonce_commit nonce_seconds pause_between_hands on_resign take_backs standing_orders rated " +
    "least_rating most_rating seats_per_player",
  seals: { MoveSigned: { move: OWN, signature: OWN }, CauseSealed: { true_cause: OWN } },
  // The fields that a type had from its second version on.
  later: {
    MatchCreated: ["deal_group", "deal_known"], StacksArrived: [], SeatTaken: ["player_key"],
    DecisionRequested: ["opened"], BankSpent: ["moves"],
    NoncesAwaited: ["credited"], DecisionTimedOut: ["defaults"], MoveTakenBack: ["deadlines"], GameWon: ["scores"],
  },
  // The fields that a type had from its third version on.
  third: { MatchCreated: ["tournament"] },
  laterOfClocks: [
    "kind", "increment_seconds", "cap_seconds", "period_seconds", "periods", "period_moves", "minor_seconds",
    "grace_seconds",
    "days_off", "time_zone", "vacation",
  ],
};

export const OF_LIFE = new Set(LIFE.types.split(" "));
