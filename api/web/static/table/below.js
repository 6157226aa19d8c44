/** Shows what lies below a table: what was told, what is said, what else may be done. No first move needs it. */

import {bring, brought, state} from "./app.js";
import {unfold} from "./following.js";
import {brings} from "./later.js";
import {numberIn, personal} from "./retold.js";
import {isTalked, nameOf} from "./seating.js";
import {toldBy} from "./store.js";
import {says} from "../words/below.js";
import {html, nothing} from "./vendor/lit-html/lit-html.js";
import {repeat} from "./vendor/lit-html/directives/repeat.js";

export {personal} from "./retold.js";
export {follow} from "./streams.js";

const AWAY = () => import("../away/away.js");
const MOTION = () => import("../moving/motion.js");

/** @typedef {import("../past/over.js").Told} Told */

/**
 * @param {Api.Match} match
 * @param {import("./store.js").Move[]} also what else may be done
 * @param {import("./controls.js").Ways} ways
 * @param {{folded: ((lines: Told[]) => Told[]) | undefined, asking: typeof import("../talk/requests.js") | null,
 *   say: (text: string) => Promise<string>}} has what has been brought for the match
 */
export function below(match, also, ways, {folded = (lines) => lines, asking, say}) {
  const lines = folded(toldBy(state.log, match.version));
  return html`
    <section class="log" aria-label=${says.whatHappened}>
      <div role="log" aria-live="polite" tabindex="0" aria-label=${says.whatWasTold}><ol>${repeat(lines,
        ({seq}) => seq, ({text, proof = numberIn(text)}) => html`<li>${personal(match, text)}${proof
          ? html` <details><summary>${says.itsNumber}</summary>${proof}</details>` : nothing}</li>`)}</ol></div>
    </section>
    ${brought.talk && isTalked(match)
      ? brought.talk.chat(match.id, state.chat, (seat) => nameOf(match, Number(seat)), say) : nothing}
    ${also.length ? html`<details class="also" @toggle=${(/** @type {Event} */ event) =>
      unfold(/** @type {HTMLDetailsElement} */ (event.target).open)}>
      <summary>${says.whatElse}</summary>${asking?.others(also, ways) ?? nothing}${state.isOpen
        ? bring(MOTION)?.pace() ?? nothing : nothing}</details>` : nothing}
    ${match.your_seat !== null && !match.result
      ? html`<details class="also leaves"
      @toggle=${(/** @type {Event} */ event) => { if (/** @type {HTMLDetailsElement} */ (event.target).open)
        void brings(AWAY).then(({begin}) => begin()); }}>
      <summary>${says.forAway}</summary>${state.away ? bring(AWAY)?.away() ?? nothing : nothing}</details>` : nothing}`;
}
