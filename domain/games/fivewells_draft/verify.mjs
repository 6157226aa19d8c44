// The draft in the second verifier, written from domain/games/fivewells_draft/proof.md alone.

export function part(kit) {
  const { OWN, compare, isSet, must, openBooster, whole } = kit;

  const seats = [2, 3, 4, 5, 6, 7, 8];

  const types =
    "GameStarted HandStarted PackOffered CardPicked LastCardTaken PackKept RoundEnded DeckSubmitted SeatGaveUp GameEnded";

  const seals = {
    PackOffered: { cards: OWN }, CardPicked: { card: OWN }, LastCardTaken: { card: OWN }, PackKept: { cards: OWN }, DeckSubmitted: { deck: OWN },
  };

  const deals = { PackOffered: offered };

  const reveal = "match_end";

  function offered(table, event) {
    const { seat, pick_no: pick } = event.data;
    if (pick !== 1) return;
    const { set, round_no: round } = table.started;
    must(whole(seat, table.seats) && Number.isInteger(round) && round > 0, event.seq, "A pack is opened by a seat, in a round.");
    must(isSet(set), event.seq, "There is no set of this code.");
    const cards = table.drawn(`booster.${seat}`, round - 1, (words) => openBooster(set, words));
    if (cards) compare(event, "cards", { [seat]: cards });
  }

  return { seats, types, seals, deals, reveal };
}
