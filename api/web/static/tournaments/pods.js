/** Shows deck building before the first round: the pods, what the reader has to do, and until when. */

import {clockOf} from "./clocks.js";
import {person, plainName} from "./people.js";
import {awaited} from "./pod_words.js";
import {state} from "../table/app.js";
import {titleOfGame} from "../table/seating.js";
import {says} from "../words/pods.js";
import {html, nothing} from "lit-html";

/** @typedef {import("./tournament_place.js").Placed} Placed */

/** @param {Placed} placed */
export function podsPart({ground}) {
  const {tournament: t, entries} = ground, {preparation} = t;
  if (!preparation) return nothing;
  const rows = preparation.pods.map((pod, i) =>
    ({...pod, no: i + 1, isMine: t.your_entrant !== null && pod.entrants.includes(t.your_entrant)}))
    .sort((a, b) => Number(b.isMine) - Number(a.isMine));
  return html`<p>${says.about(titleOfGame(state.games, preparation.game), preparation.seats)} ${
    says.eachHas(clockOf(preparation.clock))}</p>
    ${rows.length ? html`<ul class="pairs">${rows.map((pod) => podOf(pod, entries?.items ?? []))}</ul>`
      : html`<p class="empty">${says.notYet}</p>`}`;
}

/** @param {Api.Pod & {no: number, isMine: boolean}} pod @param {Api.Entrants["items"]} entries */
const podOf = ({no, over, isMine, entrants}, entries) => html`<li class=${isMine ? "mine" : ""}>
  <h3>${says.pod(no)} <span class="chip">${over ? says.isOver : says.prepares}</span>${isMine
    ? html` <span class="chip mine">${says.yours}</span>` : nothing}</h3>
  <ol>${entrants.map((one) => entries[one]).map((one) => html`<li><span>${person(one?.player ?? null)}</span>
    ${one && one.left_after !== null ? html`<small>${says.hasLeft}</small>` : nothing}</li>`)}</ol></li>`;

/** Tell the reader what to do, and until when. @param {Placed} placed */
export function yourPod({ground, sits, now}) {
  const {tournament: t, mine} = ground;
  if (!t.your_table) return html`<p role="status"><strong>${says.youHavePrepared}</strong> ${says.waitForAll}</p>`;
  if (!mine) return html`<p role="status"><strong>${says.podComes}</strong></p>`;
  const others = mine.seats.filter((seat) => seat.player && seat.player.id !== state.me)
    .map((seat) => plainName(seat.player));
  return html`<p role="status"><strong>${says.yourPod(others)}</strong><br>${awaited(mine, t, now)}</p>
    <button type="button" class="main" ?disabled=${state.isSending} @click=${sits}>${says.toYourPod}</button>`;
}
