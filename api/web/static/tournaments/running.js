/** The organiser's tools: entries, invitations, pauses, rulings; all but the first need a public reason. */

import {tellsUnfit} from "../making/unfit.js";
import {writing} from "../making/writing.js";
import {plainName} from "./people.js";
import {state} from "../table/app.js";
import {loadStyles} from "../table/later.js";
import {says} from "../words/announcing.js";
import {html, nothing} from "lit-html";
import announcingStyles from "./announcing.css?url";

loadStyles(announcingStyles);
tellsUnfit();

/**
 * @typedef {(path: string, body: unknown) => Promise<boolean>} Orders returns whether it was done
 * @typedef {object} Running
 * @property {import("./happenings.js").Ground} ground
 * @property {Orders} orders
 * @property {(happening: import("./happenings.js").GroundHappening) => void} happened
 */

const LONGEST = 500;

/** @param {Running} running */
export function running({ground, orders, happened}) {
  const t = ground.tournament;
  if (t.status !== "announced" && t.status !== "playing")
    return html`<section class="running" id="running" tabindex="-1" aria-label=${says.ran}><h2>${says.ran}</h2><p
      class="soft">${says.isOver}</p></section>`;
  return html`<section class="running" id="running" tabindex="-1" aria-label=${says.run}><h2>${says.run}</h2>
    ${t.status === "announced" ? closing(ground, orders, happened) : nothing}
    ${t.status === "announced" ? inviting(t, orders) : nothing}
    ${t.paused ? html`<button type="button" class="main" ?disabled=${state.isSending}
      @click=${() => orders("/resume", {})}>${says.resume}</button>` : nothing}
    ${t.status === "playing" && !t.paused ? reasoned(t, says.pause, "", (reason) => orders("/pause", {reason}))
      : nothing}
    ${outs({ground, orders, happened})}
    ${reasoned(t, says.cancel, says.cancelAsk, (reason) => orders("/cancel", {reason}))}
    <p class="soft">${says.ruled}</p></section>`;
}

/** Keep the input of a form of a tournament, and return it. @param {Api.Tournament} t @param {string} form */
const written = ({id}, form) => writing(`#tournament=${id} ${form}`);

/** @param {Api.Tournament} t @param {Orders} orders */
function inviting(t, orders) {
  const {was, writes, ends} = written(t, "invites");
  return html`<form @input=${writes} @submit=${sending(ends, (of) => orders("/invites",
      {players: of("players").split(/[\s,]+/).filter(Boolean).map((one) => one.replace(/^@/, ""))}))}>
    <label>${says.invite} <input name="players" required autocomplete="off" .value=${was["players"] ?? ""}></label>
    <button type="submit" ?disabled=${state.isSending}>${says.doInvite}</button></form>`;
}

/**
 * Read a submitted form; after a refusal, the input stays.
 * @param {() => void} ends removes the kept input
 * @param {(of: (name: string) => string) => Promise<boolean>} what
 */
const sending = (ends, what) => async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target), given = new FormData(form);
  if (!await what((name) => String(given.get(name) ?? "").trim())) return;
  form.reset();
  ends();
  const fold = form.closest("details");
  if (fold?.contains(document.activeElement)) fold.querySelector("summary")?.focus();
  if (fold) fold.open = false;
};

/** @typedef {Pick<Running, "ground" | "happened">} Asking */

/**
 * Read a submitted form, after a confirmation.
 * @param {string} asked
 * @param {Asking} asking
 * @param {() => void} ends
 * @param {(of: (name: string) => string) => Promise<boolean>} what
 */
const twice = (asked, {ground, happened}, ends, what) => (/** @type {SubmitEvent} */ event) => {
  if (ground.asks === asked) return void sending(ends, what)(event);
  event.preventDefault();
  happened({is: "asks", what: asked});
};

/**
 * Submit a form, or ask for confirmation first.
 * @param {string} asked
 * @param {Asking} asking
 * @param {string} label
 * @param {string} about
 */
const submits = (asked, {ground, happened}, label, about) => ground.asks !== asked
  ? html`<button type="submit" ?disabled=${state.isSending}>${label}</button>`
  : html`<p>${about}</p><div class="answers"><button type="submit" class="main"
    ?disabled=${state.isSending}>${label}</button>
    <button type="button" @click=${() => happened({is: "asks", what: ""})}>${says.notYet}</button></div>`;

