/** The form of a new tournament: a few fields, and all others under "More settings". */

import {AT, canBeRated, CLOSINGS, fieldsOf, formatsOf, hasEnd, MOST_PLACES, OWN, planned, request, seatsOf, stylesOf,
  USUAL_BOOSTERS, withField, withPlace, withRules, withSaid, withStyle} from "./plan.js";
import {span} from "./plan_words.js";
import {changed, CLOCKS, fields} from "../making/draft.js";
import {choice, option, rulesOf, several, sound, unfit} from "../making/form.js";
import {presetsOf, words} from "../making/option_words.js";
import {keepUnsent, unsent} from "../making/unsent.js";
import {comesAs, isNameless} from "../me/knowing.js";
import {api, dispatch, repaint, state, attempt} from "../table/app.js";
import {loadStyles} from "../table/later.js";
import {games as allGames} from "../table/listing.js";
import {trouble} from "../table/trouble.js";
import {says} from "../words/announcing.js";
import {says as ofTable} from "../words/making.js";
import {says as tours} from "../words/tournaments.js";
import {html, nothing} from "lit-html";
import announcingStyles from "./announcing.css?url";
import tournamentsStyles from "./tournaments.css?url";

loadStyles(announcingStyles);
loadStyles(tournamentsStyles);

/** @typedef {import("./plan.js").Plan} Plan */
/**
 * @typedef {Omit<Plan["table"], "game"> & {game: string}} Table
 * @typedef {Omit<Plan, "offers" | "table"> & {table: Table}} Written a kept plan, which only has the game's name
 */

const DUEL = 2;
const SHOW_UPS = [60, 120, 300, 900, 3_600, 86_400, 259_200], POD_SECONDS = [60, 120, 300, 600, 86_400];
const [LEAST_POD, MOST_POD, MOST_BOOSTERS, MOST_SECONDS, PAGE] = [2, 32, 36, 604_800, 100];

/** @type {Plan | null} */
let plan = null, place = "";
/** The sets whose boosters can be prizes, once they are read. @type {{id: string, name: string}[]} */
let sets = [];
/** The cards whose promo copies can be prizes, by name. @type {[string, string][]} */
let cards = [];

/** @param {Plan} one */
function change(one) {
  plan = one;
  const bad = unfit(), own = Object.fromEntries(bad.filter((name) => name in one).map((name) => [name, ""]));
  keepUnsent(place, {...one, ...own, offers: undefined,
    table: {...sound(one.table, bad), game: one.table.game.game}});
  repaint();
}

/** Begin the form for a game. @returns {() => void} discards the plan */
export function enter() {
  place = location.hash;
  void attempt(async () => {
    const all = await allGames(), wanted = new URLSearchParams(location.hash.slice(1)).get("announce"),
      before = /** @type {Written | null} */ (unsent(place));
    if (before) return plays(before.table.game, before);
    await plays((all.find(({game}) => game === wanted)
        ?? all.find(({seats}) => seats.min === DUEL && seats.max === DUEL) ?? /** @type {Api.Game} */ (all[0])).game);
  });
  return () => { plan = null; };
}

/**
 * Change the game. Other settings stay, or are restored from an earlier draft.
 * @param {string} game @param {Written} [before]
 */
async function plays(game, before) {
  const [rules, offers] =
    await Promise.all([api.call("GET", `/games/${game}`), api.call("GET", `/games/${game}/tournament-formats`)]);
  if (offers.prizes && !sets.length) [{items: sets}, cards] = await Promise.all([api.call("GET", "/sets"), allCards()]);
  change(before ? {...before, offers, table: {...before.table, game: rules}}
    : {...planned(rules, offers, plan ?? {}), set: sets[0]?.id ?? ""});
}

/** Create the tournament, and go to its page. @param {SubmitEvent} event */
function sends(event) {
  event.preventDefault();
  const body = plan && request(plan, api.now()),
    name = String(new FormData(/** @type {HTMLFormElement} */ (event.target)).get("organiser") ?? "").trim();
  void attempt(async () => {
    dispatch({is: "sending"});
    await comesAs(name);
    const {id} = await api.call("POST", "/tournaments", body, api.keyed());
    keepUnsent(place, null);
    dispatch({is: "sent"});
    location.hash = `tournament=${id}`;
  });
}

/** @param {Event} event */
const valueOf = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/**
 * Draw a select field.
 * @param {string} label
 * @param {keyof Plan} name
 * @param {[string, string][]} rows
 * @param {string} [hint]
 */
const chooses = (label, name, rows, hint) => plan && rows.length > 1
  ? html`<label>${label} ${choice(rows, String(plan[name]),
    (one) => plan && change(withSaid(plan, {[name]: name === "seats" ? Number(one) : one})), name, hint)}</label>`
  : nothing;

/**
 * Draw a number field, which may be empty.
 * @param {string} label
 * @param {keyof Plan} name
 * @param {number} least
 * @param {number} most
 * @param {string} [empty]
 */
const counts = (label, name, least, most, empty) =>
  number(label, name, String(plan?.[name] ?? ""), {least, most, empty},
  (said) => { if (plan) change(withSaid(plan, {[name]: said})); });

