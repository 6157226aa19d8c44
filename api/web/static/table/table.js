/** Paints a scene: seats around, what lies between them, and the reader's own cards below. It knows no game. */

import {face, inWords, look} from "./cards.js";
import {html, nothing} from "./vendor/lit-html/lit-html.js";
import {repeat} from "./vendor/lit-html/directives/repeat.js";

/** @typedef {import("./store.js").Option} Option */

/**
 * @typedef {object} Hands what may be done on the table
 * @property {Map<string, Option[]>} pressed
 * @property {Map<string, {value: any, most: number}>} chosen
 * @property {string[]} held the cards that are chosen now
 * @property {boolean} isStill nothing may be pressed just now
 * @property {(options: Option[]) => void} press
 * @property {(card: string, most: number) => void} choose
 * @property {(seat: number) => string} name
 * @property {(seat: number) => string} time how long a seat has; empty: it does not matter
 */

/** @param {any} scene @param {Hands} hands */
export function table(scene, hands) {
  const zones = Object.entries(scene.zones);
  const of = (/** @type {number | null} */ seat) => zones.filter(([, zone]) => zone.seat === seat);
  const count = scene.seats.length, first = scene.seat === null ? 0 : scene.seat + 1;
  const others = scene.seats.map((/** @type {any} */ _, /** @type {number} */ i) => scene.seats[(first + i) % count])
    .filter((/** @type {any} */ one) => one.seat !== scene.seat);
  return html`
    <div class="others">${repeat(others, (/** @type {any} */ one) => one.seat, (one) => seatOf(one, of(one.seat), hands))}</div>
    <div class="between">
      ${repeat(of(null), ([id]) => id, ([id, zone]) => zoneOf(id, zone, hands))}
      ${numbers(scene.numbers)}
      ${scene.notes.map((/** @type {string} */ note) => html`<p class="note">${note}</p>`)}
    </div>
    ${scene.seat === null ? nothing : html`<div class="own">${seatOf(scene.seats[scene.seat], of(scene.seat), hands)}</div>`}`;
}

/** @param {any} seat @param {[string, any][]} zones @param {Hands} hands */
function seatOf(seat, zones, hands) {
  const isTurn = seat.badges.includes("turn"), time = hands.time(seat.seat);
  return html`
    <section class="seat ${isTurn ? "turn" : ""}" aria-label=${hands.name(seat.seat)}>
      <h3>${hands.name(seat.seat)} ${seat.badges.map((/** @type {string} */ badge) => html`<span class="badge">${badge}</span>`)}</h3>
      ${time ? html`<p class="time" role="timer">${time}</p>` : nothing}
      ${numbers(seat.numbers)}
      <div class="zones">${repeat(zones, ([id]) => id, ([id, zone]) => zoneOf(id, zone, hands))}</div>
    </section>`;
}

/** @param {Record<string, number>} labelled */
function numbers(labelled) {
  const rows = Object.entries(labelled);
  return rows.length ? html`<dl class="numbers">${rows.map(([label, n]) => html`<div><dt>${label}</dt><dd>${n}</dd></div>`)}</dl>` : nothing;
}

const FEW = 2;  // so many cards that lie face down are drawn; the rest are counted

/** @param {string} id @param {any} zone @param {Hands} hands */
function zoneOf(id, zone, hands) {
  const at = `/zones/${id}`, label = zone.kind.replaceAll("_", " ");
  const whose = zone.seat === null ? label : `${hands.name(zone.seat)}: ${label}`;
  const isHeap = zone.layout === "pile";
  const spots = (/** @type {any[]} */ (zone.spots)).map((spot, i) => ({...spot, place: spot.face === "up" && spot.card ? placeOf(at, spot, hands) : "", nth: `${at}/spots/${i}`}));
  const shown = isHeap ? spots.slice(-1) : spots;
  const unseen = zone.count - spots.filter((spot) => spot.face !== "empty").length;
  const options = hands.pressed.get(at), hasCards = zone.count > 0 || spots.length > 0;
  if (!hasCards && !options && !Object.keys(zone.numbers).length && !zone.note) return nothing;
  return html`
    <div class="zone ${zone.layout} kind-${zone.kind} ${zone.columns ? `columns-${zone.columns}` : ""}" role="group" aria-label=${whose}>
      ${hasCards || !Object.keys(zone.numbers).length ? html`<span class="label">${label}${isHeap || unseen ? html` <span class="count">${zone.count || ""}</span>` : nothing}</span>` : nothing}
      <div class="cards">
        ${repeat(shown, (spot, i) => `${spot.card ?? spot.face}-${zone.layout === "grid" || !spot.card ? i : doubles(shown, i)}`, (spot) => spotOf(spot, hands))}
        ${unseen > 0 ? backs(Math.min(unseen, isHeap ? 1 : FEW), unseen) : nothing}
      </div>
      ${numbers(zone.numbers)}
      ${zone.note ? html`<span class="note">${zone.note}</span>` : nothing}
      ${options ? html`<div class="acts">${options.map((option) => html`
        <button type="button" class="act" ?disabled=${hands.isStill} aria-label="${option.label}: ${whose}" @click=${() => hands.press([option])}>${option.label}</button>`)}</div>` : nothing}
    </div>`;
}

/** Count the cards before this one that have the same text. @param {any[]} spots @param {number} i */
const doubles = (spots, i) => spots.slice(0, i).filter((spot) => spot.card === spots[i].card).length;

/** @param {number} drawn @param {number} count */
const backs = (drawn, count) => html`<span class="backs" role="img" aria-label="${count} face down">${Array.from({length: drawn}, () => html`<span class="card back"></span>`)}</span>`;

/** @param {any} spot @param {Hands} hands */
function spotOf(spot, hands) {
  const {card, marks, seat} = spot;
  const options = hands.pressed.get(spot.place) ?? hands.pressed.get(spot.nth);
  const choice = hands.chosen.get(spot.place);
  const words = card ? inWords(card) : spot.face === "empty" ? "no card" : "face down";
  const said = [words, ...marks, ...(seat === null ? [] : [hands.name(seat)])].join(", ");
  const inside = card ? face(card) : nothing;
  const classes = card ? look(card) : spot.face === "empty" ? "card none" : "card back";
  if (choice) {
    const isHeld = hands.held.includes(choice.value);
    return html`<button type="button" class="${classes} may" data-card=${card} aria-pressed=${isHeld} ?disabled=${hands.isStill} aria-label=${said} @click=${() => hands.choose(choice.value, choice.most)}>${inside}</button>`;
  }
  if (options) {
    const label = `${said}: ${options.map((one) => one.label).join(" or ")}`;
    return html`<button type="button" class="${classes} may" data-card=${card ?? ""} ?disabled=${hands.isStill} aria-label=${label} @click=${() => hands.press(options)}>${inside}</button>`;
  }
  const tag = html`<span class=${classes} role="img" aria-label=${said}>${inside}</span>`;
  return seat === null ? tag : html`<span class="laid">${tag}<span class="who" aria-hidden="true">${hands.name(seat)}</span></span>`;
}

/** Name the place of a card: by its text, or by the mark by which a move names it. @param {string} at @param {any} spot @param {Hands} hands */
function placeOf(at, spot, hands) {
  const places = [spot.card, ...spot.marks].map((one) => `${at}:${one}`);
  return places.find((one) => hands.pressed.has(one) || hands.chosen.has(one)) ?? places[0];
}
