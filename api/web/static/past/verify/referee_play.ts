/**
 * Makes a referee from a play: a generator that yields what may come next and receives the fact that came. The state is
 * the list of all facts so far; a copied state replays them.
 */

import { at, fact, rest } from "./referee_kit.ts";
import type { Fact, Fields, Next, Referee, Standing, Stop } from "./referee.ts";

/** Plays a part of a game. */
export type Play<T = void> = Generator<Next, T, Fact>;

export interface State {
  readonly options: Fields;
  readonly seats: number;
  readonly facts: Fact[];
  /** The time of the next facts, in milliseconds. */
  now: number;
}
/** The rules of a game; its table is kept from game to game. */
export interface Rules<Table> {
  readonly version: string;
  readonly isOneGame?: boolean;
  readonly keepsResigned?: boolean;
  readonly neverPauses?: boolean;
  readonly offTurn?: readonly string[];
  readonly begin: (options: Fields, seats: number) => Table;
  /** Play a game to its end, or until it is stopped. */
  readonly game: (table: Table) => Play;
  /** Return the end of a game; `stop` says why it ends before its rules do. */
  readonly end: (table: Table, stop: Stop | null) => Play;
  readonly standing: (table: Table) => Standing;
  readonly view: (table: Table) => Fields;
  readonly standard: (table: Table, seat: number) => Fact;
  /** Accept a fact that can come whenever a seat decides; return whether it was one. */
  readonly meanwhile?: { judge: (table: Table, given: Fact) =>
    string | null | undefined; take: (table: Table, given: Fact) => void };
  readonly ofMove?: Readonly<Record<string, readonly string[]>>;
  readonly mostHands?: (options: Fields, seats: number) => number | null;
  readonly fits?: (options: Fields, seats: number) => boolean;
  readonly mayBring?: (options: Fields, given: Fact) => boolean;
  readonly bring?: (table: Table, given: Fact) => void;
  readonly at?: (table: Table, now: number) => void;
  /** Stacks in multi-table tournaments: judge those that arrive, take them, return those that leave. */
  readonly stakes?: { judge: (table: Table, stakes: Fields) => string | null;
    take: (table: Table, stakes: Fields) => void; leaving: (table: Table) => Fields[] };
}
interface Played<Table> { readonly table: Table; readonly play: Play; next: Next; facts: number }

const START = "start";
const STOP = "stop";
const BROUGHT = "brought";
const STAKED = "staked";

/** Play one game after another. */
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

  function start({ options, seats, now }: State): Played<Table> {
    const table = rules.begin(options, seats);
    rules.at?.(table, now);
    const play = series(rules, table);
    const first = play.next();
    return { table, play, next: first.done ? rest : first.value, facts: 0 };
  }
  function take(played: Played<Table>, given: Fact): void {
    played.facts += 1;
    if (given.type === BROUGHT) return rules.bring?.(played.table, given.data.fact as Fact);
    if (given.type === STAKED) return rules.stakes?.take(played.table, given.data);
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
    ofMove: rules.ofMove ?? {}, mostHands: rules.mostHands ?? (() => null), fits: rules.fits ?? (() => true),
    mayBring: rules.mayBring ?? (() => true),
    keepsResigned: rules.keepsResigned === true, neverPauses: rules.neverPauses === true,
    begin: (options, seats) => ({ options, seats, facts: [], now: 0 }),
    ...(rules.bring && { bring: (state: State, given: Fact) => push(state, fact(BROUGHT, { fact: given })) }),
    startGame: (state) => push(state, fact(START)),
    next: (state) => played(state).next,
    happen: push,
    standard: (state, seat) => rules.standard(played(state).table, seat),
    stop: (state, stop) => push(state, fact(STOP, { ...stop })),
    resign: (state, seat) => push(state, fact("resign", { seat })),
    at: (state, now) => {
      state.now = now;
      rules.at?.(played(state).table, now);
    },
    ...(rules.stakes && {
      stake: (state: State, stakes: Fields) => {
        const why = rules.stakes?.judge(played(state).table, stakes) ?? null;
        if (why === null) push(state, fact(STAKED, stakes));
        return why;
      },
      leaving: (state: State) => rules.stakes?.leaving(played(state).table) ?? [],
    }),
    standing: (state) => rules.standing(played(state).table),
    view: (state) => rules.view(played(state).table),
  };
}
