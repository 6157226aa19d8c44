/** Shows how a match ended, and what the reader can do next. */

import {howOver} from "./how_won.ts";
import {keep} from "./reading.js";
import {readsPainted} from "../table/painted.js";
import {api, bring, repaint, state, attempt} from "../table/app.js";
import {copied} from "../table/copying.js";
import {goesTo, MADE, playNow} from "../table/joining.js";
import {ownId, sitsDown} from "../table/kept_seats.js";
import {loadStyles} from "../table/later.js";
import {games} from "../table/listing.js";
import {numberIn, personal} from "../table/retold.js";
import {nameOf} from "../table/seating.js";
import {number} from "../words/language.js";
import {says} from "../words/past.js";
import {says as tableSays} from "../words/table.js";
import {html, nothing} from "lit-html";
import overStyles from "./over.css?url";

loadStyles(overStyles);

const NEXT = () => import("./next_table.js");
const MOST_FOLLOWED = 20;  // matches whose rematch was played already

/** @typedef {Api.Game["brought_to"]} Further */
/** @typedef {{seq: number, text: string, proof?: string}} Told a line of the log, and a hash that proves it */

/** Fold consecutive lines that only contain a hash into one. @param {Told[]} lines @returns {Told[]} */
export function folded(lines) {
  return lines.reduce((/** @type {Told[]} */ told, line) => {
    const before = told.at(-1), its = numberIn(line.text), numbers = before && (before.proof ?? numberIn(before.text));
    if (!its || !before || !numbers) return [...told, line];
    const proof = `${numbers}, ${its}`;
    return [...told.slice(0, -1), {seq: before.seq, text: says.numbers(proof.split(", ").length), proof}];
  }, []);
}

/** The places and scores, best first; nothing if all seats tied without a score. @param {Api.Match} match */
function places(match) {
  const {places, scores, wins} = /** @type {NonNullable<Api.Match["result"]>} */ (match.result),
    isSeries = wins.some((one) => one > 1);
  if (new Set(places).size < 2 && !scores.some(Boolean)) return nothing;
  const seats = places.map((_, seat) => seat).sort((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  return html`<div class="ended"><table><caption class="unseen">${says.places}</caption>
    <thead><tr><th scope="col">${says.place}</th><th
      scope="col">${says.player}</th>${isSeries ? html`<th scope="col">${says.gamesWon}</th>` : nothing}<th
      scope="col">${says.score}</th></tr></thead>
    <tbody>${seats.map((seat) => html`<tr class=${match.result?.winners.includes(seat)
        ? "first" : ""}><td>${places[seat]}</td><td>${nameOf(match, seat)}</td>${isSeries
        ? html`<td>${number(wins[seat] ?? 0)}</td>`
        : nothing}<td>${number(scores[seat] ?? 0)}</td></tr>`)}</tbody></table></div>`;
}

/** Say who won and how, and the reader's place. @param {Api.Match} match */
function outcome(match) {
  const {winners, places} = /** @type {NonNullable<Api.Match["result"]>} */ (match.result), own = match.your_seat,
    notes = /** @type {string[]} */ (match.scene?.notes ?? []), how = howOver(notes, state.log),
    isWon = own !== null && winners.includes(own), last = Math.max(...places);
  const said = winners.length || !notes.length ? tableSays.winners(winners.map((seat) => nameOf(match, seat)))
    : `${tableSays.status[match.status] ?? match.status}.`;
  const place = own !== null && !isWon && last > 1 ? [says.yourPlace(places[own] ?? last, places.length)] : [];
  const more = [...place, ...how ? [personal(match, how)] : []].join(" ");
  return html`<div class="outcome ${isWon ? "won" : ""}"><h2>${said}</h2>${more ? html`<p>${more}</p>`
    : nothing}</div>`;
}

let isShared = false;

/** Share or copy the address of the replay, with hands hidden. @param {Api.Match} match */
async function share(match) {
  const url = new URL(`#m=${match.id}&v=first`, location.href).href;
  if (navigator.share) return void await navigator.share({url}).catch(() => {});
  isShared = await copied(url);
  repaint();
}

/** Which games accept a deck from which game. @type {Record<string, Further> | null} */
let broughtTo = null;

/** Link to a table where the reader can play with the deck from this match. @param {Api.Match} match */
function further(match) {
  if (!broughtTo) {
    broughtTo = {};
    readsPainted(async () => {
      const {items} = await api.call("GET", "/games?fields=game,brought_to");
      broughtTo = Object.fromEntries(items.map(({game, brought_to: to}) => [game, to]));
    }, () => { broughtTo = null; });
  }
  return (broughtTo[match.game] ?? []).map(({game, title, options, named_by: option}) => {
    const named = /** @type {Record<string, string>} */ (options),
      said = new URLSearchParams({new: game, ...named, [option]: match.id});
    return html`<a class="button" href="#${said.toString()}">${says.bringTo(title)}</a>`;
  });
}

/**
 * Offer the same match again, with its options, players and bots; spectators can play its game.
 * @param {Api.Match} match
 */
async function again(match) {
  if (match.your_seat === null) {
    const game = (await games()).find((one) => one.game === match.game);
    if (game) await playNow(game);
    return;
  }
  await goesTo(async () => {
    let made = await rematch(match.id);
    // A match has one rematch. If that is over too, offer the rematch of the rematch.
    for (let n = 1; n < MOST_FOLLOWED && isPlayed(made); n += 1) made = await rematch(made.id);
    await sitsDown(made, ownId(match));
    return made;
  });
}

/** @param {string} id */
const rematch = (id) => api.call("POST", `/matches/${id}/rematch?fields=${MADE},seats`, {}, api.keyed());

/** Return whether the reader has played a match to its end. @param {Pick<Api.Match, "status" | "your_seats">} match */
const isPlayed = ({status, your_seats: own}) => ["finished", "abandoned", "stopped"].includes(status) && own.length > 0;

/** @param {Api.Match} match */
export function whenOver(match) {
  return html`<div class="sheet last">${match.annulled ? html`<p class="annulled">${says.annulled(match.annulled)}</p>`
    : nothing}${outcome(match)}${places(match)}
    ${match.tournament && match.your_seat !== null ? bring(NEXT)?.nextTable(match) ?? nothing : nothing}
    <button type="button" class=${match.tournament ? "quiet" : "main"}
      @click=${() => void attempt(() => again(match))}>${says.playAgain}</button>
    ${match.your_seat === null || match.tournament ? nothing : further(match)}
    ${match.tournament ? html`<a class="button" href="#tournament=${match.tournament.id}">${says.toTournament}</a>`
      : nothing}
    <a class="button" href="#m=${match.id}&v=first">${says.lookBack}</a>
    <button type="button" class="quiet" @click=${() => void attempt(() => share(match))}>${isShared
      ? says.copied : says.share}</button>
    <button type="button" class="quiet record" @click=${() =>
      void attempt(() => keep(match.id))}>${says.downloadRecord}</button></div>`;
}
