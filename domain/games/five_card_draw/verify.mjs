// Five-Card Draw in the second verifier, written from domain/games/five_card_draw/proof.md and domain/poker/proof.md alone.

export function part(kit) {
  const { EACH, NOBODY, OWN, PLACE, compare, get, must, sorted, whole } = kit;
  const { TYPES, buttonDrawn, dealPoker } = kit.poker;

  const seats = [2, 3, 4, 5, 6];

  const types = `${TYPES} AntePosted DrawStarted CardsSwapped StockRanOut StockRebuilt DrawCompleted`;

  const seals = {
    HandDealt: { cards: EACH, deck: NOBODY }, CardsSwapped: { discarded: OWN, drawn: OWN },
    StockRanOut: { discarded: OWN }, StockRebuilt: { stock: NOBODY },
  };

  const deals = {
    ButtonDrawn: buttonDrawn, HandDealt: (table, event) => { table.deck = dealPoker(table, event, 5); },
    PlayerFolded: folds, CardsSwapped: swaps, StockRebuilt: newStock,
  };

  const newHand = () => ({ deck: null, held: new Map(), outOfPlay: new Map(), restocks: 0 });

  function folds(table, { data: { seat } }) {
    if (!whole(seat, table.seats)) return;
    const thrown = table.outOfPlay.has(seat) ? table.outOfPlay.get(seat) : [];
    if (thrown) table.outOfPlay.set(seat, [...thrown, ...(table.held.get(seat) ?? [])]);
  }

  function swaps(table, event) {
    const { seat, count } = event.data;
    must(whole(seat, table.seats) && whole(count, 6), event.seq, "There is no such swap.");
    const part = get(event.parts.discarded, String(seat));
    const thrown = Array.isArray(part) && part.every((card) => PLACE.has(card)) ? part : null;
    table.outOfPlay.set(seat, thrown);
    if (!table.deck) return;
    const drawn = table.deck.splice(0, count);
    compare(event, "drawn", { [seat]: drawn });
    if (thrown) table.held.set(seat, [...(table.held.get(seat) ?? []).filter((card) => !thrown.includes(card)), ...drawn]);
  }

  function newStock(table, event) {
    const rows = [...table.outOfPlay.values()];
    const { deck } = table;
    const n = table.restocks;
    Object.assign(table, { deck: null, outOfPlay: new Map(), restocks: n + 1 });
    if (!deck || rows.includes(null)) return;
    const cards = rows.flat();
    must(cards.length === event.data.count, event.seq, "The new stock is not of what is out of play.");
    const stock = table.shuffled("redeal", n, sorted(cards));
    if (!stock) return;
    compare(event, "stock", { table: stock });
    table.deck = [...deck, ...stock];
  }

  return { seats, types, seals, deals, newHand, handHistory: kit.poker.handHistory, reveal: kit.poker.reveal };
}
