/** Shows a round of a tournament: its tables, results, and the reasons for its pairings. */

import {found} from "./happenings.js";
import {person, plainName} from "./people.js";
import {finding, rest, shown} from "./ranks.js";
import {says as common} from "../words/table.js";
import {says} from "../words/tournaments.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";

/** @typedef {import("./tournament_place.js").Placed} Placed */

/** @param {Placed} placed */
export function roundsPart(placed) {
  const {ground, round} = placed, t = ground.tournament, seen = ground.rounds[round];
  if (!t.round) return html`<p class="empty">${says.noRounds}</p>`;
  return html`${t.round === 1 ? nothing : html`<nav class="tabs"
      aria-label=${says.whichRound}>${Array.from({length: t.round}, (_, i) => html`
      <a href="#tournament=${t.id}&part=rounds&round=${i + 1}" aria-current=${i + 1 === round ? "page" : nothing}
        aria-label=${says.round(i + 1)}>${i + 1}</a>`)}</nav>`}
    ${seen ? paired(placed, seen) : html`<p role="status">${common.oneMoment}</p>`}`;
}

/** @param {Placed} placed @param {Api.Round} seen */
function paired(placed, seen) {
  const {ground} = placed, me = ground.tournament.your_entrant;
  const isMine = (/** @type {Api.RoundTable} */ table) =>
    me !== null && table.seats.some((seat) => seat.entrant === me);
  const rows = found([...seen.tables], ground.wanted,
    ({seats}) => seats.map((seat) => seat.player?.name))
    .sort((a, b) => Number(isMine(b)) - Number(isMine(a)));
  return html`${finding(placed, seen.tables.length)}
    <ul class="pairs">${repeat(shown(placed, rows), ({table}) => table,
      (table) => tableOf(placed, table, isMine(table)))}</ul>${rest(placed, rows)}
    ${seen.byes.length ? html`<p class="byes">${says.haveByes} ${
      seen.byes.map((bye, i) =>
        html`${i ? says.comma : nothing}${person(bye.player)}`)}</p>` : nothing}
    <details><summary>${says.whyPaired}</summary><p>${seen.why}</p><p>${says.seedIs} ${
      seen.draws.map((draw) => html`<br><code class="seed">${draw.seed}</code>`)}</p></details>`;
}

/** Describe the status of a table; an open one is in play when all have sat down. @param {Api.RoundTable} table */
function howFar({how, seats}) {
  const people = seats.filter(({player}) => player), count = people.filter(({seated}) => seated).length;
  if (how !== "open" || count === people.length) return says.how[how] ?? how;
  if (people.some(({seated}) => seated === null)) return says.isSet;
  return count ? says.seated(count, people.length) : says.waitsForAll;
}

/** @param {Placed} placed @param {Api.RoundTable} table @param {boolean} isMine */
function tableOf(placed, table, isMine) {
  const isOver = table.how !== "open", nobody =
    isOver && table.seats.every((seat) => (seat.place ?? 0) > 1);
  const name = (/** @type {number} */ entrant) =>
    plainName(table.seats.find((seat) => seat.entrant === entrant)?.player);
  return html`<li id="table-${table.table}" tabindex="-1" class=${isMine ? "mine"
    : ""}><h3>${says.table(table.table + 1)} <span class="chip">${howFar(table)}</span>${isMine
    ? html` <span class="chip mine">${says.yours}</span>` : nothing}</h3>
    <ol>${table.seats.map((seat) =>
      html`<li class=${seat.place === 1 ? "won" : ""}><span>${person(seat.player)}<small>${
        seat.points_before === null || placed.round === 1
        ? nothing : says.before(seat.points_before)}</small></span>
      <span>${seat.absent ? says.absent : seat.player && seat.seated === false
        ? html`<span class="soft">${says.notSeated}</span>` : seat.place === null || nobody ? nothing : seat.place === 1
        ? says.first : says.nth(seat.place)}
        ${seat.wins !== null && hasGames(placed) ? html`<small>${says.won(seat.wins)}</small>`
          : nothing}</span></li>`)}</ol>
    ${nobody ? html`<p>${says.allLost}</p>` : nothing}
    ${table.met.map(({entrants: [one = 0, other = 0], times}) =>
      html`<p class="soft">${says.haveMet(name(one), name(other), times)}</p>`)}
    ${table.earlier_matches.length ? html`<p class="soft">${says.playedAgain(table.earlier_matches.length)}</p>`
      : nothing}
    ${table.how === "ruled" ? html`<p>${says.ruledBy(plainName(table.by), table.reason ?? "")}</p>` : nothing}
    <a class="see" href="#m=${table.match}" aria-label=${says.watchTable(table.table + 1)}>${says.watch}</a>
    ${placed.round === placed.ground.tournament.round && placed.ground.tournament.open
      ? placed.rules(table) ?? nothing : nothing}</li>`;
}

/** Return whether games are counted: if a match has several. @param {Placed} placed */
const hasGames = ({ground}) => ground.tournament.series.best_of > 1;
