/** Texts of the alarm of a server that contradicts itself. */

import {inLanguage} from "./language.js";

export const says = inLanguage({en: {
  alarm: "Alarm",
  contradicts: "This server contradicts itself",
  whatToDo: "Save the three files and ask the operator. They are evidence for anyone who checks them.",
  earlier: "Save its earlier answer",
  present: "Save its new answer",
  keys: "Save its keys",
  accept: "Accept the change",
  faults: /** @type {Record<string, string>} */ ({
    gone: "It no longer has a transparency log.",
    unreadable: "The checkpoint of its transparency log cannot be read, or a signature is invalid.",
    unsigned: "None of its keys signed the checkpoint of its transparency log.",
    renamed: "Its transparency log has another name.",
    keyReplaced: "Its key was replaced without the signature of the earlier key.",
    rolledBack: "Its transparency log has fewer entries than before. The server was rolled back.",
    forked: "Its transparency log does not continue the one that it showed before.",
    matchGone: "It no longer has a match that you played here.",
    matchRolledBack: "This match has fewer events than before.",
    matchChanged: "The events of this match have changed.",
    matchSignature: "The signature of this match is invalid.",
  }),
}});
