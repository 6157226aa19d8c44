/**
 * The interface of a game's referee: its rules, rewritten only from its rulebook, in `domain/games/<game>/referee.ts`.
 * `match_referee.ts` follows a match with it, event by event. A record holds events, not moves. So at each point a
 * referee says what may come next: one fact that follows from the rules, cards dealt by chance, or a seat's decision.
 * The move is in the fact that records the decision. All other facts must be exactly the due ones.
 */

export type Fields = Readonly<Record<string, unknown>>;

/**
 * An event with all its parts. A field sealed for one reader, or for `table`, has its value in `data`; one sealed for
 * several readers has an object with each reader's value: `{"0": …, "1": …}`.
 */
export interface Fact {
  readonly type: string;
  readonly data: Fields;
}

/** Judges a fact: null if the rules allow it, otherwise a sentence that names the broken rule. */
export type Judge = (fact: Fact) => string | null;

/** Only this fact follows from the rules. */
export interface Due {
  readonly kind: "due";
  readonly fact: Fact;
  /** Judges what seats may do before it. */
  readonly meanwhile?: Judge;
  /** Whether it begins a hand, so that players must continue before it. */
  readonly beginsHand?: boolean;
}

/** Chance decides: cards are dealt, or a seat is drawn. The shuffle check compares them with the seeds. */
export interface Chance {
  readonly kind: "chance";
  readonly judge: Judge;
  /** One of the possible facts, if all lead to the same play. */
  readonly usual?: Fact;
}

/** A seat that must decide; `decision` is its name in `DecisionRequested`. */
export interface Asked {
  readonly seat: number;
  readonly decision: string;
  /** Whether it is a minor decision, with its own time (`clock.minor_seconds`). */
  readonly minor?: boolean;
  /** The time set by the game itself, in seconds. */
  readonly seconds?: number;
}

/** Seats decide. Moves out of turn are not in `asked`, but `judge` allows them. */
export interface Decision {
  readonly kind: "decision";
  readonly asked: readonly Asked[];
  readonly judge: Judge;
  /** All legal decisions, including out of turn; amounts only at their bounds, moves of several parts one per part. */
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

/** The game's state that the match needs. */
export interface Standing {
  /** Whether a hand is in progress: from `HandStarted` to the event that ends it. */
  readonly inHand: boolean;
  /** The seats that are out of the game and need not decide. */
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
 * The rules of a game. The state is plain data, copyable with `structuredClone`; `next` and `view` only read it, all
 * other functions change it.
 */
export interface Referee<State> {
  /** The version of the game's rules: the second number in a match's `rules`. */
  readonly version: string;
  /** Whether a match is one game without a winner. */
  readonly isOneGame?: boolean;
  /** Whether hands never wait for players to continue. */
  readonly neverPauses?: boolean;
  /** Whether no bot takes over a resigned seat, and the game ends by its own rules. */
  readonly keepsResigned?: boolean;
  /** Whether the lowest score wins. */
  readonly lowScoreWins?: boolean;
  /** The sides of seats that win together, unless each seat plays for itself. */
  readonly sides?: (options: Fields, seats: number) => number[][];
  /** Fields of facts that announce later facts, and are judged when those come. */
  readonly open?: readonly string[];
  /** Create the state before the first game. */
  readonly begin: (options: Fields, seats: number) => State;
  /** Prepare the next game of the series. Its first fact is then due. */
  readonly startGame: (state: State) => void;
  readonly next: (state: State) => Next;
  /** Apply a fact that `next` allows. Throws `Unfit` if its open fields do not fit later facts. */
  readonly happen: (state: State, fact: Fact) => void;
  /** Return a seat's default decision when its time is over. */
  readonly standard: (state: State, seat: number) => Fact;
  /** End the game early: its last fact is then due. */
  readonly stop: (state: State, stop: Stop) => void;
  readonly standing: (state: State) => Standing;
  /** Set the time of the next facts, in milliseconds, if the game has its own clock. */
  readonly at?: (state: State, now: number) => void;
  /** Bring stacks from another table (`StacksArrived`), or return why they are refused; the game ends with them. */
  readonly stake?: (state: State, stakes: Fields) => string | null;
  /** Return the stacks that leave a table that stacks were brought to (`StacksLeft`). */
  readonly leaving?: (state: State) => Fields[];
  /** Return the table as spectators see it (`table` of `GET /v1/matches/{id}`). */
  readonly view: (state: State) => Fields;
  /** Types of facts that answer no decision, such as claims. */
  readonly offTurn?: readonly string[];
  /**
   * Types of facts that belong to the move, with the types they directly follow; `ChoiceMade:sacrifice` means such a
   * fact with this `choice`. All others are automatic.
   */
  readonly ofMove?: Readonly<Record<string, readonly string[]>>;
  /** The maximum number of hands of a game, if the options limit it. */
  readonly mostHands?: (options: Fields, seats: number) => number | null;
  /** Whether these options, each valid alone, can be combined. */
  readonly fits?: (options: Fields, seats: number) => boolean;
  /** Whether a seat may bring this, for games that refuse anything. */
  readonly mayBring?: (options: Fields, fact: Fact) => boolean;
  /** The moves that can be taken back, if the match allows it (rules 1.13). */
  readonly takesBack?: readonly string[];
  /** Record that a seat has resigned for good while others play on, if the game itself ranks such seats. */
  readonly resign?: (state: State, seat: number) => void;
  /** Apply what a seat or tournament brings before the start, if the game has such facts. */
  readonly bring?: (state: State, fact: Fact) => void;
}
