/**
 * Holds all that the page shows in one value, and says what each happening makes of it. Nothing here knows a browser.
 */

/**
 * @typedef {{label: string, move: string, args: Api.Values, title?: string}} Option a move that may be sent as
 *   it is; its title tells it from others of its name
 * @typedef {{title: string, options: Option[], isGrave?: boolean, card?: string, began?: Option[]}} Question what has
 *   to be chosen before a move can be sent, the card and what was pressed by which it began; what is grave cannot be
 *   taken back
 * @typedef {Question & {anew: (ask: Ask, offer: Offer) => Ask | null}} Ask a question that is asked, and how it is
 *   asked anew when something else is offered
 * @typedef {{fixed: Api.Values, title?: string}} Begun a move of several parts that was begun on the table
 * @typedef {string | Begun | import("../choosing/parts.js").Draft | null} Drafted a number as it stands in its field,
 *   or a move as far as it is put together
 * @typedef {{seq: number, type: string, text: string}} Line
 * @typedef {{no: number, change: number, seat: number | null, player: {name: string} | null, text: string | null,
 *   deleted: string | null}} Message
 * @typedef {{names: string[], deadline: string | null, moves?: string[]}} Turn whom a match waits for; and what the
 *   reader may do, if it is the reader
 * @typedef {{version: number, at: string, text: string, scene: Api.Scene, next?: number}} Step the table after an event
 * @typedef {{checks: import("../past/verify/report.mjs").Check[], verdict: string}} Verified what the browser has
 *   found; no verdict: it goes on
 * @typedef {{version: number, scene: Api.Scene} & Partial<Pick<Api.Match, "status" | "result" | "to_act">>} Moment the
 *   table as it was at a version; of a match that is over now, what was so before
 * @typedef {{steps: Step[], marks: {at: string, version: number, text: string}[], version: number, seat: string | null,
 *   speed: number, isPlaying: boolean, verified: Verified | null}} Past
 * @typedef {{id: string, seat: number | null, code: string}} Invited
 * @typedef {{name: string, place: number, args: Api.Schema, example: {name: string, args: Api.Values, seat?: number}}}
 *   Move
 * @typedef {{version: number, seat: number | null, moves: Move[], also: Move[]}} Offer `also` has names alone until it
 *   is shown
 */

/**
 * @typedef {object} State
 * @property {string | null} player the name of who plays here
 * @property {Api.ListedGame[]} games
 * @property {string | null} me the id of who plays here
 * @property {Api.ListedMatch[]} mine matches
 * @property {import("./waiting.js").Waiting[]} inbox what waits
 * @property {Record<string, Turn>} turns whom the matches wait for that do not wait for the reader
 * @property {Api.ListedMatch[]} open tables that have not begun
 * @property {{mine: boolean, open: boolean}} more whether there are more of the reader's matches, and of open tables,
 *   than are listed
 * @property {import("../making/draft.js").Draft | null} making a table that is being thought out
 * @property {string | null} id of the match that is open
 * @property {Api.Match} match
 * @property {Moment | null} moment what is shown of the match while it is told event by event
 * @property {Offer | null} offer
 * @property {Line[]} log
 * @property {Message[]} chat
 * @property {Past | null} past what is looked back at
 * @property {Invited | null} invited the seat that an address keeps
 * @property {string[]} chosen cards that are chosen
 * @property {Record<string, Drafted>} drafts what is being chosen of moves, by their names
 * @property {import("../away/away.js").Away | null} away what is left for the time away
 * @property {boolean} isOpen what else may be done is shown
 * @property {Ask | null} ask
 * @property {string | null} problem
 * @property {boolean} isOnline
 * @property {boolean} isSending
 * @property {boolean} isEnded the token of this browser is in force no longer
 */

/**
 * What is known before anything was read. The match is null then, though `State` says that it is none: who paints one
 * has looked for it first.
 * @type {State}
 */
export const EMPTY = {player: null, games: [], me: null, mine: [], inbox: [], turns: {}, open: [],
  more: {mine: false, open: false}, making: null, id: null, match: /** @type {any} */ (null), moment: null, offer: null,
  log: [], chat: [], past: null, invited: null, chosen: [], drafts: {}, away: null, isOpen: false, ask: null,
  problem: null, isOnline: true, isSending: false, isEnded: false};

/**
 * @typedef {{is: "named", id: string, name: string}
 *   | {is: "listed", games: Api.ListedGame[]}
 * | {is: "came", mine: Api.ListedMatch[], inbox: import("./waiting.js").Waiting[], open: Api.ListedMatch[],
 * more: State["more"]}
 *   | {is: "ended"}
 *   | {is: "forgot"}
 *   | {is: "turns", turns: Record<string, Turn>}
 *   | {is: "spoken", message: Message}
 *   | {is: "making", draft: import("../making/draft.js").Draft}
 *   | {is: "opened", id: string | null}
 *   | {is: "seen", match: Api.Match, offer: Offer}
 *   | {is: "told", event: Api.Event}
 *   | {is: "between", moment: Moment | null}
 *   | {is: "invited", invited: Invited}
 *   | {is: "remembered", steps: Step[], marks: Past["marks"], version: number, seat: string | null}
 *   | {is: "plays", speed: number, isPlaying: boolean}
 *   | {is: "verified", verified: Verified | null}
 *   | {is: "stepped", version: number}
 *   | {is: "chose", card: string, most: number}
 *   | {is: "drafted", move: string, draft: Drafted}
 *   | {is: "resumed", chosen: string[], drafts: State["drafts"]}
 *   | {is: "left", away: State["away"]}
 *   | {is: "unfolded", isOpen: boolean}
 *   | {is: "asked", ask: Ask | null}
 *   | {is: "sending"}
 *   | {is: "sent"}
 *   | {is: "refused", problem: string | null}
 *   | {is: "online", isOnline: boolean}} Happening
 */

