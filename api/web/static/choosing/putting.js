/** Builds a move of several parts: melds, decks, blocks, targets. */

import {suffices, takenBack} from "./aims.ts";
import {aimsOnTable, chosenAims} from "./aiming.js";
import {lyingAs, nameOf} from "./calling.js";
import {alone, liesThere} from "./pairs.ts";
import {chosenPairs, endsOnTable} from "./pairing.js";
import {argsOf, asTheyLie, barred, counted, fresh, groupsIn, keyOf, lacking, moved, partsOf, put, regrouped, rowIn,
  runsOf, same, toggled} from "./parts.ts";
import {keepUnsent, unsent} from "../making/unsent.js";
import {face, look, names as drawn, parts as suited} from "../table/cards.js";
import {loadStyles} from "../table/later.js";
import {placesOf, schemaOf, shapeOf, titleOf} from "../table/moves.js";
import {isOf} from "../table/ways.js";
import {says as common} from "../words/asking.js";
import {says} from "../words/choosing.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";
import choosingStyles from "./choosing.css?url";

/**
 * @typedef {import("./parts.ts").Part} Part
 * @typedef {import("./parts.ts").Draft} Draft
 * @typedef {import("../table/store.ts").Move} Move
 */
/**
 * @typedef {object} Hand
 * @property {Draft} draft @property {boolean} isStill @property {Api.Scene} scene
 * @property {(part: Part, value: Api.Json) => void} put @property {(draft: Draft) => void} change
 * @property {(part: Part, value: Api.Json) => string} name
 * @property {Part[]} laid @property {Part[]} parts
 * @property {typeof import("../printed/printed.js") | null} printed the texts of cards, for building decks
 */

loadStyles(choosingStyles);

const PRINTED = () => import("../printed/printed.js");

let last = /** @type {Draft | undefined} */ (undefined);  // the draft at the last painting

/** For each place, the offer for which its piles were opened. @type {Map<string, string>} */
const opened = new Map();

/**
 * Open the piles that contain possible choices, once per move: the reader may then close them.
 * @param {string} place @param {string} asked
 */
function opens(place, asked) {
  if (opened.get(place) === asked) return;
  for (const heap of document.querySelectorAll(".felt .heap:has([aria-pressed])")) {
    heap.setAttribute("open", "");
    opened.set(place, asked);
  }
}

/**
 * Scroll to the form of a move that has just begun, below the table.
 * @param {Draft | undefined} known @param {string} place @param {string} asked
 */
function shows(known, place, asked) {
  const isBegun = known !== last && known && !known.said;
  if (isBegun) opened.delete(place);
  queueMicrotask(() => opens(place, asked));
  if (isBegun) queueMicrotask(() => {
    document.querySelector("form.together")?.scrollIntoView({block: "nearest"});
    const fits = [...document.querySelectorAll(".felt .fits")];
    if (!fits.some(isSeen)) fits[0]?.scrollIntoView({block: "nearest"});
  });
  last = known;
}

const CURRENT = ".groups .choice[aria-pressed=true]";

/**
 * Focus the first of these elements that exists. If the pressed element is gone, the focus would go to the button that
 * sends the move.
 * @param {string[]} selectors
 */
const focuses = (...selectors) => {
  const form = document.querySelector("form.together");
  const [found] = selectors.flatMap((one) => /** @type {HTMLElement[]} */ ([...form?.querySelectorAll(one) ?? []]));
  found?.focus({preventScroll: true});
};

