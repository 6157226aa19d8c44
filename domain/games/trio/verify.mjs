// Trio in the second verifier, written from domain/games/trio/proof.md alone.

/** @typedef {{avocados: Map<number, string>}} Own what is kept on the table */
/**
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Event} Event
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Table & Own} Table
 */
/** @typedef {import("../../../api/web/static/past/verify/deals.mjs").Part<Own>} Its */

/** @param {import("../../../api/web/static/past/verify/kit.mjs").Kit} kit @returns {Its} */
export function part(kit) {
  const { ALL, EACH, NOBODY, OWN, compare, dealt, drawnSeat, isText, whole } = kit;
  /** @type {typeof kit.must} */
  const must = kit.must;

  const seats = [3, 4, 5, 6];

  const events = {
    AvocadoRemembered: "seat eaten_at", GameStarted: "game_no cards_each middle_count",
    AvocadoStated: "seat eaten_at", FirstPlayerChosen: "seat how", HandStarted: "hand_no", HandDealt: "cards middle",
    SwapWindowOpened: "reason teams", SwapAnswered: "seat card answer", SwapMade: "team gave got",
    SwapNotMade: "team", SwapWindowClosed: "", CardRevealed: "by source:Source number nth turn_no",
    RevealsReturned: "sources:Source", TrioCompleted: "seat team number sources:Source",
    GameEnded: "winner by trios ranking winners",
  };

  const records = { Source: "kind seat? end? position?" };

  const options =
    "mode:simple|spicy teams:bool first_player:avocado|random|pick first_player_seat:0-5? memory:table|open|strict " +
    "swap_seconds:0-2592000 max_turns:1-10000 chat_for_teams:bool";

  const seals = {
    AvocadoRemembered: { eaten_at: OWN }, HandDealt: { cards: EACH, middle: NOBODY },
    SwapAnswered: { card: OWN, answer: OWN },
    SwapMade: { gave: EACH, got: EACH }, CardRevealed: { number: ALL },
  };

  /** @type {Its["deals"]} */
  const deals = { AvocadoStated: avocado, FirstPlayerChosen: firstPlayer, HandDealt: dealTrio };

  const reveal = "game_end";

  const brought = ["AvocadoRemembered"];

  const newGame = () => ({ avocados: new Map() });

  const TRIO_PACK = Array.from({ length: 36 }, (_, i) => Math.floor(i / 3) + 1);

  /** @param {Table} table @param {Event} event */
  function firstPlayer(table, event) {
    if (event.data.how !== "random") return;
    const latest = [...table.avocados.values()].sort().at(-1);
    const seats = [...Array(table.seats).keys()];
    drawnSeat(table, event, "first_player", seats.filter((seat) => table.avocados.get(seat) === latest));
  }

  /** @param {Table} table @param {Event} event */
  function avocado(table, { seq, data }) {
    must(whole(data.seat, table.seats) && isText(data.eaten_at), seq, "An avocado must have a seat and a time.");
    table.avocados.set(data.seat, data.eaten_at);
  }

  /** @param {Table} table @param {Event} event */
  function dealTrio(table, event) {
    /** @type {Record<number, number>} */
    const shares = table.options.teams === true ? { 4: 9, 6: 6 } : { 3: 9, 4: 7, 5: 6, 6: 5 };
    const each = shares[table.seats];
    must(each, event.seq, "The game does not allow this number of seats.");
    const pack = table.shuffled("deal", 0, TRIO_PACK);
    if (!pack) return;
    const share = each * table.seats;
    compare(event, "cards", dealt(pack.slice(0, share), [...Array(table.seats).keys()]), "The hands");
    compare(event, "middle", { table: pack.slice(share) }, "The cards in the middle");
  }

  return { seats, events, records, options, seals, deals, reveal, brought, newGame };
}
