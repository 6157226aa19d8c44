// Crazy Eights in the second verifier, written from domain/games/crazy_eights/proof.md alone.

/**
 * @typedef {{type: string, card: string | undefined, depth?: number}} Turned what is turned up, and how deep an eight
 *   is buried
 */
/** @typedef {{due: Turned[], pile: unknown[], before: unknown[], restocks: number}} Own what is kept on the table */
/**
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Event} Event
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Table & Own} Table
 */
/** @typedef {import("../../../api/web/static/past/verify/deals.mjs").Part<Own>} Its */

/** @param {import("../../../api/web/static/past/verify/kit.mjs").Kit} kit @returns {Its} */
export function part(kit) {
  const { EACH, NOBODY, OWN, PACK, isCard, compare, dealt, firstDealer, round, same, sorted, whole } = kit;
  /** @type {typeof kit.must} */
  const must = kit.must;

  const seats = [2, 3, 4, 5, 6, 7, 8, 9, 10];

  const events = {
    GameStarted: "game_no", FirstDealerChosen: "seat how", HandStarted: "hand_no deal_no dealer",
    HandDealt: "counts cards stock", EightBuried: "card depth", StarterTurned: "card stock_count",
    CardPlayed: "seat card declared_suit cards_left", CardDrawn: "seat stock_count card", StockRanOut: "seat",
    Restocked: "stock_count stock", TurnPassed: "seat in_a_row", HandWon: "seat", HandBlocked: "",
    HandScored: "hands payments:Payment points totals ledger:Ledger",
    GameEnded: "totals ranking winners ledger:Ledger reason",
  };

  const records = { Payment: "from to amount", Ledger: "net" };

  const options =
    "packs:1-2 hand_size:5-8 two_player_seven:bool draw_limit:1-10? restock:bool " +
    "blocked_scoring:difference|none|everyone_counts target_score:1-1000? first_dealer:random|pick " +
    "first_dealer_seat:0-9?";

  const seals = { HandDealt: { cards: EACH, stock: NOBODY }, CardDrawn: { card: OWN }, Restocked: { stock: NOBODY } };

  /** @type {Its["deals"]} */
  const deals = {
    FirstDealerChosen: firstDealer, HandDealt: dealEights, EightBuried: turn, StarterTurned: turn,
    CardPlayed: (table, { data }) => { table.before = [...table.pile]; table.pile.push(data.card); },
    TurnPassed: (table) => { table.before = [...table.pile]; },
    MoveTakenBack: (table) => { table.pile = [...table.before]; },
    Restocked: restock,
  };

  const newHand = () => ({ due: [], pile: [], before: [], restocks: 0 });

  /** @param {Table} table @param {Event} event */
  function dealEights(table, event) {
    const seats = round(table, event.seq);
    const { packs, two_player_seven: seven } = table.options;
    let { hand_size: size } = table.options;
    if (table.seats === 2 && seven === true) size = 7;
    must((packs === 1 || packs === 2) && whole(size, 9), event.seq, "This deal is not possible.");
    must(52 * packs - size * table.seats >= 10 * packs, event.seq, "This deal is not possible.");
    const pack = table.shuffled("deal", 0, packs === 2 ? [...PACK, ...PACK] : PACK);
    if (!pack) return;
    const share = size * table.seats;
    compare(event, "cards", dealt(pack.slice(0, share), seats), "The hands");
    compare(event, "stock", { table: pack.slice(share) }, "The cards of the stock");
    table.due = starter(pack.slice(share));
  }

  /** @param {string[]} stock @returns {Turned[]} */
  function starter(stock) {
    const due = [];
    while (stock[0]?.[0] === "8") {
      const eight = stock[0], rest = stock.slice(1);
      const depth = Math.floor(rest.length / 2);
      stock = [...rest.slice(0, depth), eight, ...rest.slice(depth)];
      due.push({ type: "EightBuried", card: eight, depth });
    }
    return [...due, { type: "StarterTurned", card: stock[0] }];
  }

  /** @param {Table} table @param {Event} event */
  function turn(table, { seq, type, data }) {
    const due = table.due.shift();
    if (due) {
      const { card, depth } = data;
      const turned = type === "EightBuried" ? { type, card: card ?? null, depth: depth ?? null }
        : { type, card: card ?? null };
      must(same(turned, due), seq, "The cards turned up do not follow from the seed.");
    }
    if (type === "StarterTurned") table.pile = [data.card];
  }

  /** @param {Table} table @param {Event} event */
  function restock(table, event) {
    const under = table.pile.slice(0, -1);
    must(under.every(isCard), event.seq, "The pile must contain only cards.");
    const once = sorted(new Set(under));
    const twice = [...under];
    for (const card of once) twice.splice(twice.indexOf(card), 1);
    const stock = table.shuffled("restock", table.restocks, [...once, ...sorted(twice)]);
    table.pile = table.pile.slice(-1);
    table.restocks += 1;
    if (stock) compare(event, "stock", { table: stock }, "The cards of the new stock");
  }

  return { seats, events, records, options, seals, deals, newHand };
}
