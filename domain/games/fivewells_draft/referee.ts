/** The referee of Fivewells Draft, written from its rulebook. Numbers in brackets are its sections. */

import { at, chance, due, fact, range, same, without } from "../../../api/web/static/past/verify/referee_kit.ts";
import { refereeOf } from "../../../api/web/static/past/verify/referee_play.ts";
import type { Play } from "../../../api/web/static/past/verify/referee_play.ts";
import type { Fact, Fields, Standing, Stop } from "../../../api/web/static/past/verify/referee.ts";
import { cardOf } from "../../card_sets/referee_cards.ts";
import { builtByRule, isBooster, isDeckOf, rarityOf } from "../../card_sets/referee_decks.ts";
import type { Deck } from "../../card_sets/referee_decks.ts";

interface Table {
  readonly options: Fields;
  readonly seats: number;
  readonly sets: readonly string[];
  gameNo: number; handNo: number; round: number; pickNo: number; count: number;
  phase: string; inHand: boolean;
  /** The pack that each seat is offered, and who has picked from it. */
  packs: string[][]; picked: boolean[];
  picks: string[][]; decks: (Deck | null)[];
  left: number[];
  result: Standing["result"];
}

const each = <T>(t: { seats: number }, value: (seat: number) => T): T[] => range(t.seats).map(value);

function begin(options: Fields, seats: number): Table {
  const empty = () => range(seats).map((): string[] => []);
  return {
    options, seats, sets: options.packs as string[], gameNo: 0, handNo: 0, round: 0, pickNo: 0, count: 0,
      phase: "dealing", inHand: false,
    packs: empty(), picked: range(seats).map(() => false), picks: empty(), decks: range(seats).map(() => null),
      left: [], result: null,
  };
}
const directionOf = (t: Table) => (t.round % 2 ? "left" : "right");

function* game(t: Table): Play {
  yield due("GameStarted", { game_no: t.gameNo + 1 });
  t.gameNo += 1;
  t.result = null;
  for (const set of t.sets) yield* playRound(t, set);
}

// --- A round (2 and 3) --------------------------------------------------------------------------

function* playRound(t: Table, set: string): Play {
  t.round += 1;
  yield due("HandStarted", { hand_no: t.handNo + 1, round_no: t.round, set, direction: directionOf(t) });
  Object.assign(t, { handNo: t.handNo + 1, pickNo: 1, count: 15, inHand: true, phase: "picking" });
  for (const seat of range(t.seats)) yield* openPack(t, seat, set);
  if (t.options.passing === true) yield* pickAll(t);
  else for (const seat of range(t.seats)) yield* keepPack(t, seat);
  if (t.round === t.sets.length) yield* build(t);
  yield due("RoundEnded", { hand_no: t.handNo });
  t.inHand = false;
}

function* openPack(t: Table, seat: number, set: string): Play {
  const given = yield chance(({ type, data }) => {
    const offered = { ...data, cards: [] };
    return type === "PackOffered" && same(offered, { seat, pick_no: 1, count: 15, cards: [] })
      && isBooster(set, data.cards as string[])
      ? null : "A pack must be opened here.";
  });
  t.packs[seat] = given.data.cards as string[];
}

function* keepPack(t: Table, seat: number): Play {
  const cards = at(t.packs, seat);
  yield due("PackKept", { seat, count: cards.length, cards });
  at(t.picks, seat).push(...cards);
  t.packs[seat] = [];
  t.count = 0;
}

function* pickAll(t: Table): Play {
  for (;;) {
    t.picked = each(t, () => false);
    yield* leavePicks(t);
    while (t.picked.includes(false)) yield* pick(t);
    const from = t.round % 2 ? t.seats - 1 : 1;
    t.packs = each(t, (seat) => at(t.packs, (seat + from) % t.seats));
    t.pickNo += 1;
    t.count = at(t.packs, 0).length;
    if (at(t.packs, 0).length === 1) break;
    for (const seat of range(t.seats)) {
      const cards = at(t.packs, seat);
      yield due("PackOffered", { seat, pick_no: t.pickNo, count: cards.length, cards });
    }
  }
  for (const seat of range(t.seats)) {
    const card = at(at(t.packs, seat), 0);
    yield due("LastCardTaken", { seat, pick_no: t.pickNo, card });
    takeCard(t, seat, card);
  }
  t.count = 0;
}

function takeCard(t: Table, seat: number, card: string): void {
  t.packs[seat] = without(at(t.packs, seat), [card]);
  at(t.picks, seat).push(card);
  t.picked[seat] = true;
}

/** Return the rarest card of a pack, of these the one with the lowest number (3.3). */
function rarest(pack: readonly string[]): string {
  return [...pack].sort((a, b) => rarityOf(b) - rarityOf(a) || (a < b ? -1 : 1))[0] ?? "";
}
const picked = (seat: number, card: string, how: string): Fact => fact("CardPicked", { seat, how, card });

