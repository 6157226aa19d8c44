/** Texts of the chat, and of requests between players. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  chat: "Chat",
  nothingSaid: "No messages yet. Only the players at this table can read them.",
  whatWasSaid: "Messages",
  somebody: "Someone",
  takenBack: "Message deleted.",
  blocked: "You block this player.",
  muted: "You mute this player.",
  silence: (/** @type {"blocks" | "mutes"} */ list, /** @type {boolean} */ isOn) =>
    ({blocks: ["Block", "Unblock"], mutes: ["Mute", "Unmute"]})[list][Number(isOn)],
  silenceNamed: (/** @type {"blocks" | "mutes"} */ list, /** @type {boolean} */ isOn, /** @type {string} */ name) =>
    `${says.silence(list, isOn)} ${name}`,
  saySomething: "Message",
  sayIt: "Send",
  // Requests
  yourAnswer: "Your answer",
  youAreAsked: "A player is waiting for your answer.",
  answers: {accept_draw: "Accept the draw", decline_draw: "Decline the draw", grant_take_back: "Allow the takeback",
    refuse_take_back: "Decline the takeback"},
  requests: /** @type {Record<string, string>} */ (
    {offer_draw: "Offer a draw", request_take_back: "Request a takeback",
      take_seat_back: "Take your seat back"}),
  giveUp: "Resign …",
  reallyGiveUp: "Resign this match? This cannot be undone.",
  giveUpNow: "Resign",
  giveUpWhat: "Resign this game or the whole match? This cannot be undone.",
  thisGame: "This game",
  wholeMatch: "The whole match",
}});
