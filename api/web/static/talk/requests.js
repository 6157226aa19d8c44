/** Requests between players: draws, takebacks, and resignation. */

import {api, state, attempt} from "../table/app.js";
import {control} from "../table/controls.js";
import {titleOf} from "../table/moves.js";
import {says} from "../words/talk.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";

/** @typedef {import("../table/store.ts").Move} Move */

/** The commands that answer a request, with their labels, and the event that made the request. */
const ANSWERS = /** @type {Record<string, {label: string, event: string}>} */ ({
  accept_draw: {label: says.answers.accept_draw, event: "DrawOffered"},
  decline_draw: {label: says.answers.decline_draw, event: "DrawOffered"},
  grant_take_back: {label: says.answers.grant_take_back, event: "TakeBackRequested"},
  refuse_take_back: {label: says.answers.refuse_take_back, event: "TakeBackRequested"},
});

/** Recent requests and refusals: the player who asked sees that the answer is pending, or that it was refused. */
const JUST_NOW = /^(Draw(Offered|Declined)|TakeBack(Requested|Refused))$/;

/**
 * Show the request that the reader must answer, or the outcome of the last one, in the words of the event; empty if
 * there is none.
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
    if (move.name === "resign") return button(says.giveUp, ways, () => void attempt(() => asksToGiveUp(move, ways)));
    return move.name in says.requests ? button(says.requests[move.name] ?? "", ways, (event) => {
      focusSummary(event);
      ways.send(option(move));
    }) : control(move, ways);
  })}</div>`;
}

/**
 * Ask before the player resigns the match, which cannot be undone; in a series of two, they may resign only the game.
 * Between two games, there is none to resign.
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

/** Focus the button that opened this part, as the pressed button disappears. @param {Event} event */
const focusSummary = ({target}) =>
  /** @type {Element} */ (target).closest("details")?.querySelector("summary")?.focus();

/** @param {Move} move */
const option = (move) => ({label: titleOf(move), move: move.name, args: {}});

/** @param {string} label @param {import("../table/controls.js").Ways} ways @param {(event: Event) => void} press */
const button = (label, ways, press) =>
  html`<button type="button" ?disabled=${ways.isStill} @click=${press}>${label}</button>`;
