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
  if (t.status !== "announced" && t.status !== "playing") return nothing;
  return html`<section class="running" aria-label=${says.run}><h2>${says.run}</h2>
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
    ${outs(ground, orders)}
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
  if (fold) fold.open = false;
};

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
 * @param {Running["ground"]} ground
 * @param {Orders} orders
 */
function outs({entries}, orders) {
  const any = [...(entries?.items ?? []).filter((one) => !one.out),
    ...(entries?.waiting ?? []).map((player) => ({player, entrant: null, left_after: null}))];
  return any.length ? html`<details><summary>${says.disqualify}</summary><form
    @submit=${sending((of) => orders("/disqualifications", {...whom(of("whom")), reason: of("reason")}))}>
    <label>${says.whom} <select name="whom" required><option
      value="">${says.choose}</option>${any.map((one) =>
      html`<option value=${one.entrant ?? `@${one.player.handle}`}>${one.left_after === null ? plainName(one.player)
        : says.whoLeft(plainName(one.player))}</option>`)}</select></label>
    <label>${says.reason} <input name="reason" required maxlength=${LONGEST} autocomplete="off"></label>
    <button type="submit" ?disabled=${state.isSending}>${says.disqualify}</button></form></details>` : nothing;
}

/** Rule a table of the open round. @param {Api.RoundTable} table @param {Api.Tournament} t @param {Orders} orders */
export const ruling = (table, t, orders) =>
  html`<details class="ruling"><summary>${says.rule}</summary><form
  @submit=${sending((of) => orders(`/rounds/${t.round}/tables/${table.table}/ruling`,
    {places: table.seats.map((seat) => Number(of(`place-${seat.seat}`))), reason: of("reason")}))}>
  <p class="soft">${says.ruleAbout}</p>
  ${table.seats.map((seat) => html`<label>${says.placeOf(plainName(seat.player))} <input type="number"
      name="place-${seat.seat}" required min="1" max=${table.seats.length} step="1"></label>`)}
  <label>${says.reason} <input name="reason" required maxlength=${LONGEST} autocomplete="off"></label>
  <button type="submit" ?disabled=${state.isSending}>${says.doRule}</button></form></details>`;
