// Gin Rummy in the second verifier, written from domain/games/gin_rummy/proof.md alone.

/** @typedef {{upcards: Map<unknown, string | undefined>}} Own what is kept on the table */
/**
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Event} Event
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Table & Own} Table
 */
/** @typedef {import("../../../api/web/static/past/verify/deals.mjs").Part<Own>} Its */

/** @param {import("../../../api/web/static/past/verify/kit.mjs").Kit} kit @returns {Its} */
export function part(kit) {
  const { EACH, NOBODY, OWN, PACK, compare, dealt, firstDealer, whole } = kit;
  /** @type {typeof kit.must} */
  const must = kit.must;

  const seats = [2, 3, 4];

  const events = {
    GameStarted: "game_no", FirstDealerChosen: "seat how", HandStarted: "hand_no deal_no dealer pairs",
    HandDealt: "table counts cards stock", UpcardTurned: "table card", UpcardPassed: "seat",
    StockDrawn: "seat stock_count card", DiscardTaken: "seat card upcard", CardDiscarded: "seat card",
    Knocked: "seat discard melds deadwood value gin", LaidOff: "seat melds layoffs:LaidCard deadwood value",
    HandShown: "seat melds deadwood value", HandScored: "table kind knocker defender values points totals boxes",
    HandVoided: "table stock_count", HandClosed: "hand_no", PointsNetted: "points totals boxes",
    GameEnded: "totals ranking winners boxes margins reason",
  };

  const records = { LaidCard: "card meld" };

  const options =
    "players:2-4? target_score:10-1000? knock_limit:0-10 gin_bonus:0-1000 undercut:bonus|difference|signed " +
    "undercut_bonus:0-1000 rediscard_taken:bool big_gin_bonus:0-1000? stock_floor:0-10 " +
    "next_dealer:alternate|winner|loser game_bonus:0-1000 box_bonus:0-1000 max_pile_takes:1-1000";

  const seals = { HandDealt: { cards: EACH, stock: NOBODY }, StockDrawn: { card: OWN } };

  /** @type {Its["deals"]} */
  const deals = { FirstDealerChosen: firstDealer, HandDealt: dealGin, UpcardTurned: upcard };

  const newHand = () => ({ upcards: new Map() });

  /** @param {Table} table @param {Event} event */
  function dealGin(table, event) {
    const { seq, data } = event;
    const { pairs } = table.started;
    /** @param {unknown} seat @returns {seat is number} */
    const isSeat = (seat) => whole(seat, table.seats);
    const number = data.table;
    must(Array.isArray(pairs) && whole(number, Math.min(pairs.length, 2)), seq, "There is no such table.");
    /** @type {unknown} */
    const pair = pairs[number];
    must(Array.isArray(pair) && pair.length === 2 && pair.every(isSeat), seq, "A pair must be two different seats.");
    must(pair[0] !== pair[1], seq, "A pair must be two different seats.");
    const pack = table.shuffled("deal", number, PACK);
    if (!pack) return;
    /** @type {Record<string, string[]>} */
    const empty = Object.fromEntries(Array.from({ length: table.seats }, (_, seat) => [seat, []]));
    compare(event, "cards", { ...empty, ...dealt(pack.slice(0, 20), pair) }, "The hands");
    compare(event, "stock", { table: pack.slice(21) }, "The cards of the stock");
    table.upcards.set(number, pack[20]);
  }

  /** @param {Table} table @param {Event} event */
  function upcard(table, { seq, data }) {
    if (!table.upcards.has(data.table)) return;
    must(data.card === table.upcards.get(data.table), seq, "The upcard does not follow from the seed.");
  }

  return { seats, events, records, options, seals, deals, newHand };
}
