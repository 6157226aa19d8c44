// Texas Hold'em in the second verifier, written from domain/games/holdem/proof.md and domain/poker/proof.md alone.

export function part(kit) {
  const { EACH, NOBODY, must, same } = kit;
  const { TYPES, buttonDrawn, dealPoker } = kit.poker;

  const seats = [2, 3, 4, 5, 6, 7, 8, 9, 10];

  const types =
    `${TYPES} BlindPosted BigBlindAntePosted BoardDealt LevelsTimed LevelRaised PlayerEliminated TableResumed`;

  const seals = { HandDealt: { cards: EACH, deck: NOBODY } };

  const deals = { ButtonDrawn: buttonDrawn, HandDealt: dealHoldem, BoardDealt: board };

  const newHand = () => ({ due: [] });

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

  return { seats, types, seals, deals, newHand, handHistory: kit.poker.handHistory, reveal: kit.poker.reveal };
}
