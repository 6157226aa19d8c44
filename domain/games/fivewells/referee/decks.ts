/** Decks, and how a duel begins (sections 2 and 10). */

import { at, chance, combinations, fact, range, same,
  without } from "../../../../api/web/static/past/verify/referee_kit.ts";
import type { Decision, Fact, Fields, Next } from "../../../../api/web/static/past/verify/referee.ts";
import { CARDS, COLORS, cardOf } from "../../../card_sets/referee_cards.ts";
import { areAlike, builtByRule, isBooster, isDeckOf } from "../../../card_sets/referee_decks.ts";
import type { Deck } from "../../../card_sets/referee_decks.ts";
import type { Card } from "../../../card_sets/referee_cards.ts";
import { shuffle } from "./effects.ts";
import { named } from "./table.ts";
import type { Duel, Play } from "./table.ts";

/** What a match keeps from game to game. */
export interface Series {
  readonly options: Fields;
  gameNo: number;
  handNo: number;
  /** What the seats have brought to the lobby. */
  readonly brought: (Deck | null)[];
  decks: (Deck | null)[];
  pools: string[][];
  /** Whether a hand is on. */
  inHand: boolean;
  first: number | null;
  /** The seat that begins the next game, and why. */
  after: { seat: number; how: string } | null;
}

/** Whether boosters are opened at this table, and not before in a tournament. */
const isSealed = (s: Series) => s.options.format === "sealed" && s.options.pool === null;
const numbered = (cards: readonly Card[]) => [...cards].sort((a, b) => a.id < b.id ? -1 : 1);

/** Return the deck of the options for a seat: lands of two colours, and cards of these alone (10.2). */
export function defaultDeck(options: Fields, seat: number): Deck {
  const colors = [...String(seat === 0 ? options.first_deck : options.second_deck)];
  const sets = options.sets as string[];
  const own = numbered([...CARDS.values()].filter((card) =>
    card.set !== undefined && sets.includes(card.set) && card.colors.length === 1
      && colors.includes(at(card.colors, 0))));
  const commons = own.filter(({ rarity }) => rarity === "common");
  const cards = 4 * commons.length >= 36 ? commons : own;
  const copies = Math.floor(36 / cards.length);
  const main = cards.flatMap(({ id }, i) => Array<string>(copies + (i < 36 % cards.length ? 1 : 0)).fill(id));
  const lands = colors.flatMap((color) => Array<string>(12).fill(`fw1-00${COLORS.indexOf(color) + 1}`));
  return { main: [...main, ...lands].sort(), sideboard: [] };
}

/** Judge a deck that is built at the table, of a seat's own cards (10.1). */
const isDeck = (s: Series, seat: number, deck: Deck): boolean =>
  isDeckOf(deck, ownCards(s, seat), s.options.format === "constructed" ? 60 : 40);
const ownCards = (s: Series, seat: number): string[] => {
  const deck = s.decks[seat];
  return isSealed(s) || !deck ? at(s.pools, seat) : [...deck.main, ...deck.sideboard];
};

const submitted = (seat: number, deck: Deck, how: string): Fact =>
  fact("DeckSubmitted", { seat, main: deck.main.length, sideboard: deck.sideboard.length, how, deck });

function judgeBuilt(s: Series, seats: readonly number[], given: Fact): string | null {
  const seat = Number(given.data.seat);
  const deck = given.data.deck as Deck;
  if (given.type !== "DeckSubmitted" || !seats.includes(seat)) return "Decks are built here.";
  if (!isDeck(s, seat, deck)) return "This deck cannot be built.";
  return same(given, submitted(seat, deck, "built")) ? null : "The cards of the deck have the wrong numbers.";
}

/** Return the deck of a seat that does not decide (10.5). */
export const defaultAgain = (s: Series, seat: number): Fact =>
  submitted(seat, s.decks[seat] ?? builtByRule(at(s.pools, seat)), "built");

