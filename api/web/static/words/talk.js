/** What is said where players talk to each other, and ask each other for something. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  chat: "Chat",
  nothingSaid: "Nobody has said anything yet. Those who sit here read it, and nobody else.",
  whatWasSaid: "What was said",
  somebody: "Somebody",
  takenBack: "This was taken back.",
  saySomething: "Say something",
  sayIt: "Say it",
  // Requests
  yourAnswer: "Your answer",
  youAreAsked: "You are asked for an answer.",
  answers: {accept_draw: "Agree to a draw", decline_draw: "Play on", grant_take_back: "Let it be taken back",
    refuse_take_back: "Let the move stand"},
  requests: /** @type {Record<string, string>} */ (
    {offer_draw: "Offer a draw", request_take_back: "Ask to take your last move back",
      take_seat_back: "Play on yourself"}),
  giveUp: "Give up …",
  reallyGiveUp: "Give up this match? That cannot be taken back.",
  giveUpNow: "Give up",
  giveUpWhat: "Give up this game, or the whole match? That cannot be taken back.",
  thisGame: "This game",
  wholeMatch: "The whole match",
}});
