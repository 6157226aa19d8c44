// Shared by the poker games in the second verifier, written only from domain/poker/proof.md.

import { PACK, compare, dealt, drawnSeat, must, whole } from "./deals.mjs";

export const EVENTS = {
  GameStarted: "game_no", ButtonDrawn: "seat among",
  HandStarted: "hand_no deal_no button small_blind big_blind stacks", HandDealt: "counts cards deck",
  BettingOpened: "round unit current bets", ActionOn: "seat owed", PlayerFolded: "seat", PlayerChecked: "seat",
  PlayerCalled: "seat amount all_in", PlayerBet: "seat to amount all_in", PlayerRaised: "seat to amount all_in",
  BettingReopened: "to by bets", BetsCollected: "pot", BetReturned: "seat amount", PotsFormed: "pots:Pot",
  HandShown: "seat cards category best_five", HandMucked: "seat", PotAwarded: "pot amount winners:Share category",
  HandSettled: "stacks", CardsShown: "seat cards", RebuyMade: "seat stack buy_ins", StacksReset: "stack ledger",
  StacksBrought: "stacks", TableLeft: "seat", PlayerWithdrawn: "seat",
  GameEnded: "totals ranking winners buy_ins ledger prizes reason",
};

export const RECORDS = { Pot: "amount eligible", Share: "seat amount" };

export const reveal = "match_end";

/** Hands may be imported from hand histories. */
export const handHistory = true;

/** @param {import("./deals.mjs").Table} table @param {import("./deals.mjs").Event} event */
export function buttonDrawn(table, event) {
  const { among } = event.data;
  must(Array.isArray(among) && among.every((seat) => whole(seat, table.seats)), event.seq,
    "The button must be drawn from a list of seats.");
  drawnSeat(table, event, "button", among);
}

/**
 * Deal a poker hand; return the deck, or null if unknown.
 * @param {import("./deals.mjs").Table & {held?: Map<number, string[]>}} table
 * @param {import("./deals.mjs").Event} event @param {number} size
 */
export function dealPoker(table, event, size) {
  const { button, stacks } = table.started;
  const sound = Array.isArray(stacks) && stacks.length === table.seats && whole(button, table.seats);
  must(sound, event.seq, "A hand must have a button and stacks.");
  const order = Array.from({ length: table.seats }, (_, i) => (button + 1 + i) % table.seats);
  const seats = order.filter((seat) => stacks[seat] !== 0);
  const pack = table.shuffled("deal", 0, PACK);
  if (!pack) return null;
  const share = size * seats.length;
  const hands = dealt(pack.slice(0, share), seats);
  const empty = Object.fromEntries(order.map((seat) => [seat, []]));
  compare(event, "cards", { ...empty, ...hands }, "The hands");
  compare(event, "deck", { table: pack.slice(share) }, "The cards of the deck");
  table.held = new Map(Object.entries(hands).map(([seat, hand]) => [Number(seat), hand]));
  return pack.slice(share);
}
