/** What is said where a table is made, and where it waits for players. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  tableOf: (/** @type {string} */ game) => `A table of ${game}`,
  rules: "Rules",
  beginWith: "Begin with",
  usualRules: "The usual rules",
  allRules: "All rules",
  everyRule: (/** @type {number} */ count, /** @type {number} */ changed) => `Every rule that can be changed (${count}${changed ? `, ${changed} changed` : ""})`,
  asUsual: "As usual",
  asUsualWithin: "as usual",
  unset: "“as usual”",
  whoPlays: "Who plays",
  seats: "Seats",
  players: (/** @type {number} */ count) => `${count} players`,
  youHaveSeat: (/** @type {number} */ seat) => `You have seat ${seat}.`,
  timeAndGuests: "Time and guests",
  clock: "Clock",
  whoMayWatch: "Who may watch",
  visibilities: {public: "Anybody: the table is in the public list", unlisted: "Who has the link", private: "Only who sits there"},
  gamesOfTheMatch: "Games of the match",
  bestOf: (/** @type {number} */ games) => ["As usual", "One game", "", "Best of three", "", "Best of five", "", "Best of seven"][games] ?? `Best of ${games}`,
  makeTheTable: "Make the table",
  sitters: {invite: "A friend, by a link", open: "Anybody who comes", easy: "A bot that is easy", steady: "A steady bot", strong: "A strong bot"},
  clocks: {none: "No clock", minute: "A minute for each decision", quick: "Five minutes, and ten seconds more for each decision",
    calm: "Half a minute for each decision, and ten minutes in reserve", day: "A day for each decision", slow: "Three days, and a day more for each decision"},
  // A table that has not begun
  whoSitsHere: "Who sits here",
  isKept: /** @type {Record<string, string>} */ ({invite: "is kept for a friend", open: "is free for anybody", bot: ""}),
  sendLink: (/** @type {number} */ seat) => `Send this link to a friend, for seat ${seat}`,
  copyLink: "Copy the link",
  invited: "You are invited to a table",
  seatIsKept: "A seat is kept for you. You need no account: this browser keeps it.",
}});