/** Return whether an element is completely in the window. @param {Element} one */
function isSeen(one) {
  const {top, bottom} = one.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

/**
 * Return the draft that was kept before a reload, if the offer is still the same.
 * @param {string} place @param {string} asked
 */
function kept(place, asked) {
  const found = /** @type {{asked: string, draft: Draft} | null} */ (unsent(place));
  return found?.asked === asked ? found.draft : undefined;
}

/**
 * Return the current draft of a move, with its parts.
 * @param {Move} move @param {import("../table/controls.js").Ways} ways
 */
function stand(move, ways) {
  const shape = shapeOf(move), names = shape.kind === "together" ? shape.names : [];
  const place = `${location.hash} ${move.name}`, asked = JSON.stringify(move.args);
  const known = /** @type {Draft | undefined} */ (move.name in ways.drafts
    ? ways.drafts[move.name] : kept(place, asked)),
    isBegun = Boolean(known?.fixed) && isOf(move,
    {label: "", title: known?.title, move: move.name, args: known?.fixed ?? {}});
  const asProposed = {...fresh(move, known?.fixed ?? {}), title: known?.title},
    draft = known?.said ? known : asProposed;
  const change = (/** @type {Draft | null} */ now) => {
    keepUnsent(place, now && {asked, draft: now});
    ways.draft(move.name, now);
  };
  const parts = partsOf(move, draft.fixed), pressed = isBegun ? new Map() : ways.pressed,
    laid = parts.filter((part) => liesThere(part, {scene: ways.scene, pressed})),
    aims = laid.filter(({kind}) => kind !== "pairs");
  return {names, isBegun, known, asProposed, draft, change, place, asked, parts,
    laid: suffices(aims) ? laid : laid.filter(({kind}) => kind === "pairs")};
}

/** Undoes the last step; Escape calls it. */
let back = () => {};
addEventListener("keydown", ({key, target}) => {
  if (key === "Escape" && !(/** @type {Element} */ (target).closest(":is(input, select, textarea)"))) back();
});

/**
 * Return what can be pressed on the table for moves of several parts, by place: ends of pairs, targets, and the card
 * that began the move, which cancels it.
 * @param {Move[]} moves
 * @param {import("../table/controls.js").Ways} ways
 */
export function onTable(moves, ways) {
  back = () => {};
  return new Map(moves.filter((move) => shapeOf(move).kind === "together").flatMap((move) => {
    const {names, isBegun, asProposed, draft, change, parts, laid} = stand(move, ways);
    if (names.length && !isBegun) return [];
    const pairs = laid.filter(({kind}) => kind === "pairs"), aims = laid.filter(({kind}) => kind !== "pairs");
    if (laid.length) back = () => change(takenBack(draft, laid, asProposed) ?? (isBegun ? null : draft));
    return [...(isBegun && aims.length ? begun(move, draft, change) : []),
      ...pairs.flatMap((part) => endsOnTable(part, parts, draft, change, ways.scene)),
      ...aimsOnTable(aims, draft, change, ways.isStill)];
  }));
}

/**
 * Mark the card that began a move; pressing it again cancels the move.
 * @param {Move} move @param {Draft} draft @param {(draft: Draft | null) => void} change
 */
const begun = (move, {fixed}, change) => Object.entries(fixed).flatMap(([name, value]) =>
  placesOf(schemaOf(move, name), value).map((place) => /** @type {[string, import("../table/table.js").Choice]} */
    ([place, {isHeld: true, look: "held", state: says.held, press: () => change(null)}])));

/** @param {Move} move @param {import("../table/controls.js").Ways} ways */
export function together(move, ways) {
  const {names, isBegun, known, asProposed, draft, change, place, asked, parts, laid} = stand(move, ways);
  if (names.length && !isBegun) return begins(move, names, ways);
  shows(known, place, asked);
  const lacks = lacking(move, draft);
  const name = (/** @type {Part} */ part, /** @type {Api.Json} */ value) => nameOf(part.schema, value, ways.scene);
  const hand = {draft, isStill: ways.isStill, change, name, scene: ways.scene, laid, parts,
    printed: decks(parts) ? ways.bring(PRINTED) : null,
    put: (/** @type {Part} */ part, /** @type {Api.Json} */ value) => change(put(draft, part, value))};
  const isLaid = parts.every((part) => laid.includes(part) || part.kind === "number" || isSettled(part));
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    if (lacks.length) return;
    keepUnsent(place, null);
    ways.send({label: titleOf(move), move: move.name, args: argsOf(move, draft)});
  };
  const chosen = Object.entries(draft.fixed)
    .map(([key, value]) => `${schemaOf(move, key)?.title
      ?? key}: ${nameOf(schemaOf(move, key) ?? {}, value, ways.scene)}`);
  return html`<form class="together ${isLaid ? "laid" : ""}" novalidate
    aria-label=${[titleOf(move), ...chosen].join(", ")} @submit=${send}>
    <p class="head"><strong>${titleOf(move)}</strong> ${chosen.join(", ")}</p>
    ${move.args.description ? html`<p class="soft">${move.args.description}</p>` : nothing}
    ${decks(parts) ? deckOf(parts, hand) : repeat(parts, keyOf, (part) => partOf(part, hand))}
    ${barred(move).map((title) => html`<p class="soft">${says.hasNone(title)}</p>`)}
    ${(isLaid ? [] : lacks).map((one) => html`<p class="hint">${one}</p>`)}
    <p class="ends"><button type="submit" class="main"
      ?disabled=${ways.isStill || lacks.length > 0}>${titleOf(move)}</button>
      ${isLaid || same({...draft, held: null}, asProposed) ? nothing
        : html`<button type="button" @click=${() => { change(asProposed); focuses(CURRENT); }}>${
          says.asProposed}</button>`}
      ${Object.keys(draft.fixed).length
        ? html`<button type="button" class="quiet" @click=${() => change(null)}>${common.notNow}</button>`
        : nothing}</p></form>`;
}

