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

  const types =
    "GameStarted FirstDealerChosen HandStarted HandDealt UpcardTurned UpcardPassed StockDrawn DiscardTaken " +
    "CardDiscarded Knocked LaidOff HandShown HandScored HandVoided HandClosed PointsNetted GameEnded";

  const options =
    "players target_score knock_limit gin_bonus undercut undercut_bonus rediscard_taken big_gin_bonus " +
    "stock_floor next_dealer game_bonus box_bonus max_pile_takes";

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
    must(Array.isArray(pair) && pair.length === 2 && pair.every(isSeat), seq, "A pair are two seats.");
    must(pair[0] !== pair[1], seq, "A pair are two seats.");
    const pack = table.shuffled("deal", number, PACK);
    if (!pack) return;
    /** @type {Record<string, string[]>} */
    const empty = Object.fromEntries(Array.from({ length: table.seats }, (_, seat) => [seat, []]));
    compare(event, "cards", { ...empty, ...dealt(pack.slice(0, 20), pair) });
    compare(event, "stock", { table: pack.slice(21) });
    table.upcards.set(number, pack[20]);
  }

  /** @param {Table} table @param {Event} event */
  function upcard(table, { seq, data }) {
    if (!table.upcards.has(data.table)) return;
    must(data.card === table.upcards.get(data.table), seq, "The upcard is not what the seed gives.");
  }

  return { seats, types, options, seals, deals, newHand };
}
