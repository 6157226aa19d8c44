// Gin Rummy in the second verifier, written from domain/games/gin_rummy/proof.md alone.

export function part(kit) {
  const { EACH, NOBODY, OWN, PACK, compare, dealt, firstDealer, must, whole } = kit;

  const seats = [2, 3, 4];

  const types =
    "GameStarted FirstDealerChosen HandStarted HandDealt UpcardTurned UpcardPassed StockDrawn DiscardTaken " +
    "CardDiscarded Knocked LaidOff HandShown HandScored HandVoided HandClosed PointsNetted GameEnded";

  const seals = { HandDealt: { cards: EACH, stock: NOBODY }, StockDrawn: { card: OWN } };

  const deals = { FirstDealerChosen: firstDealer, HandDealt: dealGin, UpcardTurned: upcard };

  const newHand = () => ({ upcards: new Map() });

  function dealGin(table, event) {
    const { seq, data } = event;
    const { pairs } = table.started;
    must(Array.isArray(pairs) && whole(data.table, Math.min(pairs.length, 2)), seq, "There is no such table.");
    const pair = pairs[data.table];
    const isPair = Array.isArray(pair) && pair.length === 2 && pair.every((seat) => whole(seat, table.seats));
    must(isPair && pair[0] !== pair[1], seq, "A pair are two seats.");
    const pack = table.shuffled("deal", data.table, PACK);
    if (!pack) return;
    const empty = Object.fromEntries(Array.from({ length: table.seats }, (_, seat) => [seat, []]));
    compare(event, "cards", { ...empty, ...dealt(pack.slice(0, 20), pair) });
    compare(event, "stock", { table: pack.slice(21) });
    table.upcards.set(data.table, pack[20]);
  }

  function upcard(table, { seq, data }) {
    if (!table.upcards.has(data.table)) return;
    must(data.card === table.upcards.get(data.table), seq, "The upcard is not what the seed gives.");
  }

  return { seats, types, seals, deals, newHand };
}
