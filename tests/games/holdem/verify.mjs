// Texas Hold'em in the second verifier, written from domain/games/holdem/proof.md and domain/poker/proof.md alone.

import { TYPES, buttonDrawn, dealPoker } from "../../poker/verify.mjs";
import { EACH, NOBODY, must, same } from "../../proof/deals.mjs";

export { handHistory, reveal } from "../../poker/verify.mjs";

export const seats = [2, 3, 4, 5, 6, 7, 8, 9, 10];

export const types =
  `${TYPES} BlindPosted BigBlindAntePosted BoardDealt LevelsTimed LevelRaised PlayerEliminated`;

export const seals = { HandDealt: { cards: EACH, deck: NOBODY } };

export const deals = { ButtonDrawn: buttonDrawn, HandDealt: dealHoldem, BoardDealt: board };

export const newHand = () => ({ due: [] });

function dealHoldem(table, event) {
  const deck = dealPoker(table, event, 2);
  if (!deck) return;
  table.due = [
    { street: "flop", cards: deck.slice(1, 4) }, { street: "turn", cards: [deck[5]] }, { street: "river", cards: [deck[7]] },
  ];
}

function board(table, { seq, data }) {
  const due = table.due.shift();
  if (!due) return;
  must(same({ street: data.street ?? null, cards: data.cards ?? null }, due), seq, "The board is not what the seed gives.");
}
