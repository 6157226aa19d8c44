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

  const types =
    "GameStarted FirstDealerChosen HandStarted HandDealt EightBuried StarterTurned CardPlayed CardDrawn StockRanOut " +
    "Restocked TurnPassed HandWon HandBlocked HandScored GameEnded";

  const options =
    "packs hand_size two_player_seven draw_limit restock blocked_scoring target_score first_dealer " +
    "first_dealer_seat";

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
    const { packs = 1, two_player_seven: seven } = table.options;
    let { hand_size: size = 5 } = table.options;
    if (table.seats === 2 && seven === true) size = 7;
    must((packs === 1 || packs === 2) && whole(size, 9), event.seq, "No such deal is possible.");
    must(52 * packs - size * table.seats >= 10 * packs, event.seq, "No such deal is possible.");
    const pack = table.shuffled("deal", 0, packs === 2 ? [...PACK, ...PACK] : PACK);
    if (!pack) return;
    const share = size * table.seats;
    compare(event, "cards", dealt(pack.slice(0, share), seats));
    compare(event, "stock", { table: pack.slice(share) });
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
      must(same(turned, due), seq, "What is turned is not what the seed gives.");
    }
    if (type === "StarterTurned") table.pile = [data.card];
  }

  /** @param {Table} table @param {Event} event */
  function restock(table, event) {
    const under = table.pile.slice(0, -1);
    must(under.every(isCard), event.seq, "What is on the pile are not cards.");
    const once = sorted(new Set(under));
    const twice = [...under];
    for (const card of once) twice.splice(twice.indexOf(card), 1);
    const stock = table.shuffled("restock", table.restocks, [...once, ...sorted(twice)]);
    table.pile = table.pile.slice(-1);
    table.restocks += 1;
    if (stock) compare(event, "stock", { table: stock });
  }

  return { seats, types, options, seals, deals, newHand };
}
