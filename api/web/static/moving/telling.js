/**
 * Shows the moves of others one by one if several arrive together. Status, prompt, actions and log belong to the
 * version that is shown; a press jumps to the present.
 */

import {MOST, timeOf, toAct, worthALook} from "./moments.ts";
import {tables} from "../past/reading.js";
import {dispatch, state} from "../table/app.js";

/** @typedef {import("../table/store.ts").Moment} Moment */

/** The table that was shown last. @type {{id: string, moment: Moment} | null} */
let shown = null;
let isTelling = false, isHeld = false, letGo = 0, tellings = 0;
const CLICK_MS = 300;  // a click can follow this long after the finger is lifted

/** Show an earlier table, as of a running match: the result appears only with the last table. @param {Moment} moment */
const shows = ({version, scene}) => dispatch({is: "between", moment: {version, scene, status: "playing", result: null,
  to_act: toAct(scene)}});

/** Show the current table. */
function ends() {
  const {match} = state;
  clearTimeout(letGo);
  if (isHeld) for (const one of moving()) one.play();
  isTelling = isHeld = false;
  shown = match?.scene ? {id: match.id, moment: {version: match.version, scene: match.scene}} : null;
  if (state.moment) dispatch({is: "between", moment: null});
}

/** Return the running animations of the table. */
const moving = () => document.querySelector(".felt")?.getAnimations({subtree: true}) ?? [];

/** Pause all cards until the press ends: a card that moved on under the finger could not be pressed. */
function holds() {
  isTelling = false;
  isHeld = true;
  for (const one of moving()) one.pause();
}

// Stop when the reader acts: they have seen enough.
addEventListener("pointerdown", holds, {capture: true});
for (const act of ["keydown", "click"]) addEventListener(act, ends, {capture: true});
for (const act of ["pointerup", "pointercancel"])
  addEventListener(act, () => { letGo = window.setTimeout(ends, CLICK_MS); }, {capture: true});

/**
 * Before painting, compare the table with the one last shown. If it is several events ahead, show those between first.
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
  // a cancelled run may still be asleep, and must do nothing once another has begun
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
  } catch { /* If the events cannot be read, show the current table. */ } finally { if (isOn()) ends(); }
}
