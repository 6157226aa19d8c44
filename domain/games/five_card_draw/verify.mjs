// Five-Card Draw in the second verifier, written from domain/games/five_card_draw/proof.md and domain/poker/proof.md
// alone.

/**
 * @typedef {{deck: string[] | null, held: Map<number, string[]>, outOfPlay: Map<number, string[] | null>,
 *   restocks: number}} Own what is kept on the table
 */
/**
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Event} Event
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Table & Own} Table
 */
/** @typedef {import("../../../api/web/static/past/verify/deals.mjs").Part<Own>} Its */

/** @param {import("../../../api/web/static/past/verify/kit.mjs").Kit} kit @returns {Its} */
export function part(kit) {
  const { EACH, NOBODY, OWN, isCard, compare, get, sorted, whole } = kit;
  /** @type {typeof kit.must} */
  const must = kit.must;
  const { EVENTS, RECORDS: records, buttonDrawn, dealPoker } = kit.poker;

  const seats = [2, 3, 4, 5, 6];

  const events = {
    ...EVENTS,
    AntePosted: "seat amount all_in", DrawStarted: "", CardsSwapped: "seat count discarded drawn",
    StockRanOut: "seat count discarded", StockRebuilt: "count stock", DrawCompleted: "",
  };

  const options =
    "format:cash structure:no_limit|fixed_limit ante:1-1000000 small_bet:1-1000000 big_bet:1-1000000 " +
    "min_bet:1-1000000 raise_cap:1-100 max_swap:0-5 starting_stack:1-1000000 hands:1-1000 " +
    "rebuy:on_bust|each_hand|never show_all:bool show_all_in:bool";

  const seals = {
    HandDealt: { cards: EACH, deck: NOBODY }, CardsSwapped: { discarded: OWN, drawn: OWN },
    StockRanOut: { discarded: OWN }, StockRebuilt: { stock: NOBODY },
  };

  /** @type {Its["deals"]} */
  const deals = {
    ButtonDrawn: buttonDrawn, HandDealt: (table, event) => { table.deck = dealPoker(table, event, 5); },
    PlayerFolded: folds, CardsSwapped: swaps, StockRebuilt: newStock,
  };

  const newHand = () => ({ deck: null, held: new Map(), outOfPlay: new Map(), restocks: 0 });

  /** @param {Table} table @param {Event} event */
  function folds(table, { data: { seat } }) {
    if (!whole(seat, table.seats)) return;
    const thrown = table.outOfPlay.has(seat) ? table.outOfPlay.get(seat) : [];
    if (thrown) table.outOfPlay.set(seat, [...thrown, ...(table.held.get(seat) ?? [])]);
  }

  /** @param {Table} table @param {Event} event */
  function swaps(table, event) {
    const { seat, count } = event.data;
    must(whole(seat, table.seats) && whole(count, 6), event.seq, "The exchange is invalid.");
    const part = get(event.parts.discarded, String(seat));
    const thrown = Array.isArray(part) && part.every(isCard) ? part : null;
    table.outOfPlay.set(seat, thrown);
    if (!table.deck) return;
    const drawn = table.deck.splice(0, count);
    compare(event, "drawn", { [seat]: drawn }, "The cards drawn");
    if (thrown) table.held.set(seat,
      [...(table.held.get(seat) ?? []).filter((card) => !thrown.includes(card)), ...drawn]);
  }

  /** @param {Table} table @param {Event} event */
  function newStock(table, event) {
    const rows = [...table.outOfPlay.values()];
    const { deck } = table;
    const n = table.restocks;
    Object.assign(table, { deck: null, outOfPlay: new Map(), restocks: n + 1 });
    const cards = rows.flatMap((row) => row ?? []);
    if (!deck || rows.includes(null)) return;
    must(cards.length === event.data.count, event.seq, "The new stock must be made of the cards out of play.");
    const stock = table.shuffled("redeal", n, sorted(cards));
    if (!stock) return;
    compare(event, "stock", { table: stock }, "The cards of the new stock");
    table.deck = [...deck, ...stock];
  }

  const { handHistory, reveal } = kit.poker;
  return { seats, events, records, options, seals, deals, newHand, handHistory, reveal };
}
