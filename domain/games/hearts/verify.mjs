// Hearts in the second verifier, written from domain/games/hearts/proof.md alone.

/** @typedef {{passed: Map<number, unknown>, pool: Record<string, string[]> | null}} Own what is kept on the table */
/**
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Event} Event
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Table & Own} Table
 */
/** @typedef {import("../../../api/web/static/past/verify/deals.mjs").Part<Own>} Its */

/** @param {import("../../../api/web/static/past/verify/kit.mjs").Kit} kit @returns {Its} */
export function part(kit) {
  const { CUT, EACH, OWN, PACK, isCard, compare, dealt, get, round, whole } = kit;
  /** @type {typeof kit.must} */
  const must = kit.must;

  const seats = [4];

  const events = {
    GameStarted: "game_no", CardCut: "seat card", FirstDealerChosen: "seat how",
    HandStarted: "hand_no deal_no dealer pass", HandDealt: "counts cards", PassChosen: "seat cards",
    CardsPassed: "direction", PassReceived: "seat from cards", PoolRedealt: "", ReturnChosen: "seat card",
    CardsReturned: "", ReturnReceived: "seat from card", TwoOfClubsShown: "seat", PlayStarted: "leader",
    CardPlayed: "seat card trick_no", TrickTaken: "trick_no winner cards", HeartsOpened: "after_trick",
    HandScored: "taken:Taken moon points totals", GameEnded: "totals ranking winners reason",
  };

  const records = { Taken: "hearts queen jack card_points" };

  const options =
    "variant variant_index:1-256? first_dealer:cut|pick|random first_dealer_seat:0-3? target_score:1-1000 " +
    "tie_break:share|extra_hand jack_of_diamonds:bool moon_jack:required|ignored|bonus " +
    "moon_style:others_plus|shooter_minus history:full|last_trick";

  const seals = {
    HandDealt: { cards: EACH }, PassChosen: { cards: OWN }, PassReceived: { cards: OWN },
    ReturnChosen: { card: OWN }, ReturnReceived: { card: OWN },
  };

  /** @type {Its["deals"]} */
  const deals = { ...CUT, HandDealt: dealHearts, PassChosen: pass, PoolRedealt: redeal, PassReceived: fromPool };

  const newHand = () => ({ passed: new Map(), pool: null });

  /** @param {Table} table @param {Event} event */
  function dealHearts(table, event) {
    const seats = round(table, event.seq);
    const pack = table.shuffled("deal", 0, PACK);
    if (pack) compare(event, "cards", dealt(pack, seats), "The hands");
  }

  /** @param {Table} table @param {Event} event */
  function pass(table, { data, parts }) {
    if (whole(data.seat, table.seats)) table.passed.set(data.seat, get(parts.cards, String(data.seat)));
  }

  /** @param {Table} table @param {Event} event */
  function redeal(table, { seq }) {
    const seats = round(table, seq);
    const passed = seats.map((seat) => table.passed.get(seat) ?? null);
    if (passed.includes(null)) return;
    /** @param {unknown} cards @returns {cards is string[]} */
    const three = (cards) => Array.isArray(cards) && cards.length === 3 && cards.every(isCard);
    must(passed.every(three), seq, "Each seat must pass three cards.");
    const pool = table.shuffled("dealer_redeal", 0, passed.flat());
    if (pool) table.pool = dealt(pool, seats);
  }

  /** @param {Table} table @param {Event} event */
  function fromPool(table, event) {
    const { seat, from } = event.data;
    if (from !== "pool" || !table.pool || !whole(seat, table.seats)) return;
    compare(event, "cards", { [seat]: table.pool[seat] }, "The cards from the pool");
  }

  return { seats, events, records, options, seals, deals, newHand };
}
