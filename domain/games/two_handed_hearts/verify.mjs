// Two-Handed Hearts in the second verifier, written from domain/games/two_handed_hearts/proof.md alone.

/**
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Event} Event
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Table} Table
 */
/** @typedef {import("../../../api/web/static/past/verify/deals.mjs").Part<object>} Its */

/** @param {import("../../../api/web/static/past/verify/kit.mjs").Kit} kit @returns {Its} */
export function part(kit) {
  const { CUT, EACH, NOBODY, OWN, PACK, compare, dealt, round } = kit;

  const seats = [2];

  const events = {
    GameStarted: "game_no", CardCut: "seat card", FirstDealerChosen: "seat how",
    HandStarted: "hand_no deal_no dealer", HandDealt: "counts cards stock",
    StockDrawn: "seat draw_no stock_left card", HandReplenished: "seat draw_no stock_left card",
    DrawnCardKept: "seat discarded", DrawnCardRejected: "seat", DrawingCompleted: "leader",
    CardPlayed: "seat card trick_no", TrickTaken: "trick_no winner cards", ClaimingStarted: "", ClaimPassed: "seat",
    ClaimRejected: "by trick_no accused", RevokeFound: "seat trick_no card held by",
    HandScored: "taken:Taken waste_count moon revokes points totals", GameEnded: "totals ranking winners reason",
  };

  const records = { Taken: "hearts queen jack card_points" };

  const options =
    "mode:draw|replenish jack_of_diamonds:bool moon:all_in_play|all_fourteen|off revoke_mode:refuse|honour " +
    "revoke_detection:automatic|claim target_score:1-1000 tie_break:draw|extra_hand max_hands:0-1000";

  const seals = {
    HandDealt: { cards: EACH, stock: NOBODY }, StockDrawn: { card: OWN }, HandReplenished: { card: OWN },
    DrawnCardKept: { discarded: OWN },
  };

  /** @type {Its["deals"]} */
  const deals = { ...CUT, HandDealt: dealTwoHanded };

  /** @param {Table} table @param {Event} event */
  function dealTwoHanded(table, event) {
    const seats = round(table, event.seq);
    const pack = table.shuffled("deal", 0, PACK);
    if (!pack) return;
    compare(event, "cards", dealt(pack.slice(0, 26), seats), "The hands");
    compare(event, "stock", { table: pack.slice(26) }, "The cards of the stock");
  }

  return { seats, events, records, options, seals, deals };
}
