/** The form of a new table: seats, clock, visibility, and every option of the game. */

import {tellsUnfit} from "./unfit.js";
import {changed, CLOCKS, fields, fresh, presetOf, request, SITTERS, withOption, withOptions, withPreset, withSeats,
  withSitter, wrong} from "./draft.js";
import {list} from "./lists.js";
import {called, presetsOf, titled} from "./option_words.js";
import {keepUnsent, unsent} from "./unsent.js";
import {comesAs, isNameless, knowsMe} from "../me/knowing.js";
import {Refused} from "../table/api.js";
import {api, showError, dispatch, state, token} from "../table/app.js";
import {make} from "../table/joining.js";
import {loadStyles} from "../table/later.js";
import {says} from "../words/making.js";
import {says as common} from "../words/table.js";
import {html, nothing} from "lit-html";
import makingStyles from "./making.css?url";

loadStyles(makingStyles);
tellsUnfit();

/** @typedef {import("./draft.js").Draft} Draft */

/**
 * @typedef {object} Making
 * @property {Draft} draft
 * @property {string} root the address of the server
 * @property {boolean} isStill
 * @property {unknown} trouble the last error, in words
 * @property {(draft: Draft) => void} change
 */

/** @param {Event} event */
const valueOf = (event) => /** @type {HTMLInputElement | HTMLSelectElement} */ (event.target).value;

/**
 * Replace names of options in a description by their titles in the form.
 * @param {string} text
 * @param {Record<string, Api.Schema>} options
 */
const plain = (text, options) => text.replace(/`([^`]*)`/g,
  (_, name) => options[name]?.title ? `“${options[name].title}”` : name.replaceAll("_", " "))
  .replace(/\bnull\b/g, says.unset);

/** Problems of the draft by field; changing a field removes its problem. @type {Record<string, string>} */
let problems = {};
addEventListener("hashchange", () => { problems = {}; });

/** @param {string} name @param {string} [about] the id of another description of the field */
const describedBy = (name, about = "") => [problems[name] ? `wrong-${name}` : "", about].filter(Boolean).join(" ")
  || nothing;

/** @param {string} name */
const isWrong = (name) => problems[name] ? "true" : nothing;

/** @param {string} name */
const problemOf = (name) => problems[name] ? html`<p class="problem" id="wrong-${name}">${problems[name]}</p>`
  : nothing;

/** Return the name under which the draft is kept. @param {Api.Game} game */
const placeOf = ({game}) => `#new=${game}`;

/**
 * Take invalid values out of a draft, so that the form does not open with them again.
 * @param {Draft} draft
 * @param {string[]} bad the names of fields
 * @returns {Draft}
 */
export function sound(draft, bad) {
  const usual = withPreset(draft, draft.preset).said;
  return {...draft, said: Object.fromEntries(Object.entries(draft.said)
    .map(([name, one]) => [name, bad.includes(name) ? usual[name] ?? "" : one]))};
}

/** Return the names of the invalid fields of the form. */
export const unfit = () => Array.from(document.querySelectorAll(".making :invalid"),
  (one) => one.getAttribute("name") ?? "");

/** @param {Draft} draft @param {string[]} bad */
const keepSound = (draft, bad) => keepUnsent(placeOf(draft.game), {...sound(draft, bad), game: undefined});

/**
 * Create the table. Show problems at their fields, and focus the first.
 * @param {Draft} draft @param {string} name the player's name, if it was asked for
 */
async function sends(draft, name) {
  problems = {};
  try {
    if (name) await comesAs(name);
    await make(request(draft));
    keepUnsent(placeOf(draft.game), null);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    problems = wrong(draft.game, error.errors);
    keepSound(draft, Object.keys(problems));
    if ("" in problems || !Object.keys(problems).length) return showError(error);
    dispatch({is: "refused", problem: null});
    const first = /** @type {HTMLElement | null} */ (document.querySelector(".making [aria-invalid]")),
      hidden = first?.closest("details");
    if (hidden) hidden.open = true;
    first?.focus();
  }
}

