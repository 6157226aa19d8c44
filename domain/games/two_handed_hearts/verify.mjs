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

  const types =
    "GameStarted CardCut FirstDealerChosen HandStarted HandDealt StockDrawn HandReplenished DrawnCardKept " +
    "DrawnCardRejected DrawingCompleted CardPlayed TrickTaken ClaimingStarted ClaimPassed ClaimRejected RevokeFound " +
    "HandScored GameEnded";

  const options = "mode jack_of_diamonds moon revoke_mode revoke_detection target_score tie_break max_hands";

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
    compare(event, "cards", dealt(pack.slice(0, 26), seats));
    compare(event, "stock", { table: pack.slice(26) });
  }

  return { seats, types, options, seals, deals };
}
