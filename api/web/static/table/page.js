/** The page: finds the part that its address names, and paints it after each happening. */

import {LEFT} from "./api.js";
import {api, bring, brought, dispatch, idIn, repaint, root, setPainter, state, token, attempt} from "./app.js";
import {open} from "./following.js";
import {playNow} from "./joining.js";
import {joins} from "./joins.js";
import {areThere, loadModule, loadStyles} from "./later.js";
import {begin, LISTS} from "./listing.js";
import {LOBBY, playing} from "./playing.js";
import {titleOfGame} from "./seating.js";
import {start} from "./start.js";
import {trouble} from "./trouble.js";
import {showSettings} from "../settings/chosen.ts";
import {language} from "../words/language.js";
import {says} from "../words/table.js";
import {keptAlarm} from "../guard/alarm.ts";
import {html, nothing, render} from "lit-html";

/** For tests, and for the console of a browser. */
export {dispatch, state} from "./app.js";

const main = /** @type {HTMLElement} */ (document.getElementById("page"));

showSettings();

let end = () => {};

function route() {
  end();
  api.leaves();
  end = () => {};
  const said = new URLSearchParams(location.hash.slice(1)), id = idIn(said, "m"), code = said.get("invite"),
    version = said.get("v");
  if (id && code) {
    dispatch({is: "opened", id: null});
    dispatch({is: "invited", invited: {id, seat: said.has("seat") ? Number(said.get("seat")) : null, code}});
  } else if (id && version) {
    void attempt(() => openReplay(id, Number(version) || null, said.get("seat")));
    end = () => brought.past?.leave();
  }
  else if (id) end = open(id);
  else if (isBeside()) end = beside();
  else if (said.has("new")) void attempt(() => openForm(said));
  else end = begin();
}

/** @param {string} id @param {number | null} version @param {string | null} seat */
async function openReplay(id, version, seat) {
  brought.past = await loadModule(() => import("../past/looking.js"));
  await brought.past.remember(id, version, seat);
}

/** @param {URLSearchParams} said */
async function openForm(said) {
  brought.form = await loadModule(() => import("../making/form.js"));
  await brought.form.think(said);
}

const BESIDE = () => import("../tournaments/ground.js");
const isBeside = () => /^#(tournament|announce|player|leaderboard)/.test(location.hash);

/** Show tournaments or players instead of tables. */
function beside() {
  dispatch({is: "opened", id: null});
  let leave = () => {}, isLeft = false;
  void loadModule(BESIDE).then(({begin}) => { if (!isLeft) leave = begin(); });
  return () => { isLeft = true; leave(); };
}

// --- Views --------------------------------------------------------------------------------------------

function making() {
  if (!state.making || !brought.form)
    return html`<h1 tabindex="-1" id="title">${says.aTable}</h1>${trouble()}<p><a class="back"
    href="#">${says.allGames}</a></p>`;
  return brought.form.tableToMake({draft: state.making, isStill: state.isSending, trouble: trouble(), root,
      change: (draft) => dispatch({is: "making", draft})});
}

const starting = () => start({state, root, trouble: trouble(),
  unfold: (isOpen) => dispatch({is: "unfolded", isOpen}), me: state.isOpen ? bring(ME)?.me() : null,
  play: (game) => void attempt(() => playNow(game)),
  lists: [state.mine, state.inbox].some(({length}) => length) ? bring(LISTS)?.lists() : null, joins: joins()});

/** Show the part that the address names. */
function shown() {
  if (state.isEnded) return bring(ME)?.signedOut() ?? trouble();
  if (state.invited) return bring(LOBBY)?.invitation() ?? trouble();
  if (state.id) return brought.past?.shown() ?? playing();
  if (isBeside()) return bring(BESIDE)?.shown() ?? trouble();
  return location.hash.startsWith("#new=") ? making() : starting();
}

const ME = () => import("../me/me.js");
const MOTION = () => import("../moving/motion.js"), GUARD = () => import("../guard/guard.ts"), BEGUN_MS = 10_000;
let isBegun = false;  // the modules that move cards and watch the server are loaded when the start is done
setTimeout(() => { isBegun = true; repaint(); }, BEGUN_MS);

let isPainting = false, isOld = false;

/**
 * Paint the state. Happenings during painting, such as a removed field that loses the focus, are painted afterwards.
 */
