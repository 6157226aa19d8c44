/** Shows the open match: the bar, the table, the legal moves, and the log. */

import {api, bring, dispatch, state, token, attempt} from "./app.js";
import {hasAmounts, hasNames} from "./cards.js";
import {ASKING, control, TOGETHER} from "./controls.js";
import {BELOW} from "./following.js";
import {keepChoices} from "./keeping.js";
import {loadModule, nextTask} from "./later.js";
import {LISTS} from "./listing.js";
import {onTable, shapeOf} from "./moves.js";
import {nameOf, promptOf, status, timeOf, titleOfGame} from "./seating.js";
import {table} from "./table.js";
import {trouble} from "./trouble.js";
import {says} from "../words/table.js";
import {html, nothing} from "lit-html";
import {repeat} from "lit-html/directives/repeat.js";

const ANSWER = /^(accept|decline|grant|refuse)_/;  // the beginning of the names of commands that answer another player
const ASKED = /^(Draw|TakeBack)\w+ed$/;  // the names of events that request something
export const LOBBY = () => import("../making/lobby.js");
// Modules that no move needs are loaded after the moves.
const CHIPS = () => nextTask().then(() => import("../printed/chips.ts"));
const SENDING = () => nextTask().then(() => import("./sending.js"));
const SETTINGS = () => nextTask().then(() => import("../settings/settings.ts"));
const KEYS = () => nextTask().then(() => import("../keys/keys.js"));
const RATED = () => nextTask().then(() => import("../players/rated.js"));
const TURN = () => nextTask().then(() => import("../printed/turn.ts"));
const PRINTED = () => nextTask().then(() => import("../printed/printed.js"));
const OVER = () => import("../past/over.js");
const HAND = () => import("../past/hand.ts");
const WARNING = () => import("../away/warning.js");
const REQUESTS = () => import("../talk/requests.js");

/** @typedef {import("./store.ts").Option} Option */

/** Load what a scene needs: chips for amounts, and texts of cards. @param {Api.Scene} scene */
export function drawing(scene) {
  return {...(hasAmounts(scene) ? bring(CHIPS) : {}), ...(scene?.steps.length ? bring(TURN) : {}),
    texts: hasNames(scene) ? bring(PRINTED)?.texts(scene) ?? nothing : nothing};
}

/**
 * Send something, once the module that sends is loaded.
 * @param {(sending: typeof import("./sending.js")) => void} does
 */
const sends = (does) => void loadModule(SENDING).then(does);

export function playing() {
  // Legal moves belong to the current table: an earlier one has none.
  const offer = state.moment ? null : state.offer, match = state.match && {...state.match, ...state.moment};
  const moves = offer?.moves ?? [], also = state.offer?.also ?? [];
  const here = onTable(moves), isMine = match?.to_act?.includes(match.your_seat ?? -1);
  const name = (/** @type {number} */ seat) => nameOf(match, seat);
  const told = match ? bring(BELOW) : null;
  if (told && token.value) bring(LISTS);  // the reader finds it again on the start page
  const tell = (/** @type {string} */ text) => told?.personal(match, text) ?? "";
  const asking = state.isOpen || also.some((one) => ANSWER.test(one.name)) || ASKED.test(state.log.at(-1)?.type ?? "")
    ? bring(REQUESTS) : null;
  const sending = match ? bring(SENDING) : null;
  /** @type {typeof sends} */
  const then = (does) => { if (sending) does(sending); else sends(does); };
  const press = (/** @type {Option[]} */ options) => then((sending) => sending.press(options));
  const ways = {held: state.chosen, isStill: state.isSending, drafts: state.drafts, bring, press,
    take: (/** @type {Option} */ one) => then((sending) => sending.take(one)),
    pressed: here.pressed, scene: state.match?.scene,
    send: (/** @type {Option} */ one, /** @type {(() => void) | undefined} */ done) =>
      then((sending) => void attempt(() => sending.send(one, done))),
    draft: (/** @type {string} */ move, /** @type {import("./store.ts").Drafted} */ draft) => {
      dispatch({is: "drafted", move, draft}); keepChoices(); },
    ask: (/** @type {import("./store.ts").Question} */ ask) => then((sending) => sending.asks(ask))};
  const {texts, ...drawn} = drawing(match?.scene);
  const isHandOver = Boolean(match?.scene) && moves.some((move) => move.name === "continue_match");
  // The result sheet shows how the hand was decided. Repeating it on the felt would move other things there.
  const scene = match?.scene && (isHandOver || match.result) ? {...match.scene, notes: []} : match?.scene;
  const paired = moves.some((move) => shapeOf(move).kind === "together") && bring(TOGETHER)?.onTable(moves, ways) || [];
  return html`
    <div class="bar">
      <a class="back" href="#">${says.allGames}</a>
      <h1 tabindex="-1" id="title">${match ? titleOfGame(state.games, match.game) : says.aMatch}</h1>
      ${match?.status === "playing" && match.your_seat === null ? html`<small class="soft">${says.watching}</small>`
        : nothing}
      <p class="turn ${isMine ? "mine" : ""}" role="status">${match || !state.problem ? status(match) : ""}</p>
      <p class="unseen" role="status">${match?.deadline && isMine
        ? bring(WARNING)?.warned(match.deadline, api.now()) ?? "" : ""}</p>
      ${match?.scene ? html`<button type="button" class="opens quiet" popovertarget="panel">${says.menu}</button>`
        : nothing}
    </div>
    <div class="playing ${match?.scene ? "stays" : ""}">${match?.scene ? html`<div class="felt"
      aria-label=${says.theTable} role="region"
      data-version=${match.version}>${table(bring(SETTINGS)?.arranged(scene) ?? scene, {
      pressed: here.pressed,
      chosen: new Map([...here.chosen, ...paired]),
      held: state.chosen, isStill: state.isSending, press, name, ...drawn,
      prompt: promptOf(match, offer, tell),
      ...(match.rated ? bring(RATED)?.ratings(match) : {}), tell,
      time: (seat) => timeOf(match, seat, api.now()),
      choose: (card, most) => { dispatch({is: "chose", card, most}); keepChoices();
        }})}</div>` : match?.status === "lobby" ? bring(LOBBY)?.lobby(match) ?? nothing
        : match || !state.problem ? nothing : bring(LOBBY)?.missing() ?? nothing}
    <div class="actions" id="actions" tabindex="-1" role="region" aria-label=${says.whatYouMayDo}>
      <p class="asked" role="status">${asking?.asked(also, state.log, tell) ?? ""}</p>
      ${asking?.answers(also, ways) ?? nothing}
      ${state.ask && offer
        ? bring(ASKING)?.question(state.ask, ways, () => dispatch({is: "asked", ask: null})) ?? nothing
        : nothing}
      ${isHandOver
        ? bring(HAND)?.handOver(match.scene, state.log, name, tell) ?? nothing : nothing}
      ${repeat(here.others.sort((a, b) => a.place - b.place), ({name}, i) => `${name}-${i}`,
        (move) => control(move, ways))}
      ${match?.result ? bring(OVER)?.whenOver(match) ?? nothing : nothing}
      ${trouble()}
    </div></div>
    <div class="panel" id="panel" popover>
    ${match ? told?.below(match, also, ways, {folded: match.result ? bring(OVER)?.folded : undefined, asking,
      say: async (text) => (await loadModule(SENDING)).say(match.id, text)}) ?? nothing : nothing}
    ${match?.scene ? bring(SETTINGS)?.settings() ?? nothing : nothing}
    ${match?.scene ? bring(KEYS)?.keys() ?? nothing : nothing}
    ${texts}</div>`;
}
