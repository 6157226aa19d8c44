// The draft in the second verifier, written from domain/games/fivewells_draft/proof.md alone.

/**
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Event} Event
 * @typedef {import("../../../api/web/static/past/verify/deals.mjs").Table} Table
 */
/** @typedef {import("../../../api/web/static/past/verify/deals.mjs").Part<object>} Its */

/** @param {import("../../../api/web/static/past/verify/kit.mjs").Kit} kit @returns {Its} */
export function part(kit) {
  const { OWN, compare, isSet, openBooster, whole } = kit;
  /** @type {typeof kit.must} */
  const must = kit.must;

  const seats = [2, 3, 4, 5, 6, 7, 8];

  const events = {
    GameStarted: "game_no", HandStarted: "hand_no round_no set direction", PackOffered: "seat pick_no count cards",
    CardPicked: "seat how card", LastCardTaken: "seat pick_no card", PackKept: "seat count cards",
    RoundEnded: "hand_no", DeckSubmitted: "seat main sideboard how deck:Deck", SeatGaveUp: "seat",
    GameEnded: "reason gave_up",
  };

  const records = { Deck: "main sideboard" };

  const options =
    "packs passing:bool";

  const seals = {
    PackOffered: { cards: OWN }, CardPicked: { card: OWN }, LastCardTaken: { card: OWN }, PackKept: { cards: OWN },
    DeckSubmitted: { deck: OWN },
  };

  /** @type {Its["deals"]} */
  const deals = { PackOffered: offered };

  const reveal = "match_end";

  const gained = ["DeckSubmitted"];

  /** @param {Table} table @param {Event} event */
  function offered(table, event) {
    const { seat, pick_no: pick } = event.data;
    if (pick !== 1) return;
    const { set, round_no: round } = table.started;
    must(whole(seat, table.seats) && whole(round, Infinity) && round > 0, event.seq,
      "A pack must be opened by a seat in a round.");
    must(isSet(set), event.seq, "There is no set with this code.");
    const cards = table.drawn(`booster.${seat}`, round - 1, (words) => openBooster(set, words));
    if (cards) compare(event, "cards", { [seat]: cards }, "The cards of the pack");
  }

  return { seats, events, records, options, seals, deals, reveal, gained };
}
