/** Replays a match by moves, tricks and hands, and with a slider by events. */

import {marked, ticks} from "./marks.ts";
import {moveList} from "./move_list.ts";
import {stopFrom, stopsOf, toldAt} from "./played.ts";
import {drawing} from "../table/playing.js";
import {nameOf} from "../table/seating.js";
import {table} from "../table/table.js";
import {capital} from "../words/language.js";
import {says} from "../words/past.js";
import {says as common} from "../words/table.js";
import {html, nothing} from "lit-html";

const MOVE = "move";
const KEYS = /** @type {Record<string, {kind: string, way: 1 | -1}>} */ ({
  ArrowLeft: {kind: MOVE, way: -1}, ArrowRight: {kind: MOVE, way: 1},
  ",": {kind: "", way: -1}, ".": {kind: "", way: 1},
  PageUp: {kind: "hand", way: -1}, PageDown: {kind: "hand", way: 1},
  "Shift ArrowLeft": {kind: "trick", way: -1}, "Shift ArrowRight": {kind: "trick", way: 1},
});

/** Write the name of a kind of moments as words. @param {string} kind */
const inWords = (kind) => kind.replaceAll("_", " ");

/**
 * Return the version that a key leads to; null if none. On the slider, arrows go from event to event.
 * @param {KeyboardEvent} event
 * @param {import("../table/store.ts").Past} past @param {Part[]} parts
 */
export function wayOf(event, past, parts) {
  const jump = KEYS[`${event.shiftKey ? "Shift " : ""}${event.key}`];
  if (!jump) return null;
  const isSlider = /** @type {HTMLElement} */ (event.target).matches("[type=range]");
  if (!jump.kind || (jump.kind === MOVE && isSlider)) return past.version + jump.way;
  return jump.kind === MOVE ? stopFrom(stopsOf(parts), past.version, jump.way) : marked(past, jump.kind, jump.way);
}

const SPEEDS = [1, 2, 4, 8];

const PLAY = "M7 4l13 8-13 8z", PAUSE = "M6 4h4v16H6zM14 4h4v16h-4z";
/** The icons for the next event, the next part and the next hand; flipped for the previous ones. */
const STEP = "M8 5l9 7-9 7z", STEPS = "M4 5l8 7-8 7zM12 5l8 7-8 7z",
  JUMP = "M3 5l8 7-8 7zM11 5l8 7-8 7zM19 5h2.5v14H19z";

/** @param {string} path */
const icon = (path) => html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;

/** Names the first deal in an address. */
export const FIRST = "first";

/** @param {Event} event */
const valueOf = (event) => /** @type {HTMLSelectElement} */ (event.target).value;

/**
 * List the views of a match. Hidden cards of a hand stay hidden until the reader asks for them, so that a link spoils
 * nothing.
 * @param {Api.Match} match @param {(seat: number) => string} name @returns {[string, string][]}
 */
function views(match, name) {
  /** @type {[string, string][]} */
  const own = match.your_seat === null ? [["", says.spectator]] : [["", says.you], ["spectators", says.spectator]];
  if (!match.result) return own;
  const others = match.seats.filter(({seat}) => seat !== match.your_seat);
  return [...own, ...others.map(({seat}) => /** @type {[string, string]} */ ([String(seat), name(seat)])),
    ["all", says.all]];
}

/**
 * Say that a match is not visible from a seat, with links to its table and to the available views. It does not reveal
 * how the match ended.
 * @param {{match: Api.Match, version: number | null, seat: string | null}} asked
 * @param {string} title
 */
export function closed({match, version, seat}, title) {
  const there = views(match, (one) => nameOf(match, one)).filter(([one]) => one !== seat);
  return html`<h1 tabindex="-1" id="title">${says.lookingBack(title)}</h1>
    <p>${says.seatIsClosed}</p>
    <p class="ways"><a class="button" href="#m=${match.id}">${says.backToTheTable}</a></p>
    <h2>${says.openViews}</h2><ul class="views">${there.map(([one, label]) => html`<li><a class="back"
      href="#m=${match.id}&v=${version ?? FIRST}${one && `&seat=${one}`}">${capital(label)}</a></li>`)}</ul>`;
}

/** @typedef {import("../table/store.ts").Past["marks"]} Marks @typedef {import("./played.ts").Part} Part */

/**
 * What is computed from marks, which are the same at every step.
 * @type {WeakMap<Marks, ReturnType<typeof guidesOf>>}
 */
const known = new WeakMap();

/** @param {Marks} marks */
function guides(marks) {
  const found = known.get(marks) ?? guidesOf(marks);
  known.set(marks, found);
  return found;
}

