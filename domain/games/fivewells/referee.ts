/** The referee of Fivewells, written from its rulebook. Numbers in brackets are its sections. */

import { at, due, fact, rest } from "../../../api/web/static/past/verify/referee_kit.ts";
import type { Fact, Fields, Next, Referee, Standing, Stop } from "../../../api/web/static/past/verify/referee.ts";
import { opening, prepare } from "./referee/decks.ts";
import type { Deck, Series } from "./referee/decks.ts";
import { judgeStops, setStops } from "./referee/happenings.ts";
import { byId, cardAt, keywordsOf, newDuel, otherSeat, permanents, powerOf, toughnessOf } from "./referee/table.ts";
import type { Duel, Permanent, Play } from "./referee/table.ts";
import { follows } from "./referee/telling.ts";
import { turn } from "./referee/turn.ts";

/** What has happened is all of the state: the table follows from it. */
export interface Fivewells {
  readonly options: Fields;
  readonly facts: Fact[];
  /** Where a game was stopped early. */
  stopped: Stop | null;
  stoppedAt: number;
}

/** A match as far as it has been played. */
interface Played {
  readonly series: Series;
  duel: Duel;
  readonly play: Play;
  next: Next;
  result: Standing["result"];
  facts: number;
}
const PLAYED = new WeakMap<Fivewells, Played>();

const begin = (options: Fields): Fivewells => ({ options, facts: [], stopped: null, stoppedAt: 0 });

function start(options: Fields): Played {
  const series: Series = {
    options, gameNo: 0, handNo: 0, brought: [null, null], decks: [null, null], pools: [[], []], phase: "", first: null,
    after: null,
  };
  const played: Omit<Played, "play"> & { play?: Play } = {
    series, duel: newDuel(options, 0, 0), next: rest, result: null, facts: 0,
  };
  const all = Object.assign(played, { play: playAll(played as Played) });
  const first = all.play.next();
  if (!first.done) all.next = first.value;
  return all;
}

/** Return the match of a state, played once more where it is a copy. */
function playedOf(state: Fivewells): Played {
  let played = PLAYED.get(state);
  if (!played) {
    played = start(state.options);
    PLAYED.set(state, played);
  }
  while (played.facts < state.facts.length) take(played, at(state.facts, played.facts));
  return played;
}

function take(played: Played, given: Fact): void {
  played.facts += 1;
  if (given.type === "DeckBrought") {
    played.series.brought[Number(given.data.seat)] = given.data.deck as Deck | null;
    return;
  }
  const step = played.play.next(given);
  if (!step.done) played.next = step.value;
}

const START = fact("start");
const isStop = ({ type }: Fact) => type === "stop";

/** Play game after game; a game that is stopped has its last event at once. */
function* playAll(p: Played): Play {
  for (;;) {
    yield rest;
    p.result = null;
    const game = playGame(p);
    let step = game.next();
    let stop: Stop | null = null;
    while (!step.done) {
      const given = yield withStops(p.duel, step.value);
      if (given.type === "StopsSet") {
        setStops(p.duel, given);
        continue;
      }
      if (isStop(given)) {
        stop = given.data as unknown as Stop;
        break;
      }
      step = game.next(given);
    }
    yield* end(p, stop);
  }
}

/** Stops can be set whenever a seat decides, and change nothing else (9.11). */
function withStops(d: Duel, next: Next): Next {
  if (next.kind !== "decision") return next;
  return { ...next, judge: (given) => (given.type === "StopsSet" ? judgeStops(d, given) : next.judge(given)) };
}

function* playGame(p: Played): Play {
  const { series } = p;
  p.duel = newDuel(series.options, series.gameNo + 1, series.handNo);
  yield* prepare(series);
  const { stops, once, stopsSet } = p.duel;
  const d = { ...newDuel(series.options, series.gameNo, series.handNo), stops, once, stopsSet };
  p.duel = d;
  yield* opening(series, d);
  while (!d.over) {
    yield* turn(d);
    if (!d.over && d.turn >= Number(series.options.max_turns)) d.over = { reason: "turns", losers: [0, 1] };
    if (!d.over) d.active = otherSeat(d.active);
  }
}

/** End a game: who has not lost has won (13.2). */
function* end(p: Played, stop: Stop | null): Play {
  const d = p.duel;
  const losers = stop ? (stop.reason === "resignation" ? stop.resigned : [0, 1]) : d.over?.losers ?? [0, 1];
  const winners = [0, 1].filter((seat) => !losers.includes(seat));
  const ranking = [0, 1].map((seat) => (winners.length && !winners.includes(seat) ? 2 : 1));
  const ended = { winners, ranking, life: [...d.life], reason: stop?.reason ?? d.over?.reason };
  if (stop) yield due("GameEnded", ended);
  else yield* follows(d, "GameEnded", ended);
  const { series } = p;
  const [loser] = winners.length ? losers : [];
  if (loser !== undefined) series.after = { seat: loser, how: "loser" };
  else if (series.first !== null) series.after = { seat: series.first, how: "again" };
  p.result = { winners, scores: [0, 1].map((seat) => Number(winners.includes(seat))), places: ranking };
  d.phase = "game_over";
}

// --- The view -----------------------------------------------------------------------------------

const shown = (d: Duel, id: string): Fields => ({ object: id, card: cardAt(d, id).id, name: cardAt(d, id).name });

const permanent = (d: Duel, p: Permanent): Fields => ({
  object: p.id, card: p.card.id, name: p.card.name, owner: p.owner, controller: p.controller, power: powerOf(d, p),
  toughness: toughnessOf(d, p), keywords: keywordsOf(d, p), damage: p.damage, counters: p.counters, tapped: p.tapped,
  frozen: p.frozen, new: p.fresh, attacking: p.attacks, blocks: p.blocks,
});

function view(state: Fivewells): Fields {
  const { duel: d, series, result } = playedOf(state);
  return {
    phase: d.phase, game_no: series.gameNo, hand_no: series.handNo, hand_counts: d.hands.map(({ length }) => length),
    scores: result ? result.scores : [0, 0], turn: d.turn, active: d.cards.size ? d.active : null, step: d.turn ? d.told.step : "", priority: d.told.priority,
    life: d.life, library_counts: d.libraries.map(({ length }) => length), pools: d.pools, held: [],
    graveyards: d.graveyards.map((cards) => cards.map((id) => shown(d, id))),
    battlefield: permanents(d).sort(byId).map((p) => permanent(d, p)),
    stack: d.stack.map((item) => ({
      object: item.id, card: item.card.id, name: item.card.name, source: item.source, controller: item.seat,
      spell: item.spell, targets: Object.values(item.targets).flat(), x: item.x,
    })),
  };
}

export const referee: Referee<Fivewells> = {
  version: "1",
  begin,
  bring: (state, given) => { state.facts.push(given); },
  startGame: (state) => {
    state.facts.push(START);
    playedOf(state);
  },
  next: (state) => playedOf(state).next,
  happen: (state, given) => {
    state.facts.push(given);
    playedOf(state);
  },
  standard: () => fact("none"),
  stop: (state, stop) => {
    state.facts.push(fact("stop", { ...stop }));
    playedOf(state);
  },
  standing: (state) => {
    const { next, result } = playedOf(state);
    return { inHand: next.kind !== "rest", out: [], result };
  },
  view,
};
