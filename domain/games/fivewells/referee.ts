/** The referee of Fivewells, written from its rulebook. Numbers in brackets are its sections. */

import { due } from "../../../api/web/static/past/verify/referee_kit.ts";
import { refereeOf } from "../../../api/web/static/past/verify/referee_play.ts";
import type { Play } from "../../../api/web/static/past/verify/referee_play.ts";
import type { Fact, Fields, Standing, Stop } from "../../../api/web/static/past/verify/referee.ts";
import { isLegalDeck } from "../../card_sets/referee_decks.ts";
import type { Deck } from "../../card_sets/referee_decks.ts";
import { newSeries, opening, prepare } from "./referee/decks.ts";
import type { Series } from "./referee/decks.ts";
import { judgeStops, setStops } from "./referee/happenings.ts";
import { standardOf } from "./referee/standard.ts";
import { byId, cardAt, keywordsOf, newDuel, otherSeat, permanents, powerOf, toughnessOf } from "./referee/table.ts";
import type { Duel, Permanent } from "./referee/table.ts";
import { follows } from "./referee/telling.ts";
import { turn } from "./referee/turn.ts";

interface Table {
  readonly series: Series;
  duel: Duel;
  result: Standing["result"];
}

function begin(options: Fields): Table {
  return { series: newSeries(options), duel: newDuel(options), result: null };
}

function* game(t: Table): Play {
  const { series } = t;
  t.duel = newDuel(series.options);
  t.result = null;
  yield* prepare(series);
  const d = t.duel;
  yield* opening(series, d);
  while (!d.over) {
    yield* turn(d);
    if (!d.over && d.turn >= Number(series.options.max_turns)) d.over = { reason: "turns", losers: [0, 1] };
    if (!d.over) d.active = otherSeat(d.active);
  }
}

/** Return who loses a game that is stopped: the seat that resigned, else both. */
const losersOf = (stop: Stop) => (stop.reason === "resignation" ? stop.resigned : [0, 1]);

/** Tell the end: who has not lost has won (13.2); the loser begins the next game (9.1). */
function* end(t: Table, stop: Stop | null): Play {
  const { duel: d, series } = t;
  const losers = stop ? losersOf(stop) : d.over?.losers ?? [0, 1];
  const winners = [0, 1].filter((seat) => !losers.includes(seat));
  const ranking = [0, 1].map((seat) => (winners.length && !winners.includes(seat) ? 2 : 1));
  const ended = { winners, ranking, life: [...d.life], reason: stop?.reason ?? d.over?.reason };
  if (stop) yield due("GameEnded", ended);
  else yield* follows(d, "GameEnded", ended);
  const [loser] = winners.length ? losers : [];
  if (loser !== undefined) series.after = { seat: loser, how: "loser" };
  else if (series.first !== null) series.after = { seat: series.first, how: "again" };
  t.result = { winners, scores: [0, 1].map((seat) => Number(winners.includes(seat))), places: ranking };
  series.inHand = false;
  d.phase = "game_over";
}

// --- The view -----------------------------------------------------------------------------------

const shown = (d: Duel, id: string): Fields => ({ object: id, card: cardAt(d, id).id, name: cardAt(d, id).name });

const permanent = (d: Duel, p: Permanent): Fields => ({
  object: p.id, card: p.card.id, name: p.card.name, owner: p.owner, controller: p.controller, power: powerOf(d, p),
  toughness: toughnessOf(d, p), keywords: keywordsOf(d, p), damage: p.damage, counters: p.counters, tapped: p.tapped,
  frozen: p.frozen, new: p.fresh, attacking: p.attacks, blocks: p.blocks,
});

function view({ duel: d, series, result }: Table): Fields {
  return {
    phase: d.phase, game_no: series.gameNo, hand_no: series.handNo, hand_counts: d.hands.map(({ length }) => length),
    scores: result ? result.scores : [0, 0], turn: d.turn, active: d.cards.size ? d.active : null,
    step: d.turn ? d.told.step : "", priority: d.told.priority, life: d.life,
    library_counts: d.libraries.map(({ length }) => length), pools: d.pools, held: [],
    graveyards: d.graveyards.map((cards) => cards.map((id) => shown(d, id))),
    battlefield: permanents(d).sort(byId).map((p) => permanent(d, p)),
    stack: d.stack.map((item) => ({
      object: item.id, card: item.card.id, name: item.card.name, source: item.source, controller: item.seat,
      spell: item.spell, targets: Object.values(item.targets).flat(), x: item.x,
    })),
  };
}

/** Stops can be set whenever a seat decides, and change nothing else (9.11). */
const stops = {
  judge: ({ duel }: Table, given: Fact) => (given.type === "StopsSet" ? judgeStops(duel, given) : undefined),
  take: ({ duel }: Table, given: Fact) => setStops(duel, given),
};

const SETS = ["fw1", "bt1"];
const areSets = (sets: unknown): boolean => Array.isArray(sets) && sets.length > 0
  && sets.every((one, i) => SETS.includes(one) && sets.indexOf(one) === i);

/** The sets are known, and cards come from a draft, from boosters or from decks as the format says (section 2). */
function fits({ sets, format, pool, bots_from: from, collection }: Fields): boolean {
  const isOfTournament = pool === "tournament";
  const isPool = pool === null || isOfTournament || (typeof pool === "string" && /^[0-9a-z]{20}$/.test(pool));
  if (!areSets(sets) || !isPool || (collection === "owned" && format !== "constructed")) return false;
  if (format === "draft" ? pool === null : pool !== null && (!isOfTournament || format === "constructed")) return false;
  return (pool !== null && !isOfTournament) || from === 0;
}

/** Judge a deck that a seat brings: its size, and in the constructed format its copies and sets too (10.1). */
function mayBring({ format, sets }: Fields, { data }: Fact): boolean {
  const deck = data.deck as Deck | null;
  return deck === null || isLegalDeck(deck, format === "constructed" ? sets as string[] : null);
}

/** What belongs to a move: costs that are paid, what triggers at once, and an ability whose targets are chosen. */
const OF_MOVE = {
  PermanentsLeft: ["AbilityActivated", "ManaAdded", "ChoiceMade:sacrifice"],
  TriggersNoted: ["LandPlayed", "SpellCast", "AttackersDeclared", "BlockersDeclared", "PermanentsLeft",
    "CardsDiscarded", "LibrarySearched"],
  AbilityTriggered: ["ChoiceMade:trigger_targets"],
};

export const referee = refereeOf<Table>({
  version: "1", offTurn: ["StopsSet"], neverPauses: true, ofMove: OF_MOVE, fits,
  mostHands: ({ format, pool }) => (format === "sealed" && pool === null ? 2 : 1), begin, game, end, view,
  meanwhile: stops,
  standing: ({ series, result }) => ({ inHand: series.inHand, out: [], result }),
  standard: ({ duel, series }, seat) => standardOf(series, duel, seat),
  mayBring,
  bring: ({ series }, { data }) => {
    const deck = data.deck as Deck | null;
    const its = deck && { main: [...deck.main].sort(), sideboard: [...deck.sideboard].sort() };
    series.brought[Number(data.seat)] = its;
  },
});