function paint() {
  isOld = true;
  if (isPainting) return;
  isPainting = true;
  try {
    while (isOld) {
      isOld = false;
      paints();
    }
  } finally { isPainting = false; }
}

const OFFERED = ":is(.felt, .actions) button:enabled";
// the element that has or had the focus, its position among the controls, the region around it, and the region that has
// the focus instead
let held = /** @type {HTMLElement | null} */ (null), place = 0, around = "",
  stood = /** @type {Element | null} */ (null);
main.addEventListener("focusin", ({target}) => {
  if (target === stood) return;
  held = /** @type {HTMLElement} */ (target);
  // An open panel would cover the focused element.
  if (!held.closest("#panel, .opens")) document.getElementById("panel")?.hidePopover();
  around = held.closest(".felt, .also") ? "actions" : held.closest("[id][tabindex='-1']")?.id ?? "";
});
// pressing the focused element keeps it
addEventListener("pointerdown", ({target}) => { if (!held?.contains(/** @type {Node} */ (target))) held = null; });

/** Restore the focus if its element was removed or disabled: to the element, or else to another move or its region. */
function keepsFocus() {
  const at = document.activeElement;
  if (!held || !(at === document.body || at === stood || at?.matches(":disabled"))) return;
  const offered = /** @type {HTMLElement[]} */ (state.isSending ? [] : [...main.querySelectorAll(OFFERED)]);
  stood = document.getElementById(around);
  const next = held.isConnected && !held.matches(":disabled") ? held
    : offered.find((one) => one.matches(".felt .fits, .together .main"))
    ?? offered[state.match?.result ? 0 : Math.min(place, offered.length - 1)] ?? stood ?? main.querySelector("#title");
  /** @type {HTMLElement | null} */ (next)?.focus({preventScroll: true});
}

function paints() {
  const {match} = state;
  if (held?.matches(OFFERED)) place = [...main.querySelectorAll(OFFERED)].indexOf(held);
  const draws = () => {
    render(state.alarm ? html`${bring(GUARD)?.alarmed(state.alarm) ?? nothing}${shown()}` : shown(), main);
  };
  isBegun ||= (state.isSending || state.chosen.length > 0) && Boolean(match);
  if (isBegun) bring(GUARD)?.watch(match);
  if (isBegun && match) (bring(MOTION)?.moves ?? ((_, paint) => paint()))(main, draws);
  else draws();
  const game = match && titleOfGame(state.games, match.game);
  const isMine = match && (state.moment ?? match).to_act?.includes(match.your_seat ?? -1);
  document.title = !match ? says.title : isMine ? says.yourTurnAt(game) : game;
  const question = state.ask && main.querySelector(".ask");
  const begun = question ? state.ask?.began ?? state.ask?.title : null;
  if (begun && begun !== asked) first(".ask button");
  else keepsFocus();
  asked = begun;
}

/** The last question that took the focus: each takes it once. */
let asked = /** @type {unknown} */ (null);

/** @param {string} selector */
const first = (selector) => /** @type {HTMLElement | null} */ (main.querySelector(selector))
  ?.focus({preventScroll: true});

// Truncated stylesheets are loaded again.
const style = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=stylesheet]"));
if (!areThere(style)) loadStyles(style.href);
// Unexpected errors are shown, and the page continues.
const breaks = () => dispatch({is: "refused", problem: says.broken});
addEventListener("error", breaks);
addEventListener("unhandledrejection", ({reason}) => { if (reason?.code !== LEFT) breaks(); });
main.replaceChildren();
document.documentElement.lang = language;
setPainter(paint);
state.alarm = keptAlarm();
// The address of a match in the API redirects browsers here; the part behind its `#` is kept.
const led = new URLSearchParams(location.search).get("m");
if (led) history.replaceState(null, "",
  `${location.pathname}#m=${encodeURIComponent(led)}${location.hash.replace("#", "&")}`);
// On the way back to a place, restore its scroll position.
addEventListener("scrollend", () => { history.replaceState({top: scrollY}, ""); });
addEventListener("hashchange", () => {
  const {top = 0} = history.state ?? {};
  route();
  if (top) scrollTo(0, top);
});
// Another tab changed the token: show the page of that player.
addEventListener("storage", ({key}) => {
  if (key !== token.key) return;
  dispatch({is: "forgot"});
  route();
});
route();
