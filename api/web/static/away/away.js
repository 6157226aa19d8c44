/**
 * Shows what players prepare for the time when they are away: standing orders, which can be tested first, and notes.
 */

import {another, documentOf, draftOf, earlier, languageOf, likely, with_, words, wrong} from "./ordering.js";
import {keepUnsent, unsent} from "../making/unsent.js";
import {Refused} from "../table/api.js";
import {api, dispatch, state} from "../table/app.js";
import {inWords} from "../table/cards.js";
import {loadStyles} from "../table/later.js";
import {says} from "../words/away.js";
import {html, nothing} from "lit-html";
import choosingStyles from "../choosing/choosing.css?url";
import awayStyles from "./away.css?url";

/**
 * @typedef {import("./ordering.js").Draft} Draft
 * @typedef {import("./ordering.js").Language} Language
 * @typedef {import("./ordering.js").Field} Field
 * @typedef {import("./ordering.js").Condition} Condition @typedef {import("./ordering.js").Action} Action
 */
/**
 * @typedef {{id: string, language: Language | null, draft: Draft, isGiven: boolean, isWritten: boolean,
 *   at: "orders" | "notes", said: string, problem: string, wrong: Record<string, string[]>, notes: string, tag: string,
 *   kept: string, ordersTag: string}} Away
 */

loadStyles(choosingStyles);
loadStyles(awayStyles);

const LONGEST = 10_000;
/** @type {() => `/matches/${string}`} */
const ADDRESS = () => `/matches/${state.id}`;

/** @param {Partial<Away>} change */
const now = (change) => dispatch({is: "left", away: /** @type {Away} */ ({...state.away, ...change})});

/** @param {string} id */
const placeOf = (id) => `#m=${id} away`;

/**
 * Change the draft of the open match, and keep it until it is sent.
 * @param {string} id @param {Partial<Away>} change
 */
function writes(id, change) {
  if (state.away?.id !== id) return;
  now(change);
  const {draft, isWritten, ordersTag, notes, kept, tag} = /** @type {Away} */ (state.away);
  const left = {...(isWritten ? {draft, ordersTag} : {}), ...(notes === kept ? {} : {notes, tag})};
  keepUnsent(placeOf(id), Object.keys(left).length ? left : null);
}

/** @template T @param {Promise<T>} asked @returns {Promise<T | null>} null where there is none */
const orNone = (asked) =>
  asked.catch((error) => { if (error instanceof Refused && error.status === 404) return null; throw error; });

/**
 * Do something that the server may refuse; show the reason if it does.
 * @param {Away["at"]} at
 * @param {() => Promise<string>} what returns the message of success
 */
async function does(at, what) {
  now({at, problem: "", said: "", wrong: {}});
  try { now({said: await what()}); } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const {draft, language} = /** @type {Away} */ (state.away),
      places = at === "orders" && language ? Object.keys(error.errors) : [];
    const found = language ? wrong(places, draft, language) : {};
    now({wrong: found, problem: places.length && !("" in found) ? "" : error.message});
    /** @type {HTMLElement | null} */ (document.querySelector(".orders [aria-invalid]"))?.focus();
  }
}

const tagOf = (/** @type {Response} */ answer) => answer.headers.get("ETag") ?? "";
const tag = () => (/** @type {Response} */ answer) => { now({tag: tagOf(answer)}); };
const ordersTag = () => (/** @type {Response} */ answer) => { now({ordersTag: tagOf(answer)}); };
/** @param {string} known @returns {Record<string, string>} */
const unchanged = (known) => known ? {"If-Match": known} : {"If-None-Match": "*"};

/**
 * Replace or cancel the orders that this page knows. Orders set meanwhile on another device stay as they are.
 * @param {"PUT" | "DELETE"} method @param {unknown} [document]
 */
async function replaces(method, document) {
  const known = /** @type {Away} */ (state.away).ordersTag;
  try {
    await api.call(method, `${ADDRESS()}/orders`, document, unchanged(known), ordersTag());
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 412) throw error;
    now({ordersTag: ""});
    const other = await orNone(api.call("GET", `${ADDRESS()}/orders`, undefined, {}, ordersTag()));
    now({isGiven: Boolean(other)});
    throw new Refused(says.ordersChanged, 412, error.code);
  }
}

/** Read the orders and notes of the seat, and any unsent draft. */
export function begin() {
  const {id, match} = state;
  if (!id || !match || state.away?.id === id) return;
  now({id, language: null, draft: {isForced: false, orders: []}, isGiven: false, isWritten: false, at: "notes",
      said: "", problem: "", wrong: {}, notes: "", tag: "", kept: "", ordersTag: ""});
  void does("orders", async () => {
    const there = await api.call("GET", `${ADDRESS()}?fields=options,your_seat,your_orders,your_notes`);
    const [schema, given, notes] =
      await Promise.all([there.options.standing_orders ? api.call("GET", `/games/${match.game}/orders`) : null,
      there.your_orders.includes(there.your_seat ?? -1)
        ? orNone(api.call("GET", `${ADDRESS()}/orders`, undefined, {}, ordersTag())) : null,
      there.your_notes ? orNone(api.call("GET", `${ADDRESS()}/notes`, undefined, {}, tag())) : null]);
    const language = schema && languageOf(schema),
      {draft, ...written} = /** @type {Partial<Away> | null} */ (unsent(placeOf(id))) ?? {};
    now({language, isGiven: Boolean(given), notes: notes?.text ?? "", kept: notes?.text ?? "",
        ...(language ? {draft: draft ?? draftOf(given?.orders, language), isWritten: Boolean(draft)} : {}),
        ...written});
    return given?.failed ? says.ordersFailed : "";
  });
}

