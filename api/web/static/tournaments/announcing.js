/** The form of a tournament that is to be announced: few fields, and all else behind them. */

import {AT, CLOSINGS, canBeRated, fillsOf, formatsOf, isKnockOut, planned, request, STYLES, withRated, withRules, withSaid, withStyle} from "./plan.js";
import {changed, CLOCKS, fields} from "../making/draft.js";
import {choice, opened, option, presetsOf, several} from "../making/form.js";
import {api, happens, repaint, state, tries} from "../table/app.js";
import {guest} from "../table/joining.js";
import {looks} from "../table/later.js";
import {games} from "../table/listing.js";
import {trouble} from "../table/trouble.js";
import {says} from "../words/announcing.js";
import {says as ofTable} from "../words/making.js";
import {says as tours} from "../words/tournaments.js";
import {html, nothing} from "../table/vendor/lit-html/lit-html.js";

looks(new URL("announcing.css", import.meta.url));
looks(new URL("tournaments.css", import.meta.url));

/** @typedef {import("./plan.js").Plan} Plan */

const DUEL = 2;

/** @type {Plan | null} */
let plan = null;

/** @param {Plan} one */
function change(one) {
  plan = one;
  repaint();
}

/** Begin with a tournament of a game. @returns {() => void} ends it */
export function enter() {
  void tries(async () => {
    const all = await games(), wanted = new URLSearchParams(location.hash.slice(1)).get("announce");
    await plays((all.find(({game}) => game === wanted) ?? all.find(({seats}) => seats.min === DUEL && seats.max === DUEL) ?? all[0]).game);
  });
  return () => { plan = null; };
}

/** Take another game; all else stays. @param {string} game */
async function plays(game) {
  const {table: _, seats: __, fill: ___, ...kept} = plan ?? {};
  change(planned(await api.call("GET", `/games/${game}`), kept));
}

/** Announce it, and go to its place. @param {SubmitEvent} event */
function sends(event) {
  event.preventDefault();
  const body = plan && request(plan, api.now());
  void tries(async () => {
    happens({is: "sending"});
    await guest();
    const {id} = await api.call("POST", "/tournaments", body, api.keyed());
    happens({is: "sent"});
    location.hash = `tournament=${id}`;
  });
}

/** @param {Event} event */
const valueOf = (event) => /** @type {HTMLInputElement} */ (event.target).value;

/** Ask for one of several things. @param {string} label @param {keyof Plan} name @param {[string, string][]} rows @param {string} [hint] */
const chooses = (label, name, rows, hint) => plan && rows.length > 1 ? html`<label>${label} ${choice(rows, String(plan[name]), (one) => plan && change(withSaid(plan, {[name]: name === "seats" ? Number(one) : one})), name, hint)}</label>` : nothing;

/** Ask for a number, which may be left out. @param {string} label @param {keyof Plan} name @param {number} least @param {number} most @param {string} [empty] */
const counts = (label, name, least, most, empty) => html`<label>${label} <input type="number" name=${name} min=${least} max=${most} step="1" placeholder=${empty ?? nothing} .value=${String(plan?.[name] ?? "")}
  @input=${(/** @type {Event} */ event) => plan && change(withSaid(plan, {[name]: valueOf(event)}))}></label>`;

/** Ask for words. @param {string} label @param {keyof Plan} name @param {{isNeeded?: boolean, most?: number}} how */
const asks = (label, name, {isNeeded = false, most = 400}) => html`<label>${label} <input name=${name} ?required=${isNeeded} maxlength=${most} autocomplete="off" .value=${String(plan?.[name] ?? "")}
  @input=${(/** @type {Event} */ event) => plan && change(withSaid(plan, {[name]: valueOf(event)}))}></label>`;

