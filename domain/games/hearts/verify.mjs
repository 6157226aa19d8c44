// Hearts in the second verifier, written from domain/games/hearts/proof.md alone.

export function part(kit) {
  const { CUT, EACH, OWN, PACK, PLACE, compare, dealt, get, must, round, whole } = kit;

  const seats = [4];

  const types =
    "GameStarted CardCut FirstDealerChosen HandStarted HandDealt PassChosen CardsPassed PassReceived PoolRedealt " +
    "ReturnChosen CardsReturned ReturnReceived TwoOfClubsShown PlayStarted CardPlayed TrickTaken HeartsOpened " +
    "HandScored GameEnded";

  const seals = {
    HandDealt: { cards: EACH }, PassChosen: { cards: OWN }, PassReceived: { cards: OWN },
    ReturnChosen: { card: OWN }, ReturnReceived: { card: OWN },
  };

  const deals = { ...CUT, HandDealt: dealHearts, PassChosen: pass, PoolRedealt: redeal, PassReceived: fromPool };

  const newHand = () => ({ passed: new Map(), pool: null });

  function dealHearts(table, event) {
    const seats = round(table, event.seq);
    const pack = table.shuffled("deal", 0, PACK);
    if (pack) compare(event, "cards", dealt(pack, seats));
  }

  function pass(table, { data, parts }) {
    if (whole(data.seat, table.seats)) table.passed.set(data.seat, get(parts.cards, String(data.seat)));
  }

  function redeal(table, { seq }) {
    const seats = round(table, seq);
    const passed = seats.map((seat) => table.passed.get(seat) ?? null);
    if (passed.includes(null)) return;
    const three = (cards) => Array.isArray(cards) && cards.length === 3 && cards.every((card) => PLACE.has(card));
    must(passed.every(three), seq, "Each seat passes three cards.");
    const pool = table.shuffled("dealer_redeal", 0, passed.flat());
    if (pool) table.pool = dealt(pool, seats);
  }

  function fromPool(table, event) {
    const { seat, from } = event.data;
    if (from !== "pool" || !table.pool || !whole(seat, table.seats)) return;
    compare(event, "cards", { [seat]: table.pool[seat] });
  }

  return { seats, types, seals, deals, newHand };
}
