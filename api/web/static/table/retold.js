/** Adapts English texts of the API to the reader: "You", names, and suit signs. It works for any game. */

import {nameOf} from "./seating.js";
import {moment} from "../words/language.js";
import {says} from "../words/table.js";

const SIGNS = /** @type {Record<string, string>} */ ({C: "♣", D: "♦", H: "♥", S: "♠"});
const PLAIN = "\uFE0E";  // a suit is a text character, and no picture
const OF_YOU = /** @type {Record<string, string>} */ ({is: "are", has: "have", was: "were"});

/** Write cards with suit signs. @param {string} text */
export const withSigns = (text) => text.replace(/\b(10|[2-9TJQKA])([CDHS])\b/g,
  (_, rank, suit) => `${rank === "T" ? "10" : rank}${SIGNS[suit]}${PLAIN}`);

/** Write times in the reader's time zone. @param {string} text */
export const withTimes = (text) => text.replace(/\b(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC\b/g,
  (_, day, time) => moment(new Date(`${day}T${time}Z`)));

/** A hash or seed that proves something: it is shown only on request. */
const NUMBER = /(?:: (?:seed )?| )([0-9a-f]{32,})/;

/** Return the hash in a text; empty if none. @param {string} text */
export const numberIn = (text) => NUMBER.exec(text)?.[1] ?? "";

/** The texts before a seat that is the subject of a sentence. */
const DOES = /(?:^|[.:;,…] |\band |\bthat )$/;

/**
 * Adapt a text of the server to a reader: "you" for their own seat, names for others, suit signs for cards.
 * @param {string} text
 * @param {number[]} mine the reader's seats
 * @param {(seat: number) => string} name
 */
export const told = (text, mine, name) => withTimes(withSigns(text.replace(NUMBER, ""))).split(/(?<=[.!?]) (?=[A-Z])/)
  .map((sentence) => sentenceOf(sentence, mine, name)).join(" ");

/**
 * Adapt the text of an event to the reader of a match.
 * @param {import("./seating.js").Seated} match @param {string} text
 */
export const personal = (match, text) => told(text, match?.your_seats ?? [], (seat) => nameOf(match, seat));

/** A thing that belongs to a seat: `the lowest card of seat 2`. */
const THING = /\b([Tt])he ((?:(?!the\b|of\b)[\w-]+ ){1,4})of seat (\d+)\b/g;

/** @param {string} sentence @param {number[]} mine @param {(seat: number) => string} name */
function sentenceOf(sentence, mine, name) {
  const each = sentence.replace(/\b(s)eats (\d+(?:, \d+)*) and (\d+)\b/gi, (_, first, some, last) =>
    `${first}eat ${some.replaceAll(", ", ", seat ")} and seat ${last}`);
  const said = each.replace(THING, (whole, first, thing, n) => mine.includes(Number(n))
    ? `${first === "T" ? "Your" : "your"} ${thing.trimEnd()}` : whole);
  const [start = "", ...rest] = said.split(/\b([Ss])eat (\d+)\b/);
  let told = start, before = start, isYou = false;
  for (let i = 0; i < rest.length; i += 3) {
    const [first = "", n = "", after = ""] = rest.slice(i, i + 3), isMine = mine.includes(Number(n)),
      does = DOES.test(before), known = name(Number(n));
    if (does) isYou = isMine;
    const you = /\bof $/.test(before) ? "yours" : first === "S" ? "You" : "you", seat = `${first}eat ${n}`;
    told += (isMine ? you : known === says.seat(Number(n)) ? seat : known)
      + (!isYou ? after : addressed(does ? after.replace(/^ (is|has|was)\b/, (_, verb) => ` ${OF_YOU[verb]}`) : after));
    before += seat + after;
  }
  return told;
}

/** Adapt the rest of a sentence about the reader, too: `and was shown its cards`. @param {string} said */
const addressed = (said) => said.replace(/\band (is|has|was)\b(?! of\b)/g, (_, verb) => `and ${OF_YOU[verb]}`)
  .replace(/\bits\b/g, "your").replace(/(: |\bwhen )it\b/g, "$1you");
