/**
 * Paints a scene: the other seats around, the shared cards in the middle, and the reader's own cards below. It works
 * for any game.
 */

import {face, inFull, look, names} from "./cards.js";
import {number} from "../words/language.js";
import {says} from "../words/table.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";

/** @typedef {import("./store.ts").Option} Option */

/**
 * @typedef {object} Choice a chosen card, or an end of a pair, with its description
 * @property {string} [value]
 * @property {number} [most]
 * @property {boolean} [isHeld]
 * @property {string} [state]
 * @property {string} [name] the name of a zone
 * @property {string} [text] the text on the button of a zone
 * @property {string} [look]
 * @property {unknown} [tag]
 * @property {(event: Event) => void} [press]
 */

/**
 * @typedef {object} Hands the moves on the table
 * @property {Map<string, Option[]>} pressed
 * @property {Map<string, Choice>} chosen
 * @property {string[]} held the chosen cards
 * @property {boolean} isStill whether nothing can be pressed now
 * @property {(options: Option[]) => void} press
 * @property {(card: string, most: number) => void} choose
 * @property {(seat: number) => string} name
 * @property {(text: string) => string} tell adapts a text of the server to the reader
 * @property {{text: string, isMine: boolean}} [prompt] the decision to make, or the players to act
 * @property {(amount: number) => unknown} [chips] draws an amount
 * @property {(seat: number) => unknown} [beside] draws the text next to a name
 * @property {(seat: number) => string} [from] the side from which a seat lays its cards
 * @property {(scene: Api.Scene) => unknown} [steps] draws a turn's steps
 * @property {(scene: Api.Scene) => unknown} [arrows] draws arrows from cards to their targets
 * @property {(seat: number) => string} time the time that a seat has left; empty if it does not matter
 */

/** @param {Api.Scene} scene @param {Hands} hands */
export function table(scene, hands) {
  const zones = Object.entries(scene.zones);
  const of = (/** @type {number | null} */ seat) => zones.filter(([, zone]) => zone.seat === seat);
  const count = scene.seats.length, below = scene.seat ?? 0;
  const from = (/** @type {number} */ seat) => SIDES[count]?.[(seat - below + count) % count] ?? "";
  const others = Array.from({length: count - 1}, 
    (_, i) => /** @type {Api.SceneSeat} */ (scene.seats[(below + 1 + i) % count]));
  const beside = count < 4 ? 0 : Math.floor((count - 1) / 3);
  const isPlayed = zones.some(([, zone]) => zone.kind === "trick" && zone.count);
  /** The last trick moves aside when the next one begins. There it is another element, and does not slide. */
  const place = (/** @type {Api.SceneZone} */ zone) => zone.kind === "last_trick" && isPlayed ? "aside" : "";
  const sits = (/** @type {string} */ side, /** @type {Api.SceneSeat[]} */ seats) => html`
    <div class=${side}>${repeat(seats, ({seat}) => seat, (one) => seatOf(one, of(one.seat), hands))}</div>`;
  return html`
    <div class="others n-${count - 1}">${sits("left", others.slice(0, beside))}${
      sits("across", others.slice(beside, count - 1 - beside))}${sits("right", others.slice(count - 1 - beside))}</div>
    <div class="between">
      ${repeat(of(null), ([id, zone]) => `${id} ${place(zone)}`,
        ([id, zone]) => zoneOf(id, zone, {...hands, from}, place(zone)))}
      <div class="about">${numbers(scene.numbers)}${hands.steps?.(scene)}${
        told(scene).map((/** @type {string} */ note) => html`<p class="note">${hands.tell(note)}</p>`)}</div>
    </div>
    <p class="prompt ${hands.prompt?.isMine ? "mine" : ""}" role="status">${hands.prompt?.text ?? ""}</p>
    <div class="own">${seatOf(/** @type {Api.SceneSeat} */ (scene.seats[below]), of(below), hands,
      pressing(hands.pressed))}</div>${hands.arrows?.(scene)}`;
}

/** Return the notes of a scene, except for one that only names the current step. @param {Api.Scene} scene */
const told = ({notes, steps}) => notes.filter((note) =>
  !steps.some(({name, now}) => now && note.toLowerCase() === `${name}.`));

const MOST_SAID = 30;

/**
 * Say what a press of a hand card does: one action or two; empty if there are more, or the text is too long.
 * @param {Map<string, Option[]>} pressed
 */
