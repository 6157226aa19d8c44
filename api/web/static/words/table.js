/** What is said at the start and at every table. */

import {amount, inLanguage, listed, number} from "./language.js";

export const says = inLanguage({en: {
  // The start
  title: "Dealt: play cards",
  welcome: "Cards, now",
  lead: "Choose a game and play it against bots. You need no account: this browser keeps your seat.",
  games: "Games",
  tournaments: "Tournaments",
  leaderboards: "Leaderboards",
  players: (/** @type {number} */ least, /** @type {number} */ most) =>
    least === most ? `${least} players` : `${least} to ${most} players`,
  minutes: (/** @type {number} */ least, /** @type {number} */ most) => `${least} to ${most} minutes`,
  play: (/** @type {string} */ game) => `Play ${game}`,
  makeTable: "Make a table",
  makeTableOf: (/** @type {string} */ game) => `Make a table of ${game}`,
  rules: "Rules",
  rulesOf: (/** @type {string} */ game) => `Rules of ${game}`,
  forPrograms: "For programs: the API",
  guest: "Guest",
  youPlayAs: (/** @type {string} */ name) => `You play as ${name}`,
  playedElsewhere: "You have played on another device?",
  sitDown: "Sit down",
  lookAtIt: "Look at it",
  // What waits
  timeIsUp: "no time left",
  minutesLeft: (/** @type {number} */ minutes, /** @type {number} */ seconds) =>
    `${minutes}:${String(seconds).padStart(2, "0")} left`,
  hoursLeft: (/** @type {number} */ hours, /** @type {number} */ minutes) =>
    `${amount(hours, "hour")} ${amount(minutes, "minute")} left`,
  daysLeft: (/** @type {number} */ days, /** @type {number} */ hours) =>
    `${amount(days, "day")} ${amount(hours, "hour")} left`,
  // Who sits at a table, and how far it is
  you: "You",
  seat: (/** @type {number} */ seat) => `Seat ${seat}`,
  bot: (/** @type {number} */ seat) => `Bot ${seat}`,
  named: (/** @type {string} */ name, /** @type {number} */ seat) => `${name} (seat ${seat})`,
  status: /** @type {Record<string, string>} */ ({lobby: "Waiting for players", finished: "The match is over",
    abandoned: "The match was given up", cancelled: "The match was cancelled",
    expired: "The match did not begin in time"}),
  isSet: "The table is being set …",
  winners: (/** @type {string[]} */ names) => names.length ? `${names.join(" and ")} won.` : "Nobody won.",
  yourTurn: "Your turn.",
  yourTurnAt: (/** @type {string} */ game) => `Your turn: ${game}`,
  waitingFor: (/** @type {string[]} */ names) => `Waiting for ${listed(names)}.`,
  oneMoment: "One moment …",
  // The table
  allGames: "All games",
  aMatch: "A match",
  aTable: "A table",
  theTable: "The table",
  whatYouMayDo: "What you may do",
  badges: /** @type {Record<string, string>} */ ({turn: "to decide"}),
  faceDown: "face down",
  countFaceDown: (/** @type {number} */ count) => `${number(count)} face down`,
  noCard: "no card",
  nth: (/** @type {string} */ zone, /** @type {number} */ n) => `${zone} card ${n}`,
  either: (/** @type {string[]} */ labels) => labels.join(" or "),
  ranks: /** @type {Record<string, string>} */ ({T: "10", J: "jack", Q: "queen", K: "king", A: "ace"}),
  suits: /** @type {Record<string, string>} */ ({C: "clubs", D: "diamonds", H: "hearts", S: "spades"}),
  card: (/** @type {string} */ rank, /** @type {string} */ suit) => `${rank} of ${suit}`,
  // Tables to join
  others: (/** @type {string[]} */ people, /** @type {number} */ bots) =>
    `with ${listed([...people, ...(bots ? [bots === 1 ? "a bot" : `${bots} bots`] : [])])}`,
  moreTables: "More tables",
  openTables: "Tables that you can join",
  sitDownAt: (/** @type {string} */ game, /** @type {string} */ others) => `Sit down at the table of ${game} ${others}`,
  lookAt: (/** @type {string} */ game, /** @type {string} */ others) => `Look at it: the table of ${game} ${others}`,
  free: (/** @type {number} */ count) => count === 1 ? "a seat is free" : `${count} seats are free`,
  // Moves
  asProposed: (/** @type {string} */ move) => `${move}, as proposed`,
  choose: (/** @type {string} */ what, /** @type {number} */ least, /** @type {number} */ most,
    /** @type {string[]} */ held) =>
    `${what}: ${held.length ? listed(held) : `choose ${least === most ? most : `${least} to ${most}`}`}`,
  // What has gone wrong
  broken: "Something went wrong on this page. Reload it if it stands still.",
  lost: "The server does not answer. Try it once more.",
  connectionLost: "The connection is lost. It is being taken up again …",
  answers: (/** @type {number} */ status) => `The server answers ${status}.`,
}});
