/** The referee of Five-Card Draw, written from its rulebook and that of poker. Numbers in brackets are its sections. */

import { PACK, alike, at, chance, combinations, due, fact, perSeat, range, same, sorted,
  without } from "../../../api/web/static/past/verify/referee_kit.ts";
import { refereeOf } from "../../../api/web/static/past/verify/referee_play.ts";
import type { Play } from "../../../api/web/static/past/verify/referee_play.ts";
import type { Fact, Fields } from "../../../api/web/static/past/verify/referee.ts";
import { OF_MOVE, award, bet, endGame, formPots, isAllIn, isBettingOver, isContested, judgeMeanwhile, newTable,
  playGame, post, resign, showAll, showdown, standardBet, standingOf, takeMeanwhile, viewOf }
  from "../../poker/referee.ts";
import type { Table, Variant } from "../../poker/referee.ts";

const stackOf = (options: Fields) => Number(options.starting_stack);
const unitOf = ({ options }: Table, name: "small_bet" | "big_bet"): number =>
  Number(options.structure === "fixed_limit" ? options[name] : options.min_bet);

function* deal(t: Table): Play {
  const counts = range(t.seats).map((seat) => (t.order.includes(seat) ? 5 : 0));
  const given = yield chance(({ type, data }) => {
    const hands = type === "HandDealt" ? perSeat<string[]>(data.cards, t.seats) : [];
    const all = [...hands.flat(), ...((data.deck ?? []) as string[])];
    return same(data.counts, counts) && same(hands.map(({ length }) => length), counts) && alike(all, PACK) ? null
      : "Five cards must be dealt to each seat here.";
  });
  t.hands = perSeat<string[]>(given.data.cards, t.seats).map((hand) => [...hand]);
  t.deck = [...(given.data.deck as string[])];
}

// --- The draw (3.4 and 3.5) ---------------------------------------------------------------------

/** The table while cards are exchanged: what is out of play. */
type Drawing = Table & { discards?: string[] };

function swapped(t: Table, seat: number, cards: readonly string[]): Fact {
  const discarded = sorted([...cards]);
  const count = discarded.length;
  if (count > t.deck.length) return fact("StockRanOut", { seat, count, discarded });
  return fact("CardsSwapped", { seat, count, discarded, drawn: t.deck.slice(0, count) });
}

function judgeSwap(t: Table, seat: number, given: Fact): string | null {
  const discarded = given.data.discarded as string[];
  if (!["CardsSwapped", "StockRanOut"].includes(given.type)
    || given.data.seat !== seat) return `Seat ${seat} must draw here.`;
  const isOwn = discarded.every((card) => at(t.hands, seat).includes(card))
    && new Set(discarded).size === discarded.length;
  const isAllowed = isOwn && discarded.length <= Number(t.options.max_swap);
  if (!isAllowed) return "A seat may exchange only its own cards, up to the limit.";
  return same(given, swapped(t, seat, discarded)) ? null : "The top cards of the stock must be drawn.";
}

function* draw(t: Drawing): Play {
  yield due("DrawStarted");
  t.phase = "draw";
  t.discards = [];
  for (const seat of t.order) {
    while (!t.folded.includes(seat) && t.swapped[seat] === undefined && isContested(t)) yield* swap(t, seat);
    if (!isContested(t)) break;
  }
  t.turn = null;
  if (isContested(t)) yield due("DrawCompleted");
}

function* swap(t: Drawing, seat: number): Play {
  t.turn = seat;
  const hand = at(t.hands, seat);
  const most = Number(t.options.max_swap);
  const given = yield {
    kind: "decision", asked: [{ seat, decision: "draw" }], judge: (one: Fact) => judgeSwap(t, seat, one),
    choices: () => range(most + 1).flatMap((count) => combinations(hand, count)).map((cards) =>
      swapped(t, seat, cards)),
  };
  if (given.type === "resign") return yield* resign(t, Number(given.data.seat));
  const discarded = given.data.discarded as string[];
  if (given.type === "StockRanOut") yield* rebuild(t, seat, discarded);
  t.hands[seat] = sorted([...without(hand, discarded), ...t.deck.slice(0, discarded.length)]);
  t.deck = t.deck.slice(discarded.length);
  t.discards = [...(t.discards ?? []), ...discarded];
  t.swapped[seat] = discarded.length;
}

/** Shuffle what is out of play, and put it under the stock; then the seat draws. */
function* rebuild(t: Drawing, seat: number, discarded: readonly string[]): Play {
  const out = sorted([...t.folded.flatMap((one) => at(t.hands, one)), ...(t.discards ?? [])]);
  const given = yield chance(({ type, data }) =>
    type === "StockRebuilt" && data.count === out.length && alike(data.stock as string[], out) ? null
      : "The stock must be rebuilt here.");
  t.deck = [...t.deck, ...(given.data.stock as string[])];
  t.discards = [];
  for (const one of t.folded) t.hands[one] = [];
  const { type, data } = swapped(t, seat, discarded);
  yield due(type, data);
}

// --- A hand (3) ---------------------------------------------------------------------------------

function* hand(t: Table): Play {
  for (const seat of t.order) yield* post(t, "AntePosted", seat, t.stakes.ante, {}, "ante");
  yield* deal(t);
  const first = ((t.button ?? 0) + 1) % t.seats;
  yield* bet(t, "bet1", unitOf(t, "small_bet"), first, false, false);
  const isOver = isBettingOver(t);
  if (isOver) yield* formPots(t);
  if (isContested(t)) {
    const { folded } = t;
    yield* draw(t);
    if (!isOver && !isBettingOver(t)) yield* bet(t, "bet2", unitOf(t, "big_bet"), first, false, true);
    if (!isOver || t.folded.length !== folded.length) yield* formPots(t);
  }
  if (isContested(t) && isOver && t.options.show_all_in === true && isAllIn(t)) yield* showAll(t, true);
  if (isContested(t)) yield* showdown(t);
  yield* award(t);
}

const variant: Variant = {
  blinds: false, stack: stackOf, hand, stakes: ({ options }) => ({ small: 0, big: 0, ante: Number(options.ante) }),
  levelAfter: () => 1,
};

export const referee = refereeOf<Table>({
  version: "1", keepsResigned: true, offTurn: ["CardsShown", "TableLeft"], ofMove: OF_MOVE,
  fits: ({ structure, small_bet: small, big_bet: big }) =>
    structure !== "fixed_limit" || Number(big) >= Number(small),
  mostHands: ({ hands }) => Number(hands),
  begin: (options, seats) => newTable(options, seats, false),
  game: (t) => playGame(t, variant),
  end: (t, stop) => endGame(t, variant, stop),
  standing: standingOf,
  view: (t) => viewOf(t, stackOf(t.options)),
  standard: (t, seat) => (t.phase === "draw" ? swapped(t, seat, []) : standardBet(t, seat)),
  meanwhile: { judge: judgeMeanwhile, take: takeMeanwhile },
});