/** @param {State} state @param {Happening} happening @returns {State} */
export function after(state, happening) {
  switch (happening.is) {
    case "named": return {...state, me: happening.id, player: happening.name};
    case "listed": return {...state, games: happening.games};
    case "came": return {...state, mine: happening.mine, inbox: happening.inbox, open: happening.open,
      more: happening.more};
    case "ended": return {...state, isEnded: true};
    case "forgot": return {...EMPTY, games: state.games};
    case "turns": return {...state, turns: happening.turns};
    case "spoken": return {...state, chat: spoken(state.chat, happening.message)};
    case "making": return {...state, making: happening.draft};
    case "opened": return opened(state, happening.id);
    case "seen": return seen(state, happening.match, happening.offer);
    case "told": return told(state, happening.event);
    case "between": return {...state, moment: happening.moment};
    case "invited": return {...state, invited: happening.invited};
    case "remembered": return {...state, past: remembered(state.past, happening)};
    case "plays": return state.past ? {...state,
      past: {...state.past, speed: happening.speed, isPlaying: happening.isPlaying}} : state;
    case "verified": return state.past ? {...state, past: {...state.past, verified: happening.verified}} : state;
    case "stepped": return state.past
      ? {...state, past: {...state.past, version: within(state.past.steps, happening.version)}} : state;
    case "chose": return {...state, problem: null, chosen: chosen(state.chosen, happening.card, happening.most)};
    case "drafted": return {...state, problem: null, drafts: {...state.drafts, [happening.move]: happening.draft}};
    case "resumed": return {...state, chosen: happening.chosen, drafts: happening.drafts};
    case "left": return {...state, away: happening.away};
    case "unfolded": return {...state, isOpen: happening.isOpen};
    case "asked": return {...state, problem: null, ask: happening.ask};
    case "sending": return {...state, isSending: true, problem: null, ask: null};
    case "sent": return {...state, isSending: false};
    case "refused": return {...state, isSending: false, problem: happening.problem};
    case "online": return {...state, isOnline: happening.isOnline};
  }
}

/** What was listed stays until it is listed anew. @param {State} state @param {string | null} id @returns {State} */
function opened({player, games, me, mine, inbox, turns, open, more}, id) {
  return {...EMPTY, player, games, me, mine, inbox, turns, open, more, id};
}

/**
 * An answer that is older than what is shown changes nothing.
 * @param {State} state
 * @param {Api.Match} match
 * @param {Offer} offer
 */
function seen(state, match, offer) {
  if (state.id !== match.id || (state.match && match.version < state.match.version)) return state;
  const isSame = offered(state.offer) === offered(offer), {ask} = state;
  return {...state, match, offer, ask: ask && ask.anew(ask, offer),
    problem: match.result && !state.match?.result ? null : state.problem,
    ...(isSame ? {} : {chosen: [], drafts: {}})};
}

/**
 * Write what is asked, so that it can be compared: what others do meanwhile takes nothing away of what is being chosen.
 * @param {Offer | null} offer
 */
export const offered = (offer) => JSON.stringify(offer?.moves.map(({name, args}) => [name, args]));

/** @param {State} state @param {Line} event */
function told(state, event) {
  if (event.seq <= (state.log.at(-1)?.seq ?? 0)) return state;
  return {...state, log: [...state.log, {seq: event.seq, type: event.type, text: event.text}].slice(-MOST_LINES)};
}

/** A message that is changed comes again, in the place that it has. @param {Message[]} chat @param {Message} message */
const spoken = (chat, message) => [...chat.filter(({no}) => no !== message.no), message].sort((a, b) => a.no - b.no)
  .slice(-MOST_LINES);

/**
 * What was found of the record stays found from each seat.
 * @param {Past | null} past
 * @param {{steps: Step[], marks: Past["marks"], version: number, seat: string | null}} found
 * @returns {Past}
 */
const remembered = (past, {steps, marks, version, seat}) =>
  ({steps, marks, version: within(steps, version), seat, speed: past?.speed ?? 1, isPlaying: past?.isPlaying ?? false,
    verified: past?.verified ?? null});

/** Give the version that there is. @param {Step[]} steps @param {number} version */
const within = (steps, version) => Math.max(1, Math.min(steps.length, version));

export const MOST_LINES = 300;
/** So many lines of the log are shown at most. */
export const MOST_SHOWN = 60;

/** Give the lines of the log that are shown beside a table, none of which is ahead of it. @param {Line[]} log */
export const toldBy = (log, /** @type {number} */ version) => log.filter(({seq}) => seq <= version).slice(-MOST_SHOWN);

/**
 * Choose a card, or no longer; where no more may be chosen, the oldest is given up.
 * @param {string[]} now
 * @param {string} card
 * @param {number} most
 */
function chosen(now, card, most) {
  if (now.includes(card)) return now.filter((one) => one !== card);
  return [...now, card].slice(-most);
}