export function away() {
  const left = state.away;
  if (!left || left.id !== state.id) return nothing;
  return html`<div class="leaving">${left.language
    ? orders(left, left.language) : told(left, "orders")}${notes(left)}</div>`;
}

/** Show the outcome of the last action. @param {Away} left @param {Away["at"]} at */
const told = (left, at) => html`<p role="status">${left.at === at ? left.said : ""}</p>
  <div role="alert">${left.at === at && left.problem ? html`<p class="problem">${left.problem}</p>` : nothing}</div>`;

// --- Orders ---------------------------------------------------------------------------------------------

/** Describe a move in words. @param {{name: string, args: Record<string, unknown>}} move */
const played = ({name, args}) => [words(name),
  ...Object.values(args).filter(Boolean)
  .map((one) => [one].flat(2).map((each) => typeof each === "string" ? inWords(each) : each).join(", "))].join(": ");

/** @param {Away} left @param {Language} language */
function orders(left, language) {
  const {id, draft, isGiven} = left;
  const change = (/** @type {Partial<Draft>} */ part) =>
    writes(id, {draft: {...draft, ...part}, isWritten: true, said: "", problem: "", wrong: {}});
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    void does("orders", async () => {
      await replaces("PUT", documentOf(draft, language));
      writes(id, {isGiven: true, isWritten: false});
      return says.ordersGiven;
    });
  };
  const tries = () => does("orders", async () => {
    const {move, order, forced} = await api.call("POST", `${ADDRESS()}/orders/dry-run`, documentOf(draft, language));
    const nth = order === null ? null : order + 1;
    return move ? says.wouldPlay(played(move), forced, nth) : says.wouldNot(nth);
  });
  const cancel = () => does("orders", async () => {
    await replaces("DELETE");
    now({isGiven: false});
    return says.ordersCancelled;
  });
  return html`<form class="orders" novalidate @submit=${send}><h3>${says.standingOrders(isGiven)}</h3>
    <p class="soft">${says.aboutOrders}</p>
    <label class="yes"><input type="checkbox" .checked=${draft.isForced}
      @change=${(/** @type {Event} */ event) =>
      change({isForced: /** @type {HTMLInputElement} */ (event.target).checked})}> ${says.forced}</label>
    <ol>${draft.orders.map((order, i) =>
      html`<li>${orderOf(order, language, {i, wrong: left.wrong},
          (part) => change({orders: with_(draft.orders, i, part)}))}
      <p class="ends">${i ? html`<button type="button" class="quiet"
        @click=${() => change({orders: earlier(draft.orders, i)})}>${says.before(i)}</button>` : nothing}
        <button type="button" class="quiet" @click=${() =>
          change({orders: draft.orders.filter((_, n) => n !== i)})}>${says.without(i + 1)}</button></p></li>`)}</ol>
    <p class="ends"><button type="button" @click=${() =>
      change({orders: [...draft.orders, another(language, state.offer?.moves ?? [])]})}>${says.anotherOrder}</button>
      <button type="button" @click=${() => void tries()}>${says.tryNow}</button><button type="submit"
        class="main">${says.give}</button>
      ${isGiven ? html`<button type="button" @click=${() => void cancel()}>${says.cancel}</button>` : nothing}</p>
    ${told(left, "orders")}</form>`;
}

/**
 * @param {import("./ordering.js").Order} order
 * @param {Language} language
 * @param {{i: number, wrong: Away["wrong"]}} at
 * @param {(part: Partial<import("./ordering.js").Order>) => void} change
 */
