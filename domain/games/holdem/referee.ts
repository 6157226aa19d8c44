/** The referee of Texas Hold'em, written from its rulebook and that of poker. Numbers in brackets are its sections. */

import { PACK, alike, at, chance, due, perSeat, range, same,
  seatsFrom } from "../../../api/web/static/past/verify/referee_kit.ts";
import { refereeOf } from "../../../api/web/static/past/verify/referee_play.ts";
import type { Play } from "../../../api/web/static/past/verify/referee_play.ts";
import type { Fields } from "../../../api/web/static/past/verify/referee.ts";
import { OF_MOVE, award, bet, endGame, formPots, isBettingOver, isContested, judgeMeanwhile, judgeStakes,
  leavingStacks, newTable, playGame, post, showAll, showdown, standardBet, standingOf, takeMeanwhile, viewOf }
  from "../../poker/referee.ts";
import type { Stakes, Table, Variant } from "../../poker/referee.ts";

const isTournament = (options: Fields) => options.format === "sng";
const stackOf = (options: Fields) => Number(options.starting_stack ?? (isTournament(options) ? 1500 : 200));

const SMALL = [10, 15, 25, 50, 75, 100, 150, 200, 300, 400, 500, 750];
/** Return the small blind of a level; after the twelfth it doubles, up to the fortieth (poker 6.2). */
const smallAt = (level: number): number => SMALL[level - 1] ?? 750 * 2 ** (Math.min(level, 40) - 12);

function stakesOf({ options, level }: Pick<Table, "options" | "level">): Stakes {
  const ante = Number(options.ante);
  if (!isTournament(options)) return { small: Number(options.small_blind), big: Number(options.big_blind), ante };
  return { small: smallAt(level), big: 2 * smallAt(level), ante };
}

/** Return the level after so many hands, or at this time (poker 6.3). */
function levelAfter({ options, now, timedFrom }: Table, hands: number): number {
  const passed = timedFrom === null ? hands / Number(options.hands_per_level)
    : (now - timedFrom) / (60_000 * Number(options.minutes_per_level));
  return Math.min(40, 1 + Math.floor(passed));
}

const order = (t: Table) => t.order;

function* deal(t: Table): Play {
  const counts = range(t.seats).map((seat) => (order(t).includes(seat) ? 2 : 0));
  const given = yield chance(({ type, data }) => {
    const hands = type === "HandDealt" ? perSeat<string[]>(data.cards, t.seats) : [];
    const all = [...hands.flat(), ...((data.deck ?? []) as string[])];
    return same(data.counts, counts) && same(hands.map(({ length }) => length), counts) && alike(all, PACK) ? null
      : "Two cards must be dealt to each seat here.";
  });
  t.hands = perSeat<string[]>(given.data.cards, t.seats).map((hand) => [...hand]);
  t.deck = [...(given.data.deck as string[])];
}

function* postAll(t: Table): Play {
  const { small, big, ante } = t.stakes;
  const isEach = t.options.ante_mode === "each";
  if (isEach) for (const seat of order(t)) yield* post(t, "BlindPosted", seat, ante, { kind: "ante" }, "ante");
  if (t.small !== null) yield* post(t, "BlindPosted", t.small, small, { kind: "small" }, "bet");
  if (t.big !== null) yield* post(t, "BlindPosted", t.big, big, { kind: "big" }, "bet");
  if (!isEach && t.big !== null) yield* post(t, "BigBlindAntePosted", t.big, ante, {}, "dead");
  t.round.current = big;
}

const STREETS = [["flop", 1, 3], ["turn", 5, 1], ["river", 7, 1]] as const;

function* hand(t: Table): Play {
  yield* postAll(t);
  yield* deal(t);
  const stock = t.deck;
  const { big } = t.stakes;
  yield* bet(t, "preflop", big, ((t.big ?? 0) + 1) % t.seats, true, false);
  let isFormed = false;
  for (const [street, place, count] of STREETS) {
    if (isBettingOver(t) && !isFormed) {
      yield* formPots(t);
      isFormed = true;
      if (isContested(t) && t.options.show_all_in === true) yield* showAll(t, false);
    }
    if (!isContested(t)) break;
    const cards = stock.slice(place, place + count);
    yield due("BoardDealt", { street, cards });
    t.board = [...t.board, ...cards];
    t.deck = stock.slice(place + count);
    if (!isFormed) yield* bet(t, street, big, at(seatsFrom(((t.button ?? 0) + 1) % t.seats, t.seats), 0), false,
      street === "river");
  }
  if (!isFormed) yield* formPots(t);
  if (isContested(t)) yield* showdown(t);
  yield* award(t);
}

const variant: Variant = { blinds: true, stack: stackOf, stakes: stakesOf, levelAfter, hand };

export const referee = refereeOf<Table>({
  version: "1", keepsResigned: true, offTurn: ["CardsShown", "TableLeft"], ofMove: OF_MOVE,
  fits: ({ format, small_blind: small, big_blind: big }) => format !== "cash" || Number(big) >= Number(small),
  mostHands: ({ format, hands }) => (format === "cash" ? Number(hands) : null),
  begin: (options, seats) => newTable(options, seats, true),
  game: (t) => playGame(t, variant),
  end: (t, stop) => endGame(t, variant, stop),
  standing: standingOf,
  view: (t) => viewOf(t, stackOf(t.options)),
  standard: standardBet,
  meanwhile: { judge: judgeMeanwhile, take: takeMeanwhile },
  at: (t, now) => { t.now = now; },
  stakes: {
    judge: judgeStakes, take: (t, stakes) => { t.brought = stakes as unknown as Table["brought"]; },
    leaving: leavingStacks,
  },
});
