/**
 * Makes a referee of a play: a generator that yields what may come next, and is given the fact that came. Its state is
 * all that has come so far. A copy of a state plays it once more.
 */

import { at, fact, rest } from "./referee_kit.ts";
import type { Fact, Fields, Next, Referee, Standing, Stop } from "./referee.ts";

/** Plays a part of a game. */
export type Play<T = void> = Generator<Next, T, Fact>;

export interface State {
  readonly options: Fields;
  readonly seats: number;
  readonly facts: Fact[];
}
/** How a game is played; its table is kept from game to game. */
export interface Rules<Table> {
  readonly version: string;
  readonly isOneGame?: boolean;
  readonly keepsResigned?: boolean;
  readonly neverPauses?: boolean;
  readonly offTurn?: readonly string[];
  readonly begin: (options: Fields, seats: number) => Table;
  /** Play a game, to its end or until it is stopped. */
  readonly game: (table: Table) => Play;
  /** Tell the end of a game; `stop` says why it ends before its rules do. */
  readonly end: (table: Table, stop: Stop | null) => Play;
  readonly standing: (table: Table) => Standing;
  readonly view: (table: Table) => Fields;
  readonly standard: (table: Table, seat: number) => Fact;
  /** Let a fact in that comes whenever a seat decides; whether it was one. */
  readonly meanwhile?: { judge: (table: Table, given: Fact) =>
    string | null | undefined; take: (table: Table, given: Fact) => void };
  readonly bring?: (table: Table, given: Fact) => void;
}
interface Played<Table> { readonly table: Table; readonly play: Play; next: Next; facts: number }

const START = "start";
const STOP = "stop";
const BROUGHT = "brought";

/** Play one game after the other. */
function* series<Table>(rules: Rules<Table>, table: Table): Play {
  for (;;) {
    yield rest;
    yield* rules.end(table, yield* untilStopped(rules, table));
  }
}

function* untilStopped<Table>(rules: Rules<Table>, table: Table): Play<Stop | null> {
  const game = rules.game(table);
  let step = game.next();
  while (!step.done) {
    const given = yield withOthers(rules, table, step.value);
    if (given.type === STOP) return given.data as unknown as Stop;
    if (step.value.kind === "decision" && rules.meanwhile?.judge(table,
      given) !== undefined) rules.meanwhile.take(table, given);
    else step = game.next(given);
  }
  return null;
}

function withOthers<Table>({ meanwhile }: Rules<Table>, table: Table, next: Next): Next {
  if (next.kind !== "decision" || !meanwhile) return next;
  return { ...next, judge: (given) => {
    const found = meanwhile.judge(table, given);
    return found === undefined ? next.judge(given) : found;
  } };
}

export function refereeOf<Table>(rules: Rules<Table>): Referee<State> {
  const all = new WeakMap<State, Played<Table>>();

  function start({ options, seats }: State): Played<Table> {
    const table = rules.begin(options, seats);
    const play = series(rules, table);
    const first = play.next();
    return { table, play, next: first.done ? rest : first.value, facts: 0 };
  }
  function take(played: Played<Table>, given: Fact): void {
    played.facts += 1;
    if (given.type === BROUGHT) {
      rules.bring?.(played.table, given.data.fact as Fact);
      return;
    }
    const step = played.play.next(given);
    if (!step.done) played.next = step.value;
  }
  function played(state: State): Played<Table> {
    const its = all.get(state) ?? start(state);
    all.set(state, its);
    while (its.facts < state.facts.length) take(its, at(state.facts, its.facts));
    return its;
  }
  const push = (state: State, given: Fact) => {
    state.facts.push(given);
    played(state);
  };
  return {
    version: rules.version, open: ["then"], offTurn: rules.offTurn ?? [], isOneGame: rules.isOneGame === true,
    keepsResigned: rules.keepsResigned === true, neverPauses: rules.neverPauses === true,
    begin: (options, seats) => ({ options, seats, facts: [] }),
    bring: (state, given) => push(state, fact(BROUGHT, { fact: given })),
    startGame: (state) => push(state, fact(START)),
    next: (state) => played(state).next,
    happen: push,
    standard: (state, seat) => rules.standard(played(state).table, seat),
    stop: (state, stop) => push(state, fact(STOP, { ...stop })),
    resign: (state, seat) => push(state, fact("resign", { seat })),
    standing: (state) => rules.standing(played(state).table),
    view: (state) => rules.view(played(state).table),
  };
}
