// Texas Hold'em in the second verifier, written from domain/games/holdem/proof.md and domain/poker/proof.md alone.

/** @typedef {{due: {street: string, cards: (string | undefined)[]}[]}} Own what is kept on the table */
/**
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Event} Event
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Table & Own} Table
 */
/** @typedef {import("../../../api/web/static/past/verify/deals.mjs").Part<Own>} Its */

/** @param {import("../../../api/web/static/past/verify/kit.mjs").Kit} kit @returns {Its} */
export function part(kit) {
  const { EACH, NOBODY, same } = kit;
  /** @type {typeof kit.must} */
  const must = kit.must;
  const { TYPES, buttonDrawn, dealPoker } = kit.poker;

  const seats = [2, 3, 4, 5, 6, 7, 8, 9, 10];

  const types =
    `${TYPES} BlindPosted BigBlindAntePosted BoardDealt LevelsTimed LevelRaised PlayerEliminated TableResumed`;

  const options =
    "format small_blind big_blind ante ante_mode starting_stack hands rebuy hands_per_level minutes_per_level " +
    "show_all show_all_in";

  const seals = { HandDealt: { cards: EACH, deck: NOBODY } };

  /** @type {Its["deals"]} */
  const deals = { ButtonDrawn: buttonDrawn, HandDealt: dealHoldem, BoardDealt: board };

  const newHand = () => ({ due: [] });

  /** @param {Table} table @param {Event} event */
  function dealHoldem(table, event) {
    const deck = dealPoker(table, event, 2);
    if (!deck) return;
    table.due = [
      { street: "flop", cards: deck.slice(1, 4) }, { street: "turn", cards: [deck[5]] },
      { street: "river", cards: [deck[7]] },
    ];
  }

  /** @param {Table} table @param {Event} event */
  function board(table, { seq, data }) {
    const due = table.due.shift();
    if (!due) return;
    must(same({ street: data.street ?? null, cards: data.cards ?? null }, due), seq,
      "The board is not what the seed gives.");
  }

  return { seats, types, options, seals, deals, newHand, handHistory: kit.poker.handHistory, reveal: kit.poker.reveal };
}
