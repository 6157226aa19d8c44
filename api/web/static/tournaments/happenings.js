/** Holds the state of the tournament pages in one value, and how each happening changes it. Runs without a browser. */

/**
 * @typedef {{which: string, items: Api.ListedTournament[], next: string | null}} Listing
 *
 * @typedef {object} Ground
 * @property {Listing | null} list a list of tournaments and its name
 * @property {string | null} id the id of the open tournament
 * @property {Api.Tournament} tournament
 * @property {Api.Game | null} game the game at its tables; null until it is read
 * @property {Record<string, string>} names of the sets and cards in prizes, as far as they were read
 * @property {Api.Entrants | null} entries the players, and the waiting list
 * @property {Api.Standings | null} standings
 * @property {Record<number, Api.Round>} rounds the rounds that were read
 * @property {Api.TournamentEvent[]} told the events read so far
 * @property {Record<string, number>} read the parts read, with the tournament version each shows
 * @property {Api.MatchAtTable | null} mine the match at the reader's table
 * @property {string} wanted the searched part of a name
 * @property {number} first the first row shown
 * @property {number} most maximum number of rows
 * @property {string} asks the action that needs confirmation
 * @property {import("./proving.js").Proof | null} proof the findings in its record; null if it was not checked
 *
 * @typedef {{is: "listed", list: Listing, isMore: boolean}
 *   | {is: "opened", id: string | null}
 *   | {is: "seen", tournament: Api.Tournament, mine: Api.MatchAtTable | null}
 *   | {is: "ruled", id: string, game: Api.Game}
 *   | {is: "called", names: Record<string, string>}
 *   | {is: "entered", id: string, entries: Api.Entrants}
 *   | {is: "stands", id: string, standings: Api.Standings}
 *   | {is: "paired", id: string, round: Api.Round}
 *   | {is: "told", id: string, events: Api.TournamentEvent[]}
 *   | {is: "read", id: string, what: string, version: number}
 *   | {is: "finds", wanted: string}
 *   | {is: "widens", isBefore?: boolean}
 *   | {is: "turns", row: number}
 *   | {is: "asks", what: string}
 *   | {is: "proved", id: string, proof: import("./proving.js").Proof | null}} GroundHappening
 */

/** Number of rows shown at first, and added each time. */
export const ROWS = 50;

/** @type {Ground} */
export const NOTHING_YET = {list: null, id: null,
  tournament: /** @type {Api.Tournament} */ (/** @type {unknown} */ (null)),
  game: null, names: {}, entries: null, standings: null, rounds: {}, told: [], read: {}, mine: null, wanted: "",
  first: 0, most: ROWS, asks: "", proof: null};

/** @param {Ground} ground @param {GroundHappening} happening @returns {Ground} */
export function next(ground, happening) {
  switch (happening.is) {
    case "listed": return {...ground, list: happening.isMore ? longer(ground.list, happening.list) : happening.list};
    case "opened": return happening.id === ground.id ? {...ground, wanted: "", first: 0, most: ROWS, asks: ""}
      : {...NOTHING_YET, list: ground.list, id: happening.id};
    case "seen": return seen(ground, happening.tournament, happening.mine);
    case "ruled": return happening.id === ground.id ? {...ground, game: happening.game} : ground;
    case "called": return {...ground, names: {...ground.names, ...happening.names}};
    case "entered": return happening.id === ground.id ? {...ground, entries: happening.entries} : ground;
    case "stands": return happening.id === ground.id ? {...ground, standings: happening.standings} : ground;
    case "paired": return happening.id === ground.id
      ? {...ground, rounds: {...ground.rounds, [happening.round.round]: happening.round}} : ground;
    case "told": return happening.id === ground.id ? {...ground, told: longerBy(ground.told, happening.events)}
      : ground;
    case "read": return happening.id === ground.id
      ? {...ground, read: {...ground.read, [happening.what]: happening.version}} : ground;
    case "finds": return {...ground, wanted: happening.wanted, first: 0, most: ROWS};
    case "widens": return {...ground, most: ground.most + ROWS, first: ground.first - (happening.isBefore ? ROWS : 0)};
    case "turns": return {...ground, first: happening.row - happening.row % ROWS, most: ROWS};
    case "proved": return happening.id === ground.id ? {...ground, proof: happening.proof} : ground;
    case "asks": return {...ground, asks: happening.what};
  }
}

/**
 * Add a page to a list; a page of another list replaces it.
 * @param {Listing | null} list
 * @param {Listing} page
 * @returns {Listing}
 */
const longer = (list, page) => list?.which === page.which ? {...page, items: [...list.items, ...page.items]} : page;

/**
 * Take an answer about the tournament, unless it is older than what is shown, or is about another one.
 * @param {Ground} ground
 * @param {Api.Tournament} tournament
 * @param {Api.MatchAtTable | null} mine
 * @returns {Ground}
 */
function seen(ground, tournament, mine) {
  if (tournament.id !== ground.id || (ground.tournament && tournament.version < ground.tournament.version))
    return ground;
  return {...ground, tournament, mine};
}

/**
 * Add the events after those that are known.
 * @param {Api.TournamentEvent[]} told
 * @param {Api.TournamentEvent[]} events
 */
function longerBy(told, events) {
  const last = told.at(-1)?.seq ?? 0;
  return [...told, ...events.filter(({seq}) => seq > last)];
}

/**
 * Return which rounds to read: finished rounds are read only once.
 * @param {Ground} ground
 * @param {number[]} wanted
 */
export const toRead = ({rounds}, wanted) => wanted.filter((round) => !rounds[round]?.closed);

/**
 * Return whether a table of a round waits for players to sit down, which is not an event of the tournament.
 * @param {Api.Round} [round]
 */
export const waitsForPlayers = (round) => Boolean(round?.tables.some(({how, seats}) =>
  how === "open" && seats.some(({player, seated}) => player && !seated)));

/**
 * Return the rows with a name that contains the searched text.
 * @template T
 * @param {T[]} rows
 * @param {string} wanted
 * @param {(row: T) => (string | null | undefined)[]} names
 */
export function found(rows, wanted, names) {
  const part = wanted.trim().toLocaleLowerCase();
  return part ? rows.filter((row) => names(row).some((name) => name?.toLocaleLowerCase().includes(part))) : rows;
}