/**
 * @param {string} label
 * @param {string} name
 * @param {string} said
 * @param {{least: number, most: number, empty?: string | undefined}} how
 * @param {(said: string) => void} put
 */
const number = (label, name, said, {least, most, empty}, put) =>
  html`<label>${label} <input type="number" name=${name} min=${least} max=${most} step="1"
  placeholder=${empty ?? nothing} .value=${said}
  @input=${(/** @type {Event} */ event) => put(valueOf(event))}></label>`;

/**
 * Draw a text field.
 * @param {string} label @param {keyof Plan} name @param {{isNeeded?: boolean, most?: number}} how
 */
const asks = (label, name, {isNeeded = false, most = 400}) =>
  html`<label>${label} <input name=${name} ?required=${isNeeded} maxlength=${most} autocomplete="off"
  .value=${String(plan?.[name] ?? "")}
  @input=${(/** @type {Event} */ event) => plan && change(withSaid(plan, {[name]: valueOf(event)}))}></label>`;

/** Draw a checkbox. @param {string} label @param {"isRated" | "byInvite"} name @param {boolean} canBe */
const yes = (label, name, canBe = true) =>
  html`<label class="yes"><input type="checkbox" name=${name} ?disabled=${!canBe}
  .checked=${Boolean(plan?.[name] && canBe)} @change=${(/** @type {Event} */ event) =>
  plan && change(withSaid(plan, {[name]: /** @type {HTMLInputElement} */ (event.target).checked}))}> ${label}</label>`;

export function announcing() {
  const head = html`<div class="bar"><a class="back" href="#tournaments">${tours.tournaments}</a><h1 tabindex="-1"
    id="title">${says.announce}</h1></div>`;
  if (!plan) return html`${head}${trouble()}`;
  const {table, closes, offers} = plan, {game} = table;
  return html`${head}
    <form class="making announcing" @submit=${sends}>
      <p class="soft">${says.about}</p>
      ${asks(says.name, "name", {isNeeded: true, most: 40})}
      ${isNameless() ? html`<label>${tours.yourName} <input name="organiser" required maxlength="40"
        autocomplete="nickname"></label>` : nothing}
      <label>${says.game} ${choice(state.games.map((one) => [one.game, one.title]), game.game,
        (one) => void attempt(() => plays(one)), "game")}</label>
      ${offers.items.length ? html`<fieldset><legend>${says.style}</legend><div
        class="styles">${stylesOf(offers).map((style) => html`
        <label class="style"><input type="radio" name="style" value=${style} .checked=${plan?.style === style}
          @change=${() => plan && change(withStyle(plan, style))}>
          <span><strong>${says.styles[style]?.[0] ?? style}</strong> <span
            class="soft">${says.styles[style]?.[1] ?? ""}</span></span></label>`)}</div></fieldset>` : html`<p
            role="status">${says.notPlayed}</p>`}
      ${prepared(plan)}
      ${chooses(says.closing, "closes", CLOSINGS.map((one) => [one, says.closings[one] ?? one]))}
      ${closes === AT ? html`<label>${says.at} <input type="datetime-local" name="at" required .value=${plan.at}
        @input=${(/** @type {Event} */ event) => plan && change(withSaid(plan, {at: valueOf(event)}))}></label>`
        : nothing}
      ${hasEnd(plan) ? chooses(says.lasts, "lasts", Object.entries(says.lengths)) : nothing}
      ${yes(says.rated, "isRated", canBeRated(plan))}
      <details><summary>${says.more}</summary><div
        class="parts">${played(plan)}${guests(plan)}${tables(plan)}${offers.prizes
        ? prizes(plan) : nothing}</div></details>
      ${trouble()}
      <p><button type="submit" class="main" ?disabled=${state.isSending
        || !offers.items.length}>${says.does}</button></p>
    </form>`;
}

/** Draw the settings for deck building before the first round. @param {Plan} plan */
const prepared = ({prepares, offers}) => prepares === ""
  ? nothing : html`<fieldset><legend>${says.before}</legend><p class="soft">${says.beforeAbout}</p>
  ${chooses(says.how, "prepares", offers.preparations.map(({title}, i) => [String(i), title]))}
  ${chooses(says.podTime, "podSeconds", POD_SECONDS.map((one) => [String(one), span(one)]))}
  ${counts(says.pod, "pod", LEAST_POD, MOST_POD, says.asUsual)}</fieldset>`;

/** @param {Plan} plan */
const played = (plan) => html`<fieldset><legend>${says.played}</legend>
  ${chooses(says.format, "format", formatsOf(plan).map((one) => [one, tours.formats[one] ?? words(one)]))}
  ${chooses(says.seats, "seats", seatsOf(plan).map((one) => [String(one), String(one)]))}
  ${fieldsOf(plan).map((field) => fieldOfFormat(plan, field))}</fieldset>`;

/**
 * Draw the settings of the format, with the page's own texts, or else those of the API.
 * @param {Plan} plan
 * @param {import("../making/draft.js").Field} field
 */