/**
 * Offer buttons for a move that begins on the table, if each of its cards can also begin another move: readers would
 * not find it otherwise.
 * @param {Move} move @param {string[]} names @param {import("../table/controls.js").Ways} ways
 */
function begins(move, names, ways) {
  const title = titleOf(move), starts = names.flatMap((name) => {
    const part = schemaOf(move, name);
    return /** @type {Api.Json[]} */ (part.enum).map((value) =>
      ({label: nameOf(part, value, ways.scene), title, move: move.name, args: {[name]: value},
          places: placesOf(part, value)}));
  });
  if (!starts.every(({places}) =>
      places.some((place) => ways.pressed.get(place)?.some((one) => one.move !== move.name))))
    return nothing;
  const [only, ...others] = starts;
  const press = () => only && !others.length ? ways.take(only)
    : ways.ask({title: says.beginsWith(title, names.map((name) => schemaOf(move, name).title ?? name)),
      options: starts});
  return html`<button type="button" ?disabled=${ways.isStill} @click=${press}>${title}</button>`;
}

/** Return whether two parts are a deck and its sideboard: two rows of the same cards. @param {Part[]} parts */
const decks = (parts) => parts.length === 2 && parts.every(({kind}) => kind === "rows")
  && same(parts[0]?.values, parts[1]?.values);

/** Return whether a part has only one possible value. @param {Part} part */
const isSettled = ({kind, values, isNeeded}) => kind === "one" && values.length < 2 && isNeeded;

/** @param {Part} part @param {Hand} hand */
function partOf(part, hand) {
  const value = hand.draft.said[keyOf(part)], row = rowIn(hand.draft, part);
  switch (part.kind) {
    case "groups": return groupsOf(part, groupsIn(hand.draft, part), hand);
    case "number": return html`<label>${part.title} <input type="number" step="1" min=${part.least}
      max=${part.most < Infinity ? part.most : nothing} .value=${String(value)}
      @input=${(/** @type {Event} */ event) =>
        hand.put(part, /** @type {HTMLInputElement} */ (event.target).value)}>
      ${part.most < Infinity
        ? html`<span class="soft">${says.bounds(part.least, part.most)}</span>` : nothing}</label>`;
    case "yes": return html`<fieldset><legend>${part.title}</legend>${
      /** @type {[boolean, string][]} */ ([[true, says.yes], [false, says.no]]).map(([one, label]) =>
        button(label, value === one, () => hand.put(part, one), hand))}</fieldset>`;
    case "one": return isSettled(part) ? nothing : html`<fieldset><legend>${part.title}</legend>
      ${part.isNeeded ? nothing : button(says.asItComes, value === null, () => hand.put(part, null), hand)}
      ${part.values.map((one) => card(part, one, same(value, one), () => hand.put(part, one), hand))}</fieldset>`;
    case "pairs": case "some": case "rows":
      if (hand.laid.includes(part)) return part.kind === "pairs" ? chosenPairs(part, hand) : chosenAims(part, hand);
      return html`<fieldset><legend>${part.title}</legend>
      ${blocks(asTheyLie(part.values, hand.scene), (one) => card(part, one, row.some((held) => same(held, one)),
          () => hand.put(part, toggled(row, one)), hand))}</fieldset>`;
  }
}

/**
 * Draw values, grouped by their first word if each group has several.
 * @param {Api.Json[]} values @param {(value: Api.Json) => unknown} draw
 */
function blocks(values, draw) {
  const runs = runsOf(values);
  return runs.length < 2 || runs.some((run) => run.length < 2) ? values.map(draw)
    : runs.map((run) => html`<div class="run">${run.map(draw)}</div>`);
}

/** @param {string} label @param {boolean} isHeld @param {() => void} press @param {Hand} hand */
const button = (label, isHeld, press, hand) =>
  html`<button type="button" class="choice" aria-pressed=${isHeld} ?disabled=${hand.isStill}
  @click=${press}>${label}</button>`;

/**
 * Draw a value as a button: as a card, or by its name.
 * @param {Part} part
 * @param {Api.Json} value
 * @param {boolean} isHeld
 * @param {() => void} press
 * @param {Hand} hand
 */
function card(part, value, isHeld, press, hand) {
  const label = hand.name(part, value);
  const named = typeof value === "string" && lyingAs(value, hand.scene);
  if (named) return html`<button type="button" class="${look(named.card)} may" data-card=${value} aria-pressed=${isHeld}
    aria-label=${drawn.words(named.card, named.all)} ?disabled=${hand.isStill}
    @click=${press}>${face(named.card, named.all)}</button>`;
  if (typeof value !== "string" || !suited(value).suit) return button(label, isHeld, press, hand);
  return html`<button type="button" class="${look(value)} may" data-card=${value} aria-pressed=${isHeld}
    aria-label=${label} ?disabled=${hand.isStill} @click=${press}>${face(value)}</button>`;
}

