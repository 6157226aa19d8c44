/** What players ask of each other and of the match: draws, moves that are taken back, to give up. */

import {api, state, tries} from "../table/app.js";
import {control} from "../table/controls.js";
import {titleOf} from "../table/moves.js";
import {says} from "../words/talk.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";

/** @typedef {import("../table/store.ts").Move} Move */

/** The commands by which a request is answered, in words, and the event by which it was made. */
const ANSWERS = /** @type {Record<string, {label: string, event: string}>} */ ({
  accept_draw: {label: says.answers.accept_draw, event: "DrawOffered"},
  decline_draw: {label: says.answers.decline_draw, event: "DrawOffered"},
  grant_take_back: {label: says.answers.grant_take_back, event: "TakeBackRequested"},
  refuse_take_back: {label: says.answers.refuse_take_back, event: "TakeBackRequested"},
});

/** What was asked or refused just now: who asked has to know that nobody has answered yet, and who was refused. */
const JUST_NOW = /^(Draw(Offered|Declined)|TakeBack(Requested|Refused))$/;

/**
 * Say what the reader is asked, or what came of what was asked, in the words of the event; empty: nothing.
 * @param {Move[]} also
 * @param {import("../table/store.ts").Line[]} log
 * @param {(text: string) => string} personal
 */
export function asked(also, log, personal) {
  const events = new Set(also.flatMap(({name}) => ANSWERS[name]?.event ?? [])), last = log.at(-1);
  if (!events.size && last && JUST_NOW.test(last.type)) return personal(last.text);
  return [...events].map((event) => personal(log.filter(({type}) => type === event).at(-1)?.text ?? says.youAreAsked))
    .join(" ");
}

/** @param {Move[]} also @param {import("../table/controls.js").Ways} ways */
export function answers(also, ways) {
  const rows = also.filter(({name}) => name in ANSWERS);
  return rows.length ? html`<div class="answers" role="group"
    aria-label=${says.yourAnswer}>${repeat(rows, ({name}) => name,
      ({name}) => button(ANSWERS[name]?.label ?? "", ways,
        () => ways.send({label: "", move: name, args: {}})))}</div>` : nothing;
}

/** @param {Move[]} also @param {import("../table/controls.js").Ways} ways */
export function others(also, ways) {
  const rows = also.filter(({name, args}) => args && !(name in ANSWERS));
  return html`<div class="more">${repeat(rows, ({name}) => name, (move) => {
    if (move.name === "resign") return button(says.giveUp, ways, () => void tries(() => asksToGiveUp(move, ways)));
    return move.name in says.requests ? button(says.requests[move.name] ?? "", ways, (event) => {
      focusSummary(event);
      ways.send(option(move));
    }) : control(move, ways);
  })}</div>`;
}

/**
 * Ask once more before somebody gives up the match, which cannot be taken back; in a series of two they may give up the
 * game alone. Between two games there is none to give up.
 * @param {Move} move @param {import("../table/controls.js").Ways} ways
 */
async function asksToGiveUp(move, ways) {
  const {id, seats} = state.match, {series} = await api.call("GET", `/matches/${id}?fields=series`);
  if (state.id !== id) return;
  const isBetween = state.offer?.moves.some(({name}) => name === "continue_match"),
    isSeries = seats.length === 2 && series.best_of > 1 && !isBetween;
  const game = {...option(move), label: says.thisGame}, match = {...option(move),
    label: isSeries ? says.wholeMatch : says.giveUpNow, args: {whole_match: true}};
  ways.ask({title: isSeries ? says.giveUpWhat : says.reallyGiveUp, isGrave: true,
    options: isSeries ? [game, match] : [match]});
}

/** Put the focus on what a button was unfolded from, as the button goes when it is pressed. @param {Event} event */
const focusSummary = ({target}) =>
  /** @type {Element} */ (target).closest("details")?.querySelector("summary")?.focus();

/** @param {Move} move */
const option = (move) => ({label: titleOf(move), move: move.name, args: {}});

/** @param {string} label @param {import("../table/controls.js").Ways} ways @param {(event: Event) => void} press */
const button = (label, ways, press) =>
  html`<button type="button" ?disabled=${ways.isStill} @click=${press}>${label}</button>`;