/** Let seats build decks, all at one time. */
function* build(s: Series, seats: readonly number[]): Play {
  let left = [...seats];
  while (left.length) {
    const open = left;
    const decision: Decision = {
      kind: "decision", asked: open.map((seat) => ({ seat, decision: "deck_building" })),
      judge: (given) => judgeBuilt(s, open, given), choices: () => open.map((seat) => defaultAgain(s, seat)),
    };
    const given = yield decision;
    s.decks[Number(given.data.seat)] = given.data.deck as Deck;
    left = open.filter((seat) => seat !== given.data.seat);
  }
}

function* say(type: string, data: Fields): Play {
  yield { kind: "due", fact: { type, data } };
}

// --- Boosters -----------------------------------------------------------------------------------

function* openBoosters(s: Series): Play {
  const sets = s.options.sets as string[];
  const [first = "", second = first] = sets;
  s.handNo += 1;
  yield* say("HandStarted", { hand_no: s.handNo, of: "boosters" });
  s.inHand = true;
  for (const seat of [0, 1]) {
    for (const n of range(6)) {
      const set = n < 4 ? first : second;
      const next: Next = chance(({ type, data }) => type === "BoosterOpened" && isBooster(set, data.cards as string[])
        && same({ ...data, cards: [] }, { seat, n, set, count: 15, cards: [] }) ? null :
          "A booster must be opened here.");
      const given = yield next;
      at(s.pools, seat).push(...(given.data.cards as string[]));
    }
  }
  yield* build(s, [0, 1]);
  yield* say("DecksBuilt", { hand_no: s.handNo });
  s.inHand = false;
}

// --- The beginning ------------------------------------------------------------------------------

export const newSeries = (options: Fields): Series => ({
  options, gameNo: 0, handNo: 0, brought: [null, null], decks: [null, null], pools: [[], []], first: null, after: null,
    inHand: false,
});

/** Play all that comes before the duel; the first player is known then. */
export function* prepare(s: Series): Play {
  yield* say("GameStarted", { game_no: s.gameNo + 1 });
  s.gameNo += 1;
  if (s.gameNo === 1 && isSealed(s)) yield* openBoosters(s);
  s.handNo += 1;
  yield* say("HandStarted", { hand_no: s.handNo, of: "duel" });
  s.inHand = true;
  yield* submit(s);
  yield* choosePlayer(s);
}

function mayChange(s: Series, seat: number): boolean {
  const deck = s.decks[seat];
  if (s.gameNo === 1 || s.options.sideboarding !== true || !deck) return false;
  return s.options.format !== "constructed" || deck.sideboard.length > 0 || deck.main.length > 60;
}

function* submit(s: Series): Play {
  const asked = [0, 1].filter((seat) => mayChange(s, seat));
  yield* build(s, asked);
  for (const seat of [0, 1].filter((one) => !asked.includes(one))) {
    const how = s.decks[seat] ? "again" : s.brought[seat] ? "brought" : "default";
    if (s.options.format === "draft" && how === "default") {
      yield* fromDraft(s, seat);
      continue;
    }
    const deck = s.decks[seat] ?? s.brought[seat] ?? defaultDeck(s.options, seat);
    s.decks[seat] = deck;
    const { type, data } = submitted(seat, deck, how);
    yield* say(type, data);
  }
}

/** A bot plays a deck of the draft, which is in another record (10.7). */
function* fromDraft(s: Series, seat: number): Play {
  const given = yield chance(({ type, data }) =>
    type === "DeckSubmitted" && data.seat === seat ? null : "The deck must come from the draft.");
  s.decks[seat] = given.data.deck as Deck;
}

function* choosePlayer(s: Series): Play {
  if (s.after) {
    yield* say("FirstPlayerChosen", { seat: s.after.seat, how: s.after.how });
    s.first = s.after.seat;
    return;
  }
  const drawn = yield chance(({ type, data }) =>
    type === "FirstPlayerChosen" && data.how === "random" && (data.seat === 0 || data.seat === 1) ? null
      : "The first player must be drawn here.");
  s.first = Number(drawn.data.seat);
}