function pressing(pressed) {
  const labels = new Set([...pressed].flatMap(([place, options]) => /^.zones.hand-\d+:/.test(place)
    ? options.map(({label}) => label) : []));
  const said = labels.size < 3 ? says.either([...labels]) : "";
  return said.length > MOST_SAID ? "" : said;
}

/**
 * Return the side from which a seat lays its cards, clockwise from the reader at the bottom; with more than four seats,
 * the others sit in a row.
 */
const SIDES = /** @type {Record<number, string[]>} */ (
  {2: ["south", "north"], 3: ["south", "west", "east"], 4: ["south", "west", "north", "east"]});

/** Seats with these badges have nothing to decide and are drawn faintly (contract 4.7). */
const UNASKED = ["out", "folded"];

/**
 * @param {Api.SceneSeat} seat @param {[string, Api.SceneZone][]} zones @param {Hands} hands
 * @param {string} [does] the effect of pressing a card of the hand
 */
function seatOf(seat, zones, hands, does) {
  const isTurn = seat.badges.includes("turn"), time = hands.time(seat.seat), name = hands.name(seat.seat);
  const scrolls = zones.some(([, {kind}]) => kind === "library");
  return html`
    <section class="seat ${isTurn ? "turn"
      : ""} ${seat.badges.some((/** @type {string} */ badge) => UNASKED.includes(badge)) ? "away" : ""}"
      data-seat=${seat.seat} aria-label=${name} tabindex=${scrolls ? 0 : nothing}>
      <div class="sitter">
        <span class="disc hue-${seat.seat % 6}"
          aria-hidden="true">${name.slice(0, 1)}${/^\S+ (\d+)$/.exec(name)?.[1] ?? ""}</span>
        <h2><bdi>${name}</bdi>${hands.beside?.(seat.seat)} ${
          seat.badges.map((/** @type {string} */ badge) =>
          html`<span class="badge badge-${badge.replaceAll(" ", "-")}">${badge === "turn" && does
            || (says.badges[badge] ?? badge)}</span>`)}</h2>
        ${time ? html`<p class="time" role="timer">${time}</p>` : nothing}
        ${numbers(seat.numbers)}
        ${hands.chosen.get(`/seats:${seat.seat}`)?.tag}
      </div>
      <div class="zones">${repeat(zones, ([id]) => id, ([id, zone]) => zoneOf(id, zone, hands))}</div>
    </section>`;
}

/** @param {Record<string, number>} labelled */
function numbers(labelled) {
  const rows = Object.entries(labelled);
  return rows.length ? html`<dl class="numbers">${
    rows.map(([label, n]) => html`<div><dt>${label}</dt><dd>${number(n)}</dd></div>`)}</dl>` : nothing;
}

const FEW = 13, HEAP = 3;  // maximum number of face-down cards that are drawn; the count includes all

/** @param {string} id @param {Api.SceneZone} zone @param {Hands} hands @param {string} [aside] */
function zoneOf(id, zone, hands, aside = "") {
  const at = `/zones/${id}`, label = zone.kind.replaceAll("_", " ");
  const whose = zone.seat === null ? label : `${hands.name(zone.seat)}: ${label}`;
  const isHeap = zone.layout === "pile";
  const spots = zone.spots.map((spot, i) =>
    ({...spot, at: zone.layout === "fan" ? `--i:${i}` : "",
    place: spot.face === "up" && spot.card ? placeOf(at, spot, hands) : "", nth: `${at}/spots/${i}`,
    where: zone.layout === "grid" ? [says.nth(label, i + 1)] : []}));  // a place in a grid is named by its number
  const shown = isHeap ? spots.slice(-1) : spots;
  const unseen = zone.count - spots.filter((spot) => spot.face !== "empty").length;
  const options = hands.pressed.get(at), hasCards = zone.count > 0 || spots.length > 0;
  const amounts = Object.values(zone.numbers), choice = hands.chosen.get(at);
  const keepsPlace = zone.seat === null && ["pile", "row"].includes(zone.layout);
  if (!hasCards && !options && !amounts.length && !zone.note && !keepsPlace) return nothing;
  return html`
    <div class="zone ${zone.layout} kind-${zone.kind} ${aside} ${zone.columns ? `columns-${zone.columns}` : ""}"
      role="group" aria-label=${whose}>
      ${hasCards ? nothing : amounts.map((amount) => hands.chips?.(amount))}
      ${hasCards || !amounts.length
        ? html`<span class="label">${label}${isHeap || unseen ? html` <span class="count">${zone.count || ""}</span>`
        : nothing}</span>` : nothing}
      <div class="cards" .style=${zone.layout === "fan" ? `--n:${spots.length}` : ""}
        @click=${choice?.press ?? nothing}>
        ${repeat(shown, (spot, i) =>
          `${spot.card ?? spot.face}-${zone.layout === "grid" || !spot.card ? i : doubles(shown, i)}`,
          (spot) => spotOf(spot, hands))}
        ${unseen > 0 ? backs(Math.min(unseen, isHeap ? HEAP : FEW), unseen) : nothing}
      </div>
      ${isHeap && spots[1]?.id ? names.heap(spots.map((spot) => spotOf(spot, hands))) : nothing}
      ${numbers(zone.numbers)}
      ${zone.note ? html`<span class="note">${hands.tell(zone.note)}</span>` : nothing}
      ${options ? html`<div class="acts">${options.map((option) => html`
        <button type="button" class="act" ?disabled=${hands.isStill} aria-label="${option.label}: ${whose}"
          @click=${() => hands.press([option])}>${option.label}</button>`)}</div>` : nothing}
      ${choice?.press ? html`<button type="button" class="act ${choice.look}" aria-pressed=${choice.isHeld}
        ?disabled=${hands.isStill} aria-label="${whose}, ${choice.name}: ${choice.state}"
        @click=${choice.press}>${choice.tag} ${choice.text}</button>` : nothing}
    </div>`;
}