function fieldOfFormat(plan, {name, kind, schema}) {
  const label = says.fields[name] ?? words(name), said = plan.said[name] ?? "",
    put = (/** @type {string} */ one) => change(withField(plan, name, one));
  const about = name in says.fields ? nothing : html`<small class="soft">${schema.description}</small>`;
  if (name === "show_up_seconds")
    return html`<label>${label} ${
    choice([["", says.asUsual], .../** @type {[string, string][]} */ (SHOW_UPS.map((one) => [String(one), span(one)]))],
      said, put, name)}</label>`;
  if (kind === "number")
    return html`<div>${number(label, name, said,
      {least: /** @type {number} */ (schema.minimum), most: /** @type {number} */ (schema.maximum),
        empty: says.empty[name] ?? String(schema.default ?? "")}, put)}${
    about}</div>`;
  const rows = /** @type {Api.Json[]} */ (schema.enum).map((one) =>
    /** @type {[string, string]} */ ([JSON.stringify(one), says.choices[name]?.[String(one)] ?? words(String(one))]));
  return html`<label>${label} ${choice(rows, said || JSON.stringify(schema.default), put, name)}${about}</label>`;
}

/** @param {Plan} plan */
const guests = (plan) => html`<fieldset><legend>${says.who}</legend>
  ${chooses(says.seen, "visibility", Object.entries(says.visibilities))}
  ${plan.visibility === "private" ? nothing : yes(says.byInvite, "byInvite")}
  ${counts(says.least, "least", 0, 5000, says.any)}${counts(says.highest, "highest", 0, 5000, says.any)}${
    counts(says.reliability, "reliability", 1, 100, says.any)}
  ${asks(says.helpers, "helpers", {})}</fieldset>`;

/** @param {Plan} plan */
function tables(plan) {
  const {table} = plan, {game} = table, puts = (/** @type {import("../making/draft.js").Draft} */ one) =>
    change({...plan, table: one});
  const presets = presetsOf(game);
  return html`<fieldset><legend>${says.table}</legend>
    ${presets.length > 1
      ? html`<label>${says.rules} ${choice(presets, table.preset, (name) => change(withRules(plan, name)), "preset",
        "preset-about")}</label>` : nothing}
    ${rulesOf(table, plan.seats, document.body.dataset.root ?? "")}
    ${several(table, puts)}
    ${chooses(says.clock, "clock",
      [.../** @type {[string, string][]} */ (Object.entries(CLOCKS).map(([name, {label}]) => [name, label])),
        [OWN, says.ownClock]])}
    ${plan.clock === OWN
      ? html`${counts(says.each, "each", 0, MOST_SECONDS)}${counts(says.bank, "bank", 0, MOST_SECONDS, "0")}${
      counts(says.increment, "increment", 0, MOST_SECONDS, "0")}` : nothing}
    <details><summary>${ofTable.everyRule(fields(game).length, changed(table).length)}</summary>
      <div class="options">${fields(game).filter(({name}) => name !== "rated")
        .map((field) => option(field, table, puts))}</div></details></fieldset>`;
}

/** Draw the prizes of each place: boosters and a promo card. @param {Plan} plan */
const prizes = (plan) => html`<fieldset class="by-place"><legend>${tours.prizes}</legend>
  ${plan.boosters.map((many, i) =>
    html`${number(says.boostersOf(i + 1), `boosters-${i + 1}`, many, {least: 0, most: MOST_BOOSTERS, empty: "0"},
        (said) => change(withSaid(plan, {boosters: put(plan.boosters, i, said)})))}
    <label>${says.promoOf(i + 1)} ${choice([["", says.noPromo], ...cards], plan.promos[i] ?? "",
      (said) => change(withSaid(plan, {promos: put(plan.promos, i, said)})), `promo-${i + 1}`)}</label>`)}
  ${chooses(says.set, "set", sets.map(({id, name}) => [id, name]))}
  <p>${plan.boosters.length < MOST_PLACES
    ? html`<button type="button" class="adds" @click=${() =>
    change(withPlace(plan))}>${says.anotherPlace(plan.boosters.length + 1)}</button>` : nothing}
    <button type="button" @click=${() =>
      change(withSaid(plan,
        {boosters: [...USUAL_BOOSTERS, ...plan.boosters.slice(USUAL_BOOSTERS.length).fill("")]}))}>${
      says.usualPrizes}</button></p></fieldset>`;

/** @param {string[]} all @param {number} at @param {string} said */
const put = (all, at, said) => all.map((one, n) => n === at ? said : one);

/** Read the ids and names of all cards. @returns {Promise<[string, string][]>} */
async function allCards() {
  const found = /** @type {[string, string][]} */ ([]);
  for (let cursor = ""; ;) {
    const {items, next} = await api.call("GET", `/cards?limit=${PAGE}${cursor}`);
    found.push(...items.map((one) => /** @type {[string, string]} */ ([one.id, one.name])));
    if (!next) return found.sort(([, a], [, b]) => a.localeCompare(b));
    cursor = `&cursor=${next}`;
  }
}