/** Draw the marks of the slider, and name their kinds. @param {Marks} marks */
function guidesOf(marks) {
  const list = Object.assign(document.createElement("datalist"), {id: "marks"});
  list.append(...ticks(marks).map((mark) => new Option("", String(mark))));
  const kinds = [...new Set(marks.map(({at}) => at.split(":")[0] ?? at))].filter((kind) => kind !== "game");
  return {list, kinds: kinds.map((kind) =>
    ({kind, before: capital(says.kindBefore(inWords(kind))), next: says.nextKind(inWords(kind))}))};
}

/**
 * @param {import("../table/store.ts").Past} past @param {Part[]} parts
 * @param {Api.Match} match
 * @param {(seat: number) => string} name
 * @param {(text: string) => string} personal
 * @param {{title: string, go: (version: number) => void, sees: (seat: string | null) => void,
 *   plays: (isPlaying: boolean, speed?: number) => void, copies: () => Promise<boolean>,
 *   keeps: () => void, keepsHands: (() => void) | null}} ways
 * @param {unknown} more the content below them
 */
export function lookingBack(past, parts, match, name, personal, {title, go, sees, plays, copies, keeps, keepsHands},
  more) {
  const {steps, version} = past, step = steps[version - 1],
    {texts, ...drawn} = drawing(/** @type {Api.Scene} */ (step?.scene));
  const stops = stopsOf(parts), told = toldAt(parts, steps, version).map(personal).join(" ");
  const copy = async (/** @type {Event} */ event) => {
    const button = /** @type {HTMLElement} */ (event.target), isCopied = await copies();
    button.textContent = isCopied ? says.copied : says.notCopied;
  };
  const {list, kinds} = guides(past.marks);
  const leads = (/** @type {string} */ label, /** @type {string} */ to, /** @type {string} */ path,
    /** @type {number} */ there, /** @type {1 | -1} */ way) => html`<button type="button" aria-label=${label}
    title=${label} class=${way < 0 ? "back-there" : ""} @click=${() => go(there)}>${icon(path)}${to}</button>`;
  const jumps = (/** @type {1 | -1} */ way) => kinds.map(({kind, before, next}, i) => leads(way < 0 ? before : next,
    inWords(kind), i ? STEPS : JUMP, marked(past, kind, way), way));
  return html`
    <div class="bar"><a class="back" href="#m=${match.id}">${says.backToTheTable}</a>
      <h1 tabindex="-1" id="title">${says.lookingBack(title)}</h1>
      <p class="soft">${match.seats.map(({seat}) => name(seat)).join(" · ")}</p></div>
    <p class="told" role="status">${step ? told : says.nothingThere}</p>
    ${step?.scene ? html`<div class="felt" aria-label=${common.theTable} role="region"
      data-version=${version}>${table(step.scene,
      {pressed: new Map(), chosen: new Map(), held: [], isStill: true, press: () => {}, choose: () => {
        }, name, ...drawn, tell: personal, time: () => ""})}</div>` : nothing}
    <div class="beside"><div class="actions past" role="group" aria-label=${says.whereToLook}>
      <label class="slider">${says.eventOf(version, match.version)}
        <input type="range" list="marks" min="1" max=${match.version} .value=${String(version)}
          aria-valuetext=${says.event(version, step ? personal(step.text) : "")}
          @input=${(/** @type {Event} */ event) =>
            go(Number(/** @type {HTMLInputElement} */ (event.target).value))}></label>
      ${list}
      <div class="player">${jumps(-1)}${
        leads(says.moveBefore, says.aMove, STEP, stopFrom(stops, version, -1), -1)}
        <button type="button" class="plays main" @click=${() => plays(!past.isPlaying)}>${past.isPlaying
          ? [icon(PAUSE), says.pause] : [icon(PLAY), says.play]}</button>
        ${leads(says.nextMove, says.aMove, STEP, stopFrom(stops, version, 1), 1)}${jumps(1).reverse()}</div>
      <label>${says.speed} <select name="speed"
        @change=${(/** @type {Event} */ event) =>
          plays(past.isPlaying, Number(valueOf(event)))}>
        ${SPEEDS.map((speed) => html`<option value=${speed}
            .selected=${speed === past.speed}>${says.aSecond(speed)}</option>`)}</select></label>
      <label>${says.seenBy} <select name="seat"
        @change=${(/** @type {Event} */ event) => sees(valueOf(event) || null)}>
        ${views(match, name).map(([seat, label]) =>
          html`<option value=${seat} .selected=${seat === (past.seat ?? "")}>${label}</option>`)}</select></label></div>
      ${parts.length ? moveList(parts, version, {go, personal}) : nothing}
      <div class="past keeping">
      <button type="button" class="quiet copies" @click=${(/** @type {Event} */ event) => void copy(event)}
        .textContent=${says.copyLink}></button>
      <button type="button" class="quiet record" @click=${keeps}>${says.downloadRecord}</button>
      ${keepsHands ? html`<button type="button" class="quiet hands" @click=${keepsHands}>${says.downloadHands}</button>`
        : nothing}
    </div>${texts}${more}</div>`;
}