/**
 * @param {[string, string][]} rows
 * @param {string} value
 * @param {(value: string) => void} change
 * @param {string} name
 * @param {string} about
 */
export const choice = (rows, value, change, name, about = "") => html`
  <select name=${name} aria-describedby=${describedBy(name, about)} aria-invalid=${isWrong(name)}
    @change=${(/** @type {Event} */ event) => change(valueOf(event))}>
    ${rows.map(([one, label]) => html`<option value=${one} ?selected=${one === value}
        .selected=${one === value}>${label}</option>`)}</select>`;

/**
 * Show the form of a new table.
 * @param {URLSearchParams} said the name of the game as `new`, and options from the address by name
 */
export async function think(said) {
  dispatch({is: "opened", id: null});
  problems = {};
  const game = await api.call("GET", `/games/${encodeURIComponent(said.get("new") ?? "")}`).catch((error) => {
    throw error.code === "not_found" ? new Refused(says.noSuchGame, error.status, error.code) : error;
  });
  const draft = {...fresh(game), .../** @type {Partial<Draft> | null} */ (unsent(placeOf(game)))};
  dispatch({is: "making", draft: withOptions(draft, said)});
}

/**
 * Show the rules of a table with its options, for the usual number of players.
 * @param {Draft} table
 * @param {number} seats number of seats
 * @param {string} root the address of the server
 */
export function rulesOf(table, seats, root) {
  const {game} = table, preset = presetOf(table);
  const changes = changed({...table, preset}).map(({name, kind, schema}) => {
    const said = table.said[name] ?? "";
    return says.changedTo(called(name, schema), kind === "choice" ? titled(schema, JSON.parse(said))
      : kind === "yes" ? says.onOrOff(said === "true") : said);
  });
  return html`<p id="preset-about">${
    seats === game.seats.usual ? "" : says.rulesAreFor(game.seats.usual)} ${game.about_presets[preset] ?? game.about} ${
    changes.length ? html`<strong>${says.changedRules(changes)}</strong>` : nothing} <a
    href="${root}/docs/rules/${game.game}">${says.allRules}</a></p>`;
}

/** @param {Making} making */
export function tableToMake(making) {
  const {draft} = making, {game} = draft, {min, max} = game.seats;
  const change = (/** @type {Draft} */ next, /** @type {string} */ name) => {
    if (name === "preset") problems = {};
    delete problems[name];
    making.change(next);
    keepSound(next, unfit());
  };
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const name = new FormData(/** @type {HTMLFormElement} */ (event.target)).get("name");
    void sends(draft, String(name ?? "").trim());
  };
  const counts = Array.from({length: max - min + 1}, (_, i) => [`${min + i}`, says.players(min + i)]);
  const presets = presetsOf(game);
  // Other people see the name.
  const isShared = draft.others.some((sitter) => sitter === "invite" || sitter === "open");
  if (isShared) knowsMe();
  return html`
    <div class="bar"><a class="back" href="#">${common.allGames}</a><h1 tabindex="-1"
      id="title">${says.tableOf(game.title)}</h1></div>
    <form class="making" @submit=${send}>
      <fieldset><legend>${says.rules}</legend>
        ${presets.length > 1
          ? html`<label>${says.beginWith} ${choice(presets, draft.preset,
            (name) => change(withPreset(draft, name), "preset"), "preset", "preset-about")}</label>${
          problemOf("preset")}` : nothing}
        ${rulesOf(draft, draft.others.length + 1, making.root)}
        ${several(draft, change)}
        <details><summary>${says.everyRule(fields(game).length, changed(draft).length)}</summary>
          <div class="options">${fields(game).map((field) => option(field, draft, change))}</div></details>
      </fieldset>
      <fieldset><legend>${says.whoPlays}</legend>
        ${min === max ? nothing
          : html`<label>${says.seats} ${choice(/** @type {[string, string][]} */ (counts), `${draft.others.length + 1}`,
            (count) => change(withSeats(draft, Number(count)), "seats"), "seats")}</label>`}
        <p>${says.youHaveSeat(0)}</p>
        ${isShared && (!token.value || state.me && isNameless()) ? html`<label>${says.yourName}
          <input name="name" maxlength="40" autocomplete="nickname"></label>` : nothing}
        ${draft.others.map((sitter, i) => html`<label>${common.seat(i + 1)}
          ${choice(Object.entries(SITTERS).map(([name, {label}]) => [name, label]), sitter,
            (one) => change(withSitter(draft, i + 1, one), `seat-${i + 1}`), `seat-${i + 1}`)}</label>${
            problemOf(`seat-${i + 1}`)}`)}
      </fieldset>
      <fieldset><legend>${says.timeAndGuests}</legend>
        <label>${says.clock} ${choice(Object.entries(CLOCKS).map(([name, {label}]) => [name, label]), draft.clock,
          (clock) => change({...draft, clock}, "clock"), "clock")}</label>${problemOf("clock")}
        <label>${says.whoMayWatch} ${choice(Object.entries(says.visibilities),
          draft.visibility, (one) => change({...draft, visibility: /** @type {Draft["visibility"]} */ (one)},
            "visibility"), "visibility")}</label>${problemOf("visibility")}
      </fieldset>
      ${making.trouble}
      <p><button type="submit" class="main" ?disabled=${making.isStill}>${says.makeTheTable}</button></p>
    </form>`;
}