export function announcing() {
  const head = html`<div class="bar"><a class="back" href="#tournaments">${tours.tournaments}</a><h1 tabindex="-1" id="title">${says.announce}</h1></div>`;
  if (!plan) return html`${head}${trouble()}`;
  const {table, closes} = plan, {game} = table;
  return html`${head}
    <form class="making announcing" @submit=${sends} @invalid=${{handleEvent: opened, capture: true}}>
      <p class="soft">${says.about}</p>
      ${asks(says.name, "name", {isNeeded: true, most: 40})}
      <label>${says.game} ${choice(state.games.map((one) => [one.game, one.title]), game.game, (one) => void tries(() => plays(one)), "game")}</label>
      <fieldset><legend>${says.style}</legend><div class="styles">${Object.keys(STYLES).filter((style) => formatsOf(plan?.seats ?? DUEL).includes(STYLES[style]?.format ?? "")).map((style) => html`
        <label class="style"><input type="radio" name="style" value=${style} .checked=${plan?.style === style} @change=${() => plan && change(withStyle(plan, style))}>
          <span><strong>${says.styles[style]?.[0] ?? style}</strong> <span class="soft">${says.styles[style]?.[1] ?? ""}</span></span></label>`)}</div></fieldset>
      ${chooses(says.closing, "closes", CLOSINGS.map((one) => [one, says.closings[one] ?? one]))}
      ${closes === AT ? html`<label>${says.at} <input type="datetime-local" name="at" required .value=${plan.at} @input=${(/** @type {Event} */ event) => plan && change(withSaid(plan, {at: valueOf(event)}))}></label>` : nothing}
      ${plan.format === "arena" ? chooses(says.lasts, "lasts", Object.entries(says.lengths)) : nothing}
      <label class="yes"><input type="checkbox" name="rated" ?disabled=${!canBeRated(plan)} .checked=${plan.isRated && canBeRated(plan)} @change=${(/** @type {Event} */ event) => plan && change(withRated(plan, /** @type {HTMLInputElement} */ (event.target).checked))}> ${says.rated}</label>
      <details><summary>${says.more}</summary><div class="parts">${played(plan)}${guests(plan)}${tables(plan)}</div></details>
      ${trouble()}
      <p><button type="submit" class="main" ?disabled=${state.isSending}>${says.does}</button></p>
    </form>`;
}

/** @param {Plan} plan */
function played(plan) {
  const {format, seats, cut, table: {game}} = plan, isSwiss = format === "swiss", isOut = isKnockOut(plan);
  const all = Array.from({length: game.seats.max - Math.max(DUEL, game.seats.min) + 1}, (_, i) => Math.max(DUEL, game.seats.min) + i);
  return html`<fieldset><legend>${says.played}</legend>
    ${chooses(says.format, "format", formatsOf(seats).map((one) => [one, tours.formats[one] ?? one]))}
    ${chooses(says.seats, "seats", all.map((one) => [String(one), String(one)]))}
    ${isSwiss ? counts(says.rounds, "rounds", 1, 60, says.asItTakes) : nothing}
    ${isSwiss && seats === DUEL ? chooses(says.cut, "cut", Object.entries(says.cuts)) : nothing}
    ${format === "league" ? counts(says.legs, "legs", 1, 4) : nothing}
    ${isOut && format !== "shoot_out" ? counts(says.advance, "advance", 1, Math.floor(seats / 2)) : nothing}
    ${chooses(says.fill, "fill", fillsOf(plan).map((one) => [one, says.fills[one] ?? one]))}
    ${isSwiss ? counts(says.late, "late", 0, 60) : nothing}
    ${isOut ? nothing : counts(says.days, "days", 1, 365, says.noDeadline)}
    ${plan.days && cut === "0" && !isOut && !format.endsWith("elimination") ? chooses(says.overdue, "overdue", Object.entries(says.overdues)) : nothing}</fieldset>`;
}

/** @param {Plan} plan */
const guests = (plan) => html`<fieldset><legend>${says.who}</legend>
  ${counts(says.most, "most", 2, 1024, says.asMany)}
  ${chooses(says.seen, "visibility", Object.entries(says.visibilities))}
  ${plan.visibility === "private" ? nothing : html`<label class="yes"><input type="checkbox" name="byInvite" .checked=${plan.byInvite} @change=${(/** @type {Event} */ event) => change(withSaid(plan, {byInvite: /** @type {HTMLInputElement} */ (event.target).checked}))}> ${says.byInvite}</label>`}
  ${counts(says.least, "least", 0, 5000, says.any)}${counts(says.highest, "highest", 0, 5000, says.any)}
  ${asks(says.helpers, "helpers", {})}</fieldset>`;

/** @param {Plan} plan */
function tables(plan) {
  const {table} = plan, {game} = table, puts = (/** @type {import("../making/draft.js").Draft} */ one) => change({...plan, table: one});
  const presets = presetsOf(game);
  return html`<fieldset><legend>${says.table}</legend>
    ${presets.length > 1 ? html`<label>${says.rules} ${choice(presets, table.preset, (name) => change(withRules(plan, name)), "preset", "preset-about")}</label>` : nothing}
    <p id="preset-about">${game.about_presets[table.preset] ?? game.about} <a href="${document.body.dataset.root ?? ""}/docs/rules/${game.game}">${ofTable.allRules}</a></p>
    ${several(table, puts)}
    <label>${says.clock} ${choice(Object.entries(CLOCKS).map(([name, {label}]) => [name, label]), table.clock, (clock) => change(withRated({...plan, table: {...table, clock}}, plan.isRated)), "clock")}</label>
    <details><summary>${ofTable.everyRule(fields(game).length, changed(table).length)}</summary>
      <div class="options">${fields(game).filter(({name}) => name !== "rated").map((field) => option(field, table, puts))}</div></details></fieldset>`;
}
