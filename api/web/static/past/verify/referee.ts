/**
 * What the referee of a game is: its rules, written again from its rulebook alone. `domain/games/<game>/referee.ts` has
 * one for each game. `match_referee.ts` follows a match with it, event by event.
 *
 * A record holds events, not moves. So a referee says at each point what may come next: one fact that follows from the
 * rules, cards that chance deals, or the decision of a seat. The move is in the fact that records the decision. All
 * other facts must be exactly those that are due.
 */

export type Fields = Readonly<Record<string, unknown>>;

/**
 * An event with all its parts. A field that is sealed for one reader, or for `table`, has its value among `data`; one
 * that is sealed for several readers has an object there, with the value of each reader by name: `{"0": …, "1": …}`.
 */
export interface Fact {
  readonly type: string;
  readonly data: Fields;
}

/** Judges a fact: null if the rules allow it, else a sentence that says which rule it breaks. */
export type Judge = (fact: Fact) => string | null;

/** This fact follows from the rules, and no other. */
export interface Due {
  readonly kind: "due";
  readonly fact: Fact;
  /** Judges what seats may do before it happens. */
  readonly meanwhile?: Judge;
  /** Whether a hand begins with it, so that players continue before it. */
  readonly beginsHand?: boolean;
}

/** Chance decides: cards are dealt, or a seat is drawn. The check of shuffles compares them with the seeds. */
export interface Chance {
  readonly kind: "chance";
  readonly judge: Judge;
  /** One fact of those that may come, if all of them lead to the same play. */
  readonly usual?: Fact;
}

/** A seat that must answer; `decision` is the name of the decision in `DecisionRequested`. */
export interface Asked {
  readonly seat: number;
  readonly decision: string;
  /** Whether the decision is a small one, which has its own time (`clock.minor_seconds`). */
  readonly minor?: boolean;
  /** The time that the game itself gives, in seconds. */
  readonly seconds?: number;
}

/** Seats decide. Moves out of turn are not among `asked`, but `judge` allows them. */
export interface Decision {
  readonly kind: "decision";
  readonly asked: readonly Asked[];
  readonly judge: Judge;
  /** All legal decisions, out of turn too; amounts only at their bounds, moves of several parts one for each part. */
  readonly choices: () => Fact[];
}

/** The game is over, or has not begun. */
export interface Rest {
  readonly kind: "rest";
}

export type Next = Due | Chance | Decision | Rest;

/** Why a match ends a game before its rules do. `resigned` are the seats that resigned, the first one first. */
export interface Stop {
  readonly reason: "resignation" | "draw" | "abandoned";
  readonly resigned: readonly number[];
}

/** What the match needs to know of its game. */
export interface Standing {
  /** Whether a hand is being played: from `HandStarted` until the event that ends it. */
  readonly inHand: boolean;
  /** The seats that are out of the game and need not answer. */
  readonly out: readonly number[];
  /** The result, once the game has ended. Sides share a win; `scores` and `places` are seat by seat. */
  readonly result: Result | null;
}

export interface Result {
  readonly winners: readonly number[];
  readonly scores: readonly number[];
  readonly places: readonly number[];
}

/**
 * The rules of a game. The state is plain data, which can be copied with `structuredClone`; `next` and `view` only read
 * it, and all other functions change it.
 */
export interface Referee<State> {
  /** The version of the game's rules: the second number of `rules` of a match. */
  readonly version: string;
  /** Whether a match is one game, won by nobody. */
  readonly isOneGame?: boolean;
  /** Whether no hand of it waits for players to continue. */
  readonly neverPauses?: boolean;
  /** Whether no bot plays on for a seat that resigns, and the game ends by its own rules. */
  readonly keepsResigned?: boolean;
  /** Whether the lowest score is the best. */
  readonly lowScoreWins?: boolean;
  /** The sides of seats that win together, if not each seat plays for itself. */
  readonly sides?: (options: Fields, seats: number) => number[][];
  /** Fields of facts that tell what comes after them: they are judged as that comes. */
  readonly open?: readonly string[];
  /** Make the state before the first game. */
  readonly begin: (options: Fields, seats: number) => State;
  /** Prepare the next game of the series. Its first fact is due then. */
  readonly startGame: (state: State) => void;
  readonly next: (state: State) => Next;
  /** Take a fact that `next` allows. Raises `Unfit` if its open fields do not fit what comes. */
  readonly happen: (state: State, fact: Fact) => void;
  /** Return the decision that the clock makes for a seat. */
  readonly standard: (state: State, seat: number) => Fact;
  /** End the game early: its last fact is due then. */
  readonly stop: (state: State, stop: Stop) => void;
  readonly standing: (state: State) => Standing;
  /** Take the time at which the next facts happen, in milliseconds, if the game has a clock of its own. */
  readonly at?: (state: State, now: number) => void;
  /** Bring stacks from another table (`StacksArrived`), and say why they cannot be brought; the game ends with them. */
  readonly stake?: (state: State, stakes: Fields) => string | null;
  /** Return the stacks that leave a table to which stacks were brought (`StacksLeft`). */
  readonly leaving?: (state: State) => Fields[];
  /** Return the table as spectators see it (`table` of `GET /v1/matches/{id}`). */
  readonly view: (state: State) => Fields;
  /** Types of facts that answer nothing that the seat is asked, such as claims. */
  readonly offTurn?: readonly string[];
  /**
   * Types of facts that belong to the move, with the types right after which they do; `ChoiceMade:sacrifice` is such a
   * fact with this `choice`. All others are automatic.
   */
  readonly ofMove?: Readonly<Record<string, readonly string[]>>;
  /** The most hands of a game, if the options bound them. */
  readonly mostHands?: (options: Fields, seats: number) => number | null;
  /** Whether these options can be chosen together, each of them being possible. */
  readonly fits?: (options: Fields, seats: number) => boolean;
  /** Whether a seat may bring this, if the game refuses anything. */
  readonly mayBring?: (options: Fields, fact: Fact) => boolean;
  /** The moves that can be taken back, if the match allows it (rules 1.13). */
  readonly takesBack?: readonly string[];
  /** Take it that a seat gives up for good while the others play on, if the game itself ranks such seats. */
  readonly resign?: (state: State, seat: number) => void;
  /** Take what a seat or a tournament brings before the match starts, if the game knows such facts. */
  readonly bring?: (state: State, fact: Fact) => void;
}