function orderOf({conditions, actions, kept}, {facts, moves}, {i: nth, wrong: bad}, change) {
  if (kept) return html`<code>${JSON.stringify(kept)}</code>`;
  const begun = (/** @type {string} */ name) => {
    const fact = facts.find((each) => each.fact === name);
    return {fact: name, way: fact?.ways[0] ?? "", said: fact?.field.values[0] ?? ""};
  };
  return html`${conditions.map((one, i) => {
    const fact = facts.find((each) => each.fact === one.fact),
      put = (/** @type {Partial<Condition>} */ part) => change({conditions: with_(conditions, i, part)}),
      at = `${nth}-if-${i}`;
    return html`<div class="row">${select(i ? says.and : says.if,
        facts.map(({fact: name, field: {title}}) => [name, title]), one.fact, (name) => put(begun(name)))}
      ${fact ? html`${select(says.how, fact.ways.map((way) => [way, says.ways[way] ?? way]), one.way,
          (way) => put({way}))}${field(says.value, fact.field, {said: one.said, wrong: bad[at] ? at : ""},
          (said) => put({said}))}` : nothing}
      <button type="button" class="quiet" aria-label=${says.withoutCondition}
        @click=${() => change({conditions: conditions.filter((_, n) => n !== i)})}>×</button>${fact && bad[at]
        ? unfit(at, fact.field, one.said) : nothing}</div>`;
  })}
    ${actions.map((one, i) => {
      const way = moves.find(({key}) => key === one.key),
        put = (/** @type {Partial<Action>} */ part) => change({actions: with_(actions, i, part)}),
        at = `${nth}-do-${i}`;
      const first = way?.fields.find(({name}) => bad[at]?.includes(name));
      return html`<div class="row">${select(i ? says.else : conditions.length ? says.then : says.always,
          moves.map(({key, label}) => [key, label]), one.key, (key) => put({key, said: {}}))}
        ${(way?.fields ?? []).map((each) =>
          field(each.title, each,
            {said: one.said[each.name] ?? "", wrong: bad[at]?.includes(each.name) ? at : ""},
            (said) => put({said: {...one.said, [each.name]: said}})))}
        ${actions.length > 1 ? html`<button type="button" class="quiet" aria-label=${says.withoutMove}
          @click=${() => change({actions: actions.filter((_, n) => n !== i)})}>×</button>` : nothing}${first
          ? unfit(at, first, one.said[first.name]) : nothing}</div>`;
    })}
    <p class="ends">${facts[0] ? html`<button type="button" class="quiet"
      @click=${() => change({conditions: [...conditions, begun(facts[0]?.fact ?? "")]})}>${
      says.anotherCondition}</button>` : nothing}
      <button type="button" class="quiet" @click=${() =>
        change({actions: [...actions, {key: likely(moves, state.offer?.moves ?? []), said: {}}]})}>${
        says.anotherMove}</button></p>`;
}

/** Return whether a field is a list to choose from; values of several words were typed instead. @param {Field} field */
const isListed = ({kind}, said = "") => kind === "choice" && !said.includes(" ");

/** Show in a row which values are valid. @param {string} at @param {Field} field @param {string} [said] */
const unfit = (at, field, said) => html`<p class="problem" id="wrong-${at}">${isListed(field, said)
  ? says.unchosen(field.title) : says.unfit(says.hints[field.kind] ?? "")}</p>`;

/**
 * @param {string} label
 * @param {string[][]} rows
 * @param {string} value
 * @param {(value: string) => void} put
 * @param {string} [wrong] the row of the problem, if there is one
 */
const select = (label, rows, value, put, wrong = "") => html`<label><span>${label}</span>
  <select aria-invalid=${wrong ? "true" : nothing} aria-describedby=${wrong ? `wrong-${wrong}` : nothing}
    @change=${(/** @type {Event} */ event) =>
    put(/** @type {HTMLSelectElement} */ (event.target).value)}>${
    rows.map(([one, said]) => html`<option value=${one ?? ""} ?selected=${one === value}
      .selected=${one === value}>${said}</option>`)}</select></label>`;

/**
 * @param {string} label
 * @param {Field} one
 * @param {{said: string, wrong: string}} what
 * @param {(said: string) => void} put
 */
function field(label, one, {said, wrong}, put) {
  const {kind, values, isNeeded} = one;
  if (isListed(one, said))
    return select(label, [...(isNeeded && said ? [] : [["", "–"]]), ...values.map((each) => [each, words(each)])], said,
    put, wrong);
  return html`<label><span>${label}</span> <input type="text" autocapitalize="characters"
    placeholder=${says.hints[kind]} aria-invalid=${wrong ? "true" : nothing}
    aria-describedby=${wrong ? `wrong-${wrong}` : nothing} .value=${said}
    @input=${(/** @type {Event} */ event) => put(/** @type {HTMLInputElement} */ (event.target).value)}></label>`;
}

// --- Notes ----------------------------------------------------------------------------------------------

/** @param {Away} left */
function notes(left) {
  const {id, notes: text, kept, tag: known} = left;
  const keep = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    void does("notes", async () => {
      try {
        await api.call("PUT", `${ADDRESS()}/notes`, {text}, unchanged(known), tag());
      } catch (error) {
        if (!(error instanceof Refused) || error.status !== 412) throw error;
        const other = await orNone(api.call("GET", `${ADDRESS()}/notes`, undefined, {}, tag()));
        if (!other) now({tag: ""});
        throw new Refused(says.notesChanged(other?.text ?? ""), 412, error.code);
      }
      writes(id, {kept: text});
      return says.notesKept;
    });
  };
  return html`<form class="notes" @submit=${keep}><label><strong>${says.notes}</strong>
    <textarea rows="4" maxlength=${LONGEST} .value=${text}
      @input=${(/** @type {Event} */ event) =>
      writes(id, {notes: /** @type {HTMLTextAreaElement} */ (event.target).value, said: ""})}></textarea></label>
    <p class="ends"><button type="submit" ?disabled=${!text
      || text === kept}>${says.keepNotes}</button></p>${told(left, "notes")}</form>`;
}
