/** Texts about players, ratings and leaderboards. */

import {inLanguage, number} from "./language.js";

const counted = (/** @type {number} */ count, /** @type {string} */ one, /** @type {string} */ many) =>
  `${number(count)} ${count === 1 ? one : many}`;

export const says = inLanguage({en: {
  aPlayer: "A player",
  leaderboards: "Leaderboards",
  handle: (/** @type {string} */ handle) => `@${handle}`,
  nobodyHere: "No player in this browser yet. Play a game to see your profile here.",
  thatIsYou: "This is your public profile.",
  ratings: "Ratings",
  notListed: "This player shows no ratings.",
  youAreNotListed: "Only you see your ratings.",
  listMe: "Show them to others",
  hideMe: "Hide them from others",
  noRatings: "No finished rated matches yet.",
  paces: /** @type {Record<string, string>} */ ({live: "live", mail: "by mail"}),
  provisional: "provisional",
  isRated: (/** @type {string} */ pool) => `Rated: ${pool}`,
  isNotRated: "Not rated",
  withRating: (/** @type {string} */ name, /** @type {number} */ rating, /** @type {boolean} */ isProvisional) =>
    `${name} (${rating}${isProvisional ? ", provisional" : ""})`,
  expected: "Expected results",
  chance: (/** @type {string[]} */ names, /** @type {number} */ percent) =>
    `${names.join(" and ")}: ${percent} % to win`,
  asNew: "Unknown ratings and empty seats count as new players.",
  about:
    "A cautious estimate of a player's strength. It starts low and rises as more matches are played. The average " +
    "strength is 1500.",
  played: (/** @type {number} */ matches, /** @type {number} */ wins) =>
    `${counted(matches, "match", "matches")}, ${number(wins)} won`,
  history: (/** @type {string} */ game) => `${game}: history`,
  chart: (/** @type {number} */ matches, /** @type {number} */ least, /** @type {number} */ most,
    /** @type {number} */ now) =>
    `A line of ${counted(matches, "rating", "ratings")}, between ${least} and ${most}; now ${now}`,
  latest: "Latest matches",
  when: "When",
  rating: "Rating",
  change: "Change",
  matches: "Matches",
  won: "Won",
  match: "Match",
  look: "View",
  hidden: "not public",
  reliability: "Reliability",
  kept: (/** @type {number} */ kept, /** @type {number} */ all) =>
    `Kept ${number(kept)} of the last ${counted(all, "deadline", "deadlines")}.`,
  noDeadlines: "No moves with a deadline yet.",
  broken: (/** @type {number} */ count) =>
    `Broke ${counted(count, "nonce commitment", "nonce commitments")}.`,
  place: "Place",
  player: "Player",
  game: "Game",
  kind: "Kind",
  usual: "default rules",
  pace: "Played",
  best: (/** @type {string} */ game) => `Best players of ${game}`,
  aboutBoard: "Players with a reliable rating who played in the last 180 days and show their ratings.",
  nobody:
    "No player has a reliable rating yet. Play rated matches against people or against a bot of fixed strength.",
  yourPlace: (/** @type {number} */ place, /** @type {number} */ rating) =>
    `You are in place ${number(place)}, with ${rating}.`,
  you: "you",
  more: "More",
  isGone: "No player has this handle.",
}});