/**
 * Ask for confirmation before entries close.
 * @param {Running["ground"]} ground
 * @param {Orders} orders
 * @param {Running["happened"]} happened
 */
function closing(ground, orders, happened) {
  const asks = (/** @type {string} */ what) => () => happened({is: "asks", what});
  const isLonely = ground.tournament.entrants < 2;
  if (ground.asks !== "close" || isLonely) return html`<button type="button" class="main close" ?disabled=${isLonely}
    aria-describedby=${isLonely ? "why-not-close" : nothing} @click=${asks("close")}>${says.close}</button>
    ${isLonely ? html`<p id="why-not-close" class="soft">${says.twoNeeded}</p>` : nothing}`;
  return html`<p>${says.closeAsk}</p><div class="answers"><button type="button" class="main close"
    ?disabled=${state.isSending} @click=${() => orders("/close", {})}>${says.closeReally}</button>
    <button type="button" @click=${asks("")}>${says.notYet}</button></div>`;
}

/** Draw the field for the reason. @param {import("../making/writing.js").Written} was */
const why = (was) => html`<label>${says.reason} <input name="reason" required maxlength=${LONGEST} autocomplete="off"
  .value=${was["reason"] ?? ""}></label>`;

/**
 * Do something with a reason.
 * @param {Api.Tournament} t
 * @param {string} label
 * @param {string} about
 * @param {(reason: string) => Promise<boolean>} what
 */
function reasoned(t, label, about, what) {
  const {was, writes, ends} = written(t, label);
  return html`<details ?open=${"reason" in was}><summary>${label}</summary><form @input=${writes}
    @submit=${sending(ends, (of) => what(of("reason")))}>${about ? html`<p>${about}</p>` : nothing}${why(was)}
    <button type="submit" ?disabled=${state.isSending}>${label}</button></form></details>`;
}

/** Return the entrant, or the waiting player by handle, that a choice names. @param {string} choice */
const whom = (choice) => choice.startsWith("@") ? {player: choice.slice(1)} : {entrant: Number(choice)};

/** Disqualify a player: an entrant, one who left, or one on the waiting list. @param {Running} running */
function outs({ground, orders, happened}) {
  const any = [...(ground.entries?.items ?? []).filter((one) => !one.out),
    ...(ground.entries?.waiting ?? []).map((player) => ({player, entrant: null, left_after: null}))];
  const {was, writes, ends} = written(ground.tournament, "out"), whose = (/** @type {typeof any[0]} */ one) =>
    String(one.entrant ?? `@${one.player.handle}`);
  return any.length ? html`<details ?open=${"reason" in was}><summary>${says.disqualify}</summary><form @input=${writes}
    @submit=${twice("out", {ground, happened}, ends,
      (of) => orders("/disqualifications", {...whom(of("whom")), reason: of("reason")}))}>
    <label>${says.whom} <select name="whom" required><option
      value="">${says.choose}</option>${any.map((one) =>
      html`<option value=${whose(one)} .selected=${whose(one) === was["whom"]}>${one.left_after === null
        ? plainName(one.player) : says.whoLeft(plainName(one.player))}</option>`)}</select></label>
    ${why(was)}
    ${submits("out", {ground, happened}, says.disqualify, says.disqualifyAsk)}</form></details>` : nothing;
}

/** Set the result of a table in the open round. @param {Api.RoundTable} table @param {Running} running */
export function ruling(table, {ground, orders, happened}) {
  const {was, writes, ends} = written(ground.tournament, table.match);
  return html`<details class="ruling" ?open=${"reason" in was}><summary>${says.rule}</summary><form @input=${writes}
  @submit=${twice(table.match, {ground, happened}, ends,
    (of) => orders(`/rounds/${ground.tournament.round}/tables/${table.table}/ruling`,
    {places: table.seats.map((seat) => Number(of(`place-${seat.seat}`))), reason: of("reason")}))}>
  <p class="soft">${says.ruleAbout}</p>
  ${table.seats.map((seat) => html`<label>${says.placeOf(plainName(seat.player))} <input type="number"
      name="place-${seat.seat}" required min="1" max=${table.seats.length} step="1"
      .value=${was[`place-${seat.seat}`] ?? ""}></label>`)}
  ${why(was)}
  ${submits(table.match, {ground, happened}, says.doRule, says.ruleAsk)}</form></details>`;
}
