/**
 * Shows what bots and others did one after the other, if it came at once. Status, prompt, actions and log belong to the
 * version that is shown; a press jumps to the present.
 */

import {MOST, timeOf, toAct, worthALook} from "./moments.ts";
import {tables} from "../past/reading.js";
import {happens, state} from "../table/app.js";

/** @typedef {import("../table/store.ts").Moment} Moment */

/** What was shown last. @type {{id: string, moment: Moment} | null} */
let shown = null;
let isTelling = false, isHeld = false, letGo = 0, tellings = 0;
const CLICK_MS = 300;  // so long after a finger is lifted its click may come

/**
 * Let a table be shown that is not the last: how a match came out is not said before its last card lies there.
 * @param {Moment} moment
 */
const shows = ({version, scene}) => happens({is: "between", moment: {version, scene, status: "playing", result: null,
  to_act: toAct(scene)}});

/** Let the table be shown as it is. */
function ends() {
  const {match} = state;
  clearTimeout(letGo);
  if (isHeld) for (const one of moving()) one.play();
  isTelling = isHeld = false;
  shown = match?.scene ? {id: match.id, moment: {version: match.version, scene: match.scene}} : null;
  if (state.moment) happens({is: "between", moment: null});
}

/** Give what moves on the table. */
const moving = () => document.querySelector(".felt")?.getAnimations({subtree: true}) ?? [];

/** Let all lie where it is until it is let go: a card that moved on under the finger would not be pressed. */
function holds() {
  isTelling = false;
  isHeld = true;
  for (const one of moving()) one.pause();
}

// Whoever acts has seen enough.
addEventListener("pointerdown", holds, {capture: true});
for (const act of ["keydown", "click"]) addEventListener(act, ends, {capture: true});
for (const act of ["pointerup", "pointercancel"])
  addEventListener(act, () => { letGo = window.setTimeout(ends, CLICK_MS); }, {capture: true});

/**
 * Look before a table is painted: where it is more than one event further than what was shown, those between come
 * first.
 * @param {number} speed
 */
export function tells(speed) {
  const {match} = state;
  if (!match?.scene || state.past) return;
  const before = shown && shown.id === match.id ? shown.moment : null,
    behind = before ? match.version - before.version : 0;
  if (!speed || document.hidden) ends();
  else if (!isTelling && !isHeld && before && behind > 1 && behind <= MOST && before.scene.seat === match.scene.seat) {
    isTelling = true;
    shows(before);
    void goesOn(match.id, before, speed);
  }
  const {version, scene} = state.moment ?? match;
  shown = {id: match.id, moment: {version, scene}};
}

/** @param {string} id @param {Moment} before @param {number} speed */
async function goesOn(id, before, speed) {
  // One that was ended sleeps still, and has no more to say once another has begun.
  const mine = tellings += 1, isOn = () => isTelling && mine === tellings && state.id === id && !state.past;
  try {
    for (let now = before; isOn() && now.version < state.match.version;) {
      const last = state.match.version, steps = await tables(id, now.version + 1, last),
        worth = worthALook(now.scene, steps);
      for (const [i, step] of worth.entries()) {
        if (!isOn()) return;
        shows(step);
        const next = worth[i + 1] ?? steps.at(-1);
        await new Promise((resolve) => { setTimeout(resolve, timeOf(step.scene, next?.scene, speed)); });
      }
      now = {version: last, scene: steps.at(-1)?.scene ?? now.scene};
    }
  } catch { /* What cannot be read is not told: the table is shown as it is. */ } finally { if (isOn()) ends(); }
}