/** Number the cards, shuffle and draw, and let the seats keep their hands. */
export function* opening(s: Series, d: Duel): Play {
  d.active = s.first ?? 0;
  for (const seat of [0, 1]) yield* numberCards(s, d, seat);
  for (const seat of [0, 1]) yield* shuffle(d, seat);
  yield* drawHands(d, [7, 7]);
  d.phase = "mulligan";
  while (!d.kept.every(Boolean)) yield* keep(d);
}

function* numberCards(s: Series, d: Duel, seat: number): Play {
  const main = s.decks[seat]?.main ?? [];
  const first = d.cards.size + 1;
  const given = yield chance(({ type, data }) =>
    type === "CardsNumbered" && same({ ...data, cards: [] },
      { seat, first: `o${first}`, count: main.length, cards: [] })
      && areAlike(data.cards as string[], main) ? null : "The cards of the deck must be numbered here.");
  for (const [i, id] of (given.data.cards as string[]).entries()) {
    d.cards.set(`o${first + i}`, cardOf(id));
    d.owners.set(`o${first + i}`, seat);
    at(d.libraries, seat).push(`o${first + i}`);
  }
  d.made = d.cards.size;
}

function* drawHands(d: Duel, counts: readonly number[]): Play {
  const drawn = counts.map((count, seat) => at(d.libraries, seat).splice(0, count));
  drawn.forEach((cards, seat) => at(d.hands, seat).push(...cards));
  const cards = drawn.map((ids) => named(d, ids.sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)))));
  yield* say("HandDealt", { counts, cards: { 0: cards[0], 1: cards[1] } });
}

/** Let a seat keep its hand, or take a mulligan (2.3). */
function* keep(d: Duel): Play {
  const open = [0, 1].filter((seat) => !d.kept[seat]);
  const decision: Decision = {
    kind: "decision", asked: open.map((seat) => ({ seat, decision: "mulligan" })),
    judge: (given) => judgeOpening(d, open, given), choices: () => open.flatMap((seat) => keepChoices(d, seat)),
  };
  const { type, data } = yield decision;
  const seat = Number(data.seat);
  if (type === "MulliganTaken") return yield* mulligan(d, seat);
  const bottom = data.bottom as string[];
  d.kept[seat] = true;
  d.hands[seat] = without(at(d.hands, seat), bottom);
  at(d.libraries, seat).push(...[...bottom].reverse());
}

const kept = (d: Duel, seat: number, bottom: readonly string[]): Fact =>
  fact("HandKept", { seat, cards_left: 7 - at(d.mulligans, seat), bottom });
const taken = (d: Duel, seat: number): Fact => fact("MulliganTaken", { seat, count: at(d.mulligans, seat) + 1 });

function keepChoices(d: Duel, seat: number): Fact[] {
  const ways = combinations(at(d.hands, seat), at(d.mulligans, seat)).map((bottom) => kept(d, seat, bottom));
  return at(d.mulligans, seat) < 6 ? [taken(d, seat), ...ways] : ways;
}

function judgeOpening(d: Duel, open: readonly number[], given: Fact): string | null {
  const seat = Number(given.data.seat);
  if (!open.includes(seat)) return "The seat has already kept its hand.";
  if (given.type === "MulliganTaken") {
    return at(d.mulligans, seat) < 6 && same(given, taken(d, seat)) ? null : "At most six mulligans are allowed.";
  }
  if (given.type !== "HandKept") return "Seats must keep or redraw their hands here.";
  const bottom = given.data.bottom as string[];
  const own = bottom.length === at(d.mulligans, seat) && new Set(bottom).size === bottom.length
    && bottom.every((id) => at(d.hands, seat).includes(id));
  return own && same(given, kept(d, seat, bottom)) ? null
    : "One card for each mulligan must go under the library.";
}

function* mulligan(d: Duel, seat: number): Play {
  d.mulligans[seat] = at(d.mulligans, seat) + 1;
  at(d.libraries, seat).push(...at(d.hands, seat).splice(0));
  yield* shuffle(d, seat);
  yield* drawHands(d, [0, 1].map((one) => (one === seat ? 7 : 0)));
}