/** @param {Part} part @param {Api.Json[][]} groups @param {Hand} hand */
function groupsOf(part, groups, hand) {
  const {draft} = hand, at = Math.min(draft.at, Math.max(0, groups.length - 1)), one = says.one(part.title);
  const loose = part.values.filter((value) => !Object.values(draft.fixed)
    .includes(value) && !groups.some((group) => group.includes(value)));
  const press = (/** @type {Api.Json} */ value) => () => {
    hand.change(alone(put(draft, part, regrouped(groups, value, at)), hand.parts, part, value));
    focuses(`[data-card="${value}"]`);
  };
  const more = () => {
    hand.change({...put(draft, part, [...groups, []]), at: groups.length});
    focuses(CURRENT);
  };
  return html`<fieldset class="groups"><legend>${part.title}</legend>
    ${repeat(groups, (_, i) => i, (group, i) => html`<div class="group" role="group" aria-label=${says.nth(one, i + 1)}>
      <button type="button" class="choice" aria-pressed=${i === at} ?disabled=${hand.isStill}
        @click=${() => hand.change({...draft, at: i})}>${says.nth(one, i + 1)}</button>
      <div class="cards">${repeat(group, (value) => value,
        (value) => card(part, value, true, press(value), hand))}</div></div>`)}
    ${groups.length < part.most && (!groups.length || groups.every((group) => group.length))
      ? html`<button type="button" ?disabled=${hand.isStill} @click=${more}>${says.another(one)}</button>` : nothing}
    ${loose.length ? html`<div class="group loose" role="group" aria-label=${says.inNone}><span
      class="soft">${says.putInto(says.nth(one, at + 1))}</span>
      <div class="cards">${repeat(loose, (value) => value,
        (value) => card(part, value, false, press(value), hand))}</div></div>` : nothing}</fieldset>`;
}

/** @param {Part[]} parts @param {Hand} hand */
function deckOf(parts, hand) {
  const [main, side] = /** @type {[Part, Part]} */ (parts);
  const orderOf = (/** @type {Api.Json} */ value) => hand.printed?.order(hand.name(main, value)) ?? "";
  const rows = [main, side].map((part) => rowIn(hand.draft, part));
  const sorted = hand.printed ? [...main.values].sort((one, other) => orderOf(one) < orderOf(other) ? -1 : 1)
    : main.values;
  const free = main.schema.items?.["x-free"] ?? [], [within, beside] = /** @type {[Api.Json[], Api.Json[]]} */ (rows);
  const stepOf = (/** @type {Api.Json} */ value, /** @type {boolean} */ isIn) =>
    (isIn ? says.outOfDeck : says.intoDeck)(hand.name(main, value));
  const move = (/** @type {Api.Json} */ value, /** @type {boolean} */ isIn) => {
    const [from, to] = isIn ? moved(within, beside, value, free.includes(value)) : moved(beside, within, value, false);
    hand.change(put(put(hand.draft, main, isIn ? from : to), side, isIn ? to : from));
    focuses(...[isIn, !isIn].map((one) => `[aria-label=${JSON.stringify(stepOf(value, one))}]`));
  };
  const row = (/** @type {Api.Json} */ value, /** @type {number} */ count, /** @type {boolean} */ isIn) =>
    html`<li><span>${count || ""}${count ? " × "
    : ""}${hand.name(main, value)} ${hand.printed?.about(hand.name(main, value)) ?? nothing}</span>
    <button type="button" class="step" ?disabled=${hand.isStill}
      aria-label=${stepOf(value, isIn)}
      @click=${() => move(value, isIn)}>${isIn ? "−" : "+"}</button></li>`;
  const list = (/** @type {Api.Json[]} */ of, /** @type {boolean} */ isIn) =>
    html`<ul class="deck">${repeat(counted(of, sorted).filter(([value, n]) => n || (!isIn && free.includes(value))),
      ([value]) => value, ([value, n]) => row(value, n, isIn))}</ul>`;
  return html`<div class="two"><section aria-label=${says.inDeck}><h3><span
    role="status">${says.inDeckSo(within.length)}${main.least
    ? html` <span class="soft">${says.ofLeast(main.least)}</span>` : nothing}</span></h3>${list(within, true)}</section>
    <section aria-label=${says.besideDeck}><h3>${says.besideSo(beside.length)}</h3>${
      list(beside, false)}</section></div>`;
}
