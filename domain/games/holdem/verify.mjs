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
  const { EVENTS, RECORDS: records, buttonDrawn, dealPoker } = kit.poker;

  const seats = [2, 3, 4, 5, 6, 7, 8, 9, 10];

  const events = {
    ...EVENTS,
    BlindPosted: "seat kind amount all_in", BigBlindAntePosted: "seat amount all_in", BoardDealt: "street cards",
    LevelsTimed: "at", LevelRaised: "level small big ante", PlayerEliminated: "seat place chips",
    TableResumed: "stacks deal_no until level small big ante button small_blind big_blind big_gone",
  };

  const options =
    "format:cash|sng small_blind:1-1000000 big_blind:1-1000000 ante:0-1000000 ante_mode:each|big_blind " +
    "starting_stack:1-1000000? hands:1-1000 rebuy:on_bust|each_hand|never hands_per_level:1-1000 " +
    "minutes_per_level:0-10080 show_all:bool show_all_in:bool";

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
      "The cards turned up do not follow from the seed.");
  }

  const { handHistory, reveal } = kit.poker;
  return { seats, events, records, options, seals, deals, newHand, handHistory, reveal };
}
