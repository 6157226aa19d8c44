/** Says what one may do with a match that is over. */

import {keep} from "./reading.js";
import {tries} from "../table/app.js";
import {playNow} from "../table/joining.js";
import {games} from "../table/listing.js";
import {says} from "../words/past.js";
import {html, nothing} from "../table/vendor/lit-html/lit-html.js";

/** @param {Api.Match} match */
export function whenOver(match) {
  const again = async () => {
    const game = (await games()).find((one) => one.game === match.game);
    if (game) await playNow(game);
  };
  return html`${match.annulled ? html`<p class="annulled">${says.annulled(match.annulled)}</p>` : nothing}<button type="button" class="main" @click=${() => void tries(again)}>${says.playAgain}</button>
    ${match.tournament ? html`<a class="button" href="#tournament=${match.tournament.id}">${says.toTournament}</a>` : nothing}
    <a class="button" href="#m=${match.id}&v=first">${says.lookBack}</a>
    <button type="button" class="record" @click=${() => void tries(() => keep(match.id))}>${says.downloadRecord}</button>`;
}
