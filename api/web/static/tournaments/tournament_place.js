/** Shows the page of one tournament: its settings, what the reader can do, and the chosen part. */

import {tellsUnfit} from "../making/unfit.js";
import {writing} from "../making/writing.js";
import {isNameless} from "../me/knowing.js";
import {bracketPart} from "./bracket_part.js";
import {clockOf} from "./clocks.js";
import {facts, format, prizeIn, standing, told} from "./plan_words.js";
import {plainName} from "./people.js";
import {isPreparing} from "./pod_words.js";
import {podsPart, yourPod} from "./pods.js";
import {playersPart, standingsPart} from "./ranks.js";
import {roundsPart} from "./pairings.js";
import {state} from "../table/app.js";
import {titleOfGame} from "../table/seating.js";
import {trouble} from "../table/trouble.js";
import {left} from "../table/waiting.ts";
import {moment} from "../words/language.js";
import {says} from "../words/tournaments.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";

const SECOND_MS = 1_000;

tellsUnfit();

/**
 * @typedef {object} Placed
 * @property {import("./happenings.js").Ground} ground
 * @property {string} part the shown part
 * @property {number} round the shown round
 * @property {number} now in milliseconds, by the server's clock
 * @property {(happening: import("./happenings.js").GroundHappening) => void} happened
 * @property {(name: string, club: string) => void} enters
 * @property {() => void} leaves
 * @property {(isBack: boolean) => void} rests rests in an arena, or returns
 * @property {() => void} sits
 * @property {(what: string) => void} keeps saves a file
 * @property {() => void} proves verifies the record
 * @property {unknown} proved the findings in it
 * @property {unknown} runs the organiser's tools
 * @property {(table: Api.RoundTable) => unknown} rules the tool that sets the result of a table
 */

/** Return whether a tournament has a bracket. @param {Api.Tournament} t */
const hasBracket = ({format, cut}) => format.endsWith("elimination") || cut > 0;

/** Return whether a tournament has a part. @param {Api.Tournament} t @param {string} name */
const has = (t, name) => name === "bracket" ? hasBracket(t) : name !== "pods" || t.preparation !== null;

/**
 * Return the part to show: the chosen one, or else the most useful one for the current status.
 * @param {Api.Tournament} t
 * @param {string | null} chosen
 */
export function partOf(t, chosen) {
  if (chosen && chosen in says.parts && has(t, chosen)) return chosen;
  if (t.status === "announced" || (t.status === "cancelled" && !t.round)) return "players";
  if (isPreparing(t)) return "pods";
  if (t.open && t.your_entrant !== null && !hasBracket(t)) return "rounds";
  return t.format.endsWith("elimination") ? "bracket" : "standings";
}

/** @param {Placed} placed */
export function place(placed) {
  const {ground, part, now} = placed, t = ground.tournament;
  const parts = Object.entries(says.parts).filter(([name]) => has(t, name));
  return html`
    <div class="bar"><a class="back" href="#tournaments">${says.tournaments}</a></div>
    <header class="hero sign"><h1 tabindex="-1" id="title">${t.name}</h1>
      <p class="lead">${titleOfGame(state.games, t.game)} · ${format(t)}</p>
      <p><span class="chip state-${t.status}">${standing(t)}</span> ${says.entrants(t.entrants, t.most)}${t.status
        === "announced" && t.closes_at ? html` · ${says.closes(left(Date.parse(t.closes_at) - now))}`
        : nothing}${["announced", "playing"].includes(t.status) && t.ends_at
        ? html` · ${says.ends(left(Date.parse(t.ends_at) - now))}`
        : nothing}</p>
      <p>${says.runBy(plainName(t.organiser))} ${t.helpers.length ? says.helpers(t.helpers.map(plainName))
        : nothing}</p></header>
    ${trouble()}<div id="yours" tabindex="-1">${yours(placed)}</div>
    <nav class="tabs" aria-label=${says.whichPart}>${
      parts.map(([name, said]) => html`<a href="#tournament=${t.id}&part=${name}"
        aria-current=${name === part ? "page" : nothing}>${said}</a>`)}</nav>
    <div class="split ${part === "bracket" ? "whole" : ""}"><div class="part" id="part" tabindex="-1"><h2
      class="unseen">${says.parts[part] ?? ""}</h2>${shows(placed)}</div>
      <aside aria-label=${says.aboutIt}>${placed.runs ?? nothing}${about(placed)}</aside></div>`;
}

/** @param {Placed} placed */
function shows(placed) {
  switch (placed.part) {
    case "players": return playersPart(placed);
    case "standings": return standingsPart(placed);
    case "rounds": return roundsPart(placed);
    case "bracket": return bracketPart(placed);
    case "pods": return podsPart(placed);
    default: return happenedPart(placed);
  }
}

