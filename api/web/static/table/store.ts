/** Holds the page's whole state in one value, and how each happening changes it. Independent of browsers. */

import type { Away } from "../away/away.js";
import type { Draft as MoveDraft } from "../choosing/parts.ts";
import type { Alarm } from "../guard/alarm.ts";
import type { Draft as TableDraft } from "../making/draft.js";
import type { Judged } from "../past/judged.ts";
import type { Check } from "../past/verify/report.mjs";
import type { Waiting } from "./waiting.ts";

/** A complete move; its title distinguishes it from others with the same name. */
export interface Option {
  label: string;
  move: string;
  args: Api.Values;
  title?: string;
}

/** What must be chosen before a move can be sent. A grave choice cannot be taken back. */
export interface Question {
  title: string;
  options: Option[];
  isGrave?: boolean;
  /** The card and the buttons with which it began. */
  card?: string;
  began?: Option[];
}

/** An open question; `anew` updates it when the offer changes. */
export interface Ask extends Question {
  anew: (ask: Ask, offer: Offer) => Ask | null;
}

/** A move of several parts that was begun on the table. */
export interface Begun {
  fixed: Api.Values;
  title?: string;
}

/** A number as its field has it, or the current draft of a move. */
export type Drafted = string | Begun | MoveDraft | null;

export interface Line {
  seq: number;
  type: string;
  text: string;
}

export interface Message {
  no: number;
  change: number;
  seat: number | null;
  player: { id: string; name: string | null; handle: string | null } | null;
  text: string | null;
  blocked: boolean;
  muted: boolean;
  deleted: unknown;
}

/** The players a match waits for, and the reader's moves if it waits for the reader. */
export interface Turn {
  names: string[];
  deadline: string | null;
  moves?: string[];
}

/** The table after an event. */
export interface Step {
  version: number;
  /** The number of its commit's first event (a commit is a move with all its effects). */
  commit: number;
  at: string;
  text: string;
  scene: Api.Scene;
  next?: number;
}

/** The verifier's findings; no judgement while it is still checking. */
export interface Verified {
  checks: Check[];
  judged: Judged | null;
}

/** The table at an earlier version, with the fields that differed. */
export type Moment = { version: number; scene: Api.Scene } & Partial<Pick<Api.Match, "status" | "result" | "to_act">>;

export interface Mark {
  at: string;
  version: number;
  text: string;
}

/** A replay. */
export interface Past {
  steps: Step[];
  marks: Mark[];
  version: number;
  seat: string | null;
  speed: number;
  isPlaying: boolean;
  verified: Verified | null;
}

export interface Invited {
  id: string;
  seat: number | null;
  code: string;
}

export interface Move {
  name: string;
  place: number;
  args: Api.Schema;
  example: { name: string; args: Api.Values; seat?: number };
}

/** The legal moves; `also` has only names until it is shown. */
export interface Offer {
  version: number;
  seat: number | null;
  /** The decision that the seat has to make; empty if none. */
  prompt: string;
  moves: Move[];
  also: Move[];
}

export interface State {
  /** The player's name and id. */
  player: string | null;
  me: string | null;
  games: Api.ListedGame[];
  /** The player's matches. */
  mine: Api.ListedMatch[];
  inbox: Waiting[];
  /** The players whom other matches wait for. */
  turns: Record<string, Turn>;
  /** Tables that have not begun. */
  open: Api.ListedMatch[];
  /** Whether there are more of the player's matches, and of open tables, than are listed. */
  more: { mine: boolean; open: boolean };
  /** The form of a new match. */
  making: TableDraft | null;
  /** The id of the open match. */
  id: string | null;
  match: Api.Match;
  /** The earlier table shown while events are replayed one by one. */
  moment: Moment | null;
  offer: Offer | null;
  log: Line[];
  chat: Message[];
  past: Past | null;
  invited: Invited | null;
  /** The chosen cards. */
  chosen: string[];
  /** The drafts of moves, by name. */
  drafts: Record<string, Drafted>;
  away: Away | null;
  /** Whether the rare moves are shown. */
  isOpen: boolean;
  ask: Ask | null;
  problem: string | null;
  isOnline: boolean;
  isSending: boolean;
  /** Whether the token of this browser is no longer valid. */
  isEnded: boolean;
  /** The server contradicts what it showed before. */
  alarm: Alarm | null;
}

/**
 * The state before anything is read. The match is null then, although `State` does not say so: code that paints a match
 * checks for it first.
 */
export const EMPTY: State = {
  player: null,
  games: [],
  me: null,
  mine: [],
  inbox: [],
  turns: {},
  open: [],
  more: { mine: false, open: false },
  making: null,
  id: null,
  match: null as unknown as Api.Match,
  moment: null,
  offer: null,
  log: [],
  chat: [],
  past: null,
  invited: null,
  chosen: [],
  drafts: {},
  away: null,
  isOpen: false,
  ask: null,
  problem: null,
  isOnline: true,
  isSending: false,
  isEnded: false,
  alarm: null,
};

type Remembered = Pick<Past, "steps" | "marks" | "version" | "seat">;