/** Count the earlier cards with the same text. @param {Api.SceneSpot[]} spots @param {number} i */
const doubles = (spots, i) => spots.slice(0, i).filter((spot) => spot.card === spots[i]?.card).length;

/** @param {number} drawn @param {number} count */
const backs = (drawn, count) => html`<span class="backs" role="img"
  aria-label=${says.countFaceDown(count)}>${Array.from({length: drawn},
    () => html`<span class="card back"></span>`)}</span>`;

/** @param {Api.SceneSpot & {place: string, at: string, nth: string, where: string[]}} spot @param {Hands} hands */
function spotOf(spot, hands) {
  const {card, seat} = spot, marks = spot.marks.map((mark) => / seat \d/.test(mark) && hands.tell(mark) || mark);
  const options = hands.pressed.get(spot.place) ?? hands.pressed.get(spot.nth);
  const choice = hands.chosen.get(spot.place);
  const words = card ? inFull(card, marks) : spot.face === "empty" ? says.noCard : says.faceDown;
  const said = [...spot.where, words, ...(card ? [] : marks), ...(seat === null ? [] : [hands.name(seat)])].join(", ");
  const inside = card ? face(card, marks) : nothing;
  const classes = card ? `${look(card)} ${marks.filter(isWord).map((/** @type {string} */ mark) => `mark-${mark}`)
    .join(" ")}` : spot.face === "empty" ? "card none" : "card back";
  /** @type {Choice | undefined} A card that can be pressed or chosen stays one element, which keeps the focus. */
  const may = choice ?? (options && {state: says.either(options.map((one) => one.label)),
    press: () => hands.press(options)});
  let lies = html`<span class=${classes} .style=${spot.at} data-card=${card ?? ""} data-id=${spot.id ?? nothing}
    role="img"
    aria-label=${said}>${inside}</span>`;
  if (may) {
    const {value = "", most = 0, isHeld = hands.held.includes(value), state, look: looks, tag, press} = may;
    lies = html`<button type="button" class="${classes} may ${looks}" data-card=${card ?? ""} data-id=${spot.id
      ?? nothing} .style=${spot.at}
      aria-pressed=${choice ? isHeld : nothing} ?disabled=${hands.isStill}
      aria-label=${state ? `${said}: ${state}` : said}
      @click=${press ?? (() => hands.choose(value, most))}>${inside}${tag}</button>`;
  }
  return seat === null ? lies : html`<span class="laid ${hands.from?.(seat) ?? ""}" data-seat=${seat}>${lies}<span
    class="who" aria-hidden="true">${hands.name(seat)}</span></span>`;
}

/** @param {string} mark */
const isWord = (mark) => /^[a-z]+$/.test(mark);

/**
 * Return the place of a card: its text, or the id by which a move names it.
 * @param {string} at
 * @param {Api.SceneSpot} spot
 * @param {Hands} hands
 */
function placeOf(at, spot, hands) {
  const places = [spot.card, spot.id].map((one) => `${at}:${one}`);
  return places.find((one) => hands.pressed.has(one) || hands.chosen.has(one)) ?? `${at}:${spot.card}`;
}