// --- The reader's actions -------------------------------------------------------------------------------

/** @param {Placed} placed */
function yours(placed) {
  const {ground} = placed, t = ground.tournament;
  const isArena = t.continuous;
  if (t.status === "cancelled" || t.status === "over") return ending(placed);
  if (isPreparing(t) && t.your_entrant !== null)
    return html`<div class="yours ${t.your_table ? "now" : ""}">${yourPod(placed)}${leaving(placed)}</div>`;
  if (t.your_table) return yourTable(placed);
  if (t.you_are_out) return html`<div class="yours"><p role="status"><strong>${says.youAreOut}</strong> ${
    says.othersPlayOn}</p></div>`;
  if (t.your_entrant !== null || t.you_wait)
    return html`<div class="yours"><p role="status"><strong>${t.you_wait ? says.youWait : t.you_rest
    ? says.youRest : says.youAreIn}</strong> ${t.you_wait || t.you_rest ? nothing : t.paused ? says.waitPaused
      : !t.round ? says.waitHere : isArena
    ? says.waitFree : says.waitNext}</p>
    ${isArena && t.round ? resting(placed, "main") : nothing}${leaving(placed)}</div>`;
  if (t.you_left && t.status !== "announced")
    return html`<div class="yours"><p role="status"><strong>${says.youLeft}</strong> ${says.neverBack}</p></div>`;
  const isOpen = t.status === "announced" || isArena || (t.round <= t.late && t.round < (t.rounds ?? 0));
  return isOpen ? entry(placed) : html`<div role="status"></div>`;
}

/** The button to rest or to play on. @param {Placed} placed @param {string} [looks] classes of the button */
const resting = ({ground: {tournament: {you_rest}}, rests}, looks = "") => html`<button type="button"
  class="${looks} rest" ?disabled=${state.isSending}
  @click=${() => rests(you_rest)}>${you_rest ? says.comeBack : says.rest}</button>`;

/** Link to the reader's table; players can already say that they will rest after it. @param {Placed} placed */
function yourTable(placed) {
  const {ground, sits, now} = placed, t = ground.tournament, {mine} = ground;
  const seats = mine?.seats ?? [], bots = seats.filter(({kind}) => kind === "bot").length,
    people = seats.filter(({player}) => player && player.id !== state.me).map(({player}) => plainName(player)),
    others = [...people, ...(bots ? [says.bots(bots)] : [])];
  const isAwaited = mine?.status === "lobby" && mine.your_seat === null;
  return html`<div class="yours now"><p role="status"><strong>${mine
    ? says.yourTable(t.continuous ? null : t.round, others) : says.tableComes}</strong></p>
    ${isAwaited ? html`<p>${
      says.sitDown(left(Date.parse(mine.created_at) + t.show_up_seconds * SECOND_MS - now))}</p>` : nothing}
    ${mine ? html`<button type="button" class="main" ?disabled=${state.isSending}
      @click=${sits}>${says.toYourTable}</button>${t.continuous ? resting(placed) : nothing}` : nothing}
    <p role="status" class="soft">${t.you_rest ? says.restAfter : ""}</p></div>`;
}

/** @param {Placed} placed */
function ending({ground}) {
  const t = ground.tournament, first = ground.standings?.items.filter((row) => row.place === 1) ?? [];
  if (t.status === "cancelled") return html`<div class="yours"><p role="status">${says.wasCancelled}</p></div>`;
  const own = ground.standings?.items.find((row) => row.entrant === t.your_entrant);
  return t.status === "over" && first.length === 1
    ? html`<div class="yours"><p><strong>${own === first[0] ? says.youHaveWon : says.isOver(plainName(first[0]?.player))
    }</strong> ${own && own !== first[0] ? says.yourPlace(own.place) : nothing}</p></div>` : nothing;
}

/** @param {Placed} placed */
function leaving({ground, happened, leaves}) {
  const t = ground.tournament, does = t.you_wait ? says.stopWaiting : says.leave;
  if (ground.asks !== "leave") return html`<button type="button" class="quiet"
    @click=${() => happened({is: "asks", what: "leave"})}>${does}</button>`;
  return html`<p>${t.you_wait ? nothing : says.leaveAsk}</p><div class="answers"><button type="button" class="leave"
    ?disabled=${state.isSending} @click=${leaves}>${t.you_wait ? does : says.leaveReally}</button>
    <button type="button" @click=${() => happened({is: "asks", what: ""})}>${says.stay}</button></div>`;
}

