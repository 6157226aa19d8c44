/** What is said where a table is made, and where it waits for players. */

import {inLanguage, listed, uncapital} from "./language.js";

export const says = inLanguage({en: {
  tableOf: (/** @type {string} */ game) => `A table of ${game}`,
  rules: "Rules",
  beginWith: "Begin with",
  noSuchGame: "There is no such game here. All games are listed at the start.",
  usualRules: "The usual rules",
  allRules: "All rules",
  yourName: "Your name, as others see it",
  rulesAreFor: (/** @type {number} */ usual) => `As it is for ${usual} players:`,
  everyRule: (/** @type {number} */ count, /** @type {number} */ changed) =>
    `Every rule that can be changed (${count}${changed ? `, ${changed} changed` : ""})`,
  changedTo: (/** @type {string} */ option, /** @type {string} */ value) => value ? `${option}: ${value}` : option,
  onOrOff: (/** @type {boolean} */ isOn) => isOn ? "on" : "off",
  changedRules: (/** @type {string[]} */ changes) => `But you changed: ${changes.join("; ")}.`,
  asUsual: "As usual",
  asUsualWithin: "as usual",
  unset: "“as usual”",
  nth: (/** @type {string} */ name, /** @type {number} */ nth) => `${name}, ${nth}`,
  leaveOut: "None: leave it out",
  anotherOf: (/** @type {string} */ name) => `${name}: one more`,
  whoPlays: "Who plays",
  seats: "Seats",
  players: (/** @type {number} */ count) => `${count} players`,
  youHaveSeat: (/** @type {number} */ seat) => `You have seat ${seat}.`,
  timeAndGuests: "Time and guests",
  clock: "Clock",
  whoMayWatch: "Who may watch",
  visibilities: {public: "Anybody: the table is in the public list", unlisted: "Who has the link",
    private: "Only who sits there"},
  gamesOfTheMatch: "Games of the match",
  bestOf: (/** @type {number} */ games) =>
    ["As usual", "One game", "", "Best of three", "", "Best of five", "", "Best of seven"][games] ?? `Best of ${games}`,
  makeTheTable: "Make the table",
  sitters: {invite: "A friend, by a link", open: "Anybody who comes", easy: "A bot that is easy",
    steady: "A steady bot", strong: "A strong bot"},
  clocks: {none: "No clock", minute: "A minute for each decision",
    quick: "Five minutes, and ten seconds more for each decision",
    calm: "Half a minute for each decision, and ten minutes in reserve", day: "A day for each decision",
    slow: "Three days, and a day more for each decision"},
  // Matches at the start
  yourMatches: "Your matches",
  asked: /** @type {Record<string, string>} */ (
    {turn: "Your turn", request: "You are asked for an answer", invitation: "A seat is kept for you"}),
  yourTurnTo: (/** @type {string[]} */ moves, /** @type {boolean} */ isMore) =>
    `Your turn: ${listed(moves.map(uncapital))}${isMore ? " …" : ""}`,
  goesOn: /** @type {Record<string, string>} */ (
    {playing: "goes on", lobby: "waits for players", finished: "is over", abandoned: "was given up",
    cancelled: "was cancelled", expired: "did not begin in time", annulled: "was annulled"}),
  waitsFor: (/** @type {string[]} */ names) => `waits for ${listed(names)}`,
  finished: "Finished",
  lookBack: "Look back",
  lookBackAt: (/** @type {string} */ game, /** @type {string} */ others) =>
    `Look back at the match of ${game} ${others}`,
  moreMatches: "More of your matches",
  // A table that has not begun
  whoSitsHere: "Who sits here",
  isKept: /** @type {Record<string, string>} */ (
    {invite: "is kept for a friend", open: "is free for anybody", bot: ""}),
  seatsUntil: (/** @type {string} */ time) => `All seats are to be taken by ${time}. Else the table is closed.`,
  seatsUntilAt: (/** @type {string} */ time) => `All seats are to be taken by ${time}. Who has not come then may lose.`,
  keptForYou: "A seat is kept for you.",
  seatWithin: (/** @type {number} */ seat) => `seat ${seat}`,
  sendLink: (/** @type {number} */ seat) => `Send this link to a friend, for seat ${seat}`,
  copyLink: "Copy the link",
  noTable: "There is no table to show",
  whyNoTable: "It may not be open to you, or a letter of its address is wrong. Whoever sent you here can send the link "
    + "once more.",
  otherTables: "Other tables and all games",
  invited: "You are invited to a table",
  invitedTo: (/** @type {string} */ game) => `You are invited to a table of ${game}`,
  sitThere: (/** @type {string[]} */ names) =>
    `${listed(names)} ${names.length === 1 ? "waits" : "wait"} for you there.`,
  isTaken: "The seat that was kept by this link is taken.",
  hasBegun: "This match waits for players no longer.",
  ownLink: "This link is for a friend. Copy it, and send it to them: you sit at this table already.",
  sitsHere: "You sit at this table already. The seat of this link is for somebody else.",
  wrongCode: "The code of this link is wrong, or there is a newer one. Ask who sent it for the link once more.",
  seatIsKept: "A seat is kept for you. You need no account: this browser keeps it.",
}});
