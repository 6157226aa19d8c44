/** What is said of who plays here, and of the token by which other devices play as the same player. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  yourName: "Your name, as others see it",
  profile: "Your profile and ratings",
  takeName: "Take this name",
  otherDevices: "On another device",
  aboutToken:
    "Who has this token plays as you. Copy it to a device of yours and paste it there: both are the same player then.",
  yourToken: "Your token",
  show: "Show it",
  hide: "Hide it",
  copy: "Copy it",
  copied: "It is copied.",
  notCopied: "This browser does not let it be copied: show it, and select it.",
  endOthers: "Sign out all other devices",
  aboutEnd:
    "You get a new token, and the one of before is good for nothing any longer, nor are those that you gave to " +
    "programs.",
  othersEnded: "All other devices are signed out. This one has a new token.",
  tokenFromThere: "A token from another device",
  playAsThat: "Play as that player",
  isLeft: "The player of this browser is left then. Copy its token first, or nobody plays its matches any longer.",
  noToken: "That is no token.",
  notInForce: "This token is not in force: it was mistyped, or has been ended.",
  signedOut: "This device is signed out",
  aboutSignedOut:
    "The token of this browser is no longer in force. It was ended on another device, or the server has begun anew.",
  beginAnew: "Begin anew",
}});
