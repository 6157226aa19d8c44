/** Lists the events that all matches have, with their seals and versions (docs/proof.md, the last section). */

import { OWN } from "./deals.mjs";

/**
 * @type {{types: string, options: string, seals: Record<string, Record<string, import("./deals.mjs").Readers>>,
 *   added: import("./versions.mjs").Added}} `added` is what later versions of events added: nothing yet
 */
export const LIFE = {
  types:
    "MatchCreated FairnessCommitted StacksArrived SeatTaken KeyProved SeatLeft NoncesAwaited NonceCommitted " +
    "NonceSubmitted " +
    "NoncesClosed CommitmentsShared CommitmentsAborted DealsShared MatchStarted AllTablesOver SeedRevealed " +
    "DecisionRequested DecisionTimedOut ClockCredited BankSpent UndoKept UndoLost SeatResigned " +
    "SeatHandedToBot SeatTakenBack DrawOffered DrawAccepted DrawDeclined TakeBackRequested TakeBackGranted " +
    "TakeBackRefused MoveTakenBack MoveSigned CauseSealed HandContinued GameWon StacksLeft MatchEnded MatchAnnulled",
  options:
    "fairness_reveal nonce_commit nonce_seconds pause_between_hands on_resign take_backs standing_orders rated " +
    "least_rating most_rating seats_per_player",
  seals: { MoveSigned: { move: OWN, signature: OWN }, CauseSealed: { true_cause: OWN } },
  added: {},
};

export const OF_LIFE = new Set(LIFE.types.split(" "));