/** @param {Draft} draft @param {(draft: Draft, name: string) => void} change */
export const several = (draft, change) => html`<label>${says.gamesOfTheMatch} ${choice(
  [0, 1, 3, 5, 7].map((games) => [games ? String(games) : "", says.bestOf(games)]),
  draft.bestOf, (bestOf) => change({...draft, bestOf}, "best-of"), "best-of")}</label>${problemOf("best-of")}`;

/**
 * @param {import("./draft.js").Field} field
 * @param {Draft} draft
 * @param {(draft: Draft, name: string) => void} change
 */
export function option({name, kind, schema}, draft, change) {
  const title = called(name, schema), said = draft.said[name] ?? "", about = `about-${name}`;
  const put = (/** @type {string} */ value) => change(withOption(draft, name, value), name);
  const puts = (/** @type {Event} */ event) => put(valueOf(event));
  return html`<div class="option">${kind === "yes"
    ? html`<label class="yes"><input type="checkbox" name=${name} aria-describedby=${describedBy(name, about)}
      aria-invalid=${isWrong(name)} .checked=${said === "true"}
        @change=${(/** @type {Event} */ event) =>
          put(String(/** @type {HTMLInputElement} */ (event.target).checked))}> ${title}</label>`
    : kind === "list"
      ? list({name: title,
        rows: /** @type {string[]} */ (schema.items?.enum ?? []).map((one) => [one, titled(schema.items ?? {}, one)]),
        said: JSON.parse(said), put: (rows) => put(JSON.stringify(rows)), by: describedBy(name, about),
        isWrong: isWrong(name)})
    : html`<label>${title} ${
      kind === "choice"
        ? choice(/** @type {Api.Json[]} */ (schema.enum).map((one) => [JSON.stringify(one), titled(schema, one)]), said,
          put, name, about)
      : kind === "number" ? html`<input type="number" name=${name} aria-describedby=${describedBy(name, about)}
        aria-invalid=${isWrong(name)} min=${schema.minimum ?? nothing} max=${schema.maximum ?? nothing} step="1"
          ?required=${schema.type === "integer"} placeholder=${schema.type === "integer" ? nothing : says.asUsualWithin}
            .value=${said} @input=${puts}>`
      : html`<input type="text" name=${name} aria-describedby=${describedBy(name, about)} aria-invalid=${isWrong(name)}
        pattern=${schema.pattern ?? nothing} .value=${said} @input=${puts}>`}</label>`}
    ${problemOf(name)}<small id=${about}
      class="soft">${plain(schema.description ?? "", draft.game.options.properties)}</small></div>`;
}