export type Happening =
  | { is: "named"; id: string; name: string }
  | { is: "listed"; games: Api.ListedGame[] }
  | { is: "came"; mine: Api.ListedMatch[]; inbox: Waiting[]; open: Api.ListedMatch[]; more: State["more"] }
  | { is: "ended" }
  | { is: "alarmed"; alarm: Alarm | null }
  | { is: "forgot" }
  | { is: "turns"; turns: Record<string, Turn> }
  | { is: "spoken"; message: Message }
  | { is: "making"; draft: TableDraft }
  | { is: "opened"; id: string | null }
  | { is: "seen"; match: Api.Match; offer: Offer }
  | { is: "told"; event: Api.Event }
  | { is: "between"; moment: Moment | null }
  | { is: "invited"; invited: Invited }
  | ({ is: "remembered" } & Remembered)
  | { is: "plays"; speed: number; isPlaying: boolean }
  | { is: "verified"; verified: Verified | null }
  | { is: "stepped"; version: number }
  | { is: "chose"; card: string; most: number }
  | { is: "drafted"; move: string; draft: Drafted }
  | { is: "resumed"; chosen: string[]; drafts: State["drafts"] }
  | { is: "left"; away: State["away"] }
  | { is: "unfolded"; isOpen: boolean }
  | { is: "asked"; ask: Ask | null }
  | { is: "sending" }
  | { is: "sent" }
  | { is: "refused"; problem: string | null }
  | { is: "online"; isOnline: boolean };

/** Return the state after a happening. */
export function after(state: State, happening: Happening): State {
  switch (happening.is) {
    case "named":
      return { ...state, me: happening.id, player: happening.name };
    case "listed":
      return { ...state, games: happening.games };
    case "came":
      return { ...state, mine: happening.mine, inbox: happening.inbox, open: happening.open, more: happening.more };
    case "ended":
      return { ...state, isEnded: true };
    case "alarmed":
      return { ...state, alarm: happening.alarm };
    case "forgot":
      return { ...EMPTY, games: state.games, alarm: state.alarm };
    case "turns":
      return { ...state, turns: happening.turns };
    case "spoken":
      return { ...state, chat: spoken(state.chat, happening.message) };
    case "making":
      return { ...state, making: happening.draft };
    case "opened":
      return opened(state, happening.id);
    case "seen":
      return seen(state, happening.match, happening.offer);
    case "told":
      return told(state, happening.event);
    case "between":
      return { ...state, moment: happening.moment };
    case "invited":
      return { ...state, invited: happening.invited };
    case "remembered":
      return { ...state, past: remembered(state.past, happening) };
    case "plays":
      return state.past
        ? { ...state, past: { ...state.past, speed: happening.speed, isPlaying: happening.isPlaying } }
        : state;
    case "verified":
      return state.past ? { ...state, past: { ...state.past, verified: happening.verified } } : state;
    case "stepped":
      return state.past
        ? { ...state, past: { ...state.past, version: within(state.past.steps, happening.version) } }
        : state;
    case "chose":
      return { ...state, problem: null, chosen: chosen(state.chosen, happening.card, happening.most) };
    case "drafted":
      return { ...state, problem: null, drafts: { ...state.drafts, [happening.move]: happening.draft } };
    case "resumed":
      return { ...state, chosen: happening.chosen, drafts: happening.drafts };
    case "left":
      return { ...state, away: happening.away };
    case "unfolded":
      return { ...state, isOpen: happening.isOpen };
    case "asked":
      return { ...state, problem: null, ask: happening.ask };
    case "sending":
      return { ...state, isSending: true, problem: null, ask: null };
    case "sent":
      return { ...state, isSending: false };
    case "refused":
      return { ...state, isSending: false, problem: happening.problem };
    case "online":
      return { ...state, isOnline: happening.isOnline };
  }
}

/** Open a match; keep the lists until they are read again. */
function opened({ player, games, me, mine, inbox, turns, open, more, alarm }: State, id: string | null): State {
  return { ...EMPTY, player, games, me, mine, inbox, turns, open, more, alarm, id };
}

/** Apply an answer about the match, unless it is older than the one shown. */
function seen(state: State, match: Api.Match, offer: Offer): State {
  if (state.id !== match.id || (state.match && match.version < state.match.version)) return state;
  const isSame = offered(state.offer) === offered(offer),
    { ask } = state;
  return {
    ...state,
    match,
    offer,
    ask: ask?.anew(ask, offer) ?? null,
    problem: match.result && !state.match?.result ? null : state.problem,
    ...(isSame ? {} : { chosen: [], drafts: {} }),
  };
}

/** Return a text that changes only with the moves on offer: other events must not reset choices. */
export const offered = (offer: Offer | null): string | undefined =>
  JSON.stringify(offer?.moves.map(({ name, args }) => [name, args]));

/** Add an event to the log, unless it is there already. */
function told(state: State, event: Line): State {
  if (event.seq <= (state.log.at(-1)?.seq ?? 0)) return state;
  return { ...state, log: [...state.log, { seq: event.seq, type: event.type, text: event.text }].slice(-MOST_LINES) };
}

/** Add a message, or replace it if it was changed. */
const spoken = (chat: Message[], message: Message): Message[] =>
  [...chat.filter(({ no }) => no !== message.no), message].sort((a, b) => a.no - b.no).slice(-MOST_LINES);

/** Begin a replay; keep the verifier's findings for every seat. */
const remembered = (past: Past | null, { steps, marks, version, seat }: Remembered): Past => ({
  steps,
  marks,
  version: within(steps, version),
  seat,
  speed: past?.speed ?? 1,
  isPlaying: past?.isPlaying ?? false,
  verified: past?.verified ?? null,
});

/** Return the nearest existing version. */
const within = (steps: Step[], version: number): number => Math.max(1, Math.min(steps.length, version));

export const MOST_LINES = 300;
/** The maximum number of earlier lines that a page asks for when it opens a match. */
export const MOST_EARLIER = 60;

/**
 * Return the log lines shown next to a table, up to its version. Shown lines stay: removing the first would move the
 * others.
 */
export const toldBy = (log: Line[], version: number): Line[] => log.filter(({ seq }) => seq <= version);

/** Choose a card, or unselect it. At the maximum, drop the oldest choice. */
function chosen(now: string[], card: string, most: number): string[] {
  if (now.includes(card)) return now.filter((one) => one !== card);
  return [...now, card].slice(-most);
}
