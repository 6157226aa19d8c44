/**
 * The tools of who runs a tournament: entries, invitations, pauses, rulings; all but the first with a reason that
 * everybody reads.
 */

import {tellsUnfit} from "../making/unfit.js";
import {plainName} from "./people.js";
import {state} from "../table/app.js";
import {looks} from "../table/later.js";
import {says} from "../words/announcing.js";
import {html, nothing} from "../table/vendor/lit-html/lit-html.js";

looks(new URL("announcing.css", import.meta.url));
tellsUnfit();

/**
 * @typedef {(path: string, body: unknown) => Promise<boolean>} Orders says whether it was done
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
    ${t.status === "announced"
      ? html`<form @submit=${sending((of) =>
        orders("/invites",
          {players: of("players").split(/[\s,]+/).filter(Boolean).map((one) => one.replace(/^@/, ""))}))}>
      <label>${says.invite} <input name="players" required autocomplete="off"></label> <button type="submit"
        ?disabled=${state.isSending}>${says.doInvite}</button></form>` : nothing}
    ${t.paused ? html`<button type="button" class="main" ?disabled=${state.isSending}
      @click=${() => orders("/resume", {})}>${says.resume}</button>` : nothing}
    ${t.status === "playing" && !t.paused ? reasoned(says.pause, "", (reason) => orders("/pause", {reason}))
      : nothing}
    ${outs({ground, orders, happened})}
    ${reasoned(says.cancel, says.cancelAsk, (reason) => orders("/cancel", {reason}))}
    <p class="soft">${says.ruled}</p></section>`;
}

/**
 * Read a form that is sent; where it was refused, what is written in it stays.
 * @param {(of: (name: string) => string) => Promise<boolean>} what
 */
const sending = (what) => async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target), given = new FormData(form);
  if (!await what((name) => String(given.get(name) ?? "").trim())) return;
  form.reset();
  const fold = form.closest("details");
  if (fold?.contains(document.activeElement)) fold.querySelector("summary")?.focus();
  if (fold) fold.open = false;
};

/** @typedef {Pick<Running, "ground" | "happened">} Asking */

/**
 * Read a form that is sent, after it was asked once more.
 * @param {string} asked
 * @param {Asking} asking
 * @param {(of: (name: string) => string) => Promise<boolean>} what
 */
const twice = (asked, {ground, happened}, what) => (/** @type {SubmitEvent} */ event) => {
  if (ground.asks === asked) return void sending(what)(event);
  event.preventDefault();
  happened({is: "asks", what: asked});
};

/**
 * Send a form, or ask once more before that.
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
 * Ask once more before entries are closed.
 * @param {Running["ground"]} ground
 * @param {Orders} orders
 * @param {Running["happened"]} happened
 */
function closing(ground, orders, happened) {
  const asks = (/** @type {string} */ what) => () => happened({is: "asks", what});
  if (ground.asks !== "close") return html`<button type="button" class="main close"
    ?disabled=${ground.tournament.entrants < 2} @click=${asks("close")}>${says.close}</button>`;
  return html`<p>${says.closeAsk}</p><div class="answers"><button type="button" class="main close"
    ?disabled=${state.isSending} @click=${() => orders("/close", {})}>${says.closeReally}</button>
    <button type="button" @click=${asks("")}>${says.notYet}</button></div>`;
}

/**
 * Do something for a reason.
 * @param {string} label
 * @param {string} about
 * @param {(reason: string) => Promise<boolean>} what
 */
const reasoned = (label, about, what) =>
  html`<details><summary>${label}</summary><form @submit=${sending((of) => what(of("reason")))}>
  ${about ? html`<p>${about}</p>` : nothing}<label>${says.reason} <input name="reason" required maxlength=${LONGEST}
    autocomplete="off"></label>
  <button type="submit" ?disabled=${state.isSending}>${label}</button></form></details>`;

/** Say whom a choice names: an entrant, or by the handle who waits. @param {string} choice */
const whom = (choice) => choice.startsWith("@") ? {player: choice.slice(1)} : {entrant: Number(choice)};

/**
 * Take somebody out: who plays, who has left and who waits for a place.
 * @param {Running} running
 */
function outs({ground, orders, happened}) {
  const any = [...(ground.entries?.items ?? []).filter((one) => !one.out),
    ...(ground.entries?.waiting ?? []).map((player) => ({player, entrant: null, left_after: null}))];
  return any.length ? html`<details><summary>${says.disqualify}</summary><form
    @submit=${twice("out", {ground, happened},
      (of) => orders("/disqualifications", {...whom(of("whom")), reason: of("reason")}))}>
    <label>${says.whom} <select name="whom" required><option
      value="">${says.choose}</option>${any.map((one) =>
      html`<option value=${one.entrant ?? `@${one.player.handle}`}>${one.left_after === null ? plainName(one.player)
        : says.whoLeft(plainName(one.player))}</option>`)}</select></label>
    <label>${says.reason} <input name="reason" required maxlength=${LONGEST} autocomplete="off"></label>
    ${submits("out", {ground, happened}, says.disqualify, says.disqualifyAsk)}</form></details>` : nothing;
}

/** Rule a table of the open round. @param {Api.RoundTable} table @param {Running} running */
export const ruling = (table, {ground, orders, happened}) =>
  html`<details class="ruling"><summary>${says.rule}</summary><form
  @submit=${twice(table.match, {ground, happened},
    (of) => orders(`/rounds/${ground.tournament.round}/tables/${table.table}/ruling`,
    {places: table.seats.map((seat) => Number(of(`place-${seat.seat}`))), reason: of("reason")}))}>
  <p class="soft">${says.ruleAbout}</p>
  ${table.seats.map((seat) => html`<label>${says.placeOf(plainName(seat.player))} <input type="number"
      name="place-${seat.seat}" required min="1" max=${table.seats.length} step="1"></label>`)}
  <label>${says.reason} <input name="reason" required maxlength=${LONGEST} autocomplete="off"></label>
  ${submits(table.match, {ground, happened}, says.doRule, says.ruleAsk)}</form></details>`;
