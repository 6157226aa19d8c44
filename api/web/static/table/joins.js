/** Lists open tables: players, ratings, and whether they are rated. */

import {bring, state, attempt} from "./app.js";
import {join} from "./joining.js";
import {more} from "./listing.js";
import {titleOfGame} from "./seating.js";
import {withRoom} from "./waiting.ts";
import {says} from "../words/table.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";

export const RATED = () => import("../players/rated.js");

/**
 * Name the players at a table.
 * @param {Api.MatchOfList} match
 * @param {string | null} me
 * @param {(seat: Api.ListedSeat) => string | null} [name]
 */
export function company({seats}, me, name = ({player}) => player?.name ?? null) {
  const people = seats.filter((one) => one.player && one.player.id !== me).map((one) => name(one) ?? "");
  const bots = seats.filter((one) => one.kind === "bot").length;
  return people.length || bots ? says.others(people, bots) : "";
}

export function joins() {
  const there = withRoom(state.open, state.mine);
  if (!there.length) return nothing;
  return html`<section><h2>${says.openTables}</h2><ul class="joins rows">${repeat(there, ({id}) => id, (match) => {
    const rated = match.rated ? bring(RATED) : null, game = titleOfGame(state.games, match.game),
      others = company(match, "");
    const about = [company(match, "", rated?.strength), free(match), rated?.counts(match)];
    return html`<li><span><strong>${game}</strong> <span
      class="soft">${about.filter(Boolean).join(" · ")}</span></span>
      <button type="button" ?disabled=${state.isSending} aria-label=${says.sitDownAt(game, others)}
        @click=${() => void attempt(() => join(match))}>${says.sitDown}</button>
      <a href="#m=${match.id}" aria-label=${says.lookAt(game, others)}>${says.lookAtIt}</a></li>`; })}</ul>
    ${state.more.open ? html`<p><button type="button" class="quiet more"
      @click=${() => void attempt(() => more("open"))}>${says.moreTables}</button></p>` : nothing}</section>`;
}

/** @param {Api.MatchOfList} match */
const free = ({seats}) => says.free(seats.filter((one) => one.kind === "open").length);
