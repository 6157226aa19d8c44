/** Texts of the start page and of every table. */

import {amount, inLanguage, listed, number, uncapital} from "./language.js";

export const says = inLanguage({en: {
  // The start
  title: "Dealt: play cards",
  welcome: "Dealt",
  lead: "Card games with friends, or right now against bots. No account needed.",
  games: "Games",
  tournaments: "Tournaments",
  leaderboards: "Leaderboards",
  players: (/** @type {number} */ least, /** @type {number} */ most) =>
    least === most ? `${least} players` : `${least} to ${most} players`,
  minutes: (/** @type {number} */ least, /** @type {number} */ most) => `${least} to ${most} min`,
  play: (/** @type {string} */ game) => `Play ${game}`,
  playNow: "Play",
  makeTable: "Create a table",
  makeTableOf: (/** @type {string} */ game) => `Create a table of ${game}`,
  rules: "Rules",
  rulesOf: (/** @type {string} */ game) => `Rules of ${game}`,
  forPrograms: "API docs",
  guest: "Guest",
  youPlayAs: (/** @type {string} */ name) => `You play as ${name}`,
  playedElsewhere: "Played on another device?",
  sitDown: "Sit down",
  lookAtIt: "Watch",
  // Time left
  timeIsUp: "no time left",
  minutesLeft: (/** @type {number} */ minutes, /** @type {number} */ seconds) =>
    `${minutes}:${String(seconds).padStart(2, "0")} left`,
  hoursLeft: (/** @type {number} */ hours, /** @type {number} */ minutes) =>
    `${amount(hours, "hour")} ${amount(minutes, "minute")} left`,
  daysLeft: (/** @type {number} */ days, /** @type {number} */ hours) =>
    `${amount(days, "day")} ${amount(hours, "hour")} left`,
  // Players and status
  you: "You",
  seat: (/** @type {number} */ seat) => `Seat ${seat}`,
  bot: (/** @type {number} */ seat) => `Bot ${seat}`,
  named: (/** @type {string} */ name, /** @type {number} */ seat) => `${name} (seat ${seat})`,
  status: /** @type {Record<string, string>} */ ({lobby: "Waiting for players", finished: "The match is over",
    abandoned: "The match was abandoned", stopped: "The administrators stopped the match",
    cancelled: "The match was cancelled",
    expired: "The match expired before it started"}),
  isSet: "The table is being set up …",
  winners: (/** @type {string[]} */ names) => names.length ? `${names.join(" and ")} won.` : "No one won.",
  yourTurn: "Your turn.",
  yourTurnAt: (/** @type {string} */ game) => `Your turn: ${game}`,
  waitingFor: (/** @type {string[]} */ names) => `Waiting for ${listed(names)}.`,
  isPlaying: (/** @type {string[]} */ names) => `${listed(names)} ${names.length === 1 ? "is" : "are"} playing …`,
  oneMoment: "One moment …",
  // The table
  allGames: "All games",
  aMatch: "A match",
  aTable: "A table",
  theTable: "The table",
  watching: "Watching",
  menu: "Menu",
  whatYouMayDo: "Your moves",
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
  openTables: "Open tables",
  sitDownAt: (/** @type {string} */ game, /** @type {string} */ others) => `Sit down at the table of ${game} ${others}`,
  lookAt: (/** @type {string} */ game, /** @type {string} */ others) => `Watch the table of ${game} ${others}`,
  free: (/** @type {number} */ count) => count === 1 ? "1 free seat" : `${count} free seats`,
  // Moves
  asProposed: (/** @type {string} */ move) => `${move}, as proposed`,
  further: (/** @type {string[]} */ names) => `${listed(names)} …`,
  furtherSo: (/** @type {string[]} */ names, /** @type {string} */ way) => `${listed(names)} ${uncapital(way)}`,
  furtherOf: (/** @type {string} */ move, /** @type {string} */ way) => `${move}, ${uncapital(way)}`,
  choose: (/** @type {string} */ what, /** @type {number} */ least, /** @type {number} */ most,
    /** @type {string[]} */ held) =>
    `${what}: ${held.length ? listed(held) : `choose ${least === most ? most : `${least} to ${most}`}`}`,
  // Errors
  broken: "Something went wrong. Reload the page if it does not respond.",
  lost: "The server does not answer. Try again.",
  connectionLost: "Connection lost. Reconnecting …",
  answers: (/** @type {number} */ status) => `The server answered with error ${status}.`,
}});