/** Seats that have left pick by rule, at once. */
function* leavePicks(t: Table): Play {
  for (const seat of range(t.seats).filter((one) => t.left.includes(one) && !t.picked[one])) yield* leavePick(t, seat);
}
function* leavePick(t: Table, seat: number): Play {
  const card = rarest(at(t.packs, seat));
  const { type, data } = picked(seat, card, "left");
  yield due(type, data);
  takeCard(t, seat, card);
}

function* pick(t: Table): Play {
  const open = range(t.seats).filter((seat) => !t.picked[seat]);
  const choices = () => open.flatMap((seat) => at(t.packs, seat).map((card) => picked(seat, card, "picked")));
  const given = yield {
    kind: "decision", asked: open.map((seat) => ({ seat, decision: "picking" })), choices,
    judge: (one: Fact) => (choices().some((choice) => same(choice, one)) ? null
      : "A seat must pick one card of the pack that it is offered, once."),
  };
  const seat = Number(given.data.seat);
  if (given.type !== "resign") return takeCard(t, seat, String(given.data.card));
  yield* leave(t, seat);
  yield* leavePicks(t);
}

/** A player resigns, and leaves the draft to the others (5.2). */
function* leave(t: Table, seat: number): Play {
  yield due("SeatGaveUp", { seat });
  if (!t.left.includes(seat)) t.left.push(seat);
}

// --- Decks (4) ----------------------------------------------------------------------------------

const submitted = (seat: number, deck: Deck, how: string): Fact =>
  fact("DeckSubmitted", { seat, main: deck.main.length, sideboard: deck.sideboard.length, how, deck });

function* build(t: Table): Play {
  t.phase = "building";
  for (;;) {
    yield* leaveDecks(t);
    const open = range(t.seats).filter((seat) => !t.decks[seat]);
    if (!open.length) return;
    const given = yield {
      kind: "decision", asked: open.map((seat) => ({ seat, decision: "building" })),
      judge: (one: Fact) => judgeDeck(t, open, one),
      choices: () => open.map((seat) => submitted(seat, builtByRule(at(t.picks, seat)), "built")),
    };
    if (given.type === "resign") yield* leave(t, Number(given.data.seat));
    else t.decks[Number(given.data.seat)] = given.data.deck as Deck;
  }
}

function judgeDeck(t: Table, open: readonly number[], given: Fact): string | null {
  const seat = Number(given.data.seat);
  const deck = given.data.deck as Deck;
  if (given.type !== "DeckSubmitted" || !open.includes(seat)) return "Decks must be built here.";
  const isOwn = isDeckOf(deck, at(t.picks, seat), 40) && [...deck.main, ...deck.sideboard].every((id) =>
    cardOf(id).basic || t.sets.includes(cardOf(id).set ?? ""));
  return isOwn && same(given, submitted(seat, deck, "built")) ? null :
    "This deck cannot be built from the picked cards.";
}

function* leaveDecks(t: Table): Play {
  for (const seat of range(t.seats).filter((one) => t.left.includes(one) && !t.decks[one])) {
    const deck = builtByRule(at(t.picks, seat));
    const { type, data } = submitted(seat, deck, "left");
    yield due(type, data);
    t.decks[seat] = deck;
  }
}

// --- The end and the view -----------------------------------------------------------------------

/** All who stay share the first place, and all who left the last one. */
const placesFor = (t: Table): number[] => each(t, (seat) => (t.left.includes(seat) ? t.seats - t.left.length + 1 : 1));

/** All seats share the first place (5.1). */
function* end(t: Table, stop: Stop | null): Play {
  const gone = [...t.left].sort((a, b) => a - b);
  yield due("GameEnded", { reason: stop?.reason ?? "played", gave_up: gone });
  const none = each(t, () => 0);
  Object.assign(t, { phase: "game_over", inHand: false,
    result: { winners: [], scores: none, places: placesFor(t) } });
}

function view(t: Table): Fields {
  return {
    phase: t.phase, game_no: t.gameNo, hand_no: t.handNo, hand_counts: t.packs.map(({ length }) => length),
      scores: each(t, () => 0),
    round_no: t.round, pick_no: t.pickNo, set: t.sets[Math.max(0, t.round - 1)], direction: directionOf(t),
    count: t.count, pack: [], picked: t.picked, picks: [],
    pick_counts: t.picks.map(({ length }) => length), submitted: t.decks.map(Boolean), deck: null, left: t.left,
  };
}

/** The packs are of known sets, six at most. */
const fits = ({ packs }: Fields) => Array.isArray(packs) && packs.length > 0 && packs.length <= 6
  && packs.every((set) => ["fw1", "bt1"].includes(set));

export const referee = refereeOf<Table>({
  version: "1", isOneGame: true, keepsResigned: true, fits, mostHands: ({ packs }) => (packs as unknown[]).length,
  ofMove: { SeatGaveUp: ["SeatResigned"] }, begin, game, end, view,
  standing: ({ inHand, result, left }) => ({ inHand, out: left, result }),
  standard: (t, seat) => (t.phase === "building" ? submitted(seat, builtByRule(at(t.picks, seat)), "built")
    : picked(seat, rarest(at(t.packs, seat)), "picked")),
});
