/** Texts of the form that creates a table, and of a table that waits for players. */

import {inLanguage, listed, uncapital} from "./language.js";

export const says = inLanguage({en: {
  tableOf: (/** @type {string} */ game) => `${game} table`,
  rules: "Rules",
  beginWith: "Start from",
  noSuchGame: "This server does not have that game. The start page lists all games.",
  usualRules: "Default rules",
  allRules: "All rules",
  yourName: "Your name, as others see it",
  rulesAreFor: (/** @type {number} */ usual) => `Defaults for ${usual} players:`,
  everyRule: (/** @type {number} */ count, /** @type {number} */ changed) =>
    `Every rule that can be changed (${count}${changed ? `, ${changed} changed` : ""})`,
  changedTo: (/** @type {string} */ option, /** @type {string} */ value) => value ? `${option}: ${value}` : option,
  onOrOff: (/** @type {boolean} */ isOn) => isOn ? "on" : "off",
  changedRules: (/** @type {string[]} */ changes) => `Changed: ${changes.join("; ")}.`,
  asUsual: "Default",
  asUsualWithin: "default",
  unset: "“default”",
  nth: (/** @type {string} */ name, /** @type {number} */ nth) => `${name}, ${nth}`,
  leaveOut: "None",
  anotherOf: (/** @type {string} */ name) => `${name}: add another`,
  whoPlays: "Players",
  seats: "Seats",
  players: (/** @type {number} */ count) => `${count} players`,
  youHaveSeat: (/** @type {number} */ seat) => `You have seat ${seat}.`,
  timeAndGuests: "Clock and spectators",
  clock: "Clock",
  whoMayWatch: "Spectators",
  visibilities: {public: "Everyone: the table is in the public list", unlisted: "Anyone with the link",
    private: "Only the players"},
  gamesOfTheMatch: "Games in the match",
  bestOf: (/** @type {number} */ games) =>
    ["Default", "One game", "", "Best of three", "", "Best of five", "", "Best of seven"][games] ?? `Best of ${games}`,
  makeTheTable: "Create table",
  sitters: {invite: "A friend, by a link", open: "Anyone", easy: "An easy bot",
    steady: "A steady bot", strong: "A strong bot"},
  clocks: {none: "No clock", minute: "One minute per decision",
    quick: "Five minutes plus ten seconds per decision",
    calm: "30 seconds per decision, ten minutes in reserve", day: "One day per decision",
    slow: "Three days plus one day per decision"},
  // Matches at the start
  yourMatches: "Your matches",
  asked: /** @type {Record<string, string>} */ (
    {turn: "Your turn", request: "Request to answer", invitation: "You are invited"}),
  yourTurnTo: (/** @type {string[]} */ moves, /** @type {boolean} */ isMore) =>
    `Your turn: ${listed(moves.map(uncapital))}${isMore ? " …" : ""}`,
  goesOn: /** @type {Record<string, string>} */ (
    {playing: "running", lobby: "waiting for players", finished: "over", abandoned: "abandoned",
    stopped: "stopped by the administrators",
    cancelled: "cancelled", expired: "expired before the start", annulled: "void"}),
  waitsFor: (/** @type {string[]} */ names) => `waiting for ${listed(names)}`,
  finished: "Finished",
  lookBack: "Replay",
  lookBackAt: (/** @type {string} */ game, /** @type {string} */ others) =>
    `Replay ${game} ${others}`,
  moreMatches: "More of your matches",
  // A table in the lobby
  whoSitsHere: "Seats",
  isKept: /** @type {Record<string, string>} */ (
    {invite: "reserved for a friend", open: "open to anyone", bot: ""}),
  seatsUntil: (/** @type {string} */ time) => `The table closes unless all seats are taken by ${time}.`,
  seatsUntilAt: (/** @type {string} */ time) => `All seats must be taken by ${time}. No-shows may lose the table.`,
  keptForYou: "You are invited.",
  seatWithin: (/** @type {number} */ seat) => `seat ${seat}`,
  sendLink: (/** @type {number} */ seat) => `Send this link to a friend, for seat ${seat}`,
  copyLink: "Copy the link",
  noTable: "Table not found",
  whyNoTable: "You may not have access, or the address is wrong. Ask for the link again.",
  otherTables: "Other tables and all games",
  invited: "You are invited to play",
  invitedTo: (/** @type {string} */ game) => `You are invited to play ${game}`,
  sitThere: (/** @type {string[]} */ names) =>
    `${listed(names)} ${names.length === 1 ? "waits" : "wait"} for you there.`,
  isTaken: "The seat offered by this link is taken.",
  hasBegun: "This match has already started.",
  ownLink: "This link is for a friend: copy it and send it. You are already at this table.",
  sitsHere: "You are already at this table. This link is for another player.",
  wrongCode: "This link is wrong or out of date. Ask for a new one.",
  seatIsKept: "A seat is reserved for you. You need no account: this browser remembers you.",
}});
