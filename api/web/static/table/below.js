/** Shows the parts below a table: log, chat and rare actions. The first moves do not need it. */

import {bring, brought, state} from "./app.js";
import {unfold} from "./following.js";
import {loadModule} from "./later.js";
import {numberIn, personal} from "./retold.js";
import {isTalked, nameOf} from "./seating.js";
import {MOST_EARLIER, MOST_LINES, toldBy} from "./store.ts";
import {follow} from "./streams.js";
import {keepUnsent, unsent} from "../making/unsent.js";
import {says} from "../words/below.js";
import {html, nothing} from "lit-html";
import {ref} from "lit-html/directives/ref.js";
import {repeat} from "lit-html/directives/repeat.js";

export {personal} from "./retold.js";
export {follow} from "./streams.js";

const AWAY = () => import("../away/away.js");
const HOW_TO_PLAY = () => import("./how_to_play.ts");
let teaching = /** @type {typeof import("./how_to_play.ts") | null} */ (null);

/** @typedef {import("../past/over.js").Told} Told @typedef {import("./store.ts").Line} Line */

const KEPT = "log";

/**
 * Follow the events of a match for its log, which shows only the last ones. Events that this window has received are
 * kept, not requested again: they may be secret, so they are sent uncompressed. They are deleted with the player's
 * other unsent input.
 * @param {import("./streams.js").Line} line @param {Api.Match} match
 * @param {{told: (event: Line) => void, refused: (error: import("./api.js").Refused) => void}} heard
 * @returns {() => void} stops following
 */
export function followLog(line, {id, version, seats, your_seats}, heard) {
  const reader = seats.filter(({seat}) => your_seats.includes(seat)).map((one) => one.player?.id ?? "").join(),
    place = `${id} ${your_seats.join()} ${reader}`, first = Math.max(0, version - MOST_EARLIER);
  const before = /** @type {{place: string, lines: Line[]} | null} */ (unsent(KEPT));
  let lines = before?.place === place && (before.lines.at(-1)?.seq ?? 0) >= first ? before.lines : [];
  lines.forEach(heard.told);
  const told = (/** @type {Line} */ event) => {
    lines = [...lines, event].slice(-MOST_LINES);
    if (your_seats.length) keepUnsent(KEPT, {place, lines});
    heard.told(event);
  };
  return follow(line, `/matches/${id}/events?fields=seq,type,text`, ({seq}) => seq, {...heard, told},
    lines.at(-1)?.seq ?? first);
}

const NEAR_PX = 8;

/**
 * Scroll a log to each new line, unless the reader has scrolled back. Earlier lines then move by scrolling, which
 * browsers do not count as a layout shift.
 * @param {Element | undefined} log
 */
function staysAtEnd(log) {
  if (!log) return;
  let isAtEnd = true;
  const ends = () => { if (isAtEnd) log.scrollTop = log.scrollHeight; };
  log.addEventListener("scroll", () => {
    isAtEnd = log.scrollTop + log.clientHeight > log.scrollHeight - NEAR_PX;
  });
  new MutationObserver(ends).observe(log, {childList: true, subtree: true});
  new ResizeObserver(ends).observe(log);
}

/**
 * @param {Api.Match} match
 * @param {import("./store.ts").Move[]} also the rare moves
 * @param {import("./controls.js").Ways} ways
 * @param {{folded: ((lines: Told[]) => Told[]) | undefined, asking: typeof import("../talk/requests.js") | null,
 *   say: (text: string) => Promise<string>}} has the modules loaded for the match
 */
export function below(match, also, ways, {folded = (lines) => lines, asking, say}) {
  const lines = folded(toldBy(state.log, match.version));
  return html`
    <section class="log" aria-label=${says.whatHappened}>
      <div role="log" aria-live="polite" tabindex="0" aria-label=${says.whatWasTold}
        ${ref(staysAtEnd)}><ol>${repeat(lines,
        ({seq}) => seq, ({text, proof = numberIn(text)}) => html`<li>${personal(match, text)}${proof
          ? html` <details><summary>${says.itsNumber}</summary>${proof}</details>` : nothing}</li>`)}</ol></div>
    </section>
    ${brought.talk && isTalked(match)
      ? brought.talk.chat(match.id, state.chat, (seat) => nameOf(match, Number(seat)), say) : nothing}
    <details class="teaches" @toggle=${(/** @type {Event} */ event) => {
      if (/** @type {HTMLDetailsElement} */ (event.target).open)
        void loadModule(HOW_TO_PLAY).then((module) => (teaching = module).readRules(match.id)); }}>
      <summary>${says.howToPlay}</summary>${teaching?.howToPlay(match) ?? nothing}</details>
    ${also.length ? html`<details class="also" @toggle=${(/** @type {Event} */ event) =>
      unfold(/** @type {HTMLDetailsElement} */ (event.target).open)}>
      <summary>${says.whatElse}</summary>${asking?.others(also, ways) ?? nothing}</details>` : nothing}
    ${match.your_seat !== null && !match.result
      ? html`<details class="also leaves"
      @toggle=${(/** @type {Event} */ event) => { if (/** @type {HTMLDetailsElement} */ (event.target).open)
        void loadModule(AWAY).then(({begin}) => begin()); }}>
      <summary>${says.forAway}</summary>${state.away ? bring(AWAY)?.away() ?? nothing : nothing}</details>` : nothing}`;
}
