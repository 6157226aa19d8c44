/** Texts about this browser's player, and the token for other devices. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  yourName: "Your name, as others see it",
  profile: "Your profile and ratings",
  takeName: "Save name",
  otherDevices: "On another device",
  aboutToken:
    "Anyone with this token can play as you. Paste it on your other device to play there as the same player.",
  yourToken: "Your token",
  show: "Show token",
  hide: "Hide token",
  copy: "Copy token",
  copied: "Copied.",
  notCopied: "This browser cannot copy it. Show it, select it and copy it yourself.",
  endOthers: "Sign out all other devices",
  aboutEnd:
    "You get a new token. Your old token and all tokens of programs stop working.",
  othersEnded: "All other devices are signed out. This one has a new token.",
  tokenFromThere: "A token from another device",
  playAsThat: "Play as that player",
  isLeft: "This browser forgets its current player. Copy that player's token first, or you lose access to its matches.",
  noToken: "This is not a token.",
  notInForce: "Invalid token: it is mistyped or was revoked.",
  signedOut: "This device is signed out",
  aboutSignedOut:
    "The token of this browser was revoked on another device, or the server lost its data.",
  beginAnew: "Start over",
}});
