/** What is said of players: who they are, how strong they are, and who plays a game best. */

import {inLanguage, number} from "./language.js";

const counted = (/** @type {number} */ count, /** @type {string} */ one, /** @type {string} */ many) =>
  `${number(count)} ${count === 1 ? one : many}`;

export const says = inLanguage({en: {
  aPlayer: "A player",
  leaderboards: "Leaderboards",
  handle: (/** @type {string} */ handle) => `@${handle}`,
  nobodyHere: "Nobody plays in this browser yet. Play a game, and who you are is shown here.",
  thatIsYou: "That is you: so others see you.",
  ratings: "Ratings",
  notListed: "This player shows no ratings.",
  youAreNotListed: "Only you see your ratings.",
  listMe: "Show them to others",
  hideMe: "Hide them from others",
  noRatings: "No rated match is over yet.",
  paces: /** @type {Record<string, string>} */ ({live: "live", mail: "by mail"}),
  provisional: "provisional",
  isRated: (/** @type {string} */ pool) => `Rated: ${pool}`,
  isNotRated: "Not rated",
  withRating: (/** @type {string} */ name, /** @type {number} */ rating, /** @type {boolean} */ isProvisional) =>
    `${name} (${rating}${isProvisional ? ", provisional" : ""})`,
  expected: "What is expected, by the ratings",
  chance: (/** @type {string[]} */ names, /** @type {number} */ percent) =>
    `${names.join(" and ")}: first in ${percent} of 100`,
  asNew: "Whose rating is not known counts as a new player, and so does a seat that is free.",
  about:
    "The strength that a player has at least, as far as it is known: it begins low, rises as more becomes known, and " +
    "1500 is the mean of all.",
  played: (/** @type {number} */ matches, /** @type {number} */ wins) =>
    `${counted(matches, "match", "matches")}, ${number(wins)} won`,
  history: (/** @type {string} */ game) => `${game}: how it went`,
  chart: (/** @type {number} */ matches, /** @type {number} */ least, /** @type {number} */ most,
    /** @type {number} */ now) =>
    `A line of ${counted(matches, "rating", "ratings")}, between ${least} and ${most}; now ${now}`,
  latest: "The latest matches",
  when: "When",
  rating: "Rating",
  change: "Change",
  matches: "Matches",
  won: "Won",
  match: "Match",
  look: "Look at it",
  hidden: "not public",
  reliability: "Reliability",
  kept: (/** @type {number} */ kept, /** @type {number} */ all) =>
    `Kept ${number(kept)} of the last ${counted(all, "deadline", "deadlines")}.`,
  noDeadlines: "No deadlines are known yet.",
  broken: (/** @type {number} */ count) =>
    `Has broken ${counted(count, "promise", "promises")} of a part in the shuffles.`,
  place: "Place",
  player: "Player",
  game: "Game",
  kind: "Kind",
  usual: "as usual",
  pace: "Played",
  best: (/** @type {string} */ game) => `Who plays ${game} best`,
  aboutBoard: "Players who are known well enough, have played in the last 180 days, and let themselves be listed.",
  nobody:
    "Nobody is known well enough yet. Play rated matches against people, or alone against a bot of fixed strength.",
  yourPlace: (/** @type {number} */ place, /** @type {number} */ rating) =>
    `You are in place ${number(place)}, with ${rating}.`,
  you: "you",
  more: "More",
  isGone: "No player has this handle now.",
}});