/** @param {Placed} placed */
function entry({ground, enters}) {
  const t = ground.tournament, isFull = t.entrants >= t.most,
    {was, writes} = writing(`#tournament=${t.id} entry`),
    isMeasured = [t.least_rating, t.most_rating, t.least_reliability].some((one) => one !== null);
  const send = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const given = new FormData(/** @type {HTMLFormElement} */ (event.target)),
      of = (/** @type {string} */ name) => String(given.get(name) ?? "").trim();
    enters(of("name"), of("club"));
  };
  return html`<div class="yours">${t.you_left ? html`<p role="status"><strong>${says.youLeft}</strong> ${
    says.mayReturn}</p>` : nothing}${t.by_invite ? html`<p>${says.onlyInvited}</p>` : nothing}
    ${t.round && !t.continuous ? html`<p>${says.enterLate(t.round)}</p>` : nothing}
    ${isMeasured ? html`<p>${says.isMeasured}</p>` : nothing}<form class="enter" @input=${writes}
    @submit=${send}>
    ${isNameless() ? html`<label>${says.yourName} <input name="name" required maxlength="40"
      autocomplete="nickname" .value=${was["name"] ?? ""}></label>` : nothing}
    <label>${says.club} <input name="club" maxlength="40" autocomplete="organization"
      aria-describedby="club-about" .value=${was["club"] ?? ""}></label>
    <button type="submit" class="main" ?disabled=${state.isSending}>${isFull
      ? says.waitForPlace : says.enter}</button></form>
    <p id="club-about" class="soft">${says.clubAbout}</p></div>`;
}

// --- About it -------------------------------------------------------------------------------------------

/** @param {Placed} placed */
function about({ground, keeps, proves, proved}) {
  const t = ground.tournament, isTrf = t.round && t.seats === 2 && !t.cut && !t.format.endsWith("elimination");
  const root = document.body.dataset.root ?? "";
  return html`<section><h2>${says.aboutIt}</h2>
    <dl class="facts">${facts(t, clockOf, ground.game)
      .map(([name, said]) => html`<dt>${name}</dt><dd>${said}</dd>`)}</dl>
    <p>${t.about}</p>
    <p><a href="${root}/docs/rules/${t.game}">${says.rulesOf(titleOfGame(state.games, t.game))}</a></p></section>
    ${prizes(ground)}
    <section><h2>${says.takeAlong}</h2><div class="keepers">
      <button type="button" @click=${() => keeps("record")}>${says.record}</button>
      ${t.round ? html`<button type="button" @click=${() => keeps("csv")}>${says.csv}</button>` : nothing}
      ${isTrf ? html`<button type="button" @click=${() => keeps("trf")}>${says.trf}</button>` : nothing}
      <p class="soft">${says.howToVerify}</p><code>${
        says.verifyCommand(`tournament-${t.id}.ndjson`)}</code></div></section>
    <section class="verify" id="proof" tabindex="-1" aria-label=${says.verify}><h2>${says.verify}</h2>
      <p class="soft">${says.verifyAbout}</p>
      <button type="button" class="verifies" ?disabled=${ground.proof?.verdict === ""}
        @click=${proves}>${says.verifyHere}</button>${proved ?? nothing}</section>`;
}

/** List the prizes by place, and who won them. @param {Placed["ground"]} ground */
function prizes({tournament: {prizes, awarded}, standings, names}) {
  if (!prizes.length) return nothing;
  const whose = (/** @type {{place: number}} */ one) => awarded.filter((each) => each.prize.place === one.place)
    .flatMap(({entrant}) => standings?.items.find((row) => row.entrant === entrant) ?? [])
      .map(({player}) => plainName(player));
  return html`<section><h2>${says.prizes}</h2><dl
    class="facts">${prizes.map((one) => html`<dt>${says.nth(one.place)}</dt>
    <dd>${[...prizeIn(one, names), ...whose(one)].join(says.comma)}</dd>`)}</dl></section>`;
}

// --- Events ---------------------------------------------------------------------------------------------

/** @param {Placed} placed */
function happenedPart({ground, happened}) {
  const {tournament: t, entries} = ground;
  const people = [t.organiser, ...t.helpers, ...(entries?.items ?? []).map((one) => one.player),
    ...(entries?.waiting ?? [])];
  const player = (/** @type {string} */ id) => { const one = people.find((each) => each.id === id);
    return one ? plainName(one) : says.somebody; };
  const entrant = (/** @type {number} */ no) =>
    plainName(entries?.items[no]?.player ?? {id: "", name: says.somebody, handle: null});
  const lines = [...ground.told].reverse()
    .map((event) => ({...event, text: told(event, entrant, player, ground.names)})).filter(({text}) => text);
  return html`<ol class="happened">${repeat(lines.slice(0, ground.most), ({seq}) => seq,
      ({at, text}) => html`<li><time class="soft"
        datetime=${at}>${moment(new Date(at))}</time> <span>${text}</span></li>`)}</ol>
    ${lines.length > ground.most ? html`<p><button type="button"
      @click=${() => happened({is: "widens"})}>${says.showMore(lines.length - ground.most)}</button></p>` : nothing}`;
}

